package keys

import (
	"sdrsim/internal/storage"
	"sdrsim/schemes"
)

// Kinds of workload beside the operations of ranks.
const (
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

// WorkloadKinds are those kinds of workload.kind.
var WorkloadKinds = []WorkloadKind{
	{Name: WorkloadStorage, Keys: []string{"operation", "size", "depth", "queues", "pages", "station",
		"read_ahead", "host_cpu"}, Needs: []string{"operation", "size"},
		Says: []string{"message.size", "message.size.model", "message.in_flight"}},
	{Name: WorkloadCheckpoint, Keys: []string{"model", "shards"}, Needs: []string{"model"},
		Says: []string{"message.size", "message.size.model"}},
	{Name: WorkloadKVCache, Keys: []string{"model", "tokens", "sigma", "tokens_max"},
		Needs: []string{"model", "tokens"}, Says: []string{"message.size", "message.size.model"}},
}

var workloadModelKeys = []Key{
	{Path: "workload.model", Kind: KindFile,
		Doc: "checkpoint, kv-cache: file of the shape of a transformer, " +
			"such as models/transformer-7b.yaml"},
	{Path: "workload.shards", Kind: schemes.KindCount, Default: "1", Min: 1, Max: 1 << 20,
		Doc: "checkpoint: messages that a checkpoint is divided into, of 14 bytes a parameter together"},
	{Path: "workload.tokens", Kind: schemes.KindCount, Min: 1, Max: 1 << 40,
		Doc: "kv-cache: tokens of which a message has the keys and values, the median where they differ"},
	{Path: "workload.sigma", Kind: schemes.KindNumber, Default: "0", Max: 10,
		Doc: "kv-cache: standard deviation of the logarithm of the tokens; 0: all messages are alike"},
	{Path: "workload.tokens_max", Kind: schemes.KindCount, Default: "131072", Min: 1, Max: 1 << 30,
		Doc: "kv-cache: no message has more tokens"},
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
