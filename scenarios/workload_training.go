package scenarios

import (
	"math"
	"slices"

	"sdrsim/internal/spec"
	"sdrsim/internal/training"
	"sdrsim/schemes"
	"sdrsim/units"
)

const workloadTraining = "training-step"

var trainingKeys = []Key{
	{Path: "workload.parallel", Kind: schemes.KindChoice, Default: spec.ParallelData,
		Choices: []string{spec.ParallelData, spec.ParallelPipeline},
		Doc: "training-step: what is divided between datacenters: the tokens, so that gradients are " +
			"exchanged, or the layers, so that what passes them is sent"},
	{Path: "workload.datacenters", Kind: schemes.KindCount, Default: "2", Min: 2, Max: 64,
		Doc: "training-step: how many, in a ring; a pipeline has two"},
	{Path: "workload.sequence", Kind: schemes.KindCount, Default: "0", Max: 1 << 30,
		Doc: "training-step: tokens that attend to each other; 0: without the flop of attention"},
	{Path: "workload.gpus", Kind: schemes.KindCount, Min: 1, Max: 1 << 24,
		Doc: "training-step: GPUs of all datacenters"},
	{Path: "workload.flops", Kind: schemes.KindNumber, Default: "4e14", Min: 1, Max: 1e18,
		Doc: "training-step: flop that a GPU gets done in a second"},
	{Path: "workload.gradient", Kind: schemes.KindBytes, Default: "2B", Min: 1, Max: 1 << 16,
		Doc: "training-step: bytes of a gradient, or of what passes a layer, as they are sent"},
	{Path: "workload.bucket", Kind: schemes.KindBytes, Default: "25MiB", Min: 0, Max: 1 << 50,
		Doc: "training-step: size at which a bucket of gradients is closed and exchanged, the first at " +
			"1MiB; 0B: all in one"},
	{Path: "workload.in_flight", Kind: schemes.KindCount, Default: "1", Min: 1, Max: 64,
		Doc: "training-step: buckets exchanged at a time, each over connections of its own"},
	{Path: "workload.every", Kind: schemes.KindCount, Default: "1", Min: 1, Max: 1e6,
		Doc: "training-step: steps after which parameters are exchanged; above 1 steps are local, and " +
			"the exchange follows the last"},
	{Path: "workload.stages", Kind: schemes.KindCount, Default: "8", Min: 2, Max: 256,
		Doc: "training-step, pipeline: stages, half of them in each datacenter"},
	{Path: "workload.microbatches", Kind: schemes.KindCount, Default: "64", Min: 1, Max: 1 << 14,
		Doc: "training-step, pipeline: parts of the tokens that pass the stages in turn"},
	{Path: "workload.schedule", Kind: schemes.KindChoice, Default: training.OneFOneB,
		Choices: []string{training.GPipe, training.OneFOneB},
		Doc: "training-step, pipeline: all forward and then all backward, or backward as soon as one " +
			"can"},
	{Path: "workload.ahead", Kind: schemes.KindCount, Max: 1 << 14,
		Doc: "training-step, pipeline: microbatches more that stages before the long way start, with " +
			"1f1b; default: as many as a round trip has room for"},
}

// dataKeys and pipelineKeys are those of one way of dividing a step.
var (
	dataKeys     = []string{"datacenters", "bucket", "in_flight", "every"}
	pipelineKeys = []string{"stages", "microbatches", "schedule", "ahead"}
)

// stepKeys are all of a step.
var stepKeys = slices.Concat([]string{"model", "parallel", "tokens", "sequence", "gpus", "flops",
	"gradient"}, dataKeys, pipelineKeys)

var trainingKind = workloadKind{
	name: workloadTraining, keys: stepKeys,
	needs: []string{"model", "tokens", "gpus"},
	says:  []string{"message.size", "message.size.model", "message.count", "message.in_flight"},
	lower: lowerTraining, check: checkTraining, build: buildTraining,
}

// step is what a training step computes, of a draft whose settings have values.
func (d *draft) step() training.Step {
	return training.Step{
		Shape: *d.shape(), Tokens: d.get("workload.tokens").whole,
		Sequence:      d.get("workload.sequence").whole,
		Flops:         d.get("workload.gpus").number * d.get("workload.flops").number,
		GradientBytes: d.bytes("workload.gradient"),
	}
}

// training builds the training step of a draft whose settings have values.
func (d *draft) training() spec.Training {
	step := d.step()
	t := spec.Training{Parallel: d.get("workload.parallel").text,
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
func (d *draft) pipeline(step *training.Step) (training.Pipeline, units.Bytes) {
	parts := d.get("workload.microbatches").whole
	of := func(t units.Duration) units.Duration {
		return max(1, units.Duration(math.Round(float64(t)/float64(parts))))
	}
	p := training.Pipeline{Schedule: d.get("workload.schedule").text,
		Stages: d.count("workload.stages"), Microbatches: int(parts),
		Forward: of(step.Forward()), Backward: of(step.Backward())}
	p.Hop = p.Stages / 2
	p.Ahead = p.Enough(d.delay())
	if ahead := d.get("workload.ahead"); ahead.has() {
		p.Ahead = int(ahead.whole)
	}
	return p, step.GradientBytes * units.Bytes(step.Shape.Hidden*units.CeilDiv(step.Tokens, parts))
}

// lowerTraining says how large the largest message is, and how many there may be.
func lowerTraining(d, into *draft) {
	var from []*setting
	for _, key := range stepKeys {
		if s := d.get(workloadPrefix + key); s.state != absent {
			from = append(from, s)
		}
	}
	into.says("message.size", func() int64 {
		t := d.training()
		return int64(t.Largest())
	}, from...)
}

func checkTraining(d *draft, f *faults) {
	pipeline := d.get("workload.parallel").text == spec.ParallelPipeline
	for _, key := range map[bool][]string{false: pipelineKeys, true: dataKeys}[pipeline] {
		if s := d.get(workloadPrefix + key); s.wrote() {
			f.blame("goes with another workload.parallel than %s",
				[]any{d.get("workload.parallel").text}, s)
		}
	}
	tokens, gpus, flops := d.get("workload.tokens"), d.get("workload.gpus"), d.get("workload.flops")
	every := d.get("workload.every")
	if !usable(tokens, gpus, flops, every, d.get("workload.model")) {
		return
	}
	step := d.step()
	flop := 6 * float64(step.Shape.Parameters()) * tokens.number * every.number
	if flop/step.Flops > maxSendSeconds/2 {
		f.blame("the steps take more than 5 days of simulated time", nil, tokens, gpus, flops, every)
	}
	if parts := d.get("workload.microbatches"); pipeline && usable(parts) &&
		parts.whole > tokens.whole {
		f.blame("%d microbatches are more than the tokens, %d", []any{parts.whole, tokens.whole}, parts,
			tokens)
	}
}

func buildTraining(d *draft, p *spec.Point) { p.Training = d.training() }
