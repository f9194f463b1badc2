package link

import (
	"sdrsim/units"
	"sdrsim/wire"
)

// Tracer is told what a link carries, once it can no longer be cut: of each link in order, but not
// in order of time among several.
type Tracer interface {
	// Carried tells of data packets of one message that were sent back to back, the last of them,
	// so many, lost on the way. The run is only valid during the call.
	Carried(run *wire.Run, lost int64)
	// CarriedControl tells of a control message that has left, last bit included, at departed.
	CarriedControl(departed units.Time, msg []byte, lost bool)
}

// SetTracer has a tracer told of everything that the link carries; nil: nobody.
func (l *Link) SetTracer(t Tracer) { l.tracer = t }

// trace tells of the open piece.
func (l *Link) trace() {
	piece := l.sending.run
	piece.Count = l.sending.count
	l.tracer.Carried(&piece, l.sending.count-l.sending.pass)
}
