package sweep

import (
	"fmt"
	"math"
	"strings"

	"sdrsim/internal/result"
	"sdrsim/internal/stats"
	"sdrsim/units"
)

// addWeighted fills in a row whose samples exaggerate losses and count for more or less than one.
// Times, counters and rates are those of the losses that were asked about; the row says how it came
// about. The greatest time is that of any sample, however little it counts for.
func addWeighted(row *result.Row, r *Record) {
	completion := r.weighted(r.completion)
	times := summary{completion.Mean(), completion.Quantile(0.5), completion.Quantile(0.99),
		completion.Quantile(0.999)}
	sorted, _ := stats.Sorted(completion.Values)
	times.completion(row, sorted)
	row.DeliveryMean = r.weighted(r.delivery).Mean().Value
	addSlowdown(row, r, times)
	times.latency(row)
	row.Warnings = append(row.Warnings, acceleration(r.tilts))
	if r.about.falls {
		row.Warnings = append(row.Warnings, "mean: tilted losses of a code, whose fallbacks take "+
			"several: its interval holds the truth less often than it says")
	}
	times.warn(row, "")
}

// acceleration names the tilts, for the results.
func acceleration(tilts []float64) string {
	var b strings.Builder
	for i, t := range tilts {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%g", t)
	}
	return "accelerated: losses tilted by " + b.String() + ", weighted"
}

// weighted pairs the times of single messages with the weights of their samples; NaN stands for a
// message that was not delivered.
func (r *Record) weighted(times []units.Duration) stats.Weighted {
	w := stats.Weighted{Weights: r.weight[:r.samples], Strata: max(1, len(r.tilts))}
	for i := range r.samples {
		x := math.NaN()
		if r.delivered[i] > 0 {
			x = times[i].Seconds()
		}
		w.Values = append(w.Values, x)
	}
	return w
}

// weightedFallbacks is the share of messages that fell back, of samples that count for more or less
// than one.
func (r *Record) weightedFallbacks() stats.Estimate {
	w := stats.Weighted{Weights: r.weight[:r.samples], Strata: max(1, len(r.tilts))}
	for i := range r.samples {
		w.Values = append(w.Values, float64(r.counters[i].FellBack))
	}
	e := w.Mean()
	e.Lo, e.Hi = max(0, e.Lo), min(1, e.Hi)
	return e
}

// weigh multiplies what samples have counted by what they count for.
func (r *Record) weigh(i int, x int64) float64 {
	if r.weight == nil {
		return float64(x)
	}
	return float64(float64(x) * r.weight[i])
}

// steps is the empirical distribution of completion times; sorted are those of plain samples.
func (r *Record) steps(sorted []float64) []stats.Step {
	if r.weight == nil {
		return stats.Steps(sorted, result.DistributionSteps)
	}
	return r.weighted(r.completion).Steps(result.DistributionSteps)
}
