package sweep

import (
	"math"
	"slices"

	"sdrsim/internal/stats"
)

// pairs are times of samples under two schemes that met the same losses.
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
func (p *pairs) speedup(penaltyA, penaltyB float64) stats.Estimate {
	meanA, meanB := p.mean(p.a, penaltyA), p.mean(p.b, penaltyB)
	apart := stats.RatioOf(meanA, meanB)
	if math.IsNaN(meanA.Lo) || math.IsNaN(meanB.Lo) {
		return apart
	}
	up, down := make([]float64, len(p.a)), make([]float64, len(p.a))
	for i := range up {
		up[i] = p.a[i]/meanA.Value - p.b[i]/meanB.Value
	}
	least, most := slices.Min(up), slices.Max(up)
	for i, z := range up {
		up[i], down[i] = z-least, most-z
	}
	above := p.mean(up, penaltyA/meanA.Value).Hi
	below := p.mean(down, penaltyB/meanB.Value).Hi
	hi := float64(apart.Value * math.Exp(least+above))
	lo := float64(apart.Value * math.Exp(most-below))
	if hi < apart.Hi || math.IsNaN(apart.Hi) {
		apart.Hi = max(hi, apart.Value)
	}
	if lo > apart.Lo || math.IsNaN(apart.Lo) {
		apart.Lo = min(lo, apart.Value)
	}
	return apart
}

// mean is the mean of values of the samples, with its interval.
func (p *pairs) mean(values []float64, penalty float64) stats.Estimate {
	list := divide(p.stratum, p.shares, func(i int) float64 { return values[i] }, penalty)
	if why := scarce(list); why != "" {
		weights := strataWeights(p.stratum, p.shares)
		value := stats.Sum(products(weights, values)) / float64(len(values))
		return stats.Estimate{Value: value, Lo: math.NaN(), Hi: math.NaN(), Warning: "ratio: " + why}
	}
	floor := math.Inf(1)
	if len(list[0].Values) > 0 {
		floor = list[0].Values[0]
	}
	return stats.StrataMean(floor, list)
}
