package stats

import (
	"fmt"

	"gonum.org/v1/gonum/mathext"
)

// Share returns the fraction hits/n of independent samples with the interval of Clopper and
// Pearson, which never holds the truth less often than it says:
//
//	lo = Beta(k, n-k+1) at 2.5 %, 0 for k = 0     hi = Beta(k+1, n-k) at 97.5 %, 1 for k = n
//
// None of n has the upper end 3.69/n. It panics unless 0 ≤ hits ≤ n.
func Share(hits, n int) Estimate {
	if hits < 0 || hits > n {
		panic(fmt.Sprintf("BUG: stats: Share of %d out of %d", hits, n))
	}
	if n == 0 {
		return unknown("fraction: no samples")
	}
	lo, hi := shareEnds(min(hits, n-hits), n)
	if 2*hits > n { // from the near end, so that digits are of what is missing
		lo, hi = 1-hi, 1-lo
	}
	return Estimate{Value: float64(hits) / float64(n), Lo: lo, Hi: hi}
}

// shareEnds is the interval of hits out of n, at most half of them.
func shareEnds(hits, n int) (lo, hi float64) {
	k, total := float64(hits), float64(n)
	if hits > 0 {
		lo = nineDigits(mathext.InvRegIncBeta(k, total-k+1, tail))
	}
	return lo, nineDigits(mathext.InvRegIncBeta(k+1, total-k, 1-tail))
}
