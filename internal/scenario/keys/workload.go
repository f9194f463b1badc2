package keys

import (
	"slices"

	"sdrsim/internal/workload"
	"sdrsim/schemes"
)

// WorkloadPath is the section of what an application does, in place of messages.
const WorkloadPath = "workload"

// Words of the keys of a workload.
const (
	ProtocolNone    = "none"
	ShareDatacenter = "datacenter"
	ShareConnection = "connection"
)

// maxRanks bounds the ranks of a workload.
const maxRanks = 1 << 16

// collectiveAlgorithms are those of all kinds, each once.
var collectiveAlgorithms = func() (list []string) {
	for _, kind := range workload.Kinds() {
		for _, a := range workload.Algorithms(kind) {
			if !slices.Contains(list, a) {
				list = append(list, a)
			}
		}
	}
	return list
}()

// workloadKeys are those below workload.
var workloadKeys = slices.Concat([]Key{
	{Path: "workload.kind", Kind: schemes.KindChoice, Choices: workloadNames(), Fixed: true,
		Doc: "what an application does in place of messages: an operation of ranks, each with a " +
			"buffer of message.size, file operations, a checkpoint, a cache"},
}, collectiveWorkloadKeys, workloadModelKeys, storageKeys)

// workloadNames are the names of all kinds.
func workloadNames() []string {
	names := slices.Clone(workload.Kinds())
	for _, k := range WorkloadKinds {
		names = append(names, k.Name)
	}
	return names
}

var collectiveWorkloadKeys = []Key{
	{Path: "workload.algorithm", Kind: schemes.KindChoice, Choices: collectiveAlgorithms,
		Doc: "how it is done; default: the first of its kind: all-reduce has ring, double-tree, " +
			"halving-doubling, hierarchical and hierarchical-tree, reduce-scatter and all-gather ring, " +
			"broadcast and reduce chain and binomial, all-to-all direct and pairwise"},
	{Path: "workload.ranks", Kind: schemes.KindCount, Min: 2, Max: maxRanks,
		Doc: "how many take part; default: workload.datacenters, one in each"},
	{Path: "workload.datacenters", Kind: schemes.KindCount, Min: 1, Max: maxRanks,
		Doc: "those that ranks are dealt to, one after the other; default: workload.ranks"},
	{Path: "workload.root", Kind: schemes.KindCount, Default: "0", Max: maxRanks - 1,
		Doc: "broadcast: the rank that has the buffer; reduce: the one that gets it"},
	{Path: "workload.channels", Kind: schemes.KindCount, Default: "1", Min: 1, Max: 64,
		Doc: "parts of the buffer that are worked on at a time, each over connections of its own"},
	{Path: "workload.chunk", Kind: schemes.KindBytes, Min: 1, Max: 1 << 50,
		Doc: "what is sent on as soon as it is there; default: all that a rank has for another"},
	{Path: "workload.protocol", Kind: schemes.KindChoice, Default: ProtocolNone,
		Choices: []string{ProtocolNone, workload.Simple, workload.LL, workload.LL128},
		Doc: "how GPUs move a channel: through 8 slots that the receiver grants, in place of " +
			"workload.chunk; none: messages need no grant"},
	{Path: "workload.reduce_rate", Kind: schemes.KindRate, Min: 1, Max: maxRate,
		Doc: "how fast a rank adds up what it has received; default: it takes no time"},
	{Path: "workload.local.delay", Kind: KindDuration, Default: "5us", Max: 1,
		Doc: "latency of a message between ranks of a datacenter, without network"},
	{Path: "workload.local.bandwidth", Kind: schemes.KindRate, Min: 1, Max: maxRate,
		Doc: "data rate of a rank inside a datacenter; default: link.bandwidth"},
	{Path: "workload.share", Kind: schemes.KindChoice, Default: ShareDatacenter,
		Choices: []string{ShareDatacenter, ShareConnection},
		Doc: "whose link.bandwidth is: all connections that leave a datacenter share it, and those of " +
			"a rank inside share its rate, or each connection has it for itself"},
	{Path: "workload.outstanding", Kind: schemes.KindCount, Default: "256", Min: 1, Max: 1 << 16,
		Doc: "messages of a connection that may wait for acknowledgements; 1: a rank waits for each"},
}
