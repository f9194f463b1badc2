package keys

import (
	"slices"

	"sdrsim/internal/spec"
	"sdrsim/schemes"
)

// Lists of what shares a network, read and swept as events are: flows.0.size, traffic.0.load.
const (
	FlowsPath   = "flows"
	TrafficPath = "traffic"
	NetworkPath = "network"
)

// Patterns of flows.
const (
	PatternPairs       = "pairs"       // west[i] to east[i]
	PatternIncast      = "incast"      // every west host to east[0]
	PatternPermutation = "permutation" // west[i] to east[(i+1) mod n]
	PatternAllToAll    = "all-to-all"  // every west host to every east host
)

// Places of cross traffic.
const (
	atBorder = "border" // that of the west, the direction of data
	atWest   = "border.west"
	AtEast   = "border.east"
)

// maxHosts bounds the hosts of a side.
const maxHosts = 1024

var networkKeys = []Key{
	{Path: "network.kind", Kind: schemes.KindChoice, Choices: []string{spec.NetworkDumbbell},
		Fixed: true,
		Doc: "what lies between hosts: a dumbbell has hosts on either side of the link, which is " +
			"that between its two borders"},
	{Path: "network.hosts", Kind: schemes.KindCount, Default: "2", Min: 1, Max: maxHosts,
		Doc: "hosts on each side, west[0] and on, and east[0] and on"},
	{Path: "network.access.bandwidth", Kind: schemes.KindRate, Min: 1, Max: maxRate,
		Doc: "data rate between a host and its border, both ways; default: link.bandwidth"},
	{Path: "network.access.delay", Kind: KindDuration, Default: "1us", Max: 1,
		Doc: "propagation between a host and its border, one way"},
	{Path: "network.queue.buffer", Kind: schemes.KindBytes, Default: "64MiB", Min: 64, Max: 1 << 50,
		Doc: "what each queue holds, in bytes on the wire; what finds no room is dropped"},
	{Path: "network.queue.ecn.kmin", Kind: schemes.KindBytes, Max: 1 << 50,
		Doc: "backlog up to which no packet is marked; default: kmax, a step"},
	{Path: "network.queue.ecn.kmax", Kind: schemes.KindBytes, Min: 1, Max: 1 << 50,
		Doc: "backlog beyond which every packet is marked; without it none is"},
	{Path: "network.queue.ecn.pmax", Kind: KindProbability, Default: "1", Max: 1,
		Doc: "probability of a mark at kmax, to which it grows from 0 at kmin"},
	{Path: "network.queue.priority", Kind: schemes.KindChoice, Default: "false",
		Choices: []string{"false", "true"},
		Doc:     "whether acknowledgements go before data that waits; what is being sent is finished"},
}

// EcnPaths are the keys of marking.
var EcnPaths = []string{"network.queue.ecn.kmin", "network.queue.ecn.kmax",
	"network.queue.ecn.pmax"}

var flowKeys = []Key{
	{Path: "pattern", Kind: schemes.KindChoice,
		Choices: []string{PatternPairs, PatternIncast, PatternPermutation, PatternAllToAll},
		Doc: "a flow from each west[i] to east[i], from every west host to east[0], from west[i] to " +
			"east[i+1], or from every west host to every east host; in place of from and to"},
	{Path: "from", Kind: KindHosts, Doc: "hosts that send"},
	{Path: "to", Kind: KindHosts, Doc: "hosts that receive; each of from sends to each of to"},
	{Path: "size", Kind: schemes.KindBytes, Min: 1, Max: 1 << 50,
		Doc: "size of the messages of the flow; default: message.size"},
	{Path: "start", Kind: KindDuration, Default: "0s", Max: MaxSpanSeconds,
		Doc: "when the flow begins, from the beginning of a sample"},
}

var trafficKeys = []Key{
	{Path: "at", Kind: schemes.KindChoice, Default: atBorder,
		Choices: []string{atBorder, atWest, AtEast},
		Doc:     "the queue that it passes; border is that of the west, the direction of data"},
	{Path: "model", Kind: schemes.KindChoice,
		Choices: []string{spec.TrafficConstant, spec.TrafficPoisson, spec.TrafficOnOff},
		Doc: "packets at equal distances, at random, or in bursts at the rate of the queue, which " +
			"last as long as on says, with silences, both exponential"},
	{Path: "load", Kind: KindShare, Min: 1e-6, Max: 0.999,
		Doc: "mean rate, as a share of the rate of the queue"},
	{Path: "packet", Kind: schemes.KindBytes, Default: "1500B", Min: 1, Max: 1 << 17,
		Doc: "size of a packet on the wire"},
	{Path: "on", Kind: KindDuration, Default: "1ms", Min: 1e-9, Max: MaxSpanSeconds,
		Doc: "on-off: mean length of a burst"},
}

// flowNames are the keys of a flow, with that of its scheme, which is no word.
var flowNames = append(slices.Clone(flowKeys), Key{Path: FlowScheme})

// FlowScheme is the key of a flow that names its scheme.
const FlowScheme = "scheme"
