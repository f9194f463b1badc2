package stats

import (
	"fmt"
	"math"
)

// Summary describes samples of one quantity, in its unit.
type Summary struct {
	// N counts the samples used, Rejected those that are NaN or infinite.
	N, Rejected    int
	Mean           Estimate
	StdDev         float64 // n-1 in the denominator; NaN below two samples
	Min, Max       float64 // NaN without samples
	P50, P99, P999 Estimate
}

// Summarize describes xs, which it does not change. The result does not depend on their order.
func Summarize(xs []float64) Summary {
	sorted, rejected := Sorted(xs)
	s := Summary{
		N: len(sorted), Rejected: rejected,
		Mean: Mean(sorted),
		Min:  math.NaN(), Max: math.NaN(),
		P50: Quantile(sorted, 0.5), P99: Quantile(sorted, 0.99), P999: Quantile(sorted, 0.999),
	}
	_, s.StdDev = moments(sorted)
	if s.N > 0 {
		s.Min, s.Max = sorted[0], sorted[s.N-1]
	}
	return s
}

// Warnings lists what limits the summary, in a fixed order; none where all is well.
func (s Summary) Warnings() []string {
	if s.N == 0 {
		return []string{"no samples"}
	}
	var warnings []string
	if s.Rejected > 0 {
		warnings = append(warnings, fmt.Sprintf("%d of %d samples are not finite and left out",
			s.Rejected, s.N+s.Rejected))
	}
	for _, e := range []Estimate{s.Mean, s.P50, s.P99, s.P999} {
		if e.Warning != "" {
			warnings = append(warnings, e.Warning)
		}
	}
	return warnings
}
