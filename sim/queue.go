package sim

import (
	"math"
	"math/bits"

	"sdrsim/units"
)

// entry is a place in the order of events. It holds no pointer, so that moving it needs no write
// barrier, and three words, which are moved one by one: wider moves have to wait for each other.
type entry struct {
	at  units.Time
	seq uint64
	// ref is the slot of the node that holds what is to be fired. That of a timer, whose entry may
	// be out of date, is negative: ^slot.
	ref int64
}

func (a entry) timer() bool { return a.ref < 0 }

// slot is the node of the entry.
func (a entry) slot() int32 { return int32(a.ref ^ a.ref>>63) }

// before is the total order of events.
func (a entry) before(b entry) bool { return a.borrow(b) != 0 }

// borrow is 1 where a is before b, else 0: the borrow of a 128-bit subtraction, which has no branch
// that could be mispredicted. Times are never negative.
func (a entry) borrow(b entry) uint64 {
	_, borrow := bits.Sub64(a.seq, b.seq, 0)
	_, borrow = bits.Sub64(uint64(a.at), uint64(b.at), borrow)
	return borrow
}

// node is an event in the queue: what it fires and where its entry stands.
type node struct {
	handler Handler
	at      units.Time
	seq     uint64
	// next is the next node of the same bucket, or of the list of free nodes; 0 ends either.
	next int32
	kind kind
}

// entry is that of the node in a slot.
func (n *node) entry(slot int32) entry {
	return entry{n.at, n.seq, refOf(slot, n.kind)}
}

// refOf is the ref of a slot, whose node is not dead.
func refOf(slot int32, k kind) int64 { return int64(slot) ^ -int64(k) }

type kind uint8

const (
	oneShot kind = iota
	// ofTimer is a node whose handler is the expiry of a Timer.
	ofTimer
	// dead is the node of a timer that was stopped or moved to an earlier instant. It lies where it
	// is until it comes up, or until there are too many of them.
	dead
)

// queue is the priority queue of the engine: near, a short sorted list that events are taken from,
// and behind it a wheel of buckets, each no wider than a few events. As long as few events are
// pending the wheel is closed and near holds them all.
//
//	near: everything before edge, in order       wheel: everything from edge on, in buckets
//	 run[head:]   and, out of the way, late
//
// An event costs the same whatever is pending: it goes into its bucket, and when near is empty the
// next bucket that holds something becomes near. Where buckets hold too many events, because many
// happen close together, run is sorted once and what comes in between goes to the heap late: the
// cost of an event is never worse than logarithmic.
type queue struct {
	// nodes[0] is none: index 0 ends lists.
	nodes []node
	free  int32
	// dead counts the dead nodes, wherever they lie.
	dead int
	// run[head:] is sorted. Nothing in it, nor in late, is at edge or after.
	run  []entry
	head int
	late lateHeap
	edge uint64
	// debt counts what went to late since the buckets were last made narrower, or could not be.
	debt  int
	wheel wheel
}

// closed is the edge while the wheel is closed: everything is near.
const closed = math.MaxUint64

const (
	// nearMax is the greatest length of the run that events are sorted into one by one. With more
	// pending the wheel is opened.
	nearMax = 32
	// closeBelow is how few events close the wheel again.
	closeBelow = 8
)

// reset empties the queue and keeps its memory.
func (q *queue) reset() {
	if len(q.nodes) == 0 {
		q.nodes = make([]node, 1, 64)
		q.run = make([]entry, 0, 4*nearMax)
	}
	clear(q.nodes)
	q.wheel.clear()
	q.nodes, q.free, q.dead = q.nodes[:1], 0, 0
	q.run, q.head, q.late = q.run[:0], 0, q.late[:0]
	q.edge, q.debt = closed, 0
}

// len is the number of entries that are not dead.
func (q *queue) len() int { return q.nearLen() + q.wheel.count - q.dead }

func (q *queue) nearLen() int { return len(q.run) - q.head + len(q.late) }

// push adds what a handler is to be fired for, and returns the slot.
func (q *queue) push(at units.Time, seq uint64, h Handler, k kind) int32 {
	slot := q.free
	if slot == 0 {
		slot = int32(len(q.nodes))
		q.nodes = append(q.nodes, node{})
	} else {
		q.free = q.nodes[slot].next
	}
	n := &q.nodes[slot]
	n.handler, n.at, n.seq, n.kind = h, at, seq, k
	if uint64(at) < q.edge {
		q.insertNear(entry{at, seq, refOf(slot, k)})
	} else {
		q.insertFar(slot)
	}
	return slot
}

// release makes a node that is in no list available again.
func (q *queue) release(slot int32) {
	q.nodes[slot].next = q.free
	q.free = slot
}

// insert puts a node where its time belongs.
func (q *queue) insert(slot int32) {
	n := &q.nodes[slot]
	if uint64(n.at) < q.edge {
		q.insertNear(n.entry(slot))
	} else {
		q.insertFar(slot)
	}
}

// insertFar puts a node that is not near into its bucket.
func (q *queue) insertFar(slot int32) {
	q.wheel.place(q.nodes, slot)
	if q.wheel.count++; q.wheel.count > q.wheel.most {
		q.rebuild(q.wheel.shift)
	}
}

// insertNear sorts an entry into the run, from behind: most events are later than most others.
func (q *queue) insertNear(x entry) {
	i := len(q.run)
	if i-q.head >= nearMax && q.crowded(x) {
		return
	}
	if i == cap(q.run) {
		i = q.makeRoom()
	}
	q.run = q.run[:i+1]
	run := q.run
	for i > q.head {
		y := run[i-1]
		if !x.before(y) {
			break
		}
		run[i] = y
		i--
	}
	run[i] = x
}

// makeRoom frees at least one place behind the run and returns its length.
func (q *queue) makeRoom() int {
	n := len(q.run) - q.head
	if q.head >= n {
		copy(q.run, q.run[q.head:])
		q.run, q.head = q.run[:n], 0
		return n
	}
	q.run = append(q.run, entry{})
	q.run = q.run[:len(q.run)-1]
	return len(q.run)
}

// crowded deals with an entry for a run that is long. Where that is easy it leaves the entry to be
// sorted in and returns false.
func (q *queue) crowded(x entry) bool {
	if q.edge == closed {
		q.open()
		q.insert(x.slot())
		return true
	}
	if !x.before(q.run[len(q.run)-nearMax]) {
		return false
	}
	q.late.push(x)
	if q.debt++; q.debt > nearMax+q.len()/2 {
		q.narrow()
	}
	return true
}

// first returns the entry that is before all others, nil in an empty queue. It stays valid until
// something is pushed or removed.
func (q *queue) first() *entry {
	if q.head < len(q.run) && len(q.late) == 0 {
		return &q.run[q.head]
	}
	return q.settle()
}

// settle brings the first entry to the head of the run and returns it, nil in an empty queue.
func (q *queue) settle() *entry {
	switch {
	case len(q.late) == 0:
		if !q.refill() {
			return nil
		}
	case q.head == len(q.run):
		q.run, q.head = append(q.run[:0], q.late.pop()), 0
	case q.late[0].before(q.run[q.head]):
		if q.head == 0 {
			q.run = append(q.run, q.run...)
			q.head = len(q.run) / 2
		}
		q.head--
		q.run[q.head] = q.late.pop()
	}
	return &q.run[q.head]
}

// takeFirst removes the entry that first has just returned; its node is not released.
func (q *queue) takeFirst() { q.head++ }

// remove takes out the node of a timer: at once where it is at hand, else it is dead from now on.
func (q *queue) remove(slot int32) {
	n := &q.nodes[slot]
	if uint64(n.at) < q.edge && len(q.run)-q.head <= 2*nearMax {
		for i := len(q.run) - 1; i >= q.head; i-- {
			if q.run[i].ref == ^int64(slot) {
				copy(q.run[i:], q.run[i+1:])
				q.run = q.run[:len(q.run)-1]
				q.release(slot)
				return
			}
		}
	}
	n.kind, n.handler = dead, nil
	if q.dead++; q.dead > nearMax+q.len() {
		q.rebuild(q.wheel.shift)
	}
}
