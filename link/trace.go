package link

import (
	"sdrsim/units"
	"sdrsim/wire"
)

// Tracer is told what a port sends, once it can no longer be cut: of each port in order, but not in
// order of time among several.
type Tracer interface {
	// Sent tells of data packets of one message that were sent back to back, the last of them, so
	// many, lost on the way. The run is only valid during the call.
	Sent(run *wire.Run, lost int64)
	// Dropped tells of those that are lost later, on one of several paths. Departed is of the port.
	Dropped(run *wire.Run)
	// SentControl tells of a control message that has left, last bit included, at departed.
	SentControl(departed units.Time, msg []byte, lost bool)
}

// ArrivalTracer is told what arrives at an inbox, once it is known, which is before it is taken.
type ArrivalTracer interface {
	// Arrived tells of data packets of one message: they arrive at Depart, and Spacing apart. The run
	// is only valid during the call.
	Arrived(run *wire.Run)
	// ArrivedControl tells of a control message.
	ArrivedControl(at units.Time, msg []byte)
}

// SetTracer has a tracer told of everything that the port sends; nil: nobody.
func (p *Port) SetTracer(t Tracer) { p.tracer = t }

// SetTracer has a tracer told of everything that arrives; nil: nobody.
func (in *Inbox) SetTracer(t ArrivalTracer) { in.tracer = t }

// carried is what was sent and not told yet. What is told does not depend on when a port was
// pulled: a piece ends with the transmission, or with losses.
type carried struct {
	run  wire.Run
	lost int64
}

// trace notes the first count packets of the run, the last of them lost.
func (p *Port) trace(count, lost int64) {
	t := &p.traced
	if t.lost > 0 && (lost < count || !continues(&t.run, &p.run)) {
		p.flushTrace()
	}
	if t.run.Count == 0 {
		t.run = p.run
		t.run.Count = 0
	}
	t.run.Count += count
	t.lost += lost
}

// flushTrace tells what was noted.
func (p *Port) flushTrace() {
	if t := &p.traced; t.run.Count > 0 {
		p.tracer.Sent(&t.run, t.lost)
		*t = carried{}
	}
}

// trace notes packets that arrive from at on.
func (in *Inbox) trace(r *wire.Run, at units.Time, count int64) {
	piece := *r
	piece.Count, piece.Depart, piece.Data = count, at, nil
	if in.traced.Count > 0 && !continues(&in.traced, &piece) {
		in.flushTrace()
	}
	if in.traced.Count == 0 {
		in.traced = piece
		return
	}
	in.traced.Count += count
}

// flushTrace tells what was noted.
func (in *Inbox) flushTrace() {
	if in.traced.Count > 0 {
		in.tracer.Arrived(&in.traced)
		in.traced = wire.Run{}
	}
}

// continues reports whether a run goes on where another ends.
func continues(r, next *wire.Run) bool {
	return next.Serial == r.Serial && next.Repeat == r.Repeat && next.First == r.End() &&
		next.Spacing == r.Spacing && next.Depart == r.DepartureOf(r.End())
}
