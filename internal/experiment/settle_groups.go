package experiment

import (
	"sdrsim/internal/spec"
	"sdrsim/link"
	"sdrsim/schemes"
	"sdrsim/schemes/catalog"
)

// Strata of the samples of a scheme whose chunks repair each other, by number.
const (
	StratumBorne   = int(link.StratumData)    // losses of data alone, which all groups bear
	StratumFailing = int(link.StratumFailing) // losses that a group does not bear
)

// mostGrouped is how many chunks a message may have to be divided into groups, which take memory.
const mostGrouped = 1 << 18

// groupsOf are the strata of a scheme whose chunks repair each other in groups; nil where they do
// not, or where a message that loses all that its groups bear is not simply later: it is run once,
// to see by how much, and what else it draws meanwhile.
func groupsOf(p *spec.Point, s *spec.Scheme, clean *drawn) (*spec.Strata, error) {
	factory, err := catalog.Build(s.Name, s.Params)
	if err != nil || factory.Groups == nil || p.Message.Chunks() > mostGrouped {
		return nil, err
	}
	list, err := factory.Groups(p.Message.Size, p.Message.Chunk, p.Link.MTU)
	if err != nil {
		return nil, err
	}
	groups := drawsOfGroups(list, p)
	burdened, err := drawsOf(p, s, link.Burden(groups))
	if err != nil {
		return nil, err
	}
	if !simple(&clean.sample) || !simple(&burdened.sample) ||
		burdened.data.First != allDraws(groups) || clean.data.First > burdened.data.First {
		return nil, nil
	}
	data, control := burdened.data, burdened.control
	control.First = max(control.First, clean.control.First)
	strata, err := link.NewStrata(data, control)
	if err != nil {
		return nil, nil
	}
	by := &spec.Strata{Data: data.First, Control: control.First, Groups: list,
		Borne: max(0, burdened.sample.Completion[0]-clean.sample.Completion[0])}
	if penalty := Penalty(p, s); penalty > 0 {
		by.Ease = min(1, float64(by.Borne)/float64(penalty))
	}
	if !strata.Divide(groups, by.Ease) {
		return nil, nil
	}
	by.Shares = strata.Shares()
	return by, nil
}

// simple tells that a message was delivered without repeats.
func simple(s *Sample) bool {
	return s.Failed == 0 && s.Retransmits == 0 && s.Fallbacks == 0 && s.Timeouts == 0
}

// drawsOfGroups are groups by what the losses of a point are drawn for: packets, or whole chunks.
func drawsOfGroups(list []schemes.Group, p *spec.Point) []link.Group {
	groups := make([]link.Group, len(list))
	for i, g := range list {
		groups[i].Bears = g.Bears
		for _, c := range g.Chunks {
			u := link.Unit{First: c.Packet, Draws: c.Packets}
			if p.Link.Loss.Per == spec.PerChunk {
				u = link.Unit{First: c.Chunk, Draws: 1}
			}
			groups[i].Units = append(groups[i].Units, u)
		}
	}
	return groups
}

// allDraws is how many draws groups have together.
func allDraws(groups []link.Group) (n int64) {
	for _, g := range groups {
		for _, u := range g.Units {
			n += u.Draws
		}
	}
	return n
}
