package sweep

import (
	"sdrsim/internal/stats"
	"sdrsim/scenarios"
)

// precise tells whether the intervals are as tight as the point asks for. An interval with an end
// that the samples do not carry is not. Asking for nothing is always met.
func (r *Record) precise(wanted []scenarios.Precision) bool {
	if len(wanted) == 0 {
		return true
	}
	sorted, _ := stats.Sorted(r.seconds(r.completion))
	for _, w := range wanted {
		e := r.estimate(w.Quantity, sorted)
		if half := (e.Hi - e.Lo) / 2; !(half <= float64(w.Relative*e.Value)) {
			return false // also where an end is NaN
		}
	}
	return true
}

// estimate is a quantity that a precision can be asked of; sorted are the completion times.
func (r *Record) estimate(quantity string, sorted []float64) stats.Estimate {
	switch quantity {
	case scenarios.PrecisionMean:
		return meanTime(r, r.completion)
	case scenarios.PrecisionP50:
		return stats.Quantile(sorted, 0.5)
	case scenarios.PrecisionP99:
		return stats.Quantile(sorted, 0.99)
	case scenarios.PrecisionP999:
		return stats.Quantile(sorted, 0.999)
	case scenarios.PrecisionGoodput:
		goodput, _ := r.rates()
		return goodput
	}
	panic("BUG: sweep: no precision of " + quantity)
}
