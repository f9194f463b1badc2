package spec

import "fmt"

// Doubts are warnings about a point: what a user may not expect of it. They stand beside its
// results.
func (p *Point) Doubts() (list []string) {
	if p.Collective.Kind != "" {
		return nil
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
