package keys

import (
	"slices"

	"sdrsim/internal/spec"
	"sdrsim/internal/storage"
	"sdrsim/internal/training"
	"sdrsim/schemes"
)

// WorkloadPath is the section of what an application does.
const WorkloadPath = "workload"

// Kinds of workload.
const (
	WorkloadTraining   = "training-step"
	WorkloadStorage    = "storage"
	WorkloadCheckpoint = "checkpoint"
	WorkloadKVCache    = "kv-cache"
)

// WorkloadKind is what a kind of workload takes.
type WorkloadKind struct {
	Name string
	// Keys are those below workload that it has, Needs those that it cannot be without.
	Keys, Needs []string
	// Says are the keys of message that it says, in place of the file.
	Says []string
}

// WorkloadKinds are those of workload.kind.
var WorkloadKinds = []WorkloadKind{
	{Name: WorkloadTraining, Keys: StepKeys, Needs: []string{"model", "tokens", "gpus"},
		Says: []string{"message.size", "message.size.model", "message.count", "message.in_flight"}},
	{Name: WorkloadStorage, Keys: []string{"operation", "size", "depth", "queues", "pages", "station",
		"read_ahead", "host_cpu"}, Needs: []string{"operation", "size"},
		Says: []string{"message.size", "message.size.model", "message.in_flight"}},
	{Name: WorkloadCheckpoint, Keys: []string{"model", "shards"}, Needs: []string{"model"},
		Says: []string{"message.size", "message.size.model"}},
	{Name: WorkloadKVCache, Keys: []string{"model", "tokens", "sigma", "tokens_max"},
		Needs: []string{"model", "tokens"}, Says: []string{"message.size", "message.size.model"}},
}

// DataKeys and PipelineKeys are those of one way of dividing a training step, StepKeys all of a
// step.
var (
	DataKeys     = []string{"datacenters", "bucket", "in_flight", "every"}
	PipelineKeys = []string{"stages", "microbatches", "schedule", "ahead"}
	StepKeys     = slices.Concat([]string{"model", "parallel", "tokens", "sequence", "gpus", "flops",
		"gradient"}, DataKeys, PipelineKeys)
)

// workloadNames are the names of the kinds.
func workloadNames() (names []string) {
	for _, k := range WorkloadKinds {
		names = append(names, k.Name)
	}
	return names
}

// WorkloadKeys are those below workload.
var WorkloadKeys = slices.Concat([]Key{
	{Path: "workload.kind", Kind: schemes.KindChoice, Choices: workloadNames(), Fixed: true,
		Doc: "what an application does, in place of messages of message.size"},
}, workloadModelKeys, trainingKeys, storageKeys)

var workloadModelKeys = []Key{
	{Path: "workload.model", Kind: KindFile,
		Doc: "training-step, checkpoint, kv-cache: file of the shape of a transformer, " +
			"such as models/transformer-7b.yaml"},
	{Path: "workload.shards", Kind: schemes.KindCount, Default: "1", Min: 1, Max: 1 << 20,
		Doc: "checkpoint: messages that a checkpoint is divided into, of 14 bytes a parameter together"},
	{Path: "workload.tokens", Kind: schemes.KindCount, Min: 1, Max: 1 << 40,
		Doc: "training-step: tokens of a step, of all GPUs; kv-cache: tokens of which a message has the " +
			"keys and values, the median where they differ"},
	{Path: "workload.sigma", Kind: schemes.KindNumber, Default: "0", Max: 10,
		Doc: "kv-cache: standard deviation of the logarithm of the tokens; 0: all messages are alike"},
	{Path: "workload.tokens_max", Kind: schemes.KindCount, Default: "131072", Min: 1, Max: 1 << 30,
		Doc: "kv-cache: no message has more tokens"},
}

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

var storageKeys = []Key{
	{Path: "workload.operation", Kind: schemes.KindChoice,
		Choices: []string{storage.Read, storage.Write},
		Doc:     "storage: what the host does, message.count times"},
	{Path: "workload.size", Kind: schemes.KindBytes, Min: 512, Max: 1 << 20,
		Doc: "storage: bytes of an operation; above 128KiB it is several requests"},
	{Path: "workload.depth", Kind: schemes.KindCount, Default: "1", Min: 1, Max: 1 << 16,
		Doc: "storage: operations that the host keeps under way, where message.arrival is all-at-once"},
	{Path: "workload.queues", Kind: schemes.KindCount, Default: "1", Min: 1, Max: 4096,
		Doc: "storage: virtio queues, over which operations go in turn"},
	{Path: "workload.pages", Kind: schemes.KindCount, Default: "64", Min: 4, Max: 1 << 20,
		Doc: "storage: pages of 4 KiB that a queue holds, 3 more for each read and 4 for each write"},
	{Path: "workload.station", Kind: KindDuration, Default: "17us", Max: 1,
		Doc: "storage: mean of the part of a request that the client takes one at a time, drawn from " +
			"an exponential distribution"},
	{Path: "workload.read_ahead", Kind: schemes.KindBytes, Min: 1, Max: 1 << 40,
		Doc: "storage: how far ahead of sequential reads the client on the DPU reads, in " +
			"units of 1MiB"},
	{Path: "workload.host_cpu", Kind: KindDuration, Default: "14.6us", Max: 1,
		Doc: "storage: time of a core of the host for an operation; 64.7us of an NFS client on the host"},
}
