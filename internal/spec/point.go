package spec

import (
	"sdrsim/schemes"
	"sdrsim/units"
	"sdrsim/wire"
)

// Point is one combination of swept values, resolved: every default filled in, every value
// checked. It is all that an experiment needs to know.
type Point struct {
	// Index is the position in the sweep, from 0; Key names the point by its swept values and does
	// not change when other values are added to the sweep.
	Index int
	Key   string
	// Axes are the swept paths of the scenario with the values that make this point.
	Axes []AxisValue
	// Varied are the settings that the sweep changes, in order of their paths: those of the axes, and
	// one by one what a named point sets.
	Varied  []AxisValue
	Link    Link
	Message Message
	SDR     SDR
	NIC     NIC
	// Submission is what it costs to start messages.
	Submission Submission
	Engine     Engine
	// Collective is the collective operation that the message is the buffer of; its Kind is empty
	// for a message from one datacenter to another.
	Collective Collective
	// Storage are file operations in place of messages.
	Storage Storage
	// Training is a training step in place of messages.
	Training Training
	// Workload is what ranks do in place of messages.
	Workload Workload
	// Network is what lies between hosts, Flows the connections that share it, and Traffic what else
	// passes it; without a network there is one connection over the link.
	Network Network
	Flows   []Flow
	Traffic []Traffic
	// Tilts are the factors by which tail acceleration exaggerates the loss of data, sample by
	// sample in turn; empty: plain sampling.
	Tilts []float64
	// Sampling is what the file says of how samples meet losses, SamplingAuto or another of those;
	// empty: as they come, or by Tilts. A Plan says what it means for a scheme.
	Sampling string
	// Payload is PayloadVirtual or PayloadReal.
	Payload string
	// Schemes run on the same losses, in the order of the scenario.
	Schemes []Scheme
	Samples int
	// Precision is how tight intervals shall be: Samples are then doubled until they are,
	// up to SamplesMax. Without it Samples are run, no more.
	Precision  []Precision
	SamplesMax int
	Seed       uint64
}

// Precision asks for an interval whose half width is at most Relative of the value.
type Precision struct {
	Quantity string // PrecisionMean or another of those
	Relative float64
}

// Quantities that a precision can be asked of.
const (
	PrecisionMean    = "completion_mean"
	PrecisionP50     = "completion_p50"
	PrecisionP99     = "completion_p99"
	PrecisionP999    = "completion_p999"
	PrecisionGoodput = "goodput"

	PrecisionLatencyMean = "latency_mean"
	PrecisionLatencyP99  = "latency_p99"
	PrecisionLatencyP999 = "latency_p999"
)

// Ways for samples to meet losses.
const (
	SamplingAuto   = "auto"   // strata where they apply and help, else none
	SamplingStrata = "strata" // the sample without loss once, all others where losses are
	SamplingTilt   = "tilt"   // exaggerated losses, weighted
	SamplingNone   = "none"   // as they come
)

// Plan is how the samples of a scheme at a point meet losses: as they come, exaggerated by Tilts in
// turn, or divided into Strata by what they lose.
type Plan struct {
	Tilts  []float64
	Strata *Strata
}

// Strata are what stratified samples are drawn by: how many losses of data and of control packets
// are drawn for a message without loss, and the probability of each stratum. Where Groups of chunks
// repair each other, there is a stratum of losses that one of them does not bear; those that all
// bear delay a message by at most Borne, which is Ease over what others may cost.
type Strata struct {
	Data, Control int64
	Shares        []float64
	Groups        []schemes.Group
	Borne         units.Duration
	Ease          float64
}

// Payload modes.
const (
	PayloadVirtual = "virtual" // track which packets exist
	PayloadReal    = "real"    // move, code, decode and compare real bytes
)

// AxisValue is one swept value of a point.
type AxisValue struct {
	Path string // as in the scenario, such as link.loss.p
	Text string // as a table shows it: a plain SI number, or a word
	// Number is the value in SI base units (bytes, bit/s, seconds, metres); NaN for words.
	Number float64
}

// Message is the workload: Count messages, of which InFlight are under way at a time.
type Message struct {
	// Size is that of every message, and of the largest where Sizes says how they differ.
	Size     units.Bytes
	Chunk    units.Bytes
	Count    int
	InFlight int
	// Sizes is what the sizes of messages are drawn from; nil: all are of Size.
	Sizes *Sizes
	// Arrival is when messages are posted; nil: all at the start.
	Arrival *Arrival
	// Deadline is the latency up to which a message is in time; 0: nobody asks.
	Deadline units.Duration
}

// Chunks is the number of chunks in a message; the last may be shorter.
func (m Message) Chunks() int64 { return int64(units.CeilDiv(m.Size, m.Chunk)) }

// AllReduce is the ring all-reduce, the one kind of collective.
const AllReduce = "all-reduce"

// Collective is an operation of several datacenters in a ring, each sending to the next. The buffer
// of Message.Size is divided among them; every round sends one part over each hop.
type Collective struct {
	Kind string
	// Datacenters is how many take part, at least two.
	Datacenters int
	// Hops are the links from each datacenter to the next, as many as there are datacenters.
	Hops []Link
}

// Rounds is how many dependent rounds the operation takes: an all-reduce passes every part around
// the ring once to add it up and once to hand it out. arXiv:2505.05366 §4.2
func (c Collective) Rounds() int { return 2 * (c.Datacenters - 1) }

// Part is the size of a message of the collective: the buffer divided among the datacenters.
func (c Collective) Part(buffer units.Bytes) units.Bytes {
	return units.CeilDiv(buffer, units.Bytes(c.Datacenters))
}

// SDR is the configuration of the queue pair.
type SDR struct {
	Split       wire.Split
	Channels    int
	Generations int
	// RecvDepth is how many messages have their receives posted ahead, WantedDepth how many would if
	// there were enough message ids.
	RecvDepth, WantedDepth int
}

// NIC is the cost of handling completions at the receiver.
type NIC struct {
	Workers   int            // workers per NIC; channels are dealt to them round-robin
	PerPacket units.Duration // time a worker spends on one packet
	PerChunk  units.Duration // time it spends more on the packet that completes a chunk
	Repost    units.Duration // time to post a receive again
	// QPs is how many connections share the NIC and the link, each with the messages of the point.
	QPs int
}

// Engine options, which never change a result.
type Engine struct {
	// MaxRun caps the packets of a run; 0 is no cap, 1 handles every packet alone.
	MaxRun int64
}

// Scheme is a reliability scheme by name, with its parameters as the user wrote them, checked
// against the catalog and with defaults filled in.
type Scheme struct {
	Name   string
	Label  string // unique within the scenario; what results call it
	Params schemes.Values
	// Plan is how its samples meet losses; nil: experiment.Settle has not said.
	Plan *Plan
}
