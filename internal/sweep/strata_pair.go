package sweep

import (
	"math"
	"slices"

	"sdrsim/internal/portable"
	"sdrsim/internal/stats"
)

// pairs are times of samples under two schemes that met the same losses; NaN where one failed.
type pairs struct {
	a, b    []float64
	stratum []uint8
	shares  []float64
}

// speedup is A/B, the ratio of the means, with the tighter of two intervals: that of two means that
// are taken as independent, and that of the mean of
//
//	z = a/A - b/B
//
// which is zero, with r exp(ends). The gamma interval of it is that of z above the smallest, or of
// z below the largest, where one more rare event adds the penalty of a scheme.
func (p *pairs) speedup(penaltiesA, penaltiesB []float64) stats.Estimate {
	meanA, meanB := p.mean(p.a, penaltiesA, 1), p.mean(p.b, penaltiesB, 1)
	apart := stats.RatioOf(meanA, meanB)
	if math.IsNaN(meanA.Lo) || math.IsNaN(meanB.Lo) {
		return apart
	}
	up, down := make([]float64, len(p.a)), make([]float64, len(p.a))
	for i := range up {
		up[i] = p.a[i]/meanA.Value - p.b[i]/meanB.Value
	}
	finite, _ := stats.Finite(up)
	least, most := slices.Min(finite), slices.Max(finite)
	for i, z := range up {
		up[i], down[i] = z-least, most-z
	}
	above := p.mean(up, penaltiesA, meanA.Value).Hi
	below := p.mean(down, penaltiesB, meanB.Value).Hi
	hi := float64(apart.Value * portable.Exp(least+above))
	lo := float64(apart.Value * portable.Exp(most-below))
	if hi < apart.Hi || math.IsNaN(apart.Hi) {
		apart.Hi = max(hi, apart.Value)
	}
	if lo > apart.Lo || math.IsNaN(apart.Lo) {
		apart.Lo = min(lo, apart.Value)
	}
	return apart
}

// mean is the mean of values of the samples, which are times over a unit, with its interval.
func (p *pairs) mean(values, penalties []float64, unit float64) stats.Estimate {
	scaled := make([]float64, len(penalties))
	for k, penalty := range penalties {
		scaled[k] = penalty / unit
	}
	return meanOver(divide(p.shares, p.stratum, values, scaled))
}
