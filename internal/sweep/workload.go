package sweep

import (
	"math"

	"sdrsim/internal/result"
	"sdrsim/internal/stats"
)

// addWorkload fills in what workloads ask for beside times and rates.
func addWorkload(row *result.Row, r *Record) {
	if r.samples == 0 || r.weight != nil || r.shares != nil {
		return
	}
	if r.about.compute > 0 {
		addStep(row, r)
	}
	if r.about.counts {
		rate := r.operations()
		row.Operations, row.OperationsLo, row.OperationsHi = rate.Value, rate.Lo, rate.Hi
		if r.about.hostCPU > 0 {
			row.HostCores = rate.Value * r.about.hostCPU.Seconds()
		}
	}
	if r.about.deadline > 0 {
		share := r.inTime()
		row.InTime, row.InTimeLo, row.InTimeHi = share.Value, share.Lo, share.Hi
	}
}

// addStep fills in what a training step took, beside what it takes without a network.
func addStep(row *result.Row, r *Record) {
	steps, compute := float64(r.about.steps), r.about.compute.Seconds()/float64(r.about.steps)
	row.StepMean = row.CompletionMean / steps
	row.StepMeanLo, row.StepMeanHi = row.CompletionMeanLo/steps, row.CompletionMeanHi/steps
	row.ExposedMean = row.StepMean - compute
	row.ExposedMeanLo, row.ExposedMeanHi = row.StepMeanLo-compute, row.StepMeanHi-compute
	row.ComputeEfficiency = compute / row.StepMean
	row.ComputeEfficiencyLo = compute / row.StepMeanHi
	row.ComputeEfficiencyHi = compute / row.StepMeanLo
}

// operations are the messages completed over the time that took, a second.
func (r *Record) operations() stats.Estimate {
	counts, elapsed := r.numbers(0, r.samples), r.numbers(2, r.samples)
	for i, d := range r.elapsed[:r.samples] {
		counts[i], elapsed[i] = float64(r.delivered[i]), d.Seconds()
	}
	value := ratioOnly(counts, elapsed)
	if math.IsNaN(value) {
		return stats.Estimate{Value: value, Lo: value, Hi: value}
	}
	e := stats.Rate(stats.Sum(counts)/float64(r.samples), elapsed, r.known(r.about.busy))
	e.Value = value
	return e
}

// inTime is the share of messages whose latency was within the deadline: of single ones by Clopper
// and Pearson, of streams by the shares of samples, of which too few have no interval.
func (r *Record) inTime() stats.Estimate {
	times, shares, all := r.latency(), r.numbers(0, r.samples), 0
	for i, n := range r.delivered[:r.samples] {
		met := 0
		for _, d := range times[i*r.messages:][:n] {
			if d <= r.about.deadline {
				met++
			}
		}
		shares[i] = float64(met) / float64(r.messages)
		all += met
	}
	value := float64(all) / float64(r.samples*r.messages)
	switch {
	case r.certain():
		return stats.Estimate{Value: value, Lo: value, Hi: value}
	case r.messages == 1:
		return stats.Share(all, r.samples)
	case r.samples < minShares:
		return stats.Estimate{Value: value, Lo: math.NaN(), Hi: math.NaN()}
	}
	e := stats.MeanWith(shares, stats.Assumed{Floor: math.NaN(),
		Penalty: 1 / float64(r.messages)})
	e.Lo, e.Hi = max(0, e.Lo), min(1, e.Hi)
	return e
}
