package nic

import (
	"sdrsim/internal/ring"
	"sdrsim/units"
	"sdrsim/wire"
)

// queue holds control messages that wait for the link, in memory that is reused. What a later
// message says as well is not sent: the later one takes the place of the earlier.
type queue struct {
	ring  ring.Ring[waiting]
	total units.Duration
}

// waiting is a control message that has not begun to go.
type waiting struct {
	msg  []byte
	took units.Duration // on the link
}

func (q *queue) reset() {
	q.ring.Reset()
	q.total = 0
}

func (q *queue) len() int { return q.ring.Len() }

// add takes a message, in the place of the first that it makes needless, and tells how long the
// link takes for all that goes before it, and for the message itself.
func (q *queue) add(msg []byte, took units.Duration) (until units.Duration) {
	kept, place := q.ring.First(), int64(-1)
	for i := kept; i < q.ring.Next(); i++ {
		w := q.ring.At(i)
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
		if to := q.ring.At(kept); to != w { // their memory changes places
			*w, *to = *to, *w
		}
		kept++
	}
	for q.ring.Next() > kept {
		q.ring.PopTail()
	}
	if place < 0 {
		w := q.ring.Push()
		w.msg, w.took = append(w.msg[:0], msg...), took
		q.total += took
		until += took
	}
	return until
}

// pop takes the oldest message; it stays valid until the next is added.
func (q *queue) pop() ([]byte, bool) {
	w := q.ring.Head()
	if w == nil {
		return nil, false
	}
	q.ring.Pop()
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
