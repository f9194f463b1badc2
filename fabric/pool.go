package fabric

import (
	"math/bits"

	"sdrsim/units"
)

// Pool is a buffer that queues of a switch share by a dynamic threshold: a queue may hold Alpha
// times
// what is free. Control messages and headers take room, but are not refused for want of it.
// Choudhury and Hahne 1998.
type Pool struct {
	Size  units.Bytes
	Alpha float64

	queues []*Queue
}

// takes reports whether a queue may accept n packets at an instant: the threshold is that which the
// last of them meets, and it must fit. If they come later, there is only more room.
func (b *Pool) takes(q *Queue, at units.Time, n int64, size units.Bytes) bool {
	own := q.bytes(at) + units.Bytes(n)*size
	free := b.Size - units.Bytes(n-1)*size
	for _, other := range b.queues {
		free -= other.bytes(at)
	}
	return size <= free && float64(own) <= float64(b.Alpha*float64(free))
}

// bytes is the backlog at an instant, in whole bytes.
func (q *Queue) bytes(at units.Time) units.Bytes {
	hi, lo := bits.Mul64(uint64(q.backlog(at)), uint64(q.cfg.Rate))
	n, _ := bits.Div64(hi, lo, uint64(8*units.Second))
	return units.Bytes(n)
}
