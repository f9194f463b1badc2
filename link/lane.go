package link

import (
	"sdrsim/internal/ring"
	"sdrsim/units"
	"sdrsim/wire"
)

// lane holds the flights of one source that keep their order. Many are under way on a long link with
// losses, so they are kept small: what most of them have in common is kept once, and only the head
// is unpacked.
type lane struct {
	packed ring.Ring[packed]
	// labels are what the runs under way have in common, the oldest first; used is the number of the
	// one that the head was unpacked with.
	labels ring.Ring[wire.Run]
	used   int64
	// prompt says that no control message may come late, passive or not.
	prompt bool
	// calls is how many flights are not passive; those before judged are.
	calls, judged int64
	// data are the bytes of the flights with real payload, messages those of control messages.
	data     ring.Ring[[]byte]
	messages messages
	// head is the first flight, if that has the number unpacked, which is never that of a flight to
	// come.
	head     Flight
	unpacked int64
}

// packed is a flight, in half a cache line.
type packed struct {
	arrive       units.Time
	first, count int64
	// label is twice the number of the label of its run, and one for a repeat; less than zero for a
	// control message, of which first tells the message that it is about.
	label int64
}

const (
	control = -1
	passive = -2 // a control message that asks for nothing
	plain   = -3 // one that says no more than each of those that follow about its message
	none    = -4 // no flight: a label or a head that is not there
)

// some tells that there are bytes, and keeps none alive.
var some = []byte{}

// label notes what the packets of a run have in common, all but where and when they begin. That is
// most often what those of the run before have. It returns what is to be written on the flight.
func (q *lane) label(r *wire.Run) int64 {
	t := q.labels.Tail()
	if t == nil || t.Serial != r.Serial || t.Payload != r.Payload || t.Spacing != r.Spacing ||
		t.Message != r.Message || t.Generation != r.Generation || t.User != r.User ||
		(t.Data == nil) != (r.Data == nil) {
		t = q.labels.Push()
		if *t = *r; r.Data != nil {
			t.Data = some
		}
	}
	n := 2 * (q.labels.Next() - 1)
	if r.Repeat {
		n++
	}
	return n
}

// push appends the first count packets of a run, which arrive from at on. Those that continue the
// flight before become part of it: how often a port is pulled does not divide flights.
func (q *lane) push(r *wire.Run, at units.Time, count int64) {
	label := q.label(r)
	if p := q.packed.Tail(); p != nil && p.label == label && p.first+p.count == r.First &&
		r.Data == nil && p.arrive.Add(units.Duration(p.count)*r.Spacing) == at {
		p.count += count
		if q.packed.Len() == 1 {
			q.unpacked = none // the head was changed
		}
		return
	}
	q.add(label, r, at, count)
}

// add appends them as a flight of their own.
func (q *lane) add(label int64, r *wire.Run, at units.Time, count int64) {
	q.calls++
	q.packed.Reserve()
	p := q.packed.Put()
	p.arrive, p.first, p.count, p.label = at, r.First, count, label
	if r.Data != nil {
		q.data.Append(r.Data[:units.Bytes(count)*r.Payload])
	}
}

// pushControl appends a control message that arrives at an instant, and reports whether it wants a
// look.
func (q *lane) pushControl(at units.Time, msg []byte) (wanted bool) {
	p := q.packed.Push()
	*p = packed{arrive: at, label: control}
	switch {
	case q.prompt || !wire.Passive(msg):
		q.calls++
		wanted = true
	case wire.Plain(msg):
		p.label, p.first = plain, about(msg)
	default:
		p.label, p.first = passive, about(msg)
	}
	q.messages.push(msg)
	return wanted
}

// about is the message that a control message is about.
func about(msg []byte) int64 {
	_, message, _ := wire.Header(msg)
	return int64(message)
}

// dropStale drops control messages from the head that have arrived, where one that has arrived by
// now as well follows and says as much.
func (q *lane) dropStale(now units.Time) {
	for n := q.packed.First(); n+1 < q.packed.Next(); n++ {
		p, next := q.packed.At(n), q.packed.At(n+1)
		if p.label != plain || next.label > passive || next.arrive > now || next.first != p.first {
			return
		}
		q.packed.Pop()
		q.messages.pop()
	}
}

// call is when the first flight arrives that is not passive, Never where there is none.
func (q *lane) call() units.Time {
	if q.calls == 0 {
		return units.Never
	}
	for q.judged = max(q.judged, q.packed.First()); ; q.judged++ {
		if p := q.packed.At(q.judged); p.label > passive {
			return p.arrive
		}
	}
}

// first is the flight that arrives first, nil where there is none. It stays valid until it is
// removed.
func (q *lane) first() *Flight {
	if q.unpacked == q.packed.First() {
		return &q.head
	}
	return q.unpack()
}

// unpack makes the head.
func (q *lane) unpack() *Flight {
	p := q.packed.Head()
	if p == nil {
		return nil
	}
	q.unpacked = q.packed.First()
	f := &q.head
	f.Arrive = p.arrive
	if p.label < 0 {
		f.Control, f.Run.Count = q.messages.head(), 0
		return f
	}
	f.Control = nil
	if n := p.label >> 1; q.used != n {
		q.relabel(n)
	}
	f.Run.Repeat = p.label&1 != 0
	f.Run.First, f.Run.Count, f.Run.Depart = p.first, p.count, p.arrive
	if f.Run.Data != nil {
		f.Run.Data = *q.data.Head()
	}
	return f
}

// relabel takes a label into use for the head, and drops those before it.
func (q *lane) relabel(label int64) {
	for q.labels.First() < label {
		q.labels.Pop()
	}
	q.used = label
	q.head.Run = *q.labels.At(label)
}

// take takes the first n packets off the head, which is unpacked, and removes it where none is
// left.
func (q *lane) take(n int64) {
	f := &q.head
	if n == f.Run.Count {
		if f.Run.Data != nil {
			q.dropBytes()
		}
		q.calls--
		q.packed.Pop()
		return
	}
	f.Arrive = f.ArrivalOf(n)
	f.Run.Skip(n)
	p := q.packed.Head()
	p.arrive, p.first, p.count = f.Arrive, f.Run.First, f.Run.Count
	if f.Run.Data != nil {
		*q.data.Head() = f.Run.Data
	}
}

// pop removes the head.
func (q *lane) pop() {
	switch f := q.first(); {
	case f.IsControl():
		if q.packed.Head().label > passive {
			q.calls--
		}
		q.messages.pop()
		q.packed.Pop()
	default:
		q.take(f.Run.Count)
	}
}

// dropBytes lets go of the bytes of the head.
func (q *lane) dropBytes() {
	q.head.Run.Data, *q.data.Head() = some, nil
	q.data.Pop()
}

// reset empties the lane and keeps its memory.
func (q *lane) reset() {
	q.packed.Reset()
	q.labels.Reset()
	q.data.Reset()
	q.messages.slabs.Reset()
	q.used, q.unpacked = none, none
	q.calls, q.judged = 0, 0
	q.head = Flight{}
}
