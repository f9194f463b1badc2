package sim

import (
	"fmt"
	"math"
	"testing"

	"sdrsim/units"
)

// spans draws the increments of the hold model.
type spans struct {
	rng  uint64
	kind string
	// table holds the quantiles of the distribution, but for equal spans.
	table [257]uint64
}

const meanSpan = 1 << 20 // picoseconds

// spanKinds are what increments are like: exponential; uniform; one in ten a hundred times as long
// as the others; all equal, so that everything that is pending happens at one instant.
var spanKinds = []string{"exponential", "uniform", "bimodal", "equal"}

func newSpans(kind string) *spans {
	s := &spans{rng: 88172645463325252, kind: kind}
	for i := range s.table {
		p := min(float64(i)/256, 1-1.0/4096)
		switch {
		case kind == "exponential":
			s.table[i] = uint64(-meanSpan * math.Log1p(-p))
		case kind == "uniform":
			s.table[i] = uint64(2 * meanSpan * p)
		case kind == "bimodal" && i <= 230:
			s.table[i] = uint64(meanSpan * p)
		case kind == "bimodal":
			s.table[i] = uint64(100 * meanSpan * p)
		}
	}
	return s
}

// next draws with an xorshift and interpolates, which costs a few nanoseconds.
func (s *spans) next() units.Duration {
	if s.kind == "equal" {
		return meanSpan
	}
	s.rng ^= s.rng << 13
	s.rng ^= s.rng >> 7
	s.rng ^= s.rng << 17
	i, part := s.rng>>56, s.rng>>24&(1<<24-1)
	low := s.table[i]
	return units.Duration(low+(s.table[i+1]-low)*part>>24) + 1
}

// holder is the hold model: every event schedules one more, a random span ahead.
type holder struct {
	e     *Engine
	spans *spans
	left  int
}

func (h *holder) Fire(units.Time) {
	if h.left--; h.left <= 0 {
		h.e.Stop()
	}
	h.e.After(h.spans.next(), h)
}

func newHolder(kind string, pending int) *holder {
	h := &holder{e: New(), spans: newSpans(kind)}
	for range pending {
		h.e.After(h.spans.next(), h)
	}
	return h
}

var pendingSizes = []int{2, 4, 16, 1000, 100000}

// BenchmarkHold has exponential spans: the measure of an event.
func BenchmarkHold(b *testing.B) {
	for _, n := range pendingSizes {
		benchmarkHold(b, fmt.Sprintf("pending=%d", n), "exponential", n)
	}
}

// BenchmarkHoldContainerHeap is the same on container/heap: what BenchmarkHold is divided by.
func BenchmarkHoldContainerHeap(b *testing.B) {
	for _, n := range pendingSizes {
		benchmarkRival(b, fmt.Sprintf("pending=%d", n), &containerHeap{}, "exponential", n)
	}
}

// BenchmarkHoldSpans has spans that are distributed otherwise.
func BenchmarkHoldSpans(b *testing.B) {
	for _, kind := range spanKinds[1:] {
		for _, n := range pendingSizes {
			benchmarkHold(b, fmt.Sprintf("spans=%s/pending=%d", kind, n), kind, n)
		}
	}
}

func benchmarkHold(b *testing.B, name, kind string, pending int) {
	var h *holder
	b.Run(name, func(b *testing.B) {
		if h == nil { // else it goes on from where it was
			h = newHolder(kind, pending)
			h.left = 2 * pending // to its steady state
			h.e.Run()
		}
		b.ReportAllocs()
		b.ResetTimer()
		h.left = b.N
		h.e.Run()
	})
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
	p.e.After(p.spans.next(), p)
}

func newPusher(pending int) *pusher {
	p := &pusher{holder: *newHolder("uniform", 0)}
	p.rto.Init(p.e, p)
	for range pending {
		p.e.After(p.spans.next(), p)
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
