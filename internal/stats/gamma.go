package stats

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"
)

// weighing is a sum of excesses that chance has a part in, as far as its samples show it.
type weighing struct {
	// sum is S, the sum of weighted excesses, none below zero; dev the root of V, its variance as
	// estimated and widened by Student's quantile.
	sum, dev float64
	// unseen is what one more of the rare events would add: at least the largest excess seen.
	unseen float64
}

// ends is the two-sided 95 % interval of the expected sum: the gamma interval of weighted counts of
// rare events (Fay and Feuer, Confidence intervals for directly standardized rates, 1997), which
// holds for none, few and many of them:
//
//	lo = (V/S)   Q(S²/V;   2.5 %)    0 for S = 0, S for V = 0
//	hi = (V'/S') Q(S'²/V'; 97.5 %)   S' = S+w, V' = V+w²
//
// with Q the quantile of the gamma distribution of that shape. Hi is NaN where nothing was seen and
// nothing is known of what was not.
func (g weighing) ends() (lo, hi float64) {
	switch {
	case g.sum == 0:
	case g.dev == 0:
		lo = g.sum
	default:
		lo = float64(g.sum * gammaOverMean(shape(g.sum, g.dev), tail))
	}
	sum := g.sum + g.unseen
	dev := math.Sqrt(float64(g.dev*g.dev) + float64(g.unseen*g.unseen))
	switch {
	case sum == 0:
		hi = math.NaN()
	case dev == 0:
		hi = sum
	default:
		hi = float64(sum * gammaOverMean(shape(sum, dev), 1-tail))
	}
	return lo, hi
}

// shape is that of the gamma distribution with this mean and standard deviation.
func shape(mean, dev float64) float64 {
	r := mean / dev
	return float64(r * r)
}

// gammaOverMean is the p-quantile of the gamma distribution of shape a over its mean, which is a,
// to nine digits. NaN where there is no such distribution.
func gammaOverMean(a, p float64) float64 {
	const nearlyNormal = 1e8
	switch {
	case !(a > 0) || notFinite(a): // the library's inverse never returns for a NaN
		return math.NaN()
	case a > nearlyNormal: // the next term of the expansion is below 1e-13
		x := math.Copysign(z, p-0.5)
		return 1 + x/math.Sqrt(a) + (float64(x*x)-1)/float64(3*a)
	}
	return nineDigits(distuv.Gamma{Alpha: a, Beta: 1}.Quantile(p) / a)
}

// nineDigits rounds to nine significant digits, so that the last bits of a processor's logarithm do
// not reach a result.
func nineDigits(x float64) float64 {
	if notFinite(x) {
		return x
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 8, 64), 64)
	if err != nil {
		panic("BUG: stats: a number does not read back: " + err.Error())
	}
	return rounded
}
