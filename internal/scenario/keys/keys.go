package keys

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"sdrsim/internal/spec"
	"sdrsim/schemes"
)

// Key describes one key of a scenario file. The loader reads by the same table that listings print.
type Key struct {
	Path    string       // dotted, such as link.loss.p
	Kind    schemes.Kind // what the value is
	Default string       // as a user would write it; empty: none, or as Doc says
	Choices []string     // words allowed, for choices
	// Min and Max bound numbers, in SI base units; a Max of 0 is no bound.
	Min, Max float64
	// Quantum is what whole values are multiples of (picoseconds for a duration); 0 is 1.
	Quantum int64
	// Fixed keys cannot be swept.
	Fixed bool
	Doc   string // one line
}

// Bounds that keep every event inside the clock, which spans 106 days.
const (
	maxSpanRTTs    = 1e6
	MaxSpanSeconds = 3600
	maxRTTSeconds  = 3600
	minStaySeconds = 1e-9
	MaxSendSeconds = 1e6
	maxRate        = 1e15
)

// Unbounded is the Min of numbers that may be negative.
const Unbounded = -1e30

// RunsUnlimited is the word for runs of any length.
const RunsUnlimited = "unlimited"

// Defaults lists every key of a scenario file, in the order in which a file has them.
func Defaults() []Key {
	return slices.Concat(scalarKeys, Structured, figureKeys, checkKeys)
}

// WriteDefaults prints every key with its kind, default, allowed values and meaning.
func WriteDefaults(w io.Writer) error {
	for _, k := range Defaults() {
		if _, err := fmt.Fprintln(w, k.line()); err != nil {
			return err
		}
	}
	return nil
}

// line describes the key in one paragraph of text.
func (k *Key) line() string {
	facts := []string{string(k.Kind)}
	if allowed := k.Allowed(); allowed != "" && k.Kind != KindText {
		facts = []string{allowed}
	}
	if k.Default != "" {
		facts = append(facts, "default "+k.Default)
	}
	return fmt.Sprintf("%-24s %s\n%-24s (%s)", k.Path, k.Doc, "", strings.Join(facts, "; "))
}

// scalarKeys are the settings that make up a point, and the few that make up a scenario.
var scalarKeys = slices.Concat(
	[]Key{{Path: "name", Kind: KindName, Fixed: true,
		Doc: "name of the scenario and of the folder of its results; required"}},
	linkKeys, spreadKeys, lossKeys("link.loss", dataLossModels),
	lossKeys("link.ack_loss", ackLossModels),
	messageKeys, deadlineKeys, collectiveKeys, workloadKeys, networkKeys, SubmissionKeys, hostKeys)

var linkKeys = []Key{
	{Path: "link.bandwidth", Kind: schemes.KindRate, Min: 1, Max: maxRate,
		Doc: "data rate of the way out, in bit/s; required"},
	{Path: "link.reverse_bandwidth", Kind: schemes.KindRate, Min: 1, Max: maxRate,
		Doc: "data rate of the way back; default: that of the way out"},
	{Path: "link.distance", Kind: KindDistance, Min: 1, Max: 1e11,
		Doc: "length of the link; exactly one of distance, rtt and delay is given"},
	{Path: "link.medium", Kind: schemes.KindChoice, Default: "fiber",
		Choices: []string{"fiber", "vacuum"},
		Doc:     "what the distance leads through: glass of group index 1.468, or free space"},
	{Path: "link.rtt", Kind: KindDuration, Min: 1e-9, Max: maxRTTSeconds,
		Quantum: 2, Doc: "propagation there and back"},
	{Path: "link.delay", Kind: KindDuration, Min: 1e-9, Max: maxRTTSeconds / 2,
		Doc: "propagation one way"},
	{Path: "link.mtu", Kind: schemes.KindBytes, Default: "4KiB", Min: 64, Max: 1 << 16,
		Doc: "payload of a full packet"},
	{Path: "link.encapsulation", Kind: schemes.KindChoice, Default: spec.EncapRoCEv2IPv4,
		Choices: spec.Encapsulations,
		Doc: "headers of a packet on the wire: none 0 B, rocev2-ipv4 102 B, rocev2-ipv6 122 B, " +
			"rocev1 114 B, infiniband 46 B"},
}

var (
	dataLossModels = []string{spec.LossNone, spec.LossIID, spec.LossGilbertElliott,
		spec.LossScript, spec.LossTraced}
	ackLossModels = append([]string{LossSame}, dataLossModels...)
)

// LossSame is the model of control packets that are lost as data is: at the rate of link.loss, each
// packet by itself, or in bursts as long in time. After a script or a trace it means no loss.
const LossSame = "same"

// lossKeys are the parameters of a loss model. Control packets are always lost one by one, so that
// their model has no unit.
func lossKeys(prefix string, models []string) []Key {
	keys := []Key{
		{Path: ".model", Kind: schemes.KindChoice, Default: models[0], Choices: models,
			Doc: "loss model; `" + prefix[len("link."):] + ": word` is short for it, and `" +
				prefix[len("link."):] + ": 1e-3` for iid losses of p: 1e-3"},
		{Path: ".per", Kind: schemes.KindChoice, Default: spec.PerPacket,
			Choices: []string{spec.PerPacket, spec.PerChunk}, Doc: "unit of loss"},
		{Path: ".p", Kind: KindProbability, Max: 1,
			Doc: "iid: probability of loss; gilbert-elliott: of going from good to bad"},
		{Path: ".r", Kind: KindProbability, Max: 1,
			Doc: "gilbert-elliott: probability of going from bad to good"},
		{Path: ".h", Kind: KindProbability, Default: "0", Max: 1,
			Doc: "gilbert-elliott: probability of getting through in the bad state"},
		{Path: ".k", Kind: KindProbability, Default: "1", Max: 1,
			Doc: "gilbert-elliott: probability of getting through in the good state"},
		{Path: ".mean", Kind: KindProbability, Max: 1,
			Doc: "gilbert-elliott: mean loss, beside burst in place of p and r"},
		{Path: ".burst", Kind: KindStay, Min: 1, Max: 1e9,
			Doc: "gilbert-elliott: mean length of a burst of losses, in place of p and r: so many " +
				"packets are sent in it, or so long does it last, whoever sends"},
	}
	if prefix == "link.ack_loss" {
		keys = slices.DeleteFunc(keys, func(k Key) bool { return k.Path == ".per" })
	}
	keys = append(keys, Key{Path: ".file", Kind: KindFile,
		Doc: "trace: CSV file of what is lost, with a header: packet, or first,last, of packets in " +
			"the order sent, from 0; or start_s,end_s"})
	keys = append(keys, Key{Path: ".gap", Kind: KindStay, Min: 1, Max: 1e9,
		Doc: "gilbert-elliott: mean time between bursts, or packets, in place of mean"})
	for i := range keys {
		keys[i].Path = prefix + keys[i].Path
	}
	return keys
}

var messageKeys = []Key{
	{Path: "message.size", Kind: schemes.KindBytes, Min: 1, Max: 1 << 50,
		Doc: "size of a message; required"},
	{Path: "message.size.model", Kind: schemes.KindChoice,
		Choices: []string{spec.SizeFixed, spec.SizeUniform, spec.SizeLognormal, spec.SizeCDF},
		Doc:     "what sizes are drawn from, the same for all schemes; in place of message.size"},
	{Path: "message.size.mean", Kind: schemes.KindBytes, Min: 1, Max: 1 << 50,
		Doc: "fixed: the size; lognormal: the mean before it is bounded"},
	{Path: "message.size.median", Kind: schemes.KindBytes, Min: 1, Max: 1 << 50,
		Doc: "lognormal: the median, in place of mean"},
	{Path: "message.size.sigma", Kind: schemes.KindNumber, Min: 0, Max: 10,
		Doc: "lognormal: standard deviation of the logarithm of the size"},
	{Path: "message.size.min", Kind: schemes.KindBytes, Default: "1B", Min: 1, Max: 1 << 50,
		Doc: "uniform, lognormal: no message is smaller"},
	{Path: "message.size.max", Kind: schemes.KindBytes, Min: 1, Max: 1 << 50,
		Doc: "uniform, lognormal: no message is larger"},
	{Path: "message.size.file", Kind: KindFile,
		Doc: "cdf: lines of bytes and the probability of at most so many, up to 1 or 100"},
	{Path: "message.chunk", Kind: schemes.KindBytes, Default: "64KiB", Min: 64, Max: 1 << 30,
		Doc: "what a bit of the receive bitmap stands for, a multiple of the MTU; default: the largest " +
			"up to 64KiB"},
	{Path: "message.count", Kind: schemes.KindCount, Default: "1", Min: 1, Max: 1e9,
		Doc: "messages sent back to back; more than one is a stream"},
	{Path: "message.in_flight", Kind: schemes.KindCount, Default: "1", Min: 1, Max: 1 << 20,
		Doc: "messages under way at a time; those that come while so many are wait"},
	{Path: "message.arrival.model", Kind: schemes.KindChoice, Default: spec.ArrivalAllAtOnce,
		Choices: []string{spec.ArrivalAllAtOnce, spec.ArrivalPeriodic, spec.ArrivalPoisson,
			spec.ArrivalTrace},
		Doc: "when the application posts messages, the same for all schemes; " +
			"`message.arrival: word` is short for it"},
	{Path: "message.arrival.interval", Kind: KindDuration, Min: 1e-12, Max: MaxSpanSeconds,
		Doc: "periodic, poisson: mean time from one message to the next"},
	{Path: "message.arrival.load", Kind: schemes.KindNumber, Min: 1e-6, Max: 100,
		Doc: "periodic, poisson, in place of interval: the share of the link that messages with their " +
			"headers take"},
	{Path: "message.arrival.file", Kind: KindFile,
		Doc: "trace: a line for each message with the time at which it comes, in seconds or as 12.5us"},
}

// maxDatacenters bounds the hops of a ring, each of which is a connection of its own.
const maxDatacenters = 1024

var collectiveKeys = []Key{
	{Path: "collective.kind", Kind: schemes.KindChoice, Choices: []string{spec.AllReduce}, Fixed: true,
		Doc: "operation of several datacenters in a ring, each with a buffer of message.size"},
	{Path: "collective.datacenters", Kind: schemes.KindCount, Min: 2, Max: maxDatacenters,
		Doc: "how many take part; hop i leads from datacenter i to the next"},
}

var hostKeys = []Key{
	{Path: "sdr.imm", Kind: KindSplit,
		Doc: "split of the 32-bit immediate; default: 10+18+4, or what fits the message"},
	{Path: "sdr.channels", Kind: schemes.KindCount, Default: "8", Min: 1, Max: 4096,
		Doc: "channels of a generation, over which packets go in turn"},
	{Path: "sdr.generations", Kind: schemes.KindCount, Default: "4", Min: 1, Max: 1024,
		Doc: "generations of message ids, by which late packets are told"},
	{Path: "sdr.recv_depth", Kind: schemes.KindCount, Min: 1, Max: 1 << 21,
		Doc: "messages whose receives are posted ahead; default: twice message.in_flight"},
	{Path: "nic.workers", Kind: schemes.KindCount, Default: "16", Min: 1, Max: 4096,
		Doc: "workers of a NIC that handle completions"},
	{Path: "nic.per_packet", Kind: KindDuration, Default: "0s", Max: 1,
		Doc: "time of a worker for a packet"},
	{Path: "nic.per_chunk", Kind: KindDuration, Default: "0s", Max: 1,
		Doc: "more time for the packet that completes a chunk"},
	{Path: "nic.repost", Kind: KindDuration, Default: "0s", Max: 1,
		Doc: "time to post a receive again"},
	{Path: "nic.qps", Kind: schemes.KindCount, Default: "1", Min: 1, Max: 4096,
		Doc: "connections that share NIC and link, each with message.count messages of its own"},
	{Path: "engine.runs", Kind: KindRuns, Default: RunsUnlimited, Min: 1,
		Doc: "packets that are handled as one; never changes a result, 1 is slow"},
	{Path: "payload", Kind: schemes.KindChoice, Default: spec.PayloadVirtual,
		Choices: []string{spec.PayloadVirtual, spec.PayloadReal},
		Doc:     "track which packets exist, or move, code and compare real bytes"},
	{Path: "samples", Kind: schemes.KindCount, Default: "1000", Min: 1, Max: 1e9, Fixed: true,
		Doc: "replications of each point under each scheme"},
	precisionKey(spec.PrecisionMean, "the mean completion time"),
	precisionKey(spec.PrecisionP50, "the median of it"),
	precisionKey(spec.PrecisionP99, "its p99"),
	precisionKey(spec.PrecisionP999, "its p99.9"),
	precisionKey(spec.PrecisionGoodput, "the goodput"),
	precisionKey(spec.PrecisionLatencyMean, "the mean latency, from posting,"),
	precisionKey(spec.PrecisionLatencyP99, "its p99"),
	precisionKey(spec.PrecisionLatencyP999, "its p99.9"),
	{Path: "samples_max", Kind: schemes.KindCount, Min: 1, Max: 1e9, Fixed: true,
		Doc: "most samples that a precision may take; default: 64 times samples"},
	{Path: "acceleration.sampling", Kind: schemes.KindChoice, Default: spec.SamplingAuto,
		Choices: []string{spec.SamplingAuto, spec.SamplingStrata, spec.SamplingTilt,
			spec.SamplingNone}, Fixed: true,
		Doc: "how samples of one message meet iid losses: strata runs what loses nothing once and " +
			"samples the rest, tilt exaggerates losses, none takes them as they come; auto: strata " +
			"below a 90 % chance of a loss, and for codes that fail in less than 10 %. " +
			"`acceleration: word` is short for it"},
	{Path: "acceleration.tilt", Kind: schemes.KindNumber, Default: "1", Min: 1, Max: 1e6, Fixed: true,
		Doc: "for the tail: samples in turn lose data with 1, tilt, tilt^2, .. times the " +
			"probability, and are weighted; 1: no. iid losses, one message"},
	{Path: "acceleration.levels", Kind: schemes.KindCount, Default: "3", Min: 2, Max: 16,
		Fixed: true, Doc: "how many probabilities the samples take in turn"},
	{Path: "seed", Kind: KindSeed, Default: "1", Fixed: true,
		Doc: "seed of every random stream"},
}

// Structured are the keys that hold more than a word.
var Structured = []Key{
	{Path: "link.loss.drops", Kind: KindList, Fixed: true,
		Doc: "script: {message: 0, first, last, transmission: 1 or every} of what is dropped"},
	{Path: "link.ack_loss.drops", Kind: KindList, Fixed: true,
		Doc: "script: {first, last} of the control packets that are dropped, from 0"},
	{Path: OutagesPath, Kind: KindList, Fixed: true,
		Doc: "{at: 10ms, for: 2ms, every: 50ms} of when the link is down, in both directions; " +
			"sweep link.outages.0.for and the like"},
	{Path: ChangesPath, Kind: KindList, Fixed: true,
		Doc: "{at: 10ms, loss, delay, bandwidth} of what the link is from some time on; sweep " +
			"link.changes.0.delay and the like"},
	{Path: PathsPath, Kind: KindList, Fixed: true,
		Doc: "{delay, weight: 1, loss} of each path of data, where there are several; sweep " +
			"link.paths.0.delay and the like"},
	{Path: HopsPath, Kind: KindList, Fixed: true,
		Doc: "{hop: 0, distance, ...} of each hop that is not as link: any key of it but mtu, " +
			"encapsulation, outages, changes and paths"},
	{Path: FlowsPath, Kind: KindList, Fixed: true,
		Doc: "{pattern}, or {from, to}, with size, scheme and start, of the connections that share a " +
			"network; default: one from each west[i] to east[i]; sweep flows.0.size and the like"},
	{Path: TrafficPath, Kind: KindList, Fixed: true,
		Doc: "{at: border, model, load, packet: 1500B, on} of what else passes a network; sweep " +
			"traffic.0.load and the like"},
	{Path: "schemes", Kind: KindList, Fixed: true,
		Doc: "names, or {name, label, parameters}; required"},
	{Path: "sweep", Kind: KindMapping, Fixed: true,
		Doc: "paths with a list, or {from, to} with points and scale, step or factor; zip, points, " +
			"exclude"},
	{Path: "figures", Kind: KindList, Fixed: true, Doc: "what to draw, each as below"},
	{Path: "check", Kind: KindList, Fixed: true,
		Doc: "what sdrsim check holds the results to, each as below"},
}

// spreadKeys are the keys of jitter and of several paths that are words.
var spreadKeys = []Key{
	{Path: "link.jitter.model", Kind: schemes.KindChoice, Default: spec.JitterNone,
		Choices: []string{spec.JitterNone, spec.JitterUniform, spec.JitterNormal,
			spec.JitterGamma, spec.JitterPareto},
		Doc: "what the extra delay of each packet is drawn from, both ways"},
	{Path: "link.jitter.spread", Kind: schemes.KindSpan, Max: MaxSpanSeconds,
		Doc: "mean of the extra delay: uniform is even from 0 to twice that, normal has a third of it " +
			"for its deviation, gamma is of shape 2, pareto (Lomax) of index 3"},
	{Path: "link.jitter.ordered", Kind: schemes.KindChoice, Default: "false",
		Choices: []string{"true", "false"},
		Doc:     "packets do not overtake each other: who would waits for the one before"},
	{Path: "link.spread", Kind: schemes.KindChoice, Default: spec.SpreadPacket,
		Choices: []string{spec.SpreadPacket, spec.SpreadFlowlet, spec.SpreadMessage},
		Doc: "what stays together on one of several paths: nothing, packets without a gap, or a " +
			"message"},
	{Path: "link.flowlet_gap", Kind: schemes.KindSpan, Max: MaxSpanSeconds,
		Doc: "silence after which a flowlet may take another path; default: what the longest path is " +
			"longer than the shortest, so that nothing is reordered"},
}

// precisionKey is the key of a precision.
func precisionKey(quantity, name string) Key {
	return Key{Path: "precision." + quantity, Kind: KindShare, Min: 1e-6, Max: 1, Fixed: true,
		Doc: "samples are doubled until the interval of " + name + " is within so much of it, " +
			"each way"}
}
