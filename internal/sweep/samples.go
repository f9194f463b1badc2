package sweep

import (
	"fmt"
	"math"
	"slices"

	"sdrsim/internal/metric"
	"sdrsim/internal/result"
)

// SampleHeader names the columns of EachSample under swept paths.
func SampleHeader(paths []string) result.SampleHeader {
	counts, numbers := metric.SampleFields()
	h := result.SampleHeader{Paths: paths}
	for _, f := range counts {
		h.Counts = append(h.Counts, f.Name)
	}
	for _, f := range numbers {
		h.Numbers = append(h.Numbers, f.Name)
	}
	return h
}

// EachSample calls visit with every sample of a complete sweep, in the order of points, schemes and
// numbers. The row is only valid during the call.
func EachSample(source Source, store Store, visit func(*result.SampleRow) error) error {
	for i := range source.Len() {
		p := source.At(i)
		axes := AxesOf(&p)
		for k := range p.Schemes {
			r, err := store.Load(p.Key, p.Schemes[k].Label)
			if err != nil {
				return err
			}
			if r == nil {
				return fmt.Errorf("the samples of point %q, scheme %s have vanished",
					p.Key, p.Schemes[k].Label)
			}
			row := &result.SampleRow{Axes: axes, Scheme: r.Scheme}
			weights := r.weights()
			for n := range r.samples {
				r.row(n, weights[n], row)
				if err := visit(row); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// row fills in the numbers of a sample, in the order of SampleHeader.
func (r *Record) row(n int, weight float64, row *result.SampleRow) {
	delivered := int64(r.delivered[n])
	row.Number = int64(n)
	row.Counts = append(row.Counts[:0], delivered, int64(r.messages)-delivered)
	for _, f := range metric.Counted() {
		row.Counts = append(row.Counts, *f.Count(&r.counters[n]))
	}
	mean, longest, delivery := math.NaN(), math.NaN(), math.NaN()
	latency, latest := math.NaN(), math.NaN()
	if delivered > 0 {
		of := r.completion[n*r.messages:][:delivered]
		mean = r.sampleTime(r.completion, n) / float64(delivered)
		longest = slices.Max(of).Seconds()
		delivery = r.sampleTime(r.delivery, n) / float64(delivered)
		latency, latest = mean, longest
	}
	if delivered > 0 && r.wait != nil {
		waits := r.wait[n*r.messages:][:delivered]
		latency = (r.sampleTime(r.completion, n) + r.sampleTime(r.wait, n)) / float64(delivered)
		latest = 0
		for i, d := range r.completion[n*r.messages:][:delivered] {
			latest = max(latest, (d + waits[i]).Seconds())
		}
	}
	row.Numbers = append(row.Numbers[:0], mean, longest, delivery, r.elapsed[n].Seconds(),
		weight, latency, latest)
}

// weights are how much each sample counts for; they average to one.
func (r *Record) weights() []float64 {
	switch {
	case r.shares != nil:
		return strataWeights(r.stratum[:r.samples], r.shares)
	case r.weight != nil:
		return r.weight
	}
	ones := make([]float64, r.samples)
	for i := range ones {
		ones[i] = 1
	}
	return ones
}
