package check

import (
	"fmt"
	"math"
	"slices"

	"sdrsim/internal/experiment"
	"sdrsim/internal/metric"
	"sdrsim/internal/result"
	"sdrsim/internal/spec"
	"sdrsim/internal/stats"
	"sdrsim/scenarios"
)

// measurement is all that is known of a scheme at a point.
type measurement struct {
	point  *spec.Point
	row    *result.Row
	plan   spec.Plan // of the samples
	sample []sample
}

// computed are the metrics that are made from samples. All others are those of the row, so that a
// check judges the numbers that a run publishes.
var computed = map[string]func(*measurement) stats.Estimate{
	"completion_p50":    (*measurement).median,
	"efficiency":        (*measurement).efficiency,
	"overhead":          (*measurement).overhead,
	"fallback_fraction": (*measurement).fallbacks,
	"failed_fraction":   (*measurement).failures,
}

// metric is the value of what a check holds.
func (m *measurement) metric(c metric.Check) stats.Estimate {
	switch of, ok := computed[c.Name]; {
	case ok:
		return of(m)
	case c.Of.Count != nil:
		return m.meanOf(c.Of.Count)
	}
	return estimate(c.Field.Interval(&m.row.Values))
}

// Measure returns every metric of every scheme at every point of a scenario, in this order: points,
// schemes, metrics. The rows are those of the sweep that was recorded.
func Measure(s *scenarios.Scenario, rows []result.Row, r *Recorder) []Case {
	var cases []Case
	for i := range s.Len() {
		p := s.At(i)
		for k := range p.Schemes {
			row := &rows[i*len(p.Schemes)+k]
			if row.Scheme != p.Schemes[k].Label {
				panic(fmt.Sprintf("BUG: check: row of %s where %s is", row.Scheme, p.Schemes[k].Label))
			}
			u := r.unit(i, row.Scheme)
			m := measurement{&p, row, u.plan, u.samples}
			cases = append(cases, m.cases()...)
		}
	}
	return cases
}

func (m *measurement) cases() []Case {
	var cases []Case
	whole := m.whole()
	for _, c := range metric.Checks() {
		if c.Of.Rare && m.point.Network.Kind == "" {
			continue
		}
		of := whole
		if c.Name == "failed_fraction" {
			of = m
		}
		e := of.metric(c)
		cases = append(cases, Case{
			Point: m.point.Key, Scheme: m.row.Scheme, Metric: c.Name,
			Value: Value{Number(e.Value), Number(e.Lo), Number(e.Hi), m.row.Samples},
		})
	}
	return cases
}

// whole is the measurement without the samples that failed, which are in no mean. Weighted ones
// keep their places, which tell their tilts: failed, they count for nothing, and the others for so
// much more.
func (m *measurement) whole() *measurement {
	w := &measurement{point: m.point, row: m.row, plan: m.plan}
	if m.plan.Strata != nil {
		return m // estimates leave them out
	}
	weights := make([]float64, 0, len(m.sample))
	for _, s := range m.sample {
		if s.failed == 0 {
			w.sample, weights = append(w.sample, s), append(weights, s.weight)
		}
	}
	if len(w.sample) == len(m.sample) || len(m.plan.Tilts) == 0 {
		return w
	}
	mean := stats.Sum(weights) / float64(len(m.sample))
	w.sample = slices.Clone(m.sample)
	for i := range w.sample {
		if s := &w.sample[i]; s.failed > 0 {
			*s = sample{failed: s.failed}
		} else if mean > 0 {
			s.weight /= mean
		}
	}
	return w
}

func estimate(value, lo, hi float64) stats.Estimate {
	return stats.Estimate{Value: value, Lo: lo, Hi: hi}
}

// efficiency is the goodput as a fraction of the bandwidth.
func (m *measurement) efficiency() stats.Estimate {
	of := float64(m.point.Link.Bandwidth)
	return estimate(m.row.Goodput/of, m.row.GoodputLo/of, m.row.GoodputHi/of)
}

// median is that of the row, with the interval of the samples unless they are weighted.
func (m *measurement) median() stats.Estimate {
	e := estimate(m.row.CompletionP50, math.NaN(), math.NaN())
	if len(m.plan.Tilts) > 0 {
		return e
	}
	var all []float64
	times := make([][]float64, len(m.sample))
	for i := range m.sample {
		times[i] = m.sample[i].seconds
		all = append(all, times[i]...)
	}
	if m.plan.Strata != nil {
		interval := stats.StrataQuantile(m.divide(func(s *sample) float64 { return s.seconds[0] }), 0.5)
		e.Lo, e.Hi = interval.Lo, interval.Hi
		return e
	}
	sorted, _ := stats.Sorted(all)
	interval := stats.Quantile(sorted, 0.5)
	if len(all) > len(times) { // messages of one sample are not independent
		if len(times) < 2 {
			return e
		}
		interval = stats.NewMessages(times, m.lossy()).Quantile(0.5)
	}
	e.Lo, e.Hi = interval.Lo, interval.Hi
	return e
}

// lossy tells which samples met a loss; nil where none is to be met.
func (m *measurement) lossy() func(int, []float64) bool {
	if !experiment.Random(m.point) {
		return nil
	}
	return func(i int, _ []float64) bool { return m.sample[i].Lost+m.sample[i].Timeouts > 0 }
}

// overhead is what was sent beyond the messages, as a fraction of them. A collective sends as much
// as its buffer in every round.
func (m *measurement) overhead() stats.Estimate {
	if m.plan.Strata != nil { // every sample delivers the same
		chunk := float64(m.point.Message.Chunk) / float64(m.point.Message.Size)
		e := m.over(chunk, func(s *sample) float64 {
			return float64(s.WireBytes) / float64(s.PayloadBytes)
		})
		return estimate(e.Value-1, max(e.Lo-1, 0), e.Hi-1)
	}
	times := 1.0
	if c := m.point.Collective; c.Kind != "" {
		times = float64(c.Rounds())
	}
	wire, payload := make([]float64, len(m.sample)), make([]float64, len(m.sample))
	for i := range m.sample {
		weight := 1.0
		if len(m.plan.Tilts) > 0 {
			weight = m.sample[i].weight
		}
		wire[i] = float64(weight * float64(m.sample[i].WireBytes))
		payload[i] = float64(weight * times * float64(m.sample[i].PayloadBytes))
	}
	if !slices.ContainsFunc(payload, func(x float64) bool { return x > 0 }) {
		return estimate(math.NaN(), math.NaN(), math.NaN())
	}
	e := stats.Ratio(wire, payload)
	if len(m.plan.Tilts) == 0 { // samples are all of one size, and one more repeat is a chunk
		mean := stats.MeanWith(wire, stats.Assumed{
			Penalty: float64(m.point.Message.Chunk), Certain: !experiment.Random(m.point),
		})
		e.Lo, e.Hi = mean.Lo/payload[0], mean.Hi/payload[0]
	}
	return estimate(e.Value-1, max(e.Lo-1, 0), e.Hi-1)
}

// average is the mean of a count of each sample, sum(w x) / sum(w) where samples have a weight. Its
// interval allows for one more that no sample had.
func (m *measurement) average(values []float64) stats.Estimate {
	if len(m.plan.Tilts) == 0 {
		one := stats.Assumed{Penalty: 1, Certain: !experiment.Random(m.point)}
		return stats.MeanWith(values, one)
	}
	weighted, weights := make([]float64, len(values)), make([]float64, len(values))
	for i, x := range values {
		weights[i] = m.sample[i].weight
		weighted[i] = float64(x * weights[i])
	}
	return stats.Ratio(weighted, weights)
}

// meanOf is the mean of a counter.
func (m *measurement) meanOf(count func(*metric.Counters) *int64) stats.Estimate {
	if m.plan.Strata != nil {
		return m.over(1, func(s *sample) float64 { return float64(*count(&s.Counters)) })
	}
	values := make([]float64, len(m.sample))
	for i := range m.sample {
		values[i] = float64(*count(&m.sample[i].Counters))
	}
	return m.average(values)
}

// fallbacks is the fraction of messages of which a submessage fell back. A collective sends one
// over each hop in every round.
func (m *measurement) fallbacks() stats.Estimate {
	return m.fraction(m.point.Messages(), func(s *sample) int64 { return s.FellBack })
}

// failures is the fraction of samples that failed.
func (m *measurement) failures() stats.Estimate {
	if m.plan.Strata != nil {
		all := *m
		all.sample = slices.Clone(m.sample)
		for i := range all.sample {
			s := &all.sample[i]
			s.FellBack, s.failed = int64(min(s.failed, 1)), 0 // of all samples, failed or not
		}
		return all.fraction(1, func(s *sample) int64 { return s.FellBack })
	}
	return m.fraction(1, func(s *sample) int64 { return int64(min(s.failed, 1)) })
}

// fraction is the mean of hits out of so many in each sample; out of one it has the interval of
// Clopper and Pearson, which is sensible at none and all.
func (m *measurement) fraction(of int, hits func(*sample) int64) stats.Estimate {
	if m.plan.Strata != nil {
		return m.over(1/float64(of), func(s *sample) float64 { return float64(hits(s)) / float64(of) })
	}
	values := make([]float64, len(m.sample))
	total := 0
	for i := range m.sample {
		n := hits(&m.sample[i])
		values[i] = float64(n) / float64(of)
		total += int(n)
	}
	if of == 1 && len(m.plan.Tilts) == 0 {
		return stats.Share(total, len(values))
	}
	return m.average(values)
}
