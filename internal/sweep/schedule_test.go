package sweep

import (
	"testing"
	"testing/synctest"

	"sdrsim/internal/spec"

	"pgregory.net/rapid"
)

// points is a Source of points at hand.
type points []spec.Point

func (p points) Len() int            { return len(p) }
func (p points) At(i int) spec.Point { return p[i] }

// grid makes n points of the same size under schemes a, b, ...
func grid(n, schemeCount, samples int) points {
	var made points
	for i := range n {
		p := spec.Point{Index: i, Samples: samples, Payload: spec.PayloadVirtual}
		p.Message = spec.Message{Size: 1000, Chunk: 1000, Count: 1, InFlight: 1}
		for k := range schemeCount {
			p.Schemes = append(p.Schemes, spec.Scheme{Label: string(rune('a' + k))})
		}
		made = append(made, p)
	}
	return made
}

// TestEverySampleIsClaimedOnce lets workers take turns in any order over units of any cost.
func TestEverySampleIsClaimedOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := grid(rapid.IntRange(0, 4).Draw(t, "points"),
			rapid.IntRange(1, 3).Draw(t, "schemes"), 0)
		for i := range source {
			source[i].Samples = rapid.IntRange(1, 40).Draw(t, "samples")
		}
		workers := rapid.IntRange(1, 4).Draw(t, "workers")
		s := newSchedule(source)
		last := make([]*unit, workers)
		held := make([]*block, workers)
		claimed := map[*unit]int{}
		complete := 0
		finish := func(b block, cost int64) {
			if s.add(b, tally{events: cost}) {
				complete++
				s.close(b.unit, reduced{})
			}
		}
		for ended := 0; ended < workers; {
			w := rapid.IntRange(0, workers-1).Draw(t, "worker")
			if b := held[w]; b != nil {
				held[w] = nil
				finish(*b, rapid.Int64Range(0, 3*blockCost).Draw(t, "cost")*int64(b.len()))
				continue
			}
			b, ok := claimRun(s, last[w])
			if !ok {
				ended++
				continue
			}
			if b.from != claimed[b.unit] || b.to <= b.from || b.to > b.unit.point().Samples {
				t.Fatalf("block %d..%d follows %d of %d samples",
					b.from, b.to, claimed[b.unit], b.unit.point().Samples)
			}
			claimed[b.unit] = b.to
			held[w], last[w] = &b, b.unit
			if len(s.open) > workers {
				t.Fatalf("%d units open with %d workers", len(s.open), workers)
			}
		}
		for _, b := range held {
			if b != nil {
				finish(*b, 0)
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

// claimRun claims a block with samples: a unit that has just been opened gets all that its point
// asks for.
func claimRun(s *schedule, last *unit) (block, bool) {
	b, ok := s.claim(last)
	if ok && b.len() == 0 {
		b.unit.record = newRecord(b.unit.point(), b.unit.spec())
		s.extend(b.unit, b.unit.point().Samples)
		b, ok = s.claim(b.unit)
	}
	return b, ok
}

// TestIdleWorkersWaitForAJudgement lets one worker find nothing to do while another decides whether
// a unit needs more samples.
func TestIdleWorkersWaitForAJudgement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSchedule(grid(1, 1, 1))
		b, _ := claimRun(s, nil)
		if !s.add(b, tally{}) {
			t.Fatal("the only sample is done, and the unit is not due")
		}
		var got block
		claimed := make(chan bool)
		go func() {
			var ok bool
			got, ok = s.claim(nil)
			claimed <- ok
		}()
		synctest.Wait()
		select {
		case <-claimed:
			t.Fatal("the idle worker ended before the judgement")
		default:
		}
		b.unit.record.samples = 1
		s.extend(b.unit, 2)
		if ok := <-claimed; !ok || got.from != 1 || got.to != 2 {
			t.Errorf("got %+v, %v, want sample 1", got, ok)
		}
	})
}

func TestBlocksGrowWhileSamplesAreCheap(t *testing.T) {
	s := newSchedule(grid(1, 1, 100))
	var last *unit
	var sizes []int
	for range 5 {
		b, _ := claimRun(s, last)
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
	s := newSchedule(grid(1, 1, 100))
	var last *unit
	for range 10 {
		b, _ := claimRun(s, last)
		if n := b.to - b.from; n > 4 {
			t.Fatalf("a block of %d samples of a quarter of the aim each", n)
		}
		s.add(b, tally{events: int64(b.len()) * blockCost / 4})
		last = b.unit
	}
}

// TestIdleWorkerHelpsWithTheCostliest shows what balances the end of a sweep.
func TestIdleWorkerHelpsWithTheCostliest(t *testing.T) {
	s := newSchedule(grid(2, 1, 100))
	cheap, _ := claimRun(s, nil)
	costly, _ := claimRun(s, nil)
	if cheap.unit == costly.unit {
		t.Fatal("two workers without a unit got the same while another was not begun")
	}
	s.add(cheap, tally{})
	s.add(costly, tally{events: 10 * blockCost})
	if b, ok := s.claim(nil); !ok || b.unit != costly.unit {
		t.Errorf("the idle worker got unit %d, want the costly one", b.unit.index)
	}
}
