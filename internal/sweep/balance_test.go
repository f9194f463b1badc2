package sweep

import (
	"testing"

	"sdrsim/internal/experiment"
)

// spend lets workers claim and run blocks in virtual time until nothing is left. The cost of a
// sample of a unit is what the function says; the samples tell of it what they tell. It returns how
// long each worker has worked.
func spend(source points, workers int, sample func(u *unit) (int64, experiment.Counters)) []int64 {
	s := newSchedule(source)
	spent, last, idle := make([]int64, workers), make([]*unit, workers), make([]bool, workers)
	for left := workers; left > 0; {
		w := -1
		for i := range spent { // whoever is done first claims next
			if !idle[i] && (w < 0 || spent[i] < spent[w]) {
				w = i
			}
		}
		b, ok := claimRun(s, last[w])
		if !ok {
			idle[w] = true
			left--
			continue
		}
		last[w] = b.unit
		cost, counters := sample(b.unit)
		var t tally
		for i := b.from; i < b.to; i++ {
			t.count(i, &experiment.Sample{Counters: counters})
		}
		spent[w] += cost * int64(b.len())
		if s.add(b, t) {
			s.close(b.unit, reduced{})
		}
	}
	return spent
}

// TestWorkersEndTogetherThoughOneUnitCostsMost has a last unit that costs a hundred times all
// others: its samples are dealt to both workers, whether events tell of their cost or losses do.
func TestWorkersEndTogetherThoughOneUnitCostsMost(t *testing.T) {
	const heavy = 30_000
	for name, heavily := range map[string]experiment.Counters{
		"events": {Events: heavy}, "losses": {Events: 100, Lost: heavy - 100},
	} {
		source := grid(10, 1, 1000)
		spent := spend(source, 2, func(u *unit) (int64, experiment.Counters) {
			if u.index == 9 {
				return heavy, heavily
			}
			return sampleCost, experiment.Counters{Events: sampleCost}
		})
		longest, total := max(spent[0], spent[1]), spent[0]+spent[1]
		if total < 1000*heavy {
			t.Fatalf("%s: %d spent, less than the heavy unit costs", name, total)
		}
		// The one that ends first waits for a block at most.
		if longest > total/2+blockCost {
			t.Errorf("%s: workers spend %v of %d; want the same but for a block of %d",
				name, spent, total, blockCost)
		}
		if speedup := float64(total) / float64(longest); speedup < 1.95 {
			t.Errorf("%s: two workers are %.2f times as fast as one", name, speedup)
		}
	}
}
