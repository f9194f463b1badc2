package stats

import (
	"fmt"
	"math"
	"slices"

	"sdrsim/internal/portable"
)

// MinPairs is the least number of samples for which a ratio or a rate has an interval.
const MinPairs = 3

// Speedup returns mean(a)/mean(b) of paired samples of positive quantities. Its interval is the
// tighter of two at each end: that of RatioOf, from the intervals of both means; and that of the
// differences
//
//	z = a/mean(a) - b/mean(b)
//
// whose mean would be ln r off by what the samples are: of z above its smallest, and of z below its
// largest, with the gamma interval of MeanWith. Pairing keeps what the two have in common, such as
// the same losses, out of it. What may have been missed is the largest difference seen, or the
// penalty that is known of a, or of b.
//
// It panics where the lengths differ. A pair with a number that is not finite is left out.
func Speedup(a, b Paired) Estimate {
	xs, ys, rejected := finitePairs(a.Values, b.Values)
	if len(xs) == 0 {
		return unknown("ratio: no samples")
	}
	meanA, meanB := MeanWith(xs, a.Known), MeanWith(ys, b.Known)
	est := RatioOf(meanA, meanB)
	switch {
	case math.IsNaN(est.Value):
		return est
	case len(xs) < MinPairs:
		return Estimate{Value: est.Value, Lo: math.NaN(), Hi: math.NaN(),
			Warning: fmt.Sprintf("ratio: no interval below %d samples", MinPairs)}
	}
	lo, hi := pairedEnds(xs, ys, a.Known.Penalty/meanA.Value, b.Known.Penalty/meanB.Value)
	est.Lo = max(est.Lo, float64(est.Value*lo))
	est.Hi = min(est.Hi, float64(est.Value*hi))
	if rejected > 0 {
		est.Warning = fmt.Sprintf("ratio: %d pairs are not finite and left out", rejected)
	}
	return est
}

// Paired are samples of which each stands beside the one of equal number of another series.
type Paired struct {
	Values []float64
	Known  Assumed
}

// pairedEnds are the ends of the ratio of two means, over it, from the differences of the samples;
// costA and costB are what one more rare event adds to a sample, over the mean. The ratio is as
// unknown as RatioOf leaves it where nothing varies.
func pairedEnds(a, b []float64, costA, costB float64) (lo, hi float64) {
	meanA, _ := moments(a)
	meanB, _ := moments(b)
	diffs := make([]float64, len(a))
	for i := range diffs {
		diffs[i] = a[i]/meanA - b[i]/meanB
	}
	least, most := slices.Min(diffs), slices.Max(diffs)
	_, dev := moments(diffs)
	n := float64(len(diffs))
	dev = wideDev(dev, len(diffs))
	up := weighing{sum: excess(diffs, least), dev: dev, unseen: max(most-least, costA)}
	down := weighing{sum: shortfall(diffs, most), dev: dev, unseen: max(most-least, costB)}
	lo, hi = 0, math.Inf(1)
	if _, end := down.ends(); !math.IsNaN(end) {
		lo = nineDigits(portable.Exp(most - end/n))
	}
	if _, end := up.ends(); !math.IsNaN(end) {
		hi = nineDigits(portable.Exp(least + end/n))
	}
	return min(lo, 1), max(hi, 1)
}

// Ratio returns mean(a)/mean(b) of numbers that count for more or less than one and what they count
// for, with the interval of the delta method: the deviations d = a - r b have mean zero, and
// r ± t(n-1) s(d) / (√n mean(b)). Where no a is below zero, neither is the interval.
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
	if slices.Min(a) >= 0 {
		est.Lo = max(est.Lo, 0)
	}
	if rejected > 0 {
		est.Warning = fmt.Sprintf("ratio: %d pairs are not finite and left out", rejected)
	}
	return est
}

func finitePairs(a, b []float64) (fa, fb []float64, rejected int) {
	if len(a) != len(b) {
		panic(fmt.Sprintf("BUG: stats: a ratio of %d and %d samples", len(a), len(b)))
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
	x, y := portable.Log(endA/a.Value), portable.Log(endB/b.Value)
	width := math.Sqrt(float64(x*x) + float64(y*y))
	return float64(a.Value / b.Value * nineDigits(portable.Exp(float64(sign*width))))
}

// Rate returns amount/mean of a time, with the warning of that mean, by the ends of the interval of
// the time, which are positive: so are those of the rate. It is NaN where the interval of the time
// is, and below MinPairs samples.
func Rate(amount float64, times []float64, known Assumed) Estimate {
	time := MeanWith(times, known)
	if !(time.Value > 0) {
		return unknown("rate: no time")
	}
	est := Estimate{
		Value: amount / time.Value, Lo: math.NaN(), Hi: math.NaN(), Warning: time.Warning,
	}
	if len(times) >= MinPairs && time.Lo > 0 {
		est.Lo, est.Hi = amount/time.Hi, amount/time.Lo
	}
	return est
}
