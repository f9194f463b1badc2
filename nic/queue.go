package nic

import (
	"sdrsim/units"
	"sdrsim/wire"
)

// queue holds control messages that wait for the link, in memory that is reused. What a later
// message says as well is not sent: the later one takes the place of the earlier.
type queue struct {
	slots []waiting // a ring
	head  int       // of the oldest
	count int       // of those that wait
	total units.Duration
}

// waiting is a control message that has not begun to go.
type waiting struct {
	msg  []byte
	took units.Duration // on the link
}

func (q *queue) reset() { q.head, q.count, q.total = 0, 0, 0 }

func (q *queue) len() int { return q.count }

// at is the message that goes after i others.
func (q *queue) at(i int) *waiting { return &q.slots[(q.head+i)%len(q.slots)] }

// add takes a message, in the place of the first that it makes needless, and tells how long the
// link takes for all that goes before it, and for the message itself.
func (q *queue) add(msg []byte, took units.Duration) (until units.Duration) {
	kept, place := 0, -1
	for i := range q.count {
		w := q.at(i)
		if supersedes(msg, w.msg) {
			q.total -= w.took
			if place >= 0 {
				continue
			}
			place, w.took = kept, took
			w.msg = append(w.msg[:0], msg...)
			q.total += took
		}
		if place < 0 || place == kept {
			until += w.took
		}
		q.move(i, kept)
		kept++
	}
	q.count = kept
	if place < 0 {
		q.push(msg, took)
		until += took
	}
	return until
}

// move puts message i where another was; its memory changes places with that of the other.
func (q *queue) move(i, to int) {
	if i != to {
		a, b := q.at(i), q.at(to)
		*a, *b = *b, *a
	}
}

// push adds a message behind the others.
func (q *queue) push(msg []byte, took units.Duration) {
	if q.count == len(q.slots) {
		bigger := make([]waiting, max(4, 2*len(q.slots)))
		for i := range q.count {
			bigger[i] = *q.at(i)
		}
		q.slots, q.head = bigger, 0
	}
	q.count++
	w := q.at(q.count - 1)
	w.msg, w.took = append(w.msg[:0], msg...), took
	q.total += took
}

// pop takes the oldest message; it stays valid until the next is added.
func (q *queue) pop() ([]byte, bool) {
	if q.count == 0 {
		return nil, false
	}
	w := q.at(0)
	q.head = (q.head + 1) % len(q.slots)
	q.count--
	q.total -= w.took
	return w.msg, true
}

// supersedes tells that a later control message says all that an earlier one does: a final
// acknowledgement all of its message, and any acknowledgement that which is only cumulative.
// Reports of what is missing are else never given up.
func supersedes(later, earlier []byte) bool {
	kind, message, err := wire.Header(later)
	if err != nil || kind != wire.KindAck {
		return false
	}
	_, other, err := wire.Header(earlier)
	return err == nil && message == other && (wire.Final(later) || wire.Plain(earlier))
}
