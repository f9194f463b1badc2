package stats

import (
	"math"
	"slices"
)

// Sum returns the sum of xs, rounded once: it is the same for every order of xs. NaN or an infinity
// among xs makes the result what plain addition in the given order makes it.
func Sum(xs []float64) float64 {
	sum, shift := scaledSum(xs)
	return math.Ldexp(sum, shift)
}

// scaledSum returns sum and shift with Σx = sum·2^shift; shift is zero unless the sum of numbers as
// large as these could overflow.
func scaledSum(xs []float64) (sum float64, shift int) {
	largest := 0.0
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return plainSum(xs), 0
		}
		largest = max(largest, math.Abs(x))
	}
	if largest < 0x1p960 {
		return exactSum(slices.Values(xs)), 0
	}
	return exactSum(func(yield func(float64) bool) {
		for _, x := range xs {
			if !yield(x * 0x1p-64) {
				return
			}
		}
	}), 64
}

func plainSum(xs []float64) (sum float64) {
	for _, x := range xs {
		sum += x
	}
	return sum
}

// exactSum adds with Shewchuk's expansions: partials do not overlap, grow in magnitude, and their
// sum is exactly that of the numbers so far. (J. R. Shewchuk, Adaptive Precision Floating-Point
// Arithmetic, 1997.)
func exactSum(xs func(func(float64) bool)) float64 {
	partials := make([]float64, 0, 8)
	for x := range xs {
		kept := 0
		for _, y := range partials {
			if math.Abs(x) < math.Abs(y) {
				x, y = y, x
			}
			high := x + y
			if low := y - (high - x); low != 0 {
				partials[kept] = low
				kept++
			}
			x = high
		}
		partials = append(partials[:kept], x)
	}
	return roundOnce(partials)
}

// roundOnce returns the sum of partials that do not overlap, rounded to nearest, ties to even.
func roundOnce(partials []float64) float64 {
	n := len(partials) - 1
	if n < 0 {
		return 0
	}
	high, low := partials[n], 0.0
	for n--; n >= 0; n-- {
		x, y := high, partials[n]
		high = x + y
		low = y - (high - x)
		if low != 0 {
			break
		}
	}
	// Halfway between two numbers, what remains below decides which one is nearer.
	if n > 0 && (low < 0) == (partials[n-1] < 0) && low != 0 && partials[n-1] != 0 {
		double := 2 * low
		if x := high + double; double == x-high {
			return x
		}
	}
	return high
}
