// The methods and constants of this file come from FreeBSD's msun (e_exp.c, s_expm1.c) by way of
// Go's package math, with this notice:
//
// Copyright (C) 2004 by Sun Microsystems, Inc. All rights reserved.
//
// Permission to use, copy, modify, and distribute this software is freely granted, provided that
// this notice is preserved.

package portable

import "math"

// The natural logarithm of two in a leading part, whose product with an exponent is exact, and the
// rest.
const (
	ln2Hi = 6.93147180369123816490e-01
	ln2Lo = 1.90821492927058770002e-10
	log2e = 1.44269504088896338700e+00
)

// expTerms are coefficients of r - x(eʳ+1)/(eʳ-1)... in powers of r²: a Remez approximation on
// |r| <= ln(2)/2.
var expTerms = [...]float64{
	1.66666666666666657415e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05,
	-1.65339022054652515390e-06, 4.13813679705723846039e-08,
}

// Exp returns e to the power of x.
func Exp(x float64) float64 {
	const overflow, underflow, nearZero = 7.09782712893383973096e+02, -7.45133219101941108420e+02,
		1.0 / (1 << 28)
	switch {
	case math.IsNaN(x):
		return x
	case x > overflow:
		return math.Inf(1)
	case x < underflow:
		return 0
	case -nearZero < x && x < nearZero:
		return 1 + x
	}
	// x = k ln 2 + r with |r| <= ln(2)/2, and r = hi - lo.
	k := int(float64(log2e*x) + math.Copysign(0.5, x))
	hi := x - float64(float64(k)*ln2Hi)
	lo := float64(float64(k) * ln2Lo)
	r := hi - lo
	t := float64(r * r)
	c := r - float64(t*polynomial(t, expTerms[:]))
	y := 1 - ((lo - float64(r*c)/(2-c)) - hi)
	return math.Ldexp(y, k)
}

// expm1Terms are the coefficients Q1 to Q5 of Expm1, in powers of r²/2.
var expm1Terms = [...]float64{
	1, -3.33333333333331316428e-02, 1.58730158725481460165e-03, -7.93650757867487942473e-05,
	4.00821782732936239552e-06, -2.01099218183624371326e-07,
}

// Expm1 returns e to the power of x, minus one, with all digits where x is close to zero.
func Expm1(x float64) float64 {
	const overflow, tiny = 7.09782712893383973096e+02, 1.0 / (1 << 54)
	const ln2x56, ln2Half = 3.88162421113569373274e+01, 3.46573590279972654709e-01
	size := math.Abs(x)
	switch {
	case math.IsNaN(x):
		return x
	case x > overflow:
		return math.Inf(1)
	case x <= -ln2x56:
		return -1
	case size < tiny:
		return x
	case size <= ln2Half:
		e, square := expm1Part(x)
		return x - (float64(x*e) - square)
	}
	r, low, k := expm1Reduce(x)
	e, square := expm1Part(r)
	e = float64(r*(e-low)) - low
	e -= square
	switch {
	case k == -1:
		return float64(0.5*(r-e)) - 0.5
	case k == 1 && r < -0.25:
		return -2 * (e - (r + 0.5))
	case k == 1:
		return 1 + float64(2*(r-e))
	case k <= -2 || k > 56:
		return scale(1-(e-r), k) - 1
	case k < 20:
		return scale(1-math.Ldexp(1, -k)-(e-r), k)
	}
	return scale(r-(e+math.Ldexp(1, -k))+1, k)
}

// expm1Reduce returns x = k ln 2 + r + low with |r| <= ln(2)/2, for |x| above that.
func expm1Reduce(x float64) (r, low float64, k int) {
	const ln2Half3 = 1.03972077083991796413e+00
	if math.Abs(x) < ln2Half3 {
		k = int(math.Copysign(1, x))
	} else {
		k = int(float64(log2e*x) + math.Copysign(0.5, x))
	}
	hi := x - float64(float64(k)*ln2Hi) // the product is exact
	lo := float64(float64(k) * ln2Lo)
	r = hi - lo
	return r, (hi - r) - lo, k
}

// expm1Part returns e with e^r - 1 = r - (r e - square), and square = r²/2, for |r| <= ln(2)/2.
func expm1Part(r float64) (e, square float64) {
	half := float64(0.5 * r)
	square = float64(r * half)
	r1 := polynomial(square, expm1Terms[:])
	t := 3 - float64(r1*half)
	return float64(square * ((r1 - t) / (6 - float64(r*t)))), square
}

// scale adds k to the exponent of y, which leaves the normal numbers for no argument of Expm1.
func scale(y float64, k int) float64 {
	return math.Float64frombits(math.Float64bits(y) + uint64(k)<<52)
}

// polynomial returns c[0] + x c[1] + x² c[2] + ..., by Horner's rule.
func polynomial(x float64, c []float64) float64 {
	sum := c[len(c)-1]
	for i := len(c) - 2; i >= 0; i-- {
		sum = c[i] + float64(x*sum)
	}
	return sum
}
