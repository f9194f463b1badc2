package spec

import "sdrsim/units"

// Link is both directions of the connection between two datacenters.
type Link struct {
	Bandwidth units.Rate
	// ReverseBandwidth is the rate of the way back, that of the way out by default.
	ReverseBandwidth units.Rate
	// Delay is the one-way propagation delay; the round-trip time is twice that.
	Delay units.Duration
	// MTU is the payload of a full packet, Overhead what the encapsulation adds to each on the wire.
	MTU           units.Bytes
	Encapsulation string
	Overhead      units.Bytes
	Loss          Loss // of data, on the way out
	AckLoss       Loss // of control packets, on the way back, per packet
	// Outages are when both directions are down, Changes what becomes of them, at rising times.
	Outages []Outage
	Changes []Change
	// Jitter delays packets both ways. Paths are those of data where there are several, spread as
	// Spread says; FlowletGap is what ends a flowlet.
	Jitter     Jitter
	Paths      []Path
	Spread     string
	FlowletGap units.Duration
}

// Outage is a time in which a link is down: from At, For so long, and again Every so often; Every
// 0: once.
type Outage struct {
	At         units.Time
	For, Every units.Duration
}

// Change is what a link is from some time on, until the next change.
type Change struct {
	At                          units.Time
	Bandwidth, ReverseBandwidth units.Rate
	Delay                       units.Duration
	// Loss and AckLoss are as they were before where they have no model.
	Loss, AckLoss Loss
}

// Steady tells that nothing happens to the link in time.
func (l *Link) Steady() bool { return len(l.Outages) == 0 && len(l.Changes) == 0 }

// RTT is the propagation delay there and back.
func (l Link) RTT() units.Duration { return 2 * l.Delay }

// Loss models by name.
const (
	LossNone           = "none"
	LossIID            = "iid"
	LossGilbertElliott = "gilbert-elliott"
	LossScript         = "script"
	LossTraced         = "trace"
)

// Units of loss.
const (
	PerPacket = "packet"
	PerChunk  = "chunk"
)

// Loss is a loss model with its parameters.
type Loss struct {
	Model string
	// Per is the unit of loss: PerPacket or PerChunk.
	Per string
	// P is the probability of loss of a unit (iid).
	P float64
	// Gilbert-Elliott: from good to bad (GoodBad), from bad to good (BadGood), and the probability
	// that a unit is lost in each state.
	GoodBad, BadGood, LossGood, LossBad float64
	// Burst and Share replace the first two where the chain moves in time, as it does unless it has no
	// memory: its mean stay in the bad state, and the part of the time that it is there. Burst 0: it
	// moves by the unit.
	Burst units.Duration
	Share float64
	// Drops is what a script drops.
	Drops []Drop
	// Trace is what a file of losses says, shared by all points that name it.
	Trace *LossTrace
}

// Mean is the part of what is sent that is lost in the long run; 0 for scripts and
// traces, which drop what they list.
func (l Loss) Mean() float64 {
	switch l.Model {
	case LossIID:
		return l.P
	case LossGilbertElliott:
		bad := l.BadShare()
		return float64(bad*l.LossBad) + float64((1-bad)*l.LossGood)
	}
	return 0
}

// BadShare is the part of the time, or of the units, in the bad state.
func (l Loss) BadShare() float64 {
	switch {
	case l.Burst != 0:
		return l.Share
	case l.GoodBad == 0:
		return 0
	}
	return l.GoodBad / (l.GoodBad + l.BadGood)
}

// Drop names packets (or chunks, by the unit of the loss model) that a script drops: the units
// First..Last of message Message (from 0, in order of posting), at their Transmission-th
// transmission (from 1; 0: every one). For control packets Message and Transmission are ignored
// and First..Last count the control packets of the link from 0.
type Drop struct {
	Message      int64
	First, Last  int64
	Transmission int64
}

// Models of jitter; see link.JitterModel.
const (
	JitterNone    = "none"
	JitterUniform = "uniform"
	JitterNormal  = "normal"
	JitterGamma   = "gamma"
	JitterPareto  = "pareto"
)

// What stays together on one of several paths; see link.SpreadBy.
const (
	SpreadPacket  = "packet"
	SpreadFlowlet = "flowlet"
	SpreadMessage = "message"
)

// Jitter is what delays packets beyond the propagation delay; without a model nothing does.
type Jitter struct {
	Model   string
	Spread  units.Duration
	Ordered bool
}

// Path is one of several that data takes.
type Path struct {
	Delay  units.Duration
	Weight float64
	Loss   Loss
}

// Even reports whether packets arrive as they were sent: over one path, and without jitter.
func (l *Link) Even() bool { return l.Jitter.Model == "" && len(l.Paths) == 0 }

// Even is that of the link of a point, or of all hops of its collective.
func (p *Point) Even() bool {
	for i := range p.Collective.Hops {
		if !p.Collective.Hops[i].Even() {
			return false
		}
	}
	return p.Link.Even()
}
