package stats

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"sdrsim/internal/portable"
)

// MinBeyond is how many samples a quantile needs beyond it to be printed without a warning.
const MinBeyond = 10

// QuantileName is how texts call the q-quantile: p50, p99, p99.9.
func QuantileName(q float64) string {
	return "p" + strconv.FormatFloat(math.Round(q*1e8)/1e6, 'f', -1, 64)
}

// Quantile returns the q-quantile of samples in ascending order, 0 < q < 1, with the interval of
// order statistics. The warning starts with the QuantileName and a colon, and is set where fewer
// than MinBeyond samples lie beyond the quantile (above it for q ≥ 1/2, else below) or where an end
// of the interval would need more samples; that end is NaN then.
//
// It panics where q is out of range, or where the first and last sample show that they are not
// sorted or not finite.
func Quantile(sorted []float64, q float64) Estimate {
	n := len(sorted)
	if !(q > 0 && q < 1) {
		panic(fmt.Sprintf("BUG: stats: Quantile of %v", q))
	}
	name := QuantileName(q)
	if n == 0 {
		return unknown(name + ": no samples")
	}
	if first, last := sorted[0], sorted[n-1]; notFinite(first) || notFinite(last) || first > last {
		panic("BUG: stats: Quantile of samples that are not sorted and finite")
	}
	rank := quantileRank(n, q)
	est := Estimate{Value: sorted[rank-1], Lo: math.NaN(), Hi: math.NaN()}
	lo, hi := intervalRanks(n, q)
	if lo > 0 {
		est.Lo = sorted[lo-1]
	}
	if hi > 0 {
		est.Hi = sorted[hi-1]
	}
	est.Warning = quantileWarning(n, q, lo > 0 && hi > 0)
	return est
}

// quantileRank is ⌈qn⌉, at least 1, where a product that is whole but for rounding counts as whole.
func quantileRank(n int, q float64) int {
	rank := int(math.Ceil(float64(q * float64(n) * (1 - 1e-12))))
	return min(max(rank, 1), n)
}

// intervalRanks returns the ranks, from 1, of the order statistics that enclose the q-quantile:
// the largest l with P(Bin(n,q) ≤ l-1) ≤ 2.5 %, the smallest u with P(Bin(n,q) ≥ u) ≤ 2.5 %. Zero
// stands for a rank that does not exist.
func intervalRanks(n int, q float64) (lo, hi int) {
	below := distuv.Binomial{N: float64(n), P: q}
	above := distuv.Binomial{N: float64(n), P: 1 - q} // counts what lies beyond: keeps small tails
	lo = sort.Search(n, func(i int) bool { return below.CDF(float64(i)) > tail })
	beyond := sort.Search(n, func(i int) bool { return above.CDF(float64(i)) > tail })
	if beyond > 0 {
		hi = n - beyond + 1
	}
	return lo, hi
}

// SamplesForInterval is the smallest number of samples for which the interval of the q-quantile
// has both ends: max(q,1-q)^n ≤ 2.5 %. It is 6 for the median and 3688 for p99.9.
func SamplesForInterval(q float64) int {
	return int(math.Ceil(portable.Log(tail) / portable.Log(max(q, 1-q))))
}

// Beyond is how many of n samples lie beyond the q-quantile, on the side of the shorter tail.
func Beyond(n int, q float64) int {
	if n == 0 {
		return 0
	}
	rank := quantileRank(n, q)
	if q < 0.5 {
		return rank - 1
	}
	return n - rank
}

func quantileWarning(n int, q float64, bounded bool) string {
	var parts []string
	if beyond := Beyond(n, q); beyond < MinBeyond {
		parts = append(parts, fmt.Sprintf("%d of %d samples beyond it, fewer than %d",
			beyond, n, MinBeyond))
	}
	if !bounded {
		parts = append(parts, fmt.Sprintf("a two-sided interval needs %d samples",
			SamplesForInterval(q)))
	}
	if len(parts) == 0 {
		return ""
	}
	return QuantileName(q) + ": " + strings.Join(parts, ", and ")
}

// Sorted returns the finite samples of xs in ascending order, in memory of its own, and how many
// were left out.
func Sorted(xs []float64) (sorted []float64, rejected int) {
	finite, rejected := Finite(xs)
	sorted = make([]float64, len(finite))
	for i, x := range finite {
		sorted[i] = x + 0 // -0 equals 0, so their order would be that of the samples
	}
	slices.Sort(sorted)
	return sorted, rejected
}
