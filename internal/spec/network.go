package spec

import (
	"fmt"

	"sdrsim/units"
)

// Kinds of networks.
const NetworkDumbbell = "dumbbell"

// Network is what lies between hosts; its Kind is empty where the link of the scenario joins two
// NICs and nothing else.
//
// A dumbbell has Hosts on either side, west and east, each with an access link of its own to the
// border of its side. The borders are joined by the link of the scenario. Every egress port has a
// queue: that of a border towards the link, and that towards each host.
type Network struct {
	Kind   string
	Hosts  int // on each side
	Access Access
	Queue  Queue
}

// Access is the link between a host and the border of its side, both ways.
type Access struct {
	Bandwidth units.Rate
	Delay     units.Duration
}

// Queue is what an egress port holds, and when it marks.
type Queue struct {
	Buffer units.Bytes
	ECN    ECN
	// Priority has acknowledgements go before data that waits.
	Priority bool
}

// ECN marks packets by the backlog that they meet: never up to KMin, with a probability that grows
// to PMax at KMax, and always beyond; KMin equal to KMax is a step. KMax 0: never.
type ECN struct {
	KMin, KMax units.Bytes
	PMax       float64
}

// Flow is a connection between two hosts of a network, with messages of its own.
type Flow struct {
	// Name is that of results, such as west[0]-east[3].
	Name     string
	From, To Host
	// Size is that of its messages, Scheme what it runs on; nil: the scheme under test.
	Size   units.Bytes
	Scheme *Scheme
	// Start is when it posts its first message.
	Start units.Duration
}

// Host is one of a side, from 0.
type Host struct {
	East  bool
	Index int
}

// Models of cross traffic.
const (
	TrafficConstant = "constant" // at equal distances
	TrafficPoisson  = "poisson"  // at random, independently of each other
	TrafficOnOff    = "on-off"   // at the rate of the link for On, nothing for Off, both exponential
)

// Traffic is packets without a protocol that pass one queue and are gone.
type Traffic struct {
	// East tells the border whose queue it passes.
	East  bool
	Model string
	// Load is its mean rate as a share of the rate of the queue.
	Load   float64
	Packet units.Bytes // on the wire
	// On is the mean length of a burst of TrafficOnOff.
	On units.Duration
}

// String is the name of a host, such as east[3].
func (h Host) String() string {
	side := "west"
	if h.East {
		side = "east"
	}
	return fmt.Sprintf("%s[%d]", side, h.Index)
}
