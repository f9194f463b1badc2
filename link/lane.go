package link

import (
	"sdrsim/internal/ring"
	"sdrsim/link/wire"
	"sdrsim/sim/units"
)

// lane holds the flights in order of arrival. Constant delay keeps arrivals in the order of
// departures, so a queue is enough and only its head needs an event. Many flights are under way on
// a long link with losses; a flight is two cache lines, of which a control message uses the first.
type lane struct {
	ring.Ring[Flight]
	messages messages
}

// push appends a flight without a message and returns it. Its Run holds what it held last.
func (q *lane) push() *Flight {
	f := q.Push()
	f.Control = nil
	return f
}

// extend adds the first count packets of a run to the flight sent last, if they continue it.
func (q *lane) extend(r *wire.Run, count int64, delay units.Duration) bool {
	f := q.Tail()
	if f == nil || f.Run.End() != r.First || f.Run.Serial != r.Serial || f.Run.Repeat != r.Repeat ||
		f.Run.Payload != r.Payload || f.Run.Spacing != r.Spacing || f.IsControl() ||
		r.Data != nil || f.ArrivalOf(f.Run.Count) != r.Depart.Add(delay) {
		return false
	}
	f.Run.Count += count
	return true
}

// pushControl appends a control message.
func (q *lane) pushControl(msg []byte) *Flight {
	f := q.Push()
	f.Control, f.Run.Count = q.messages.push(msg), 0
	return f
}

func (q *lane) pop() {
	if f := q.Head(); f.IsControl() {
		q.messages.pop()
	} else if f.Run.Data != nil {
		f.Run.Data = nil
	}
	q.Pop()
}

// truncate leaves the first count packets of flight seq, the last one pushed; none drops it.
func (q *lane) truncate(seq, count int64) {
	if q.Len() == 0 || seq != q.Next()-1 {
		panic("BUG: link: only the flight sent last can be cut")
	}
	if count == 0 {
		q.PopTail()
		return
	}
	q.At(seq).Run.Keep(count)
}

// reset empties the lane and keeps its memory.
func (q *lane) reset() {
	q.Reset()
	q.messages.slabs.Reset()
}

// messages holds the bytes of control messages side by side, in slabs that are used again when all
// that is in them was taken.
type messages struct{ slabs ring.Ring[slab] }

type slab struct {
	bytes []byte
	live  int // messages in it
}

// slabBytes is the least size of a slab.
const slabBytes = 1 << 14

// push copies a message and returns where it lies until it is popped.
func (m *messages) push(msg []byte) []byte {
	s := m.slabs.Tail()
	if s == nil || cap(s.bytes)-len(s.bytes) < len(msg) {
		s = m.slabs.Push()
		if cap(s.bytes) < len(msg) {
			s.bytes = make([]byte, 0, max(slabBytes, len(msg)))
		}
		s.bytes, s.live = s.bytes[:0], 0
	}
	start := len(s.bytes)
	s.bytes = append(s.bytes, msg...)
	s.live++
	return s.bytes[start:len(s.bytes):len(s.bytes)]
}

// pop removes the oldest message.
func (m *messages) pop() {
	s := m.slabs.Head()
	s.live--
	switch {
	case s.live > 0:
	case m.slabs.Len() > 1:
		m.slabs.Pop()
	default:
		s.bytes = s.bytes[:0]
	}
}
