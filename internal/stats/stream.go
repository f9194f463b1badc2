package stats

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// Batches is how many parts a single sample of many messages is cut into, to see how much they
// differ.
const Batches = 20

// The least number of samples, of samples with a loss, and of batches with one, for which quantiles
// of messages have an interval.
const (
	minSamples      = 10
	minLossySamples = 5
	minLossyBatches = 10
)

// Messages are the times of the messages of samples that share a link, so that messages of one
// sample say alike things and only samples are independent.
type Messages struct {
	samples [][]float64 // each in ascending order; parts of one sample where batched
	all     []float64   // in ascending order
	batched bool
	// lossy counts the samples that met a loss; -1 where there is none to be met.
	lossy int
}

// NewMessages takes the finite times of the messages of each sample, in the order in which they
// were posted; one sample is cut into Batches. Lossy tells which of them met a loss, by number or,
// of batches, by times; nil where no loss is to be met.
func NewMessages(samples [][]float64, lossy func(number int, times []float64) bool) Messages {
	m := Messages{lossy: -1}
	if len(samples) == 1 && len(samples[0]) >= 2*Batches {
		samples, m.batched = batches(samples[0]), true
	}
	if lossy != nil {
		m.lossy = 0
	}
	for i, times := range samples {
		if lossy != nil && lossy(i, times) {
			m.lossy++
		}
		sorted, _ := Sorted(times)
		m.samples = append(m.samples, sorted)
		m.all = append(m.all, sorted...)
	}
	slices.Sort(m.all)
	return m
}

func batches(times []float64) [][]float64 {
	parts := make([][]float64, Batches)
	for i := range parts {
		parts[i] = times[i*len(times)/Batches : (i+1)*len(times)/Batches]
	}
	return parts
}

// Quantile returns the q-quantile of all messages, 0 < q < 1. Its interval holds the times x for
// which the share of messages beyond x, one number of each sample, is compatible with 1-q by the
// gamma interval of its mean: none where too few samples, or too few with a loss, were seen. Where
// there is none to be met, samples that are all alike are exact. An end that more samples would
// have is NaN. The warning starts with the QuantileName and a colon.
func (m Messages) Quantile(q float64) Estimate {
	e := Quantile(m.all, q)
	e.Lo, e.Hi = math.NaN(), math.NaN()
	if len(m.all) == 0 {
		return e
	}
	name := QuantileName(q)
	if m.lossy < 0 && m.alike() {
		e.Lo, e.Hi, e.Warning = e.Value, e.Value, ""
		return e
	}
	if why := m.withheld(); why != "" {
		e.Warning = name + ": " + why + ": no interval"
		return e
	}
	e.Lo, e.Hi = m.ends(q, e.Value)
	e.Warning = ""
	switch beyond := Beyond(len(m.all), q); {
	case math.IsNaN(e.Hi):
		e.Warning = fmt.Sprintf("%s: %d %s carry no upper end", name, len(m.samples), m.noun())
	case beyond < MinBeyond:
		e.Warning = fmt.Sprintf("%s: %d of %d messages beyond it, fewer than %d", name, beyond,
			len(m.all), MinBeyond)
	}
	return e
}

func (m Messages) noun() string {
	if m.batched {
		return "parts of one sample"
	}
	return "samples"
}

// alike tells that all of several samples are the same.
func (m Messages) alike() bool {
	for _, times := range m.samples {
		if !slices.Equal(times, m.samples[0]) {
			return false
		}
	}
	return len(m.samples) > 1 && !m.batched
}

// withheld tells why there is no interval at all; empty where there is one.
func (m Messages) withheld() string {
	least := minLossySamples
	if m.batched {
		least = minLossyBatches
	}
	switch n := len(m.samples); {
	case n < minSamples:
		return fmt.Sprintf("%d %s, fewer than %d", n, plural(n, "sample"), minSamples)
	case m.lossy >= 0 && m.lossy < least:
		return fmt.Sprintf("losses in %d of %d %s, fewer than %d", m.lossy, n, m.noun(), least)
	}
	return ""
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// ends are the interval of the q-quantile, whose value is given.
func (m Messages) ends(q, value float64) (lo, hi float64) {
	perSample := float64(len(m.all)) / float64(len(m.samples))
	least := max(1/perSample, slices.Max(m.beyond(value)))
	n := len(m.all)
	at := sort.Search(n, func(i int) bool {
		_, upper := m.share(m.all[i], least)
		return upper < 1-q
	})
	hi = math.NaN()
	if at < n {
		hi = m.all[at]
	}
	// The first that is not below the quantile for certain; the one before it is.
	at = sort.Search(n, func(i int) bool {
		lower, _ := m.share(m.all[i], least)
		return lower <= 1-q
	})
	return min(m.all[max(at-1, 0)], value), max(hi, value)
}

// share is the interval of the share of messages beyond x; least is what one more sample may add.
func (m Messages) share(x, least float64) (lo, hi float64) {
	shares := m.beyond(x)
	_, dev := moments(shares)
	lo, hi = weighing{
		sum: Sum(shares), dev: wideDev(dev, len(shares)), unseen: max(least, slices.Max(shares)),
	}.ends()
	n := float64(len(shares))
	return lo / n, hi / n
}

// beyond is the share of the messages of each sample beyond x.
func (m Messages) beyond(x float64) []float64 {
	shares := make([]float64, len(m.samples))
	for i, times := range m.samples {
		upTo := sort.Search(len(times), func(k int) bool { return times[k] > x })
		shares[i] = float64(len(times)-upTo) / float64(max(1, len(times)))
	}
	return shares
}

// Mean returns the mean of all messages with the interval of the means of samples.
func (m Messages) Mean(known Assumed) Estimate {
	means := make([]float64, len(m.samples))
	for i, times := range m.samples {
		means[i] = Sum(times) / float64(len(times))
	}
	e := MeanWith(means, known)
	if m.batched { // parts may differ in size by one
		e.Value = Sum(m.all) / float64(len(m.all))
		e.Lo, e.Hi = min(e.Lo, e.Value), max(e.Hi, e.Value)
	}
	return e
}
