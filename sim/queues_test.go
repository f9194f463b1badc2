package sim

import (
	"fmt"
	"testing"

	"sdrsim/units"
)

// rival is a priority queue that was looked at for the engine, reduced to what all need. Ids are
// small numbers, not in the queue when they are pushed. What pop is called on is not empty.
type rival interface {
	push(x entry)
	pop() entry
}

// rivals are the queues that are compared, each from nothing.
var rivals = []struct {
	name string
	make func() rival
}{
	{"container", func() rival { return &containerHeap{} }},
	{"binary", func() rival { return &binaryHeap{} }},
	{"fourary", func() rival { return &fourHeap{} }},
	{"calendar", func() rival { return newCalendar() }},
	{"ladder", func() rival { return &ladder{} }},
	{"radix", func() rival { return &radix{} }},
	{"wheel", func() rival { return newBareQueue() }},
}

// bareQueue is the queue of the engine, without the engine.
type bareQueue struct{ queue }

func newBareQueue() *bareQueue {
	q := &bareQueue{}
	q.reset()
	return q
}

func (q *bareQueue) push(x entry) { q.queue.push(x.at, x.seq, nil, oneShot) }

func (q *bareQueue) pop() entry {
	x := *q.first()
	q.takeFirst()
	q.release(x.slot())
	return x
}

// BenchmarkQueues is the hold model on the queues alone.
func BenchmarkQueues(b *testing.B) {
	for _, kind := range spanKinds {
		for _, n := range []int{2, 16, 1000, 100000} {
			for _, r := range rivals {
				if r.name == "calendar" && kind == "equal" && n > 1000 {
					continue // takes minutes: they are all in one sorted list
				}
				name := fmt.Sprintf("spans=%s/pending=%d/queue=%s", kind, n, r.name)
				benchmarkRival(b, name, r.make(), kind, n)
			}
		}
	}
}

func benchmarkRival(b *testing.B, name string, q rival, kind string, pending int) {
	var s *spans
	var seq uint64
	hold := func(n int) {
		for range n {
			x := q.pop()
			seq++
			q.push(entry{at: x.at.Add(s.next()), seq: seq, ref: x.ref})
		}
	}
	b.Run(name, func(b *testing.B) {
		if s == nil { // else it goes on from where it was
			s = newSpans(kind)
			for range pending {
				seq++
				q.push(entry{at: units.Time(0).Add(s.next()), seq: seq, ref: int64(seq)})
			}
			hold(2 * pending)
		}
		b.ReportAllocs()
		b.ResetTimer()
		hold(b.N)
	})
}
