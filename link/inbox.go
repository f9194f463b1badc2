package link

import (
	"sdrsim/units"
	"sdrsim/wire"
)

// Flight is consecutive packets of a run, or a control message, on its way to the receiver.
type Flight struct {
	Arrive units.Time // of the next packet, or of the message
	// Control is the message; empty for data.
	Control []byte
	// Run holds the packets that were not taken; none with a message. Packet j arrives at
	// Arrive + j*Run.Spacing, and so says Depart: when it was sent is not known here.
	Run wire.Run
}

// ArrivalOf is when packet j of the flight arrives, from 0.
func (f *Flight) ArrivalOf(j int64) units.Time {
	return f.Arrive.Add(units.Duration(j) * f.Run.Spacing)
}

// Arrived is how many packets of the flight have arrived by now.
func (f *Flight) Arrived(now units.Time) int64 {
	switch {
	case now < f.Arrive:
		return 0
	case f.ArrivalOf(f.Run.Count-1) <= now:
		return f.Run.Count
	}
	return int64(now.Sub(f.Arrive)/f.Run.Spacing) + 1
}

// IsControl tells a control message from data.
func (f *Flight) IsControl() bool { return len(f.Control) > 0 }

// Sink is told when something may arrive before the instant at which it has promised to look. It
// may use the inbox from within the call.
type Sink interface{ ArrivalsChanged() }

// Inbox holds what is on its way to a NIC, in order of arrival. What is here is final.
type Inbox struct {
	lane // where packets keep their order
	// lanes are in place of it where they need not: one for each way of the path.
	lanes   []loose
	at      int    // the lane of the head
	view    Flight // the head, where it is cut off at what another lane has
	viewing bool
	sent    int64 // packets that were put here
	order   reorder
	src     Source
	sink    Sink
	// promised is when the sink looks next without being told.
	promised units.Time
	// ignorePassive keeps word of passive messages from the sink.
	ignorePassive bool
	tracer        ArrivalTracer // nil: nobody is told
	traced        wire.Run      // arrivals that were not told yet
}

// SetSink names who takes the arrivals.
func (in *Inbox) SetSink(s Sink) { in.sink = s }

// IgnorePassive says that the sink wants no word of control messages that ask for nothing.
func (in *Inbox) IgnorePassive() { in.ignorePassive = true }

// HeedPassive says that the sink wants every control message on time after all.
func (in *Inbox) HeedPassive() { in.prompt = true }

// reset empties the inbox.
func (in *Inbox) reset() {
	in.lane.reset()
	for i := range in.lanes {
		in.lanes[i].reset()
	}
	in.view, in.viewing, in.sent = Flight{}, false, 0
	in.order.reset()
	in.promised = units.Never
	in.traced = wire.Run{}
}

// Promise notes when the sink looks next: it is told of nothing that arrives later.
func (in *Inbox) Promise(at units.Time) { in.promised = at }

// offered is told that something more is under way, which arrives at the earliest then.
func (in *Inbox) offered(at units.Time) {
	if at < in.promised {
		in.promised = at
		in.sink.ArrivalsChanged()
	}
}

// unorder makes so many lanes, between which and in which packets may overtake each other.
func (in *Inbox) unorder(lanes int) {
	in.lanes = make([]loose, lanes)
}

// Unordered reports whether what is not here yet may arrive before what is.
func (in *Inbox) Unordered() bool { return in.lanes != nil }

// Reordering is what has been taken out of order.
func (in *Inbox) Reordering() Reordering { return in.order.stats }

// putAny is put for the packets of one of several ways, or where they may overtake each other.
func (in *Inbox) putAny(way int, r *wire.Run, at units.Time, count int64) {
	if in.lanes == nil {
		in.put(r, at, count)
		return
	}
	in.lanes[way].put(r, at, count, in.sent)
	in.sent += count
	if in.tracer != nil {
		in.trace(r, at, count)
	}
}

// put takes the first count packets of a run, which arrive from at on.
func (in *Inbox) put(r *wire.Run, at units.Time, count int64) {
	in.push(r, at, count)
	if in.tracer != nil {
		in.trace(r, at, count)
	}
}

// putControl takes a control message.
func (in *Inbox) putControl(at units.Time, msg []byte) {
	wanted := in.lanes != nil
	if wanted {
		in.lanes[0].putControl(at, msg)
	} else {
		wanted = in.pushControl(at, msg)
	}
	if in.tracer != nil {
		in.tracer.ArrivedControl(at, msg)
	}
	if wanted || !in.ignorePassive {
		in.offered(at)
	}
}

// Next is the flight that arrives next, of those that are known at now; nil where there is none. No
// more is pulled than it takes to tell, so that what is under way stays in the cache of the
// processor.
func (in *Inbox) Next(now units.Time) *Flight {
	if in.packed.Len() == 0 { // as it always is where there are lanes
		in.src.Pull(now)
	}
	return in.Head()
}

// Head is the first of the flights that were pulled, nil where there is none. It stays valid until it
// is removed.
func (in *Inbox) Head() *Flight {
	if in.lanes == nil {
		return in.first()
	}
	return in.merge()
}

// merge finds the flight that arrives first: of those that arrive together that of the lowest lane.
// It ends where another lane goes on.
func (in *Inbox) merge() *Flight {
	var f *Flight
	in.viewing = false
	for i := range in.lanes {
		if h := in.lanes[i].first(); h != nil && (f == nil || h.Arrive < f.Arrive) {
			f, in.at = h, i
		}
	}
	if f == nil || len(in.lanes) == 1 || f.Run.Count <= 1 {
		return f
	}
	limit := units.Never
	for i := range in.lanes {
		if h := in.lanes[i].first(); h != nil && i < in.at {
			limit = min(limit, h.Arrive-1)
		} else if h != nil && i > in.at {
			limit = min(limit, h.Arrive)
		}
	}
	if n := f.Arrived(limit); n < f.Run.Count {
		in.view, in.viewing = *f, true
		in.view.Run.Keep(n)
		return &in.view
	}
	return f
}

// Upcoming is when that arrives at the earliest which was not pulled; Never where nothing more is
// under way.
func (in *Inbox) Upcoming() units.Time { return in.src.Earliest() }

// First is when something arrives at the earliest, be it here or not.
func (in *Inbox) First() units.Time {
	f := in.Head()
	switch {
	case f == nil:
		return in.src.Earliest()
	case in.lanes != nil:
		return min(f.Arrive, in.src.Earliest())
	}
	return f.Arrive
}

// Preview is what comes behind all that is here, unless it is cut, so that the sink can plan when to
// look; nil where nothing is known.
func (in *Inbox) Preview() *Flight { return in.src.Preview() }

// Settled is until when, inclusive, everything that arrives is known at now.
func (in *Inbox) Settled(now units.Time) units.Time { return in.src.Known(now) }

// Call is when the first flight arrives that wants a look, Never where there is none. A control
// message that asks for nothing (wire.Passive) can wait until something else happens.
func (in *Inbox) Call() units.Time {
	if in.lanes != nil {
		return in.First()
	}
	return in.call()
}

// DropStale drops acknowledgements from the head that nobody has to see: a later one has arrived by
// now as well, and says as much. Where packets overtake each other it need not.
func (in *Inbox) DropStale(now units.Time) { in.dropStale(now) }

// Pop removes the head.
func (in *Inbox) Pop() {
	switch f := in.Head(); {
	case in.lanes == nil:
		in.pop()
	case f.IsControl():
		in.lanes[in.at].popControl()
	default:
		in.Take(f.Run.Count)
	}
}

// Take takes the first n packets off the head that was returned last, and removes it where none is
// left.
func (in *Inbox) Take(n int64) {
	if in.lanes == nil {
		in.take(n)
		return
	}
	seq := in.lanes[in.at].take(n)
	for i := range n {
		in.order.arrive(seq + i)
	}
	if in.viewing {
		in.view.Arrive = in.view.ArrivalOf(n)
		in.view.Run.Skip(n)
	}
}

// Flush has everything come that was sent.
func (in *Inbox) Flush() {
	in.src.Flush()
	if in.tracer != nil {
		in.flushTrace()
	}
}
