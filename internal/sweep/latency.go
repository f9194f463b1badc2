package sweep

import (
	"math"

	"sdrsim/internal/result"
	"sdrsim/internal/stats"
	"sdrsim/units"
)

// latency is from the posting of each message to its completion, at the places of the completion
// times.
func (r *Record) latency() []units.Duration {
	if r.wait == nil {
		return r.completion
	}
	times := make([]units.Duration, r.samples*r.messages)
	for i := range times {
		times[i] = r.completion[i] + r.wait[i]
	}
	return times
}

// latencyEstimates are the estimates of latencies.
func (r *Record) latencyEstimates() timesOf {
	times := r.latency()
	sorted, _ := stats.Sorted(r.seconds(times))
	of := r.estimatesOf(times, r.floor(), sorted)
	of.waits = true
	return of
}

// floor is the least time that a message can take.
func (r *Record) floor() units.Duration {
	if r.ideals == nil {
		return r.ideal
	}
	least := r.ideal
	for i, n := range r.delivered[:r.samples] {
		for _, d := range r.ideals[i*r.messages:][:n] {
			least = min(least, d)
		}
	}
	return least
}

// addLatency fills in the statistics of latencies: those of completion times where no message can
// wait. What the samples do not carry is told as "latency p99.9: ...", where it is not told of
// completion.
func addLatency(row *result.Row, r *Record, times summary) {
	if r.wait != nil {
		times = r.latencyEstimates().summary()
		times.warn(row, result.LatencyPrefix)
	}
	times.latency(row)
}

// slowdownUnit is what a slowdown of one is as a time.
const slowdownUnit = units.Millisecond

// slowdowns are the completion times of messages over their own times alone, in slowdownUnit, at
// the places of the completion times.
func (r *Record) slowdowns() []units.Duration {
	list := make([]units.Duration, r.samples*r.messages)
	for i := range list {
		if r.ideals[i] > 0 { // of a message that was delivered
			ratio := float64(r.completion[i]) / float64(r.ideals[i])
			list[i] = units.Duration(math.Round(ratio * float64(slowdownUnit)))
		}
	}
	return list
}

// addSlowdown fills in slowdowns. Of messages of one size they are completion times by a number; of
// others each has its own.
func addSlowdown(row *result.Row, r *Record, times summary) {
	mean, p999, unit := times.mean, times.p999, r.ideal.Seconds()
	if r.ideals != nil {
		slowdowns := r.slowdowns()
		sorted, _ := stats.Sorted(r.seconds(slowdowns))
		of := r.estimatesOf(slowdowns, slowdownUnit, sorted)
		mean, p999, unit = of.mean(), of.of(0.999), slowdownUnit.Seconds()
	}
	row.SlowdownMean, row.SlowdownP999 = mean.Value/unit, p999.Value/unit
	row.SlowdownMeanLo, row.SlowdownMeanHi = mean.Lo/unit, mean.Hi/unit
	row.SlowdownP999Lo, row.SlowdownP999Hi = p999.Lo/unit, p999.Hi/unit
}
