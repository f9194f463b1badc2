package sim

import (
	"container/heap"
	"fmt"
	"testing"

	"sdrsim/sim/units"
)

// holder is the hold model: every event schedules one more, a random span ahead.
type holder struct {
	e    *Engine
	rng  uint64
	left int
}

// span draws 1..2^20 ps with an xorshift, which costs about a nanosecond.
func (h *holder) span() units.Duration {
	h.rng ^= h.rng << 13
	h.rng ^= h.rng >> 7
	h.rng ^= h.rng << 17
	return units.Duration(h.rng>>44) + 1
}

func (h *holder) Fire(units.Time) {
	if h.left--; h.left <= 0 {
		h.e.Stop()
	}
	h.e.After(h.span(), h)
}

func newHolder(pending int) *holder {
	h := &holder{e: New(), rng: 88172645463325252}
	for range pending {
		h.e.After(h.span(), h)
	}
	return h
}

var pendingSizes = []int{2, 4, 16, 1000, 100000}

func BenchmarkHold(b *testing.B) {
	for _, n := range pendingSizes {
		b.Run(fmt.Sprintf("pending=%d", n), func(b *testing.B) {
			h := newHolder(n)
			b.ReportAllocs()
			b.ResetTimer()
			h.left = b.N
			h.e.Run()
		})
	}
}

// boxed is the hold model on container/heap, for comparison.
type boxed []*boxedItem

type boxedItem struct {
	at  units.Time
	seq uint64
	h   Handler
}

func (q boxed) Len() int { return len(q) }
func (q boxed) Less(i, j int) bool {
	return q[i].at < q[j].at || q[i].at == q[j].at && q[i].seq < q[j].seq
}
func (q boxed) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *boxed) Push(x any)   { *q = append(*q, x.(*boxedItem)) }
func (q *boxed) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

func BenchmarkHoldContainerHeap(b *testing.B) {
	for _, n := range pendingSizes {
		b.Run(fmt.Sprintf("pending=%d", n), func(b *testing.B) {
			h := newHolder(0)
			var q boxed
			var seq uint64
			push := func(now units.Time) {
				seq++
				heap.Push(&q, &boxedItem{at: now.Add(h.span()), seq: seq, h: h})
			}
			for range n {
				push(0)
			}
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				x := heap.Pop(&q).(*boxedItem)
				push(x.at)
			}
		})
	}
}

// pusher re-arms a timer for later with every event, as an acknowledgement does.
type pusher struct {
	holder
	rto Timer
}

func (p *pusher) Fire(now units.Time) {
	p.rto.Reset(now.Add(1 << 22))
	if p.left--; p.left <= 0 {
		p.e.Stop()
	}
	p.e.After(p.span(), p)
}

func newPusher(pending int) *pusher {
	p := &pusher{holder: *newHolder(0)}
	p.rto.Init(p.e, p)
	for range pending {
		p.e.After(p.span(), p)
	}
	return p
}

func BenchmarkTimerRearmLater(b *testing.B) {
	p := newPusher(3)
	b.ReportAllocs()
	b.ResetTimer()
	p.left = b.N
	p.e.Run()
}

func BenchmarkTimerArmStop(b *testing.B) {
	p := newPusher(3)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		p.rto.Reset(1 << 10)
		p.rto.Stop()
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	p := newPusher(100)
	run := func() {
		p.rto.Reset(p.e.Now().Add(1))
		p.rto.Stop()
		p.left = 1000
		p.e.Run()
	}
	run() // brings the queue to its greatest size
	before := p.e.Events()
	if n := testing.AllocsPerRun(1, run); n != 0 {
		t.Errorf("%v allocations in 1000 events", n)
	}
	if got := p.e.Events() - before; got != 2000 { // AllocsPerRun warms up once
		t.Errorf("%d events, want 2000", got)
	}
}
