package sweep

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sdrsim/internal/experiment"
	"sdrsim/internal/metric"
	"sdrsim/internal/result"
	"sdrsim/internal/spec"
	"sdrsim/internal/stats"
	"sdrsim/units"
)

// reduced is what remains of a unit.
type reduced struct {
	row          result.Row
	distribution *result.Distribution
	rounds       []result.Round
	flows        []result.Flow
	queues       []result.Queue
	// times is the mean completion time of each sample in seconds, NaN where a message failed; nil
	// once the group is complete.
	times []float64
	// drawn are the strata that the samples are of; nil where they are plain.
	drawn *strata
	// known is what their means may assume.
	known stats.Assumed
}

// reduce turns the samples of a complete unit into its row.
//
// Times are of messages: their mean is sum(times)/count(messages), with an interval in which the
// messages of one sample, which share a link, count as one observation; quantiles are of all
// messages together. Counters are means over samples. Rates are ratios of sums over the samples, so
// that slow samples weigh what they take:
//
//	goodput    = 8 * sum(message bytes) / sum(elapsed)
//	throughput = 8 * sum(bytes on the wire) / sum(elapsed)
//
// where elapsed is the time from the first injection of a sample to its last acknowledgement. For
// single messages that is the harmonic mean of the goodputs of the samples.
//
// Failed samples are counted, and are in none of this.
func (s *sweep) reduce(u *unit) reduced {
	axes, record := AxesOf(u.point()), u.record.whole()
	row := result.NewRow(axes, u.spec().Label)
	row.Samples, row.Failed = int64(u.record.samples), int64(u.record.Failed())
	row.GiveUpMean = u.record.giveUp()
	sorted, _ := stats.Sorted(record.seconds(record.completion))
	row.Sampling = record.sampling()
	switch {
	case record.shares != nil:
		addStrata(&row, record)
	case record.weight != nil:
		addWeighted(&row, record)
		addRates(&row, record)
	default:
		addTimes(&row, record, sorted)
		addRates(&row, record)
	}
	addCounts(&row, record)
	addNetwork(&row, record)
	addWorkload(&row, record)
	row.Warnings = append(row.Warnings, u.point().Doubts()...)
	row.Warnings = append(row.Warnings, u.record.missed(u.point())...)
	s.addModel(&row, u)
	addFailures(&row, u.record)
	r := reduced{row: row, rounds: record.roundRows(u.point(), u.spec().Label),
		flows:  record.flowRows(u.point(), u.spec().Label),
		queues: record.queueRows(u.point(), u.spec().Label)}
	if len(u.point().Schemes) > 1 && u.record.weight == nil {
		r.times, r.known = u.record.sampleTimes(), record.known(record.floor())
		r.drawn = u.record.drawnBy()
	}
	if s.Distribution != nil && s.Distribution(axes, u.spec().Label) {
		r.distribution = &result.Distribution{
			Axes: axes, Scheme: u.spec().Label, Steps: record.steps(sorted),
		}
	}
	return r
}

// formSlack is how far an exact closed form may lie outside of an interval, as a fraction of it: it
// leaves out the times of acknowledgements on their own way.
const formSlack = 0.01

// addModel sets the closed form beside the simulated mean, which it judges where it is exact.
func (s *sweep) addModel(row *result.Row, u *unit) {
	if s.Model == nil {
		return
	}
	form := s.Model(u.point(), u.spec())
	if !form.Known {
		return
	}
	row.ModelCompletionMean = form.Seconds
	slack := float64(formSlack * form.Seconds)
	if form.Exact && (form.Seconds < row.CompletionMeanLo-slack ||
		form.Seconds > row.CompletionMeanHi+slack) {
		row.Warnings = append(row.Warnings, fmt.Sprintf("mean: the exact closed form, %.4g ms, is "+
			"outside of the interval", 1e3*form.Seconds))
	}
}

// AxesOf returns the swept values of a point as its rows have them.
func AxesOf(p *spec.Point) []result.AxisValue {
	axes := make([]result.AxisValue, len(p.Axes))
	for i, a := range p.Axes {
		axes[i] = result.AxisValue{Path: a.Path, Text: a.Text, Number: a.Number}
	}
	return axes
}

// meanOnly is the value of meanTime.
func meanOnly(r *Record, times []units.Duration) float64 {
	if r.messages == 1 {
		each := r.seconds(times)
		return stats.Sum(each) / float64(len(each))
	}
	return ratioOnly(r.perSample(times))
}

// ratioOnly is the value of stats.Ratio, without its interval, of finite numbers whose sums are.
func ratioOnly(a, b []float64) float64 {
	n := float64(len(a))
	meanA, meanB := stats.Sum(a)/n, stats.Sum(b)/n
	if meanB <= 0 {
		return math.NaN()
	}
	return meanA / meanB
}

// addTimes fills in what follows from completion and delivery times; sorted are the completion
// times in ascending order.
func addTimes(row *result.Row, r *Record, sorted []float64) {
	times := r.estimates(sorted).summary()
	times.completion(row, sorted)
	row.DeliveryMean = meanOnly(r, r.delivery)
	times.warn(row, "")
	addSlowdown(row, r, times)
	addLatency(row, r, times)
}

// summary is what a row says of the times of messages.
type summary struct{ mean, p50, p99, p999 stats.Estimate }

// completion fills in completion times; sorted are all of them in ascending order.
func (s summary) completion(row *result.Row, sorted []float64) {
	row.CompletionMean, row.CompletionMeanLo, row.CompletionMeanHi = s.mean.Value, s.mean.Lo, s.mean.Hi
	row.CompletionP50 = s.p50.Value
	row.CompletionP99, row.CompletionP99Lo, row.CompletionP99Hi = s.p99.Value, s.p99.Lo, s.p99.Hi
	row.CompletionP999, row.CompletionP999Lo, row.CompletionP999Hi =
		s.p999.Value, s.p999.Lo, s.p999.Hi
	if len(sorted) > 0 {
		row.CompletionMax = sorted[len(sorted)-1]
	}
}

// latency fills in latencies.
func (s summary) latency(row *result.Row) {
	row.LatencyMean, row.LatencyMeanLo, row.LatencyMeanHi = s.mean.Value, s.mean.Lo, s.mean.Hi
	row.LatencyP50 = s.p50.Value
	row.LatencyP99, row.LatencyP99Lo, row.LatencyP99Hi = s.p99.Value, s.p99.Lo, s.p99.Hi
	row.LatencyP999, row.LatencyP999Lo, row.LatencyP999Hi = s.p999.Value, s.p999.Lo, s.p999.Hi
}

// warn says what the samples do not carry, where it is not said yet.
func (s summary) warn(row *result.Row, prefix string) {
	for _, e := range []stats.Estimate{s.mean, s.p50, s.p99, s.p999} {
		if e.Warning != "" && !slices.Contains(row.Warnings, e.Warning) {
			row.Warnings = append(row.Warnings, prefix+e.Warning)
		}
	}
}

// addRates fills in goodput and throughput.
func addRates(row *result.Row, r *Record) {
	goodput := r.goodput()
	row.Goodput, row.GoodputLo, row.GoodputHi = goodput.Value, goodput.Lo, goodput.Hi
	doubtGoodput(row, goodput)
	_, wire, elapsed := r.rates()
	row.Throughput = ratioOnly(wire, elapsed)
}

// doubtGoodput warns of what is wrong with the mean time that a goodput is made of: not always what
// is wrong with the mean of the messages, which wait for each other. One sample has no spread.
func doubtGoodput(row *result.Row, e stats.Estimate) {
	if text := strings.TrimPrefix(e.Warning, "mean: "); text != "" && row.Samples > 1 {
		row.Warnings = append(row.Warnings, "goodput: "+text)
	}
}

// goodput is in bit/s, with the interval of the time that samples take.
func (r *Record) goodput() stats.Estimate {
	payload, _, elapsed := r.rates()
	value := ratioOnly(payload, elapsed)
	if r.samples == 0 || math.IsNaN(value) {
		return stats.Estimate{Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	}
	if r.about.sized { // what is delivered differs as the time does
		return stats.Speedup(stats.Paired{Values: payload, Known: stats.Assumed{Floor: math.NaN()}},
			stats.Paired{Values: elapsed, Known: r.known(0)})
	}
	amount := stats.Sum(payload) / float64(r.samples)
	if r.weight != nil {
		time := r.weighted(r.elapsed).Mean()
		first := max(0, slices.IndexFunc(r.delivered[:r.samples], func(n int32) bool { return n > 0 }))
		bits := float64(8 * r.counters[first].PayloadBytes)
		return stats.Estimate{
			Value: value, Lo: min(value, bits/time.Hi), Hi: max(value, bits/time.Lo),
			Warning: time.Warning,
		}
	}
	e := stats.Rate(amount, elapsed, r.known(max(r.ideal, r.about.busy)))
	e.Value = value
	return e
}

// rates are what goodput and throughput are ratios of, sample by sample: bits of messages, bits on
// the wire, and seconds, in scratch memory.
func (r *Record) rates() (payload, wire, elapsed []float64) {
	payload, wire, elapsed = r.numbers(0, r.samples), r.numbers(1, r.samples), r.numbers(2, r.samples)
	for i, d := range r.elapsed[:r.samples] {
		elapsed[i] = d.Seconds()
		if r.weight != nil {
			elapsed[i] *= r.weight[i]
		}
		c := &r.counters[i]
		payload[i], wire[i] = r.weigh(i, 8*c.PayloadBytes), r.weigh(i, 8*c.WireBytes)
	}
	return payload, wire, elapsed
}

// addCounts fills in the means of counters.
func addCounts(row *result.Row, r *Record) {
	total := r.total()
	for _, c := range metric.Counted() {
		if c.Mean != nil {
			*c.Mean(&row.Values) = r.mean(&total, c.Count)
		}
	}
	if r.about.uneven {
		sent := r.mean(&total, func(c *experiment.Counters) *int64 { return &c.Packets })
		lost := r.mean(&total, func(c *experiment.Counters) *int64 { return &c.Lost })
		late := r.mean(&total, func(c *experiment.Counters) *int64 { return &c.Reordered })
		extent := r.mean(&total, func(c *experiment.Counters) *int64 { return &c.ReorderExtent })
		row.ReorderedFraction, row.ReorderExtentMean = late/(sent-lost), extent/late
	}
	fell := r.mean(&total, func(c *experiment.Counters) *int64 { return &c.FellBack })
	row.FallbackFraction = fell / float64(r.messages)
	share := r.fallbacks()
	row.FallbackLo, row.FallbackHi = share.Lo, share.Hi
}

// fallbacks is the share of messages that fell back: of single ones by Clopper and Pearson, of
// streams by the shares of samples, of which too few have no interval.
func (r *Record) fallbacks() stats.Estimate {
	none := stats.Estimate{Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	switch {
	case !r.about.falls || r.samples == 0:
		return none
	case r.shares != nil:
		return r.strataFallbacks()
	case r.weight != nil:
		return r.weightedFallbacks()
	case !r.about.random: // all samples are the same
		share := float64(r.counters[0].FellBack) / float64(r.messages)
		return stats.Estimate{Value: share, Lo: share, Hi: share}
	case r.messages == 1:
		return stats.Share(int(r.total().FellBack), r.samples)
	case r.samples < minShares:
		return none
	}
	shares := r.numbers(0, r.samples)
	for i := range shares {
		shares[i] = float64(r.counters[i].FellBack) / float64(r.messages)
	}
	e := stats.MeanWith(shares, stats.Assumed{Penalty: 1 / float64(r.messages)})
	e.Lo, e.Hi = max(0, e.Lo), min(1, e.Hi)
	return e
}

// minShares is the least number of samples for which the share of the messages of streams has an
// interval.
const minShares = 5

// mean is the mean of a counter over the samples, NaN of none, where total adds up every counter:
// integers, whose sum does not depend on an order. Of samples that count for more or less than one
// it is
//
//	sum(w x) / sum(w)
//
// so that what every sample has in common comes out as it is, and means agree with the rates, which
// are ratios too.
func (r *Record) mean(
	total *experiment.Counters, of func(*experiment.Counters) *int64,
) float64 {
	if r.weight == nil {
		return float64(*of(total)) / float64(r.samples)
	}
	if r.samples == 0 {
		return math.NaN()
	}
	// From the first that counts: a constant must come out to the last digit.
	from := max(0, slices.IndexFunc(r.weight[:r.samples], func(w float64) bool { return w > 0 }))
	first := *of(&r.counters[from])
	above := make([]float64, r.samples)
	for i := range above {
		above[i] = r.weigh(i, *of(&r.counters[i])-first)
	}
	return float64(first) + stats.Sum(above)/stats.Sum(r.weight[:r.samples])
}

// giveUp is the mean time at which the scheme gave up, of the samples that failed, in seconds.
func (r *Record) giveUp() float64 {
	var times []float64
	for i, n := range r.delivered[:r.samples] {
		if int(n) < r.messages {
			times = append(times, r.elapsed[i].Seconds())
		}
	}
	return stats.Sum(times) / float64(len(times))
}

// addFailures warns of samples that the scheme gave up, which no other number includes.
func addFailures(row *result.Row, r *Record) {
	failed, lost := r.failed()
	if failed == 0 {
		return
	}
	text := fmt.Sprintf("%d of %d samples failed, %.3g %%", failed, r.samples,
		100*r.failedShare())
	if r.messages > 1 {
		text += fmt.Sprintf(" (%d messages)", lost)
	}
	row.Warnings = append(row.Warnings, fmt.Sprintf("%s, first sample %d: %s",
		text, r.failedAt, r.failure))
	switch {
	case lost == r.samples*r.messages:
		row.Warnings = append(row.Warnings, "nothing was delivered")
	case failed == r.samples:
		row.Warnings = append(row.Warnings, "no sample delivered all its messages")
	}
}
