package model

import (
	"math"

	"sdrsim/internal/portable"
)

// binomialTail is P(X > m) for X ~ Binomial(n, p), with all its digits where it is small.
func binomialTail(n, m int64, p float64) float64 {
	switch {
	case m >= n || p <= 0:
		return 0
	case p >= 1:
		return 1
	case float64(m+1) > p*float64(n+1):
		return sumFrom(n, m+1, p) // beyond the mode, the terms decrease
	}
	// Below the mode the terms of P(X <= m) decrease downwards: X = n - Z, Z ~ Binomial(n, 1-p).
	return 1 - sumFromReflected(n, m, p)
}

// sumFrom is P(X >= first), first beyond the mode.
func sumFrom(n, first int64, p float64) float64 {
	odds := p / (1 - p)
	term, sum := 1.0, 0.0
	for i := first; i <= n && term > relativeRest*sum; i++ {
		sum += term
		term *= float64(n-i) / float64(i+1) * odds
	}
	return sum * portable.Exp(logBinomial(n, first, p))
}

// sumFromReflected is P(X <= last), last below the mode.
func sumFromReflected(n, last int64, p float64) float64 {
	odds := (1 - p) / p
	term, sum := 1.0, 0.0
	for i := last; i >= 0 && term > relativeRest*sum; i-- {
		sum += term
		term *= float64(i) / float64(n-i+1) * odds
	}
	return sum * portable.Exp(logBinomial(n, last, p))
}

// logBinomial is log P(X = i) for X ~ Binomial(n, p), 0 < p < 1. The binomial coefficient is a sum
// of logarithms for the sizes of a submessage, and by Stirling's series where that would be long.
func logBinomial(n, i int64, p float64) float64 {
	log := float64(float64(i)*portable.Log(p)) + float64(float64(n-i)*portable.Log1p(-p))
	few := min(i, n-i)
	if few > 1<<16 {
		return log + portable.LogFactorial(n) - portable.LogFactorial(i) - portable.LogFactorial(n-i)
	}
	for j := int64(1); j <= few; j++ {
		log += portable.Log(float64(n-few+j) / float64(j))
	}
	return log
}

// binomialNode is a value of a distribution and its weight.
type binomialNode struct {
	count  int64
	weight float64
}

// maxNodes bounds how many nodes stand for a binomial distribution.
const maxNodes = 257

// binomialNodes is Binomial(n, p) as weights of few values. Where no more than maxNodes values
// matter, they are the distribution itself. Beyond, the nodes are equally spaced, a twelfth of a
// standard deviation apart or less, and every value is shared out among three neighbouring nodes
// by quadratic interpolation: means of functions that are smooth on that scale come out to 1e-7.
// The last node may lie a few values beyond n.
func binomialNodes(n int64, p float64) []binomialNode {
	if p <= 0 || n == 0 {
		return []binomialNode{{0, 1}}
	}
	if p >= 1 {
		return []binomialNode{{n, 1}}
	}
	low, weights := binomialWeights(n, p)
	if len(weights) <= maxNodes {
		nodes := make([]binomialNode, len(weights))
		for i, w := range weights {
			nodes[i] = binomialNode{low + int64(i), w}
		}
		return nodes
	}
	nodes := make([]binomialNode, maxNodes)
	spacing := (len(weights) + maxNodes - 2) / (maxNodes - 1)
	for i := range nodes {
		nodes[i].count = low + int64(i*spacing)
	}
	for i, w := range weights {
		left := i / (2 * spacing) * 2
		x := float64(i-left*spacing)/float64(spacing) - 1 // in [-1, 1) about the middle node
		nodes[left].weight += float64(w * x * (x - 1) / 2)
		nodes[left+1].weight += float64(w * (1 - x) * (1 + x))
		nodes[left+2].weight += float64(w * x * (x + 1) / 2)
	}
	return nodes
}

// binomialWeights is the probability of the values from low on, all that matter, 0 < p < 1: by
// the ratio of neighbours, from the mode outwards.
func binomialWeights(n int64, p float64) (low int64, weights []float64) {
	mode := min(n, int64(float64(n+1)*p))
	low, high := spread(n, mode, p)
	weights = make([]float64, high-low+1)
	weights[mode-low] = portable.Exp(logBinomial(n, mode, p))
	odds := p / (1 - p)
	for i := mode; i < high; i++ {
		weights[i+1-low] = weights[i-low] * float64(n-i) / float64(i+1) * odds
	}
	for i := mode; i > low; i-- {
		weights[i-1-low] = weights[i-low] * float64(i) / float64(n-i+1) / odds
	}
	total := 0.0
	for _, w := range weights {
		total += w
	}
	for i := range weights {
		weights[i] /= total
	}
	return low, weights
}

// spread is the interval around the mode outside of which the weight is below 1e-18 of the whole.
func spread(n, mode int64, p float64) (low, high int64) {
	const deviations, few = 10, 60
	half := int64(deviations*math.Sqrt(float64(n)*p*(1-p))) + few
	return max(0, mode-half), min(n, mode+half)
}
