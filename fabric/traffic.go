package fabric

import (
	"math"

	"sdrsim/sim"
	"sdrsim/units"
)

// Traffic is a source of packets without a protocol.
type Traffic struct {
	// Mean is the mean time from one packet to the next. Poisson draws it, packet by packet.
	Mean    units.Duration
	Poisson bool
	// On is the mean length of a burst, in which packets follow each other Burst apart, and Off that
	// of the silence between; both are exponential. On 0: there are no bursts.
	On, Off, Burst units.Duration
	Size           units.Bytes // of a packet on the wire
	Flow           *Flow

	stream *sim.Stream
	at     units.Time // of the next packet
	until  units.Time // the end of the burst
	sent   int64
	piece  Piece
}

// Reset starts a new sample, whose draws come from the stream.
func (t *Traffic) Reset(stream *sim.Stream) {
	t.stream, t.sent, t.Flow.Stats = stream, 0, FlowStats{}
	switch {
	case t.On > 0:
		t.at, t.until = 0, 0
		t.burst()
	default:
		t.at = 0
		t.at = t.at.Add(t.gap())
	}
}

// gap is the time to the next packet, at least a picosecond.
func (t *Traffic) gap() units.Duration {
	if !t.Poisson {
		return t.Mean
	}
	return t.exponential(t.Mean)
}

func (t *Traffic) exponential(mean units.Duration) units.Duration {
	return max(1, units.Duration(math.Round(float64(mean)*t.stream.ExpFloat64())))
}

// burst goes on with the next burst, after a silence.
func (t *Traffic) burst() {
	t.at = max(t.at, t.until).Add(t.exponential(t.Off))
	t.until = t.at.Add(t.exponential(t.On))
	t.at = t.at.Add(t.Burst)
}

// Pull implements Source.
func (t *Traffic) Pull(now units.Time) {
	for t.at <= now {
		p := &t.piece
		*p = Piece{At: t.at, Spacing: t.Mean, First: t.sent, Count: 1, Size: t.Size, Flow: t.Flow}
		switch {
		case t.On > 0:
			p.Spacing = t.Burst
			p.Count = max(1, int64(min(now, t.until).Sub(t.at)/t.Burst)+1)
			t.at = t.at.Add(units.Duration(p.Count) * t.Burst)
			if t.at > t.until {
				t.burst()
			}
		case t.Poisson:
			t.at = t.at.Add(t.gap())
		default:
			p.Count = int64(now.Sub(t.at)/t.Mean) + 1
			t.at = t.at.Add(units.Duration(p.Count) * t.Mean)
		}
		t.sent += p.Count
		Forward(p)
	}
}

// Known implements Source.
func (t *Traffic) Known(now units.Time) units.Time { return now }

// Flush implements Source: it has no end, and what was not pulled is not sent.
func (t *Traffic) Flush() {}

// Sink is where traffic ends.
type Sink struct{}

// Take implements Taker.
func (Sink) Take(*Piece) {}
