package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// tail is the probability left out on each side of an interval.
const tail = 0.025

// Estimate is a value with its two-sided 95 % interval, in the unit of the samples.
type Estimate struct {
	// Value, Lo and Hi are NaN where they are unknown. Lo ≤ Value ≤ Hi otherwise.
	Value, Lo, Hi float64
	// Warning tells why Value, Lo or Hi is unknown or not to be relied on; empty where all is well.
	Warning string
}

func unknown(warning string) Estimate {
	nan := math.NaN()
	return Estimate{Value: nan, Lo: nan, Hi: nan, Warning: warning}
}

// Finite returns the numbers of xs that are neither NaN nor infinite, in their order, and how many
// were left out. It returns xs itself where nothing was.
func Finite(xs []float64) (finite []float64, rejected int) {
	for _, x := range xs {
		if notFinite(x) {
			rejected++
		}
	}
	if rejected == 0 {
		return xs, 0
	}
	finite = make([]float64, 0, len(xs)-rejected)
	for _, x := range xs {
		if !notFinite(x) {
			finite = append(finite, x)
		}
	}
	return finite, rejected
}

func finiteOrNaN(x float64) float64 {
	if notFinite(x) {
		return math.NaN()
	}
	return x
}

func notFinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

// Mean returns the mean of xs with Student's interval, m ± t(n-1) s/√n. One sample has a mean and
// no interval, none has neither. Samples that are not finite are left out, with a warning.
func Mean(xs []float64) Estimate {
	finite, rejected := Finite(xs)
	m, dev := moments(finite)
	est := Estimate{Value: m, Lo: math.NaN(), Hi: math.NaN()}
	n := float64(len(finite))
	switch len(finite) {
	case 0:
		est.Warning = "mean: no samples"
	case 1:
		est.Warning = "mean: one sample, no interval"
	default:
		half := float64(student(len(finite)-1) * (dev / math.Sqrt(n)))
		est.Lo, est.Hi = finiteOrNaN(m-half), finiteOrNaN(m+half)
	}
	if rejected > 0 {
		est.Warning = fmt.Sprintf("mean: %d of %d samples are not finite and left out",
			rejected, len(xs))
	}
	return est
}

// moments returns mean and standard deviation (n-1 in the denominator) of finite numbers; NaN
// where there are too few.
func moments(xs []float64) (mean, dev float64) {
	if len(xs) == 0 {
		return math.NaN(), math.NaN()
	}
	n := float64(len(xs))
	sum, shift := scaledSum(xs)
	mean = math.Ldexp(sum/n, shift)
	if len(xs) == 1 {
		return mean, math.NaN()
	}
	scale := 0.0 // keeps the squares in range
	for _, x := range xs {
		scale = max(scale, math.Abs(x-mean))
	}
	if scale == 0 {
		return mean, 0
	}
	if notFinite(scale) { // deviations beyond the largest float64
		return finiteOrNaN(mean), math.NaN()
	}
	squares := make([]float64, len(xs))
	for i, x := range xs {
		d := (x - mean) / scale
		squares[i] = float64(d * d)
	}
	return mean, float64(scale * math.Sqrt(Sum(squares)/(n-1)))
}

// student returns the two-sided 95 % quantile of Student's t with the given degrees of freedom. It
// keeps nine digits, so that the last bits of a processor's logarithm do not reach a result.
func student(freedom int) float64 {
	if freedom > 1e5 {
		// The library's inverse loses digits here; this series is within 1e-10.
		return math.Round(float64((z+(float64(z*z*z)+z)/float64(4*freedom))*1e9)) / 1e9
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(freedom)}.Quantile(1 - tail)
	return math.Round(float64(t*1e9)) / 1e9
}

// z is the two-sided 95 % quantile of the normal distribution.
const z = 1.959963984540054

// Wilson returns the fraction hits/n with Wilson's score interval,
//
//	(p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n).
//
// It panics unless 0 ≤ hits ≤ n.
func Wilson(hits, n int) Estimate {
	if hits < 0 || hits > n {
		panic(fmt.Sprintf("BUG: stats: Wilson of %d out of %d", hits, n))
	}
	if n == 0 {
		return unknown("fraction: no samples")
	}
	total := float64(n)
	p := float64(hits) / total
	const z2 = z * z
	centre := p + z2/(2*total)
	half := float64(z * math.Sqrt(float64(p*(1-p))/total+z2/float64(4*total*total)))
	scale := 1 + z2/total
	est := Estimate{Value: p, Lo: (centre - half) / scale, Hi: (centre + half) / scale}
	// At the ends the formula gives 0 and 1 up to rounding.
	if hits == 0 {
		est.Lo = 0
	}
	if hits == n {
		est.Hi = 1
	}
	return est
}
