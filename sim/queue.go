package sim

import (
	"math/bits"

	"sdrsim/sim/units"
)

// entry is a place in the event queue. It holds no pointer, so that moving it needs no write
// barrier; slot says where the engine keeps what is to be fired.
type entry struct {
	at   units.Time
	seq  uint64
	slot int32
}

// before is the total order of events.
func (a *entry) before(b *entry) bool { return a.borrow(b) != 0 }

// borrow is 1 where a is before b, else 0: the borrow of a 128-bit subtraction, which has no branch
// that could be mispredicted. Times are never negative.
func (a *entry) borrow(b *entry) uint64 {
	_, borrow := bits.Sub64(a.seq, b.seq, 0)
	_, borrow = bits.Sub64(uint64(a.at), uint64(b.at), borrow)
	return borrow
}

// arity is the number of children of a node. Four keeps the heap shallow, and the children of a
// node lie in two or three cache lines, side by side.
const arity = 4

// queue is a priority queue of entries that can be changed and removed by slot. The engine uses
// only its methods, so that another structure can take its place.
type queue struct {
	// heap is ordered: no entry is before its parent, heap[(i-1)/arity].
	heap []entry
	// pos[s] is the index in heap of the entry with slot s, for the slots in the heap.
	pos []int32
	// spent tells that heap[0] has been taken out and only holds the place of the root. It is still
	// before all others, so the order of the heap stands. Most events schedule another: that one
	// goes down from the root, and one sift does the work of two.
	spent bool
}

func (q *queue) len() int {
	if q.spent {
		return len(q.heap) - 1
	}
	return len(q.heap)
}

// reset empties the queue and keeps its memory.
func (q *queue) reset() { q.heap, q.spent = q.heap[:0], false }

// min returns the entry that is before all others, nil in an empty queue.
func (q *queue) min() *entry {
	if q.spent {
		q.fillRoot()
	}
	if len(q.heap) == 0 {
		return nil
	}
	return &q.heap[0]
}

// takeMin removes the entry that min has just returned.
func (q *queue) takeMin() { q.spent = true }

// fillRoot puts the last entry in the place of a spent root.
func (q *queue) fillRoot() {
	q.spent = false
	last := len(q.heap) - 1
	x := q.heap[last]
	q.heap = q.heap[:last]
	if last > 0 {
		q.down(0, x)
	}
}

// at returns the time of the entry with the given slot.
func (q *queue) at(slot int32) units.Time { return q.heap[q.pos[slot]].at }

// push adds an entry whose slot is not in the queue.
func (q *queue) push(x entry) {
	for int(x.slot) >= len(q.pos) {
		q.pos = append(q.pos, 0)
	}
	if q.spent {
		q.spent = false
		q.down(0, x)
		return
	}
	q.heap = append(q.heap, x)
	q.up(len(q.heap)-1, x)
}

// remove takes out the entry with the given slot.
func (q *queue) remove(slot int32) {
	i, last := int(q.pos[slot]), len(q.heap)-1
	x := q.heap[last]
	q.heap = q.heap[:last]
	if i < last {
		q.place(i, x)
	}
}

// update gives the entry with the slot of x the time and sequence number of x.
func (q *queue) update(x entry) { q.place(int(q.pos[x.slot]), x) }

// place puts x where entry i was, and restores the order.
func (q *queue) place(i int, x entry) {
	if i > 0 && x.before(&q.heap[(i-1)/arity]) {
		q.up(i, x)
		return
	}
	q.down(i, x)
}

// up moves the hole at i towards the root until x fits.
func (q *queue) up(i int, x entry) {
	heap := q.heap
	for i > 0 {
		parent := (i - 1) / arity
		if !x.before(&heap[parent]) {
			break
		}
		heap[i] = heap[parent]
		q.pos[heap[i].slot] = int32(i)
		i = parent
	}
	heap[i] = x
	q.pos[x.slot] = int32(i)
}

// down moves the hole at i towards the leaves until x fits.
func (q *queue) down(i int, x entry) {
	heap := q.heap
	for {
		first := i*arity + 1
		if first >= len(heap) {
			break
		}
		least := first
		for c := first + 1; c < min(first+arity, len(heap)); c++ {
			least += (c - least) * int(heap[c].borrow(&heap[least]))
		}
		if !heap[least].before(&x) {
			break
		}
		heap[i] = heap[least]
		q.pos[heap[i].slot] = int32(i)
		i = least
	}
	heap[i] = x
	q.pos[x.slot] = int32(i)
}
