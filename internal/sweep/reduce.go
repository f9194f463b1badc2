package sweep

import (
	"fmt"
	"math"

	"sdrsim/internal/report"
	"sdrsim/internal/stats"
	"sdrsim/scenarios"
	"sdrsim/sim/units"
)

// reduced is what remains of a unit.
type reduced struct {
	row          report.Row
	distribution *report.Distribution
}

// reduce turns the samples of a complete unit into its row.
//
// Times are of messages: their mean is sum(times)/count(messages), with an interval in which the
// messages of one sample, which share a link, count as one observation; quantiles are of all
// messages together. Counters are means over samples, failed ones included. Rates are ratios of
// sums over the samples, so that slow samples weigh what they take:
//
//	goodput    = 8 * sum(message bytes delivered) / sum(elapsed)
//	throughput = 8 * sum(bytes on the wire) / sum(elapsed)
//
// where elapsed is the time from the first injection of a sample to its last acknowledgement. For
// single messages that is the harmonic mean of the goodputs of the samples.
func (s *sweep) reduce(u *unit) reduced {
	axes := AxesOf(u.point)
	row := report.NewRow(axes, u.scheme.Label)
	row.Samples, row.Failed = int64(u.point.Samples), int64(u.record.tally.failed)
	sorted, _ := stats.Sorted(u.record.seconds(u.record.completion))
	addTimes(&row, u.record, sorted)
	addRates(&row, u.record)
	addCounts(&row, u)
	addFailures(&row, u.record)
	if s.Model != nil {
		if seconds, ok := s.Model(u.point, u.scheme); ok {
			row.ModelCompletionMean = seconds
		}
	}
	r := reduced{row: row}
	if s.Distribution != nil && s.Distribution(axes, u.scheme.Label) {
		r.distribution = &report.Distribution{
			Axes: axes, Scheme: u.scheme.Label,
			Steps: stats.Steps(sorted, report.DistributionSteps),
		}
	}
	return r
}

// AxesOf returns the swept values of a point as its rows have them.
func AxesOf(p *scenarios.Point) []report.AxisValue {
	axes := make([]report.AxisValue, len(p.Axes))
	for i, a := range p.Axes {
		axes[i] = report.AxisValue{Path: a.Path, Text: a.Text, Number: a.Number}
	}
	return axes
}

// meanTime is the mean over messages, with the interval over samples.
func meanTime(r *record, times []units.Duration) stats.Estimate {
	sums, counts := r.perSample(times)
	if r.messages == 1 {
		return stats.Mean(sums)
	}
	return stats.Ratio(sums, counts)
}

// addTimes fills in what follows from completion and delivery times; sorted are the completion
// times in ascending order.
func addTimes(row *report.Row, r *record, sorted []float64) {
	mean := meanTime(r, r.completion)
	row.CompletionMean, row.CompletionMeanLo, row.CompletionMeanHi = mean.Value, mean.Lo, mean.Hi
	p50 := stats.Quantile(sorted, 0.5)
	p99 := stats.Quantile(sorted, 0.99)
	p999 := stats.Quantile(sorted, 0.999)
	row.CompletionP50 = p50.Value
	row.CompletionP99, row.CompletionP99Lo, row.CompletionP99Hi = p99.Value, p99.Lo, p99.Hi
	row.CompletionP999, row.CompletionP999Lo, row.CompletionP999Hi = p999.Value, p999.Lo, p999.Hi
	if len(sorted) > 0 {
		row.CompletionMax = sorted[len(sorted)-1]
	}
	row.DeliveryMean = meanTime(r, r.delivery).Value
	ideal := r.ideal.Seconds()
	row.SlowdownMean, row.SlowdownP999 = mean.Value/ideal, p999.Value/ideal
	for _, e := range []stats.Estimate{mean, p50, p99, p999} {
		if e.Warning != "" {
			row.Warnings = append(row.Warnings, e.Warning)
		}
	}
}

// addRates fills in goodput and throughput.
func addRates(row *report.Row, r *record) {
	samples := len(r.elapsed)
	elapsed := make([]float64, samples)
	payload, wire := make([]float64, samples), make([]float64, samples)
	for i, d := range r.elapsed {
		elapsed[i] = d.Seconds()
		payload[i], wire[i] = float64(8*r.payload[i]), float64(8*r.wire[i])
	}
	goodput := stats.Ratio(payload, elapsed)
	row.Goodput, row.GoodputLo, row.GoodputHi = goodput.Value, goodput.Lo, goodput.Hi
	row.Throughput = stats.Ratio(wire, elapsed).Value
}

// addCounts fills in the means of counters.
func addCounts(row *report.Row, u *unit) {
	t := &u.record.tally
	for _, c := range []struct {
		mean *float64
		sum  int64
	}{
		{&row.WireBytesMean, t.WireBytes},
		{&row.PacketsMean, t.Packets},
		{&row.LostMean, t.Lost},
		{&row.RetransmitsMean, t.Retransmits},
		{&row.SpuriousRetransmitsMean, t.Spurious},
		{&row.AcksMean, t.Acks},
		{&row.NacksMean, t.Nacks},
		{&row.TimeoutsMean, t.Timeouts},
		{&row.FallbacksMean, t.Fallbacks},
		{&row.UsefulParityMean, t.UsefulParity},
		{&row.EventsMean, t.Events},
	} {
		*c.mean = float64(c.sum) / float64(u.point.Samples)
	}
	messages := float64(u.point.Samples) * float64(u.record.messages)
	row.FallbackFraction = float64(t.FellBack) / messages
}

// addFailures warns of samples that the scheme gave up, which no time includes.
func addFailures(row *report.Row, r *record) {
	t := &r.tally
	if t.failed == 0 {
		return
	}
	samples := len(r.elapsed)
	text := fmt.Sprintf("%d of %d samples failed, %.3g %%", t.failed, samples,
		100*float64(t.failed)/float64(samples))
	if r.messages > 1 {
		text += fmt.Sprintf(" (%d messages)", t.lost)
	}
	row.Warnings = append(row.Warnings, fmt.Sprintf("%s, first sample %d: %s",
		text, t.failedAt, t.failure))
	if math.IsNaN(row.CompletionMean) {
		row.Warnings = append(row.Warnings, "nothing was delivered")
	}
}
