package report

import (
	"math"

	"sdrsim/internal/result"
)

// extent is what the values of an axis span.
type extent struct {
	min, max         float64 // of all finite values
	positive         float64 // the least positive value
	values, zeros    int
	negative, finite bool
}

func extentOf(values []float64) extent {
	e := extent{min: math.Inf(1), max: math.Inf(-1), positive: math.Inf(1)}
	for _, v := range values {
		if !result.Usable(v) {
			continue
		}
		v = flush(v)
		e.values++
		e.finite = true
		e.min, e.max = min(e.min, v), max(e.max, v)
		switch {
		case v > 0:
			e.positive = min(e.positive, v)
		case v == 0:
			e.zeros++
		default:
			e.negative = true
		}
	}
	return e
}

// flush takes numbers too small for the arithmetic of an axis as zero.
func flush(v float64) float64 {
	if math.Abs(v) < 1e-200 {
		return 0
	}
	return v
}

// logarithmic decides the scale where the figure leaves it open: values over a factor of 20, or,
// where zeros are among them, a factor of 100.
func (e extent) logarithmic() bool {
	if e.negative || !(e.positive < e.max) {
		return false
	}
	if e.zeros > 0 {
		return e.max/e.positive >= 100
	}
	return e.max/e.positive >= 20
}

// geometric tells whether ascending values are spread by factors rather than by steps: 100, 200,
// 400, 800.
func geometric(values []float64) bool {
	least, most := math.Inf(1), 0.0
	for i := 1; i < len(values); i++ {
		if values[i-1] <= 0 {
			return false
		}
		factor := values[i] / values[i-1]
		least, most = min(least, factor), max(most, factor)
	}
	return len(values) >= 3 && least >= 1.4 && most <= 1.4*least
}
