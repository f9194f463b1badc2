package stats

import (
	"fmt"
	"math"

	"sdrsim/sim/portable"
)

// Ratio returns mean(a)/mean(b) of paired samples, with the interval of the delta method: the
// deviations d = a - r b have mean zero, and r ± t(n-1) s(d) / (√n mean(b)). Pairing keeps what the
// two have in common, such as the same losses, out of the interval.
//
// It panics where the lengths differ. A pair with a number that is not finite is left out.
func Ratio(a, b []float64) Estimate {
	a, b, rejected := finitePairs(a, b)
	if len(a) == 0 {
		return unknown("ratio: no samples")
	}
	meanA, _ := moments(a)
	meanB, _ := moments(b)
	if meanB <= 0 {
		return unknown("ratio: the mean below the line is not positive")
	}
	r := meanA / meanB
	est := Estimate{Value: r, Lo: math.NaN(), Hi: math.NaN()}
	if len(a) == 1 {
		est.Warning = "ratio: one sample, no interval"
		return est
	}
	deviations := make([]float64, len(a))
	for i := range a {
		deviations[i] = a[i] - float64(r*b[i])
	}
	_, dev := moments(deviations)
	half := float64(student(len(a)-1)*dev) / float64(math.Sqrt(float64(len(a)))*meanB)
	est.Lo, est.Hi = finiteOrNaN(r-half), finiteOrNaN(r+half)
	if rejected > 0 {
		est.Warning = fmt.Sprintf("ratio: %d pairs are not finite and left out", rejected)
	}
	return est
}

func finitePairs(a, b []float64) (fa, fb []float64, rejected int) {
	if len(a) != len(b) {
		panic(fmt.Sprintf("BUG: stats: Ratio of %d and %d samples", len(a), len(b)))
	}
	for i := range a {
		if notFinite(a[i]) || notFinite(b[i]) {
			rejected++
			continue
		}
		fa, fb = append(fa, a[i]), append(fb, b[i])
	}
	return fa, fb, rejected
}

// RatioOf returns a/b of two estimates of positive quantities whose samples are not at hand, taken
// as independent. The intervals are combined on the logarithmic scale, each end from the ends that
// move the ratio that way (the method of variance estimates recovery):
//
//	ln lo = ln r - √((ln a - ln a.lo)² + (ln b.hi - ln b)²), and hi likewise.
//
// Where a and b share their losses the true interval is narrower. An end that is unknown or not
// positive makes the same end of the ratio unknown.
func RatioOf(a, b Estimate) Estimate {
	if !(a.Value > 0 && b.Value > 0) || notFinite(a.Value/b.Value) {
		return unknown("ratio: not of two positive numbers")
	}
	return Estimate{
		Value: a.Value / b.Value,
		Lo:    ratioEnd(a, b, -1),
		Hi:    ratioEnd(a, b, +1),
	}
}

// ratioEnd is the lower (sign -1) or upper (sign +1) end of the interval of a/b.
func ratioEnd(a, b Estimate, sign float64) float64 {
	endA, endB := a.Hi, b.Lo
	if sign < 0 {
		endA, endB = a.Lo, b.Hi
	}
	if !(endA > 0 && endB > 0) {
		return math.NaN()
	}
	width := portable.Hypot(portable.Log(endA/a.Value), portable.Log(endB/b.Value))
	return float64(a.Value / b.Value * portable.Exp(float64(sign*width)))
}
