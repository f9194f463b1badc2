package scenarios

import (
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// checkFlows wants flows between hosts that exist.
func checkFlows(d point, f *faults) {
	if at := d.networkAt[flowsPath]; at != (pos{}) && !d.hasFlows() {
		f.add(at, "must have at least one flow; without the key there is one from each west[i] to "+
			"east[i]", Error{Key: flowsPath})
		return
	}
	n := d.get("network.hosts")
	whole := n.has()
	for i := range d.events {
		if e := &d.events[i]; e.list == flowsPath {
			whole = checkFlow(d, e, f) && whole
		}
	}
	if whole {
		checkPairs(d, f)
	}
}

// hasFlows reports whether the list of flows has entries, or some that could not be read.
func (d point) hasFlows() bool {
	for i := range d.events {
		if d.events[i].list == flowsPath {
			return true
		}
	}
	return d.flowsBroken
}

// checkFlow wants one way to say which hosts an entry joins; false after a fault.
func checkFlow(d point, e *eventDraft, f *faults) bool {
	pattern, from, to := e.get("pattern"), e.get("from"), e.get("to")
	if size, model := e.get("size"), d.get("message.size.model"); size.wrote() && model.has() &&
		model.text != spec.SizeFixed {
		f.blame("goes with messages of one size, not with message.size.model %s",
			[]any{model.text}, size, model)
	}
	if pattern.state != absent {
		for _, s := range []*setting{from, to} {
			if s.state != absent {
				f.blame("must not be given beside pattern, which says it", nil, s)
				return false
			}
		}
		return pattern.has()
	}
	if from.state == absent && to.state == absent {
		f.add(from.at, "must have a pattern, or from and to", Error{Key: e.path})
		return false
	}
	eventNeeds(e, "from", f)
	eventNeeds(e, "to", f)
	if !usable(from, to) {
		return false
	}
	return checkEnds(d, e, f)
}

// checkEnds wants the hosts of an entry to exist, from west to east.
func checkEnds(d point, e *eventDraft, f *faults) bool {
	from, to, n := e.get("from"), e.get("to"), d.get("network.hosts")
	a, _ := parseHosts(from.text)
	b, _ := parseHosts(to.text)
	switch {
	case a.east == b.east:
		f.blame("a flow leads from one side to the other, not from %s to %s",
			[]any{from.text, to.text}, to, from)
		return false
	case a.east:
		f.blame("not yet: a flow leads from west to east", nil, from)
		return false
	case !n.has():
		return false
	}
	ok := true
	for _, s := range []*setting{from, to} {
		if r, _ := parseHosts(s.text); r.last >= int(n.whole) {
			f.blame("there is no host %d: network.hosts %d are numbered 0 to %d",
				[]any{r.last, n.whole, n.whole - 1}, s, n)
			ok = false
		}
	}
	return ok
}

// maxFlows is how many flows a network may have.
const maxFlows = 1 << 16

// checkPairs wants no pair of hosts twice.
func checkPairs(d point, f *faults) {
	n := d.get("network.hosts")
	taken := map[[2]spec.Host]bool{}
	bytes := 0.0
	for one := range d.eachPair(int(n.whole)) {
		ends := [2]spec.Host{one.from, one.to}
		switch {
		case taken[ends]:
			f.blame("the flow from %v to %v is already given", []any{one.from, one.to}, flowKey(one, n))
			return
		case len(taken) == maxFlows:
			f.blame("there must be at most %d flows", []any{maxFlows}, flowKey(one, n))
			return
		}
		taken[ends] = true
		bytes += float64(d.sizeOf(one))
	}
	checkNetworkClock(d, bytes, f)
}

// flowKey is what asks for a flow.
func flowKey(one pair, n *setting) *setting {
	if one.entry == nil {
		return n
	}
	if s := one.entry.get("pattern"); s.has() {
		return s
	}
	return one.entry.get("from")
}

// sizeOf is the size of the messages of a flow; 0 where it is not known.
func (d point) sizeOf(one pair) int64 {
	if one.entry != nil {
		if s := one.entry.get("size"); s.has() {
			return s.whole
		}
	}
	return d.messageSize().whole
}

// checkNetworkClock keeps what all flows send through a border, and a host through its link, inside
// the clock. checkClock counts one flow.
func checkNetworkClock(d point, bytes float64, f *faults) {
	rate, count, access := d.get("link.bandwidth"), d.get("message.count"),
		d.get("network.access.bandwidth")
	size := d.largestSize()
	if !usable(rate, count, size, d.get("network.hosts")) {
		return
	}
	if seconds := 8 * bytes * float64(count.whole) / float64(rate.whole); seconds > maxSendSeconds {
		f.blame("all flows together take more than 11 days of simulated time at link.bandwidth %v, "+
			"the most that there is", []any{units.Rate(rate.whole)}, d.get("network.hosts"), count, size)
	}
	if access.has() &&
		8*float64(size.whole)*float64(count.whole)/float64(access.whole) > maxSendSeconds {
		f.blame("a flow takes more than 11 days of simulated time at that rate, the most that "+
			"there is", nil, access)
	}
}
