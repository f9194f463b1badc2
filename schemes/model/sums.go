package model

import "sdrsim/internal/portable"

// missedSum is the sum over k = 0..count-1 of 1 - exp(y + k*step), for y + k*step <= 0 and
// step >= 0: the chance that something is still missing, over instants at equal distances between
// which the logarithm of the chance that nothing is grows by step.
//
// The geometric series gives it in closed form, but loses all digits where the summands are small:
// there the exponential is expanded and the powers of an arithmetic progression are summed.
func missedSum(y, step float64, count int64) float64 {
	n := float64(count)
	switch {
	case count <= 0:
		return 0
	case step == 0 || count == 1:
		return -n * portable.Expm1(y)
	case y > -expansionLimit:
		return missedExpansion(y+float64(step*(n-1)/2), step, n)
	}
	last := y + float64(step*(n-1))
	if last < certain {
		return n
	}
	return n - portable.Exp(last)*portable.Expm1(-n*step)/portable.Expm1(-step)
}

const (
	// expansionLimit is where four terms of the exponential leave a relative error below 1e-14.
	expansionLimit = 1e-3
	// certain is the logarithm of a probability that vanishes beside one.
	certain = -45
)

// missedExpansion is missedSum by the expansion of the exponential to the fourth order around the
// middle of the progression: the odd central moments vanish.
func missedExpansion(middle, step, n float64) float64 {
	square := float64(n * n)
	spread := step * step * (square - 1) / 12
	fourth := step * step * step * step * (square - 1) * (float64(3*square) - 7) / 240
	c := middle
	m2 := float64(c*c) + spread
	m3 := c * (float64(c*c) + float64(3*spread))
	m4 := float64(c*c*c*c) + float64(6*c*c*spread) + fourth
	return -n * (c + float64(m2/2) + m3/6 + m4/24)
}
