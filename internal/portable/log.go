// The methods and constants of this file come from FreeBSD's msun (e_log.c, s_log1p.c,
// e_lgamma_r.c) by way of Go's package math, with this notice:
//
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//
// Developed at SunPro, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this software is freely granted, provided that
// this notice is preserved.

package portable

import "math"

// logTerms are the coefficients of log((1+s)/(1-s)) = 2s + s R in powers of s², from s² on.
var logTerms = [...]float64{
	6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01,
	2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01,
	1.479819860511658591e-01,
}

// oddTerms and evenTerms are logTerms in two halves, both in powers of the square of s²: Log adds
// them up apart.
var (
	oddTerms  = [...]float64{logTerms[0], logTerms[2], logTerms[4], logTerms[6]}
	evenTerms = [...]float64{logTerms[1], logTerms[3], logTerms[5]}
)

// Log returns the natural logarithm of x.
func Log(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	// x = 2ᵏ (1+f) with 1+f between the square roots of one half and of two.
	fraction, exponent := math.Frexp(x)
	if fraction < math.Sqrt2/2 {
		fraction *= 2
		exponent--
	}
	f, k := fraction-1, float64(exponent)
	s := f / (2 + f)
	s2 := float64(s * s)
	s4 := float64(s2 * s2)
	rest := float64(s2*polynomial(s4, oddTerms[:])) + float64(s4*polynomial(s4, evenTerms[:]))
	half := float64(float64(0.5*f) * f)
	return float64(k*ln2Hi) - ((half - (float64(s*(half+rest)) + float64(k*ln2Lo))) - f)
}

// Log1p returns the natural logarithm of 1+x, with all digits where x is close to zero.
func Log1p(x float64) float64 {
	const small, tiny = 1.0 / (1 << 29), 1.0 / (1 << 54)
	const sqrt2Less1, sqrtHalfLess1 = 4.142135623730950488017e-01, -2.928932188134524755992e-01
	size := math.Abs(x)
	switch {
	case math.IsNaN(x) || x < -1:
		return math.NaN()
	case x == -1:
		return math.Inf(-1)
	case math.IsInf(x, 1) || size < tiny:
		return x
	case size < small:
		return x - float64(float64(x*x)*0.5)
	case sqrtHalfLess1 < x && x < sqrt2Less1:
		half := float64(float64(0.5*x) * x)
		s := x / (2 + x)
		s2 := float64(s * s)
		return x - (half - float64(s*(half+float64(s2*polynomial(s2, logTerms[:])))))
	}
	f, correction, k := log1pReduce(x)
	low := float64(k*ln2Lo) + correction
	if f == 0 {
		return float64(k*ln2Hi) + low
	}
	half := float64(float64(0.5*f) * f)
	if math.Abs(f) < 1.0/(1<<20) {
		rest := float64(half * (1 - float64(0.66666666666666666*f)))
		return float64(k*ln2Hi) - ((rest - low) - f)
	}
	s := f / (2 + f)
	s2 := float64(s * s)
	rest := float64(s2 * polynomial(s2, logTerms[:]))
	return float64(k*ln2Hi) - ((half - (float64(s*(half+rest)) + low)) - f)
}

// log1pReduce returns 1+x = 2ᵏ (1+f) as Log does; the sum 1+x is rounded, and correction is what
// the logarithm misses by that.
func log1pReduce(x float64) (f, correction, k float64) {
	const two53 = 1 << 53
	u := x
	if x < two53 {
		u = 1 + x
		if u >= 2 {
			correction = (1 - (u - x)) / u
		} else {
			correction = (x - (u - 1)) / u
		}
	}
	fraction, exponent := math.Frexp(u)
	if fraction < math.Sqrt2/2 {
		fraction *= 2
		exponent--
	}
	return fraction - 1, correction, float64(exponent)
}

// Log2 returns the binary logarithm of x, whole where x is a power of two.
func Log2(x float64) float64 {
	fraction, exponent := math.Frexp(x)
	if fraction == 0.5 {
		return float64(exponent - 1)
	}
	return float64(Log(fraction)*(1/math.Ln2)) + float64(exponent)
}

// Log10 returns the decimal logarithm of x.
func Log10(x float64) float64 { return float64(Log(x) * (1 / math.Ln10)) }

// stirlingTerms are coefficients of log Γ(x) - (x - 1/2)(log x - 1) in powers of 1/x² after the
// first, for x >= 8.
var stirlingTerms = [...]float64{
	8.33333333333329678849e-02, -2.77777777728775536470e-03, 7.93650558643019558500e-04,
	-5.95187557450339963135e-04, 8.36339918996282139126e-04, -1.63092934096575273989e-03,
}

// LogFactorial returns the natural logarithm of n!, for n >= 0.
func LogFactorial(n int64) float64 {
	if n <= 20 {
		product := int64(1)
		for i := int64(2); i <= n; i++ {
			product *= i
		}
		return Log(float64(product))
	}
	const constant = 4.18938533204672725052e-01 // (log 2π - 1)/2
	x := float64(n + 1)
	inverse := 1 / x
	series := constant + float64(inverse*polynomial(float64(inverse*inverse), stirlingTerms[:]))
	return float64((x-0.5)*(Log(x)-1)) + series
}
