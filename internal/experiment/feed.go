package experiment

import (
	"slices"

	"sdrsim/internal/ring"
	"sdrsim/units"
)

// feed has a stream send messages that are posted one by one, of sizes that are known only then.
// Receives are posted ahead as elsewhere: so many wait at a time, and the sender learns of those
// that are posted again after the delay of the link. As nobody knows their sizes before, a receive
// gets its size when its message is posted.
type feed struct {
	items ring.Ring[item]
	// promised are the receives that the receiver has announced, granted those that the sender knows.
	promised, granted int
	number            int       // of the connection
	graph             *graphRun // that it belongs to
}

// item is a message that was posted.
type item struct {
	size units.Bytes
	id   int32  // of the workload
	data []byte // nil: only its size counts
	over bool
}

// begin starts a sample.
func (f *feed) begin(w *stream) {
	if f == nil {
		return
	}
	f.items.Reset()
	f.promised, f.granted = w.cfg.SDR.RecvDepth, w.cfg.SDR.RecvDepth
	w.message.Count, w.released = 0, 0
}

// post posts a message.
func (w *stream) post(now units.Time, it item) {
	w.feed.items.Append(it)
	w.message.Count++
	w.released++
	w.run.open++
	w.supply(now)
}

// supply posts the receives of messages that were posted, as far as there are places for them, and
// sends what can be sent.
func (w *stream) supply(now units.Time) {
	before := w.posted
	for w.posted < min(w.message.Count, w.feed.granted) {
		if w.extend(); !w.postReceive() {
			break
		}
	}
	if w.posted > before {
		w.pair.qpA.HandleCTS(w.pair.qpB.Posted())
	}
	w.postSends(now)
}

// extend makes endpoints for the next message, where none are free and there may be more.
func (w *stream) extend() {
	senders, receivers := len(w.senders), len(w.receivers)
	upTo := slots{senders, receivers}
	if waiting := w.posted + 1 - w.next; waiting > len(w.sendFree) {
		upTo.senders = min(w.most.senders, senders+waiting-len(w.sendFree))
	}
	if len(w.recvFree) == 0 {
		upTo.receivers = min(w.most.receivers, receivers+1)
	}
	if err := w.addEndpoints(upTo); err != nil {
		w.fail(err)
	}
	for i := senders; i < len(w.senders); i++ {
		w.sendFree = slices.Insert(w.sendFree, 0, i) // below those that are free, as begin has them
	}
	for i := receivers; i < len(w.receivers); i++ {
		w.recvFree = append(w.recvFree, i)
	}
}

// arrived reports the delivery of a message to the workload that has posted it.
func (w *stream) arrived(now units.Time, receiver int) {
	if w.feed == nil {
		return
	}
	it := w.feed.items.At(int64(w.receivers[receiver].message))
	copy(it.data, w.payload.received(receiver, it.size))
	w.feed.graph.note(now, happening{w.feed.number, it.id, true})
}

// noteAcknowledged reports the acknowledgement of a message to the workload that has posted it.
func (w *stream) noteAcknowledged(now units.Time, message int) {
	if w.feed != nil {
		id := w.feed.items.At(int64(message)).id
		w.feed.graph.note(now, happening{w.feed.number, id, false})
	}
}

// promise announces the receives that are due.
func (w *stream) promise(now units.Time) {
	f := w.feed
	if w.posted < min(w.message.Count, f.granted) { // for want of an id
		w.supply(now)
	}
	if w.due == 0 {
		return
	}
	f.promised += w.due
	w.due = 0
	w.credits.Push(now.Add(w.pair.back.DelayAt(now)), uint64(f.promised))
}

// sizeOf is the size of a message under way.
func (w *stream) sizeOf(message int) units.Bytes {
	if w.feed != nil {
		return w.feed.items.At(int64(message)).size
	}
	return w.traffic.sizeOf(message)
}

// fill puts the bytes of a message where they are sent from.
func (w *stream) fill(slot, message int) {
	if w.feed == nil {
		w.payload.fill(slot, message, w.sizeOf(message))
		return
	}
	w.payload.put(slot, w.feed.items.At(int64(message)).data, w.sizeOf(message))
}

// forget is done with a message of a feed.
func (w *stream) forget(message int) {
	if w.feed == nil {
		return
	}
	items := &w.feed.items
	items.At(int64(message)).over = true
	for h := items.Head(); h != nil && h.over; h = items.Head() {
		h.data = nil
		items.Pop()
	}
}
