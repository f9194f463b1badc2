package experiment

import (
	"cmp"
	"slices"

	"sdrsim/internal/spec"
	"sdrsim/nic"
	"sdrsim/schemes"
	"sdrsim/schemes/catalog"
	"sdrsim/units"
	"sdrsim/wire"
)

// EventKind says what happened.
type EventKind string

// Kinds of events, in the order in which those of one instant are shown.
const (
	EventArrived   EventKind = "arrived"   // data packets, the last of them at the time of the event
	EventHeard     EventKind = "heard"     // a control message has arrived
	EventTimeout   EventKind = "timeout"   // of a side that missed something
	EventDelivered EventKind = "delivered" // a message, at the receiver
	EventCompleted EventKind = "completed" // a message, at the sender
	EventGivenUp   EventKind = "given up"  // a message, by its sender
	EventLost      EventKind = "lost"      // data packets that have left and will not arrive
	EventSent      EventKind = "sent"      // data packets; the first bit of the first at that time
	EventRepeated  EventKind = "repeated"  // the same, of packets that were sent before
	EventSaid      EventKind = "said"      // a control message has left
	EventMissed    EventKind = "missed"    // a control message has left and will not arrive
)

// order is that of events at one instant.
var order = []EventKind{
	EventArrived, EventHeard, EventTimeout, EventDelivered, EventCompleted, EventGivenUp,
	EventLost, EventSent, EventRepeated, EventSaid, EventMissed,
}

// Event is something that happened in a sample.
type Event struct {
	At   units.Time
	Kind EventKind
	// Hop is the link of a ring; Receiver tells its far end from its near one.
	Hop      int
	Receiver bool
	// Count is of packets or timers; one for anything else.
	Count int64
	// Text says what it is about.
	Text string
}

// Tracer is told of the events of a sample, not in order of time; see Trace for that.
type Tracer interface{ Trace(e Event) }

// Trace collects events.
type Trace struct{ Events []Event }

// Trace implements Tracer.
func (t *Trace) Trace(e Event) { t.Events = append(t.Events, e) }

// Sort puts the events in order of time. Those of one instant are in order of their kind, and of
// one kind in the order in which they came about.
func (t *Trace) Sort() {
	rank := map[EventKind]int{}
	for i, k := range order {
		rank[k] = i
	}
	slices.SortStableFunc(t.Events, func(a, b Event) int {
		return cmp.Or(cmp.Compare(a.At, b.At), rank[a.Kind]-rank[b.Kind], a.Hop-b.Hop)
	})
}

// NewTracedRunner is NewRunner with a tracer. The samples are the same.
func NewTracedRunner(p *spec.Point, s *spec.Scheme, t Tracer) (*Runner, error) {
	return newRunner(p, s, t)
}

// traceHop has everything traced that goes over the next hop, and its endpoints.
func (r *Runner) traceHop(t *pair, f catalog.Factory) catalog.Factory {
	h := &tracedHop{tracer: r.tracer, hop: len(r.hops)}
	t.there.SetTracer(h)
	t.there.Inbox().SetTracer(h)
	t.back.SetTracer(&tracedReturn{h})
	t.back.Inbox().SetTracer(&tracedReturn{h})
	return catalog.Factory{
		NewSender: func() (schemes.Sender, error) {
			ep, err := f.NewSender()
			return traceSender(ep, h), err
		},
		NewReceiver: func() (schemes.Receiver, error) {
			ep, err := f.NewReceiver()
			return traceReceiver(ep, h), err
		},
	}
}

// application is what NICs tell of the messages of a stream.
func (r *Runner) application(w *stream) nic.Application {
	if r.tracer == nil {
		return w
	}
	return &tracedStream{stream: w, hop: &tracedHop{tracer: r.tracer, hop: len(r.hops)}}
}

// tracedHop traces one link there.
type tracedHop struct {
	tracer Tracer
	hop    int
}

// tell passes an event of the sender's side on.
func (h *tracedHop) tell(at units.Time, kind EventKind, count int64, text string) {
	h.tracer.Trace(Event{At: at, Kind: kind, Hop: h.hop, Count: count, Text: text})
}

// tellReceiver passes an event of the receiver's side on.
func (h *tracedHop) tellReceiver(at units.Time, kind EventKind, count int64, text string) {
	h.tracer.Trace(Event{At: at, Kind: kind, Hop: h.hop, Receiver: true, Count: count, Text: text})
}

// trace hands packets to a tracer that wants them.
func (h *tracedHop) trace(p Packets) {
	if t, ok := h.tracer.(PacketTracer); ok {
		p.Hop = h.hop
		t.TracePackets(p)
	}
}

// traceControl hands a control message to a tracer that wants it.
func (h *tracedHop) traceControl(c Control) {
	if t, ok := h.tracer.(PacketTracer); ok {
		c.Hop = h.hop
		t.TraceControl(c)
	}
}

// Sent implements link.Tracer.
func (h *tracedHop) Sent(run *wire.Run, lost int64) {
	h.trace(Packets{Run: *run, Lost: lost})
	kind := EventSent
	if run.Repeat {
		kind = EventRepeated
	}
	h.tell(run.Depart.Add(-run.Spacing), kind, run.Count, packets(run, 0, run.Count))
	if lost > 0 {
		h.tell(run.DepartureOf(run.End()-1), EventLost, lost, packets(run, run.Count-lost, lost))
	}
}

// Dropped implements link.Tracer.
func (h *tracedHop) Dropped(run *wire.Run) {
	h.trace(Packets{Dropped: true, Run: *run})
	h.tell(run.DepartureOf(run.End()-1), EventLost, run.Count, packets(run, 0, run.Count))
}

// Arrived implements link.ArrivalTracer.
func (h *tracedHop) Arrived(run *wire.Run) {
	h.trace(Packets{Arrived: true, Run: *run})
	h.tellReceiver(run.DepartureOf(run.End()-1), EventArrived, run.Count, packets(run, 0, run.Count))
}

// SentControl implements link.Tracer. Nothing is said that way.
func (h *tracedHop) SentControl(departed units.Time, msg []byte, lost bool) {
	h.traceControl(Control{Forward: true, At: departed, Bytes: msg, Lost: lost})
	h.tell(departed, EventSaid, 1, ControlText(msg))
}

// ArrivedControl implements link.ArrivalTracer.
func (h *tracedHop) ArrivedControl(at units.Time, msg []byte) {
	h.traceControl(Control{Forward: true, Arrived: true, At: at, Bytes: msg})
	h.tellReceiver(at, EventHeard, 1, ControlText(msg))
}

// tracedReturn traces one link back, on which control messages go.
type tracedReturn struct{ *tracedHop }

// Sent implements link.Tracer. No data goes back.
func (r *tracedReturn) Sent(*wire.Run, int64) {}

// Dropped implements link.Tracer.
func (r *tracedReturn) Dropped(*wire.Run) {}

// Arrived implements link.ArrivalTracer.
func (r *tracedReturn) Arrived(*wire.Run) {}

// SentControl implements link.Tracer.
func (r *tracedReturn) SentControl(departed units.Time, msg []byte, lost bool) {
	r.traceControl(Control{At: departed, Bytes: msg, Lost: lost})
	kind := EventSaid
	if lost {
		kind = EventMissed
	}
	r.tellReceiver(departed, kind, 1, ControlText(msg))
}

// ArrivedControl implements link.ArrivalTracer.
func (r *tracedReturn) ArrivedControl(at units.Time, msg []byte) {
	r.traceControl(Control{Arrived: true, At: at, Bytes: msg})
	r.tell(at, EventHeard, 1, ControlText(msg))
}
