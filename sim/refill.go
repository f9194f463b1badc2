package sim

import (
	"math/bits"
	"slices"
)

// open lets the wheel take over from a run that has become long. The first half of the run says how
// dense events are; the far end may be of another kind.
func (q *queue) open() {
	run := q.run[q.head:]
	from, half := uint64(run[0].at), len(run)/2
	shift := uint(bits.Len64((uint64(run[half].at) - from) / uint64(half)))
	q.wheel.open(from, shift, len(run))
	q.wheel.cursor++
	q.edge = q.wheel.edge()
	near := 1
	for near < len(run) && uint64(run[near].at) < q.edge {
		near++
	}
	for i := range run[near:] {
		q.wheel.place(q.nodes, run[near+i].slot())
	}
	q.wheel.count = len(run) - near
	q.run = q.run[:q.head+near]
}

// refill makes the next bucket near; it returns false when the queue is empty.
func (q *queue) refill() bool {
	w := &q.wheel
	q.run, q.head = q.run[:0], 0
	for w.count > 0 {
		if w.taken >= w.window {
			q.adapt()
			continue // nodes that were dead are gone, maybe all
		}
		t := w.next()
		if t >= w.stop {
			w.deal(q.nodes)
			continue
		}
		q.takeBucket(w.take(t & (1<<w.bits - 1)))
		if w.cursor = t + 1; w.cursor == w.stop {
			w.deal(q.nodes) // else what comes now would be told from the cursor by a lower digit
		}
		if w.count <= closeBelow {
			continue // to its end: the wheel is closed
		}
		if len(q.run) > 0 {
			q.edge = w.edge()
			return true
		}
	}
	q.edge = closed
	return len(q.run) > 0
}

// takeBucket appends the nodes of a bucket to the run, in order.
func (q *queue) takeBucket(slot int32) {
	w, from := &q.wheel, len(q.run)
	before := w.count
	for slot != 0 {
		n := &q.nodes[slot]
		next := n.next
		w.count--
		if n.kind == dead {
			q.dead--
			q.release(slot)
		} else {
			q.run = append(q.run, n.entry(slot))
		}
		slot = next
	}
	w.taken += before - w.count
	// The node that was put in last is the first of its bucket.
	if got := q.run[from:]; len(got) > 1 {
		slices.Reverse(got)
		sortEntries(got)
	}
}

// sortEntries sorts what is often short and often sorted: by insertion, unless that turns out to be
// more work than a few moves for each.
func sortEntries(run []entry) {
	moves := nearMax * nearMax
	for k := 1; k < len(run); k++ {
		i, x := k, run[k]
		for i > 0 {
			y := run[i-1]
			if !x.before(y) {
				break
			}
			run[i] = y
			i--
		}
		run[i] = x
		if moves += 4 - (k - i); moves < 0 {
			slices.SortFunc(run, func(a, b entry) int { return int(b.borrow(a)) - int(a.borrow(b)) })
			return
		}
	}
}

// adapt looks at how many nodes there were to a tick, and makes other buckets where these are too
// wide, too narrow or too many. Right is one node to two; a factor of two off costs little.
func (q *queue) adapt() {
	w := &q.wheel
	taken, ticks := uint64(w.taken), max(w.cursor-w.since, 1)
	shift := w.shift
	switch {
	case taken > 4*ticks:
		shift -= min(shift, uint(bits.Len64(taken/ticks)-1))
	case ticks > 2*taken:
		shift = min(shift+uint(bits.Len64((ticks-1)/taken)), 62)
	}
	if shift == w.shift && (w.bits == minBits || w.count >= 1<<w.bits/32) {
		w.measure(w.count)
		return
	}
	q.rebuild(shift)
}

// narrow makes narrower buckets after much has gone to late, if what is near can be told apart.
func (q *queue) narrow() {
	q.debt = 0
	first := q.settle()
	width := (q.edge - uint64(first.at)) / uint64(q.nearLen())
	if shift := uint(bits.Len64(width)); shift < q.wheel.shift {
		q.rebuild(shift)
		return
	}
	q.debt = -4 * q.len()
}

// rebuild puts everything into buckets of another width, and as many as fit.
func (q *queue) rebuild(shift uint) {
	list := q.wheel.takeAll(q.nodes, 0)
	for _, near := range [][]entry{q.run[q.head:], q.late} {
		for i := range near {
			slot := near[i].slot()
			q.nodes[slot].next = list
			list = slot
		}
	}
	q.run, q.head, q.late = q.run[:0], 0, q.late[:0]
	var live int32
	count, from := 0, uint64(closed)
	for list != 0 {
		slot, n := list, &q.nodes[list]
		list = n.next
		if n.kind == dead {
			q.release(slot)
			continue
		}
		from = min(from, uint64(n.at))
		n.next, live = live, slot
		count++
	}
	q.dead, q.debt, q.edge = 0, 0, closed
	if count == 0 {
		q.wheel.measure(0)
		return
	}
	q.wheel.open(from, shift, count)
	q.edge = q.wheel.edge()
	for live != 0 {
		next := q.nodes[live].next
		q.wheel.place(q.nodes, live)
		live = next
	}
	q.wheel.count = count
}
