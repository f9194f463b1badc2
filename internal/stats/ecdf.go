package stats

import (
	"math"
	"slices"

	"sdrsim/internal/portable"
)

// Step is a point of an empirical distribution: Exceed = P(X > X) from X up to the next step.
type Step struct {
	X      float64 // in the unit of the samples
	Exceed float64 // the fraction of samples above X; 0 at the largest
}

// Steps returns the empirical distribution of samples in ascending order at no more than limit of
// them, ascending in X, smallest and largest included. Half of the points are spread evenly over
// the samples, which draws the body; half logarithmically towards the largest, which draws the
// tail. Every point returned lies exactly on the distribution; points between are left out only
// where there are more than limit different values. Limit must be at least 4.
func Steps(sorted []float64, limit int) []Step {
	if limit < 4 {
		panic("BUG: stats: Steps with a limit below 4")
	}
	ends := lastOfEqual(sorted)
	if len(ends) > limit {
		ends = thin(ends, len(sorted), limit)
	}
	steps := make([]Step, len(ends))
	n := float64(len(sorted))
	for i, end := range ends {
		steps[i] = Step{X: sorted[end], Exceed: float64(len(sorted)-1-end) / n}
	}
	return steps
}

// lastOfEqual returns, for each different value, the index of its last sample.
func lastOfEqual(sorted []float64) []int {
	var ends []int
	for i, x := range sorted {
		if i+1 == len(sorted) || sorted[i+1] != x {
			ends = append(ends, i)
		}
	}
	return ends
}

// thin picks at most limit of the indices ends, which index n samples, first and last included.
func thin(ends []int, n, limit int) []int {
	even := limit / 2
	tailed := limit - even
	wanted := make([]int, 0, limit)
	for i := range even {
		wanted = append(wanted, i*(n-1)/(even-1))
	}
	for i := range tailed {
		fraction := float64(i) / float64(tailed-1)
		beyond := math.Round(portable.Pow(float64(n), fraction)) - 1 // 0 … n-1
		wanted = append(wanted, n-1-int(beyond))
	}
	picked := make([]int, 0, limit)
	for _, w := range wanted {
		at, _ := slices.BinarySearch(ends, w)
		picked = append(picked, ends[at])
	}
	// The first index wanted is 0, whose value may repeat: its end is ends[0]. The last is n-1.
	slices.Sort(picked)
	return slices.Compact(picked)
}
