package rules

import (
	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// checkFlows wants flows between hosts that exist.
func checkFlows(d point, f *format.Faults) {
	if at := d.NetworkAt[keys.FlowsPath]; at != (format.Pos{}) && !d.hasFlows() {
		f.Add(at, "must have at least one flow; without the key there is one from each west[i] to "+
			"east[i]", format.Error{Key: keys.FlowsPath})
		return
	}
	n := d.Get("network.hosts")
	whole := n.Has()
	for i := range d.Events {
		if e := &d.Events[i]; e.List == keys.FlowsPath {
			whole = checkFlow(d, e, f) && whole
		}
	}
	if whole {
		checkPairs(d, f)
	}
}

// hasFlows reports whether the list of flows has entries, or some that could not be read.
func (d point) hasFlows() bool {
	for i := range d.Events {
		if d.Events[i].List == keys.FlowsPath {
			return true
		}
	}
	return d.FlowsBroken
}

// checkFlow wants one way to say which hosts an entry joins; false after a fault.
func checkFlow(d point, e *draft.Entry, f *format.Faults) bool {
	pattern, from, to := e.Get("pattern"), e.Get("from"), e.Get("to")
	if size, model := e.Get("size"), d.Get("message.size.model"); size.Wrote() && model.Has() &&
		model.Text != spec.SizeFixed {
		f.Blame("goes with messages of one size, not with message.size.model %s",
			[]any{model.Text}, size, model)
	}
	if pattern.State != keys.Absent {
		for _, s := range []*keys.Setting{from, to} {
			if s.State != keys.Absent {
				f.Blame("must not be given beside pattern, which says it", nil, s)
				return false
			}
		}
		return pattern.Has()
	}
	if from.State == keys.Absent && to.State == keys.Absent {
		f.Add(from.At, "must have a pattern, or from and to", format.Error{Key: e.Path})
		return false
	}
	eventNeeds(e, "from", f)
	eventNeeds(e, "to", f)
	if !keys.Usable(from, to) {
		return false
	}
	return checkEnds(d, e, f)
}

// checkEnds wants the hosts of an entry to exist, from west to east.
func checkEnds(d point, e *draft.Entry, f *format.Faults) bool {
	from, to, n := e.Get("from"), e.Get("to"), d.Get("network.hosts")
	a, _ := keys.ParseHosts(from.Text)
	b, _ := keys.ParseHosts(to.Text)
	switch {
	case a.East == b.East:
		f.Blame("a flow leads from one side to the other, not from %s to %s",
			[]any{from.Text, to.Text}, to, from)
		return false
	case a.East:
		f.Blame("not yet: a flow leads from west to east", nil, from)
		return false
	case !n.Has():
		return false
	}
	ok := true
	for _, s := range []*keys.Setting{from, to} {
		if r, _ := keys.ParseHosts(s.Text); r.Last >= int(n.Whole) {
			f.Blame("there is no host %d: network.hosts %d are numbered 0 to %d",
				[]any{r.Last, n.Whole, n.Whole - 1}, s, n)
			ok = false
		}
	}
	return ok
}

// maxFlows is how many flows a network may have.
const maxFlows = 1 << 16

// checkPairs wants no pair of hosts twice.
func checkPairs(d point, f *format.Faults) {
	n := d.Get("network.hosts")
	taken := map[[2]spec.Host]bool{}
	bytes := 0.0
	for one := range d.eachPair(int(n.Whole)) {
		ends := [2]spec.Host{one.from, one.to}
		switch {
		case taken[ends]:
			f.Blame("the flow from %v to %v is already given", []any{one.from, one.to}, flowKey(one, n))
			return
		case len(taken) == maxFlows:
			f.Blame("there must be at most %d flows", []any{maxFlows}, flowKey(one, n))
			return
		}
		taken[ends] = true
		bytes += float64(d.sizeOf(one))
	}
	checkNetworkClock(d, bytes, f)
}

// flowKey is what asks for a flow.
func flowKey(one pair, n *keys.Setting) *keys.Setting {
	if one.entry == nil {
		return n
	}
	if s := one.entry.Get("pattern"); s.Has() {
		return s
	}
	return one.entry.Get("from")
}

// sizeOf is the size of the messages of a flow; 0 where it is not known.
func (d point) sizeOf(one pair) int64 {
	if one.entry != nil {
		if s := one.entry.Get("size"); s.Has() {
			return s.Whole
		}
	}
	return d.messageSize().Whole
}

// checkNetworkClock keeps what all flows send through a border, and a host through its link, inside
// the clock. checkClock counts one flow.
func checkNetworkClock(d point, bytes float64, f *format.Faults) {
	rate, count, access := d.Get("link.bandwidth"), d.Get("message.count"),
		d.Get("network.access.bandwidth")
	size := d.largestSize()
	if !keys.Usable(rate, count, size, d.Get("network.hosts")) {
		return
	}
	seconds := 8 * bytes * float64(count.Whole) / float64(rate.Whole)
	if seconds > keys.MaxSendSeconds {
		f.Blame("all flows together take more than 11 days of simulated time at link.bandwidth %v, "+
			"the most that there is", []any{units.Rate(rate.Whole)}, d.Get("network.hosts"), count, size)
	}
	if access.Has() &&
		8*float64(size.Whole)*float64(count.Whole)/float64(access.Whole) > keys.MaxSendSeconds {
		f.Blame("a flow takes more than 11 days of simulated time at that rate, the most that "+
			"there is", nil, access)
	}
}
