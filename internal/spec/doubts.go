package spec

import "fmt"

// Messages is how many messages a sample has, over all connections.
func (p *Point) Messages() int {
	switch {
	case p.Storage.Operation != "":
		return p.Message.Count
	case p.Training.Parallel != "", p.Workload.Ranks > 0:
		return 1
	case p.Collective.Kind != "":
		return p.Collective.Rounds() * p.Collective.Datacenters
	case p.Network.Kind != "":
		return p.Message.Count * len(p.Flows)
	}
	return p.Message.Count * max(1, p.NIC.QPs)
}

// Plain reports whether the messages of a point are what is simulated, over one link, and not what
// ranks, a collective, the flows of a network, file operations or a training step make of them.
func (p *Point) Plain() bool {
	return p.Collective.Kind == "" && p.Network.Kind == "" && p.Storage.Operation == "" &&
		p.Training.Parallel == "" && p.Workload.Ranks == 0
}

// Single reports whether a sample is one message, which waits for no other.
func (p *Point) Single() bool { return p.Messages() == 1 && p.Message.Arrival == nil }

// Waits reports whether messages may wait between their posting and their first bit, so that their
// latency is more than their completion.
func (p *Point) Waits() bool {
	return p.Collective.Kind == "" && p.Workload.Ranks == 0 && (p.Storage.Operation != "" ||
		p.Message.Count > 1 || p.NIC.QPs > 1 || p.Message.Arrival != nil || p.Submits())
}

// Doubts are warnings about a point: what a user may not expect of it. They stand beside its
// results.
func (p *Point) Doubts() (list []string) {
	if p.Collective.Kind != "" || p.Storage.Operation != "" || p.Workload.Ranks > 0 {
		return nil
	}
	if s := p.Submission; p.Submits() && s.Interval == 0 && p.Messages() > 1 {
		list = append(list, "submission.rate: how many messages can be started in a second by "+s.By+
			" is not known, and not bounded here")
	}
	if under := min(p.Message.InFlight, p.Message.Count); p.SDR.RecvDepth < under {
		list = append(list, fmt.Sprintf("sdr.recv_depth lets %d messages be under way, not the %d of "+
			"message.in_flight", p.SDR.RecvDepth, under))
	}
	if wanted := min(p.SDR.WantedDepth, p.Message.Count); p.SDR.RecvDepth < wanted {
		list = append(list, fmt.Sprintf("the %d message ids of sdr.imm %v are for %d receives posted "+
			"ahead, not for twice message.in_flight: a message that is late holds up those that wait "+
			"for its id", p.SDR.Split.Messages(), p.SDR.Split, p.SDR.RecvDepth))
	}
	return list
}
