package link

import (
	"sdrsim/internal/ring"
	"sdrsim/units"
	"sdrsim/wire"
)

// loose is a lane of a path on which packets may overtake others: those of another lane, or, where a
// packet arrives before one that was sent earlier, those of its own. Its flights are numbered by
// the order of sending, so that reordering can be counted.
type loose struct {
	lane
	seqs ring.Ring[int64] // of the first packet of each flight; meaningless for control messages
	late late
}

// put takes the first count packets of a run, which arrive from at on. Only a single packet may be
// late.
func (l *loose) put(r *wire.Run, at units.Time, count, seq int64) {
	if t := l.packed.Tail(); t != nil && at < t.arrive {
		if count != 1 {
			panic("BUG: link: only single packets may arrive out of order")
		}
		s := l.late.push(at)
		s.seq, s.Control, s.Run = seq, nil, *r
		s.Run.Count, s.Run.Depart = 1, at
		if r.Data != nil {
			s.Run.Data = r.Data[:r.Payload]
		}
		return
	}
	l.seqs.Append(seq)
	l.add(l.label(r), r, at, count)
}

// putControl takes a control message.
func (l *loose) putControl(at units.Time, msg []byte) {
	if t := l.packed.Tail(); t != nil && at < t.arrive {
		s := l.late.push(at)
		s.bytes = append(s.bytes[:0], msg...)
		s.Control, s.Run = s.bytes, wire.Run{}
		return
	}
	l.seqs.Append(0)
	l.pushControl(at, msg)
}

// first is the flight that arrives first, nil where there is none. What is late has arrived before
// the last of the lane, and was sent after what it arrives together with.
func (l *loose) first() *Flight {
	if l.isLate() {
		return &l.late.first().Flight
	}
	return l.lane.first()
}

// isLate reports whether the first is one of those that are late.
func (l *loose) isLate() bool {
	if len(l.late.heap) == 0 {
		return false
	}
	f := l.lane.first()
	return f == nil || l.late.heap[0].at < f.Arrive
}

// take takes the first n packets off the head, and returns the number of the first.
func (l *loose) take(n int64) (seq int64) {
	if l.isLate() {
		seq = l.late.first().seq
		l.late.pop()
		return seq
	}
	head := l.seqs.Head()
	seq = *head
	if *head += n; n == l.head.Run.Count {
		l.seqs.Pop()
	}
	l.lane.take(n)
	return seq
}

// popControl removes the head, which is a control message.
func (l *loose) popControl() {
	if l.isLate() {
		l.late.pop()
		return
	}
	l.seqs.Pop()
	l.lane.pop()
}

func (l *loose) reset() {
	l.lane.reset()
	l.seqs.Reset()
	l.late.reset()
	l.prompt = true
}

// late holds single packets and control messages that arrive before one that was sent earlier: a
// heap by arrival, and in order of coming where they arrive together.
type late struct {
	heap  []lateKey
	slots []lateFlight
	free  []int32
	came  int64
}

type lateKey struct {
	at   units.Time
	came int64
	slot int32
}

type lateFlight struct {
	Flight
	seq   int64
	bytes []byte // of a control message
}

func (k *lateKey) before(l *lateKey) bool { return k.at < l.at || k.at == l.at && k.came < l.came }

func (h *late) first() *lateFlight { return &h.slots[h.heap[0].slot] }

// push makes room for what arrives at an instant, which is to be filled in.
func (h *late) push(at units.Time) *lateFlight {
	if len(h.free) == 0 {
		h.free = append(h.free, int32(len(h.slots)))
		h.slots = append(h.slots, lateFlight{})
	}
	k := lateKey{at: at, came: h.came, slot: h.free[len(h.free)-1]}
	h.free = h.free[:len(h.free)-1]
	h.came++
	h.heap = append(h.heap, k)
	i := len(h.heap) - 1
	for ; i > 0 && k.before(&h.heap[(i-1)/2]); i = (i - 1) / 2 {
		h.heap[i] = h.heap[(i-1)/2]
	}
	h.heap[i] = k
	s := &h.slots[k.slot]
	s.Arrive = at
	return s
}

// pop removes the first.
func (h *late) pop() {
	slot := h.heap[0].slot
	h.free = append(h.free, slot)
	h.slots[slot].Run.Data = nil
	last := len(h.heap) - 1
	k := h.heap[last]
	h.heap = h.heap[:last]
	i := 0
	for 2*i+1 < last {
		c := 2*i + 1
		if c+1 < last && h.heap[c+1].before(&h.heap[c]) {
			c++
		}
		if !h.heap[c].before(&k) {
			break
		}
		h.heap[i] = h.heap[c]
		i = c
	}
	if last > 0 {
		h.heap[i] = k
	}
}

func (h *late) reset() {
	h.heap, h.free, h.came = h.heap[:0], h.free[:0], 0
	for i := range h.slots {
		h.slots[i].Run.Data = nil
		h.free = append(h.free, int32(i))
	}
}
