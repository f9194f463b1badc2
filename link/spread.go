package link

import (
	"sdrsim/sim"
	"sdrsim/units"
	"sdrsim/wire"
)

// Way is one of several paths between a port and an inbox.
type Way struct {
	Delay  units.Duration // propagation, one way
	Weight float64        // share of the packets, flowlets or messages, against those of the others
	// Loss loses data packets on this way, beyond what the port loses; nil: nothing.
	Loss LossModel
}

// SpreadBy is what stays together on one of several paths.
type SpreadBy string

// Ways of spreading.
const (
	SpreadPacket  SpreadBy = "packet"  // nothing: every packet takes a path of its own
	SpreadFlowlet SpreadBy = "flowlet" // packets that follow each other without a gap
	SpreadMessage SpreadBy = "message" // an SDR message, with everything that is sent again of it
)

// Spread is how several paths are used.
type Spread struct {
	Ways []Way
	By   SpreadBy
	// Gap is the silence after which a flowlet may take another path.
	Gap units.Duration

	salt   uint64
	stream *sim.Stream
	choice sim.Stream // of a message
}

// Reset starts a new replication, whose draws come from the stream.
func (s *Spread) Reset(stream *sim.Stream) { s.stream, s.salt = stream, stream.Uint64() }

// least is the delay of the shortest way, most that of the longest.
func (s *Spread) bounds() (least, most units.Duration) {
	least, most = s.Ways[0].Delay, s.Ways[0].Delay
	for _, w := range s.Ways {
		least, most = min(least, w.Delay), max(most, w.Delay)
	}
	return least, most
}

// pick draws a way by weight.
func (s *Spread) pick(stream *sim.Stream) int {
	total := 0.0
	for i := range s.Ways {
		total += s.Ways[i].Weight
	}
	x := float64(stream.Float64() * total)
	for i := range s.Ways {
		if x -= s.Ways[i].Weight; x < 0 {
			return i
		}
	}
	return len(s.Ways) - 1
}

// wayOf is the way of a message, which follows from its number.
func (s *Spread) wayOf(serial int64) int {
	s.choice.Seed(s.salt, "message", uint64(serial))
	return s.pick(&s.choice)
}

// spread is the path of several ways. Each keeps its packets in order, if there is no jitter, but not
// with those of others.
type spread struct {
	jittered
	ways *Spread
	// at is the way of the flowlet that has ended, or still goes on, at left; none before the first.
	at   int
	left units.Time
	part wire.Run
}

func (s *spread) take(r *wire.Run, count int64) {
	switch s.ways.By {
	case SpreadPacket:
		part := &s.part
		*part = *r
		for ; count > 0; count-- {
			s.send(s.ways.pick(s.ways.stream), part, 1)
			part.Skip(1)
		}
	case SpreadMessage:
		s.send(s.ways.wayOf(r.Serial), r, count)
	default:
		if s.at == none || startOf(r).Sub(s.left) > s.ways.Gap {
			s.at = s.ways.pick(s.ways.stream)
		}
		s.left = r.DepartureOf(r.First + count - 1)
		s.send(s.at, r, count)
	}
}

// send has the first count packets of a run go a way, as far as they are not lost there.
func (s *spread) send(way int, r *wire.Run, count int64) {
	w := &s.ways.Ways[way]
	if w.Loss == nil {
		s.arrive(way, r, count)
		return
	}
	rest := *r
	rest.Keep(count)
	for rest.Count > 0 {
		pass, drop := w.Loss.Peek(&rest)
		step := min(rest.Count, pass+drop)
		if pass = min(pass, step); pass > 0 {
			s.arrive(way, &rest, pass)
		}
		w.Loss.Advance(&rest, step)
		s.port.stats.Lost += step - pass
		if s.port.tracer != nil && pass < step {
			lost := rest.Sub(pass, step-pass)
			s.port.tracer.Dropped(&lost)
		}
		rest.Skip(step)
	}
}

// arrive puts packets into the lane of their way.
func (s *spread) arrive(way int, r *wire.Run, count int64) {
	more := s.ways.Ways[way].Delay - s.port.cfg.Delay
	if s.jitter == nil {
		s.to.putAny(way, r, r.Depart.Add(s.port.delay+more), count)
		return
	}
	one := &s.single
	*one = *r
	for ; count > 0; count-- {
		s.to.putAny(way, one, s.arrival(way, one.Depart, more), 1)
		one.Skip(1)
	}
}

// takeControl has control messages go the shortest way.
func (s *spread) takeControl(depart units.Time, msg []byte) {
	s.to.putControl(depart.Add(s.port.delay), msg)
}

func (s *spread) reset() {
	s.jittered.reset()
	s.at, s.left = none, 0
}
