package stats

import (
	"math"

	"sdrsim/internal/portable"
)

// Bin counts the samples x with Lo ≤ x < Hi.
type Bin struct {
	Lo, Hi float64
	Count  int
}

// Histogram has bins of equal width on a logarithmic scale, ascending and without gaps.
type Histogram struct {
	Bins []Bin
	// NotPositive counts samples that are zero or negative and have no place on the scale, Rejected
	// those that are NaN or infinite.
	NotPositive, Rejected int
}

// LogHistogram counts xs in perDecade bins for each factor of ten, with edges 10^(i/perDecade),
// from the bin of the smallest positive sample to that of the largest. Empty bins between are
// kept. PerDecade must be positive.
func LogHistogram(xs []float64, perDecade int) Histogram {
	if perDecade <= 0 {
		panic("BUG: stats: LogHistogram needs a positive number of bins per decade")
	}
	sorted, rejected := Sorted(xs)
	h := Histogram{Rejected: rejected}
	for len(sorted) > 0 && sorted[0] <= 0 {
		h.NotPositive++
		sorted = sorted[1:]
	}
	if len(sorted) == 0 {
		return h
	}
	first := binOf(sorted[0], perDecade)
	last := binOf(sorted[len(sorted)-1], perDecade)
	h.Bins = make([]Bin, last-first+1)
	for i := range h.Bins {
		h.Bins[i].Lo = binEdge(first+i, perDecade)
		h.Bins[i].Hi = binEdge(first+i+1, perDecade)
	}
	for _, x := range sorted {
		h.Bins[binOf(x, perDecade)-first].Count++
	}
	return h
}

// binOf is the number of the bin of x > 0. The logarithm may be off by its last bit, so the edges
// have the last word.
func binOf(x float64, perDecade int) int {
	i := int(math.Floor(float64(portable.Log10(x) * float64(perDecade))))
	for x < binEdge(i, perDecade) {
		i--
	}
	for x >= binEdge(i+1, perDecade) {
		i++
	}
	return i
}

// binEdge is 10^(i/perDecade), exact at whole decades.
func binEdge(i, perDecade int) float64 {
	if i%perDecade == 0 {
		return math.Pow10(i / perDecade)
	}
	return portable.Pow(10, float64(i)/float64(perDecade))
}
