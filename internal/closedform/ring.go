package closedform

import (
	"fmt"
	"reflect"

	"sdrsim/internal/spec"
	"sdrsim/schemes/model"
)

// ringForm is the form of a collective: that of a round on the slowest hop. Every hop sends its
// rounds one after the other, so that the operation takes on average at least the rounds times the
// mean of any of them. arXiv:2505.05366 §4.2, appendix
func ringForm(p *spec.Point, s *spec.Scheme) Form {
	var slowest Form
	most := 0.0
	for i := range p.Collective.Hops {
		if i > 0 && reflect.DeepEqual(p.Collective.Hops[i], p.Collective.Hops[i-1]) {
			continue
		}
		hop := hopOf(p, i)
		f := Of(&hop, s)
		if f.form.Formula != nil {
			rounds := p.Collective.Rounds() * p.Collective.Datacenters
			f.form.Formula = f.form.Among(int64(rounds))
		}
		v := f.Mean()
		if v.Validity == model.NotApplicable {
			return none(fmt.Sprintf("hop %d: %s", i, v.Why))
		}
		if v.Seconds > most {
			slowest, most = f, v.Seconds
		}
	}
	slowest.ring = int64(p.Collective.Datacenters)
	return slowest
}

// hopOf is a point with the part of a collective that one hop carries in a round.
func hopOf(p *spec.Point, i int) spec.Point {
	hop := *p
	hop.Link = p.Collective.Hops[i]
	hop.Message.Size = p.Collective.Part(p.Message.Size)
	hop.Collective = spec.Collective{}
	return hop
}
