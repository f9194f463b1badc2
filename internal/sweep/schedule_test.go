package sweep

import (
	"testing"

	"pgregory.net/rapid"

	"sdrsim/scenarios"
)

// points is a Source of points at hand.
type points []scenarios.Point

func (p points) Len() int                 { return len(p) }
func (p points) At(i int) scenarios.Point { return p[i] }

// grid makes n points of the same size under schemes a, b, ...
func grid(n, schemeCount, samples int) points {
	var made points
	for i := range n {
		p := scenarios.Point{Index: i, Samples: samples, Payload: scenarios.PayloadVirtual}
		p.Message = scenarios.Message{Size: 1000, Chunk: 1000, Count: 1, InFlight: 1}
		for k := range schemeCount {
			p.Schemes = append(p.Schemes, scenarios.Scheme{Label: string(rune('a' + k))})
		}
		made = append(made, p)
	}
	return made
}

// TestEverySampleIsClaimedOnce lets workers take turns in any order over units of any cost.
func TestEverySampleIsClaimedOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := grid(rapid.IntRange(0, 4).Draw(t, "points"), rapid.IntRange(1, 3).Draw(t, "schemes"), 0)
		for i := range source {
			source[i].Samples = rapid.IntRange(1, 40).Draw(t, "samples")
		}
		workers := rapid.IntRange(1, 4).Draw(t, "workers")
		s := schedule{source: source}
		last := make([]*unit, workers)
		held := make([]*block, workers)
		claimed := map[*unit]int{}
		complete := 0
		for ended := 0; ended < workers; {
			w := rapid.IntRange(0, workers-1).Draw(t, "worker")
			if b := held[w]; b != nil {
				held[w] = nil
				cost := rapid.Int64Range(0, 3*blockCost).Draw(t, "cost")
				var done tally
				done.Events = cost * int64(b.to-b.from)
				if s.add(*b, done) {
					complete++
				}
				continue
			}
			b, ok := s.claim(last[w])
			if !ok {
				ended++
				continue
			}
			if b.from != claimed[b.unit] || b.to <= b.from || b.to > b.unit.point.Samples {
				t.Fatalf("block %d..%d follows %d of %d samples",
					b.from, b.to, claimed[b.unit], b.unit.point.Samples)
			}
			claimed[b.unit] = b.to
			held[w], last[w] = &b, b.unit
			if len(s.open) > workers {
				t.Fatalf("%d units open with %d workers", len(s.open), workers)
			}
		}
		for _, b := range held {
			if b != nil && s.add(*b, tally{}) {
				complete++
			}
		}
		want := 0
		for _, p := range source {
			want += len(p.Schemes)
		}
		if complete != want || len(s.open) != 0 {
			t.Fatalf("%d of %d units complete, %d still open", complete, want, len(s.open))
		}
	})
}

func TestBlocksGrowWhileSamplesAreCheap(t *testing.T) {
	s := schedule{source: grid(1, 1, 100)}
	var last *unit
	var sizes []int
	for range 5 {
		b, _ := s.claim(last)
		s.add(b, tally{})
		last = b.unit
		sizes = append(sizes, b.to-b.from)
	}
	for i, want := range []int{1, 2, 4, 8, 16} {
		if sizes[i] != want {
			t.Fatalf("blocks of %v, want doubling from 1", sizes)
		}
	}
}

func TestBlocksOfCostlySamplesStaySmall(t *testing.T) {
	s := schedule{source: grid(1, 1, 100)}
	var last *unit
	for range 10 {
		b, _ := s.claim(last)
		if n := b.to - b.from; n > 4 {
			t.Fatalf("a block of %d samples of a quarter of the aim each", n)
		}
		var done tally
		done.Events = int64(b.to-b.from) * blockCost / 4
		s.add(b, done)
		last = b.unit
	}
}

// TestIdleWorkerHelpsWithTheCostliest shows what balances the end of a sweep.
func TestIdleWorkerHelpsWithTheCostliest(t *testing.T) {
	s := schedule{source: grid(2, 1, 100)}
	cheap, _ := s.claim(nil)
	costly, _ := s.claim(nil)
	if cheap.unit == costly.unit {
		t.Fatal("two workers without a unit got the same while another was not begun")
	}
	s.add(cheap, tally{})
	var done tally
	done.Events = 10 * blockCost
	s.add(costly, done)
	if b, ok := s.claim(nil); !ok || b.unit != costly.unit {
		t.Errorf("the idle worker got unit %d, want the costly one", b.unit.index)
	}
}
