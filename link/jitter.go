package link

import (
	"math"

	"sdrsim/internal/portable"
	"sdrsim/sim"
	"sdrsim/units"
	"sdrsim/wire"
)

// JitterModel is what the extra delay of a packet is drawn from. Its mean is the spread s; models
// differ in how far it goes beyond.
type JitterModel string

// Models of jitter, with their densities for x > 0.
const (
	JitterNone    JitterModel = ""
	JitterUniform JitterModel = "uniform" // even from 0 to 2s
	JitterNormal  JitterModel = "normal"  // deviation s/3, cut off at 0 and 2s
	JitterGamma   JitterModel = "gamma"   // shape 2: 4x/s^2 exp(-2x/s)
	JitterPareto  JitterModel = "pareto"  // Lomax of index 3: 3/(2s) (1 + x/(2s))^-4
)

// mostJitter is what an extra delay is cut off at, in spreads, so that a packet arrives some day.
const mostJitter = 100

// Jitter delays every packet and control message by an amount of its own, beyond the propagation
// delay. It is drawn in order of sending, for those that are not lost.
type Jitter struct {
	Model  JitterModel
	Spread units.Duration
	// Ordered says that nobody overtakes: who would waits, and arrives together with the one before.
	Ordered bool

	stream *sim.Stream
}

// Reset starts a new replication, whose draws come from the stream.
func (j *Jitter) Reset(s *sim.Stream) { j.stream = s }

// Most is the most that a packet may be delayed by.
func (j *Jitter) Most() units.Duration {
	switch j.Model {
	case JitterNone:
		return 0
	case JitterUniform, JitterNormal:
		return 2 * j.Spread
	}
	return mostJitter * j.Spread
}

// draw is the extra delay of the next packet.
func (j *Jitter) draw() units.Duration {
	if j.Model == JitterNone || j.Spread == 0 {
		return 0
	}
	s, x := j.stream, 0.0 // in spreads
	switch j.Model {
	case JitterUniform:
		x = float64(2 * s.Float64())
	case JitterNormal:
		x = min(max(0, 1+s.NormFloat64()/3), 2)
	case JitterGamma:
		x = (s.ExpFloat64() + s.ExpFloat64()) / 2
	case JitterPareto:
		// (1 + x/2)^-3 is uniform, and its logarithm exponential.
		x = float64(2 * (portable.Exp(s.ExpFloat64()/3) - 1))
	}
	return units.Duration(math.Round(float64(min(x, mostJitter) * float64(j.Spread))))
}

// jittered is the path of a link with jitter: the delay of each packet is its own, so that distances
// are not kept, and order is only where it is asked for.
type jittered struct {
	Delay
	jitter *Jitter
	last   []units.Time // arrival of the packet before on each way, where order is kept
	single wire.Run
}

// Preview implements Source: when what has not left arrives is not known.
func (j *jittered) Preview() *Flight { return nil }

// arrival is when what has left at depart, and takes so much longer than the delay of the port,
// arrives over a way.
func (j *jittered) arrival(way int, depart units.Time, more units.Duration) units.Time {
	at := depart.Add(j.port.delay + more + j.jitter.draw())
	if j.jitter.Ordered {
		at = max(at, j.last[way])
		j.last[way] = at
	}
	return at
}

func (j *jittered) take(r *wire.Run, count int64) {
	s := &j.single
	*s = *r
	for left := count; left > 0; left-- {
		j.to.putAny(0, s, j.arrival(0, s.Depart, 0), 1)
		s.Skip(1)
	}
}

func (j *jittered) takeControl(depart units.Time, msg []byte) {
	j.to.putControl(j.arrival(0, depart, 0), msg)
}

func (j *jittered) reset() { clear(j.last) }
