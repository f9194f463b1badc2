package portable

import "math"

// Pow returns x to the power of y. Special cases are those of math.Pow.
func Pow(x, y float64) float64 {
	whole, part := math.Modf(math.Abs(y))
	switch {
	case y == 0 || x == 1:
		return 1
	case y == 1:
		return x
	case x == 0 || math.IsNaN(x) || math.IsNaN(y) || math.IsInf(x, 0) || math.IsInf(y, 0):
		return math.Pow(x, y) // no arithmetic
	case y == 0.5:
		return math.Sqrt(x)
	case y == -0.5:
		return 1 / math.Sqrt(x)
	case part != 0 && x < 0:
		return math.NaN()
	case whole >= 1<<62 && math.Abs(x) == 1:
		return 1 // even
	case whole >= 1<<62:
		return math.Exp(math.Copysign(math.Inf(1), y*(math.Abs(x)-1))) // 0 or infinite
	}
	// The result is a 2ᵉ; powers of two are kept apart, so that nothing overflows on the way.
	a, e := 1.0, 0
	if part > 0.5 {
		part--
		whole++
	}
	if part != 0 {
		a = Exp(float64(part * Log(x)))
	}
	base, exponent := math.Frexp(x)
	for i := int64(whole); i != 0; i >>= 1 {
		if exponent < -1<<12 || 1<<12 < exponent {
			e += exponent // beyond all numbers already, and the bits of i that are left add to it
			break
		}
		if i&1 == 1 {
			a *= base
			e += exponent
		}
		base *= base
		exponent <<= 1
		if base < 0.5 {
			base = float64(2 * base)
			exponent--
		}
	}
	if y < 0 {
		a, e = 1/a, -e
	}
	return math.Ldexp(a, e)
}

// Exp2 returns two to the power of x.
func Exp2(x float64) float64 { return Pow(2, x) }

// Hypot returns the square root of p² + q², which overflows only if the result does.
func Hypot(p, q float64) float64 {
	p, q = math.Abs(p), math.Abs(q)
	if p < q {
		p, q = q, p
	}
	switch {
	case math.IsInf(p, 1) || math.IsInf(q, 1):
		return math.Inf(1)
	case p == 0 || math.IsNaN(p) || math.IsNaN(q):
		return p + q
	}
	ratio := q / p
	return float64(p * math.Sqrt(1+float64(ratio*ratio)))
}

// Sincos returns sine and cosine of x in multiples of 2^-40: all but the digits in which those of
// package math may differ.
func Sincos(x float64) (sin, cos float64) {
	const grid = 1 << 40
	sin, cos = math.Sincos(x)
	return math.Round(float64(sin*grid)) / grid, math.Round(float64(cos*grid)) / grid
}
