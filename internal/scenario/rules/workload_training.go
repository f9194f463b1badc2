package rules

import (
	"math"

	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/internal/training"
	"sdrsim/units"
)

// step is what a training step computes, of a draft whose settings have values.
func (d point) step() training.Step {
	return training.Step{
		Shape: *d.shape(), Tokens: d.Get("workload.tokens").Whole,
		Sequence:      d.Get("workload.sequence").Whole,
		Flops:         d.Get("workload.gpus").Number * d.Get("workload.flops").Number,
		GradientBytes: d.bytes("workload.gradient"),
	}
}

// training builds the training step of a draft whose settings have values.
func (d point) training() spec.Training {
	step := d.step()
	t := spec.Training{Parallel: d.Get("workload.parallel").Text,
		Datacenters: d.count("workload.datacenters")}
	if t.Parallel == spec.ParallelPipeline {
		t.Datacenters = 2
		t.Pipeline, t.Transfer = d.pipeline(&step)
		return t
	}
	t.Data = training.DataParallel{Step: step, Every: d.count("workload.every"),
		InFlight: d.count("workload.in_flight"),
		Buckets:  step.Buckets(training.FirstBucket, d.bytes("workload.bucket"))}
	return t
}

// pipeline divides a step among stages and microbatches, and says what a microbatch leaves behind.
func (d point) pipeline(step *training.Step) (training.Pipeline, units.Bytes) {
	parts := d.Get("workload.microbatches").Whole
	of := func(t units.Duration) units.Duration {
		return max(1, units.Duration(math.Round(float64(t)/float64(parts))))
	}
	p := training.Pipeline{Schedule: d.Get("workload.schedule").Text,
		Stages: d.count("workload.stages"), Microbatches: int(parts),
		Forward: of(step.Forward()), Backward: of(step.Backward())}
	p.Hop = p.Stages / 2
	p.Ahead = p.Enough(d.delay())
	if ahead := d.Get("workload.ahead"); ahead.Has() {
		p.Ahead = int(ahead.Whole)
	}
	return p, step.GradientBytes * units.Bytes(step.Shape.Hidden*units.CeilDiv(step.Tokens, parts))
}

// lowerTraining says how large the largest message is, and how many there may be.
func lowerTraining(d, into point) {
	var from []*keys.Setting
	for _, key := range keys.StepKeys {
		if s := d.Get(keys.WorkloadPath + "." + key); s.State != keys.Absent {
			from = append(from, s)
		}
	}
	into.says("message.size", func() int64 {
		t := d.training()
		return int64(t.Largest())
	}, from...)
}

func checkTraining(d point, f *format.Faults) {
	pipeline := d.Get("workload.parallel").Text == spec.ParallelPipeline
	for _, key := range map[bool][]string{false: keys.PipelineKeys, true: keys.DataKeys}[pipeline] {
		if s := d.Get(keys.WorkloadPath + "." + key); s.Wrote() {
			f.Blame("goes with another workload.parallel than %s",
				[]any{d.Get("workload.parallel").Text}, s)
		}
	}
	tokens, gpus, flops := d.Get("workload.tokens"), d.Get("workload.gpus"), d.Get("workload.flops")
	every := d.Get("workload.every")
	if !keys.Usable(tokens, gpus, flops, every, d.Get("workload.model")) {
		return
	}
	step := d.step()
	flop := 6 * float64(step.Shape.Parameters()) * tokens.Number * every.Number
	if flop/step.Flops > keys.MaxSendSeconds/2 {
		f.Blame("the steps take more than 5 days of simulated time", nil, tokens, gpus, flops, every)
	}
	if parts := d.Get("workload.microbatches"); pipeline && keys.Usable(parts) &&
		parts.Whole > tokens.Whole {
		f.Blame("%d microbatches are more than the tokens, %d", []any{parts.Whole, tokens.Whole}, parts,
			tokens)
	}
}

func buildTraining(d point, p *spec.Point) { p.Training = d.training() }
