package sim

import (
	"math/bits"
	"slices"

	"sdrsim/units"
)

// radix is a heap for times that never go back: bucket b holds the entries whose time differs from
// that of the last one popped in bit b-1 and in none above. Bucket 0 holds those of the same time.
type radix struct {
	last    units.Time
	count   int
	buckets [64][]entry
	first   int // of bucket 0, what has been popped
}

func (q *radix) push(x entry) {
	b := bits.Len64(uint64(x.at ^ q.last))
	q.buckets[b] = append(q.buckets[b], x)
	q.count++
}

func (q *radix) pop() entry {
	q.count--
	if q.first == len(q.buckets[0]) {
		q.refill()
	}
	q.first++
	return q.buckets[0][q.first-1]
}

func (q *radix) refill() {
	q.buckets[0], q.first = q.buckets[0][:0], 0
	b := 1
	for len(q.buckets[b]) == 0 {
		b++
	}
	from := q.buckets[b]
	q.last = slices.MinFunc(from, func(a, b entry) int { return int(a.at - b.at) }).at
	for _, x := range from {
		to := bits.Len64(uint64(x.at ^ q.last))
		q.buckets[to] = append(q.buckets[to], x)
	}
	q.buckets[b] = from[:0]
	sortEntries(q.buckets[0])
}
