package scenarios

import (
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// size is the size of a message: message.size, or the part of it that a collective sends.
func (d point) size() int64 {
	size, n := d.largestSize().whole, d.get("collective.datacenters")
	if !n.has() {
		return size
	}
	c := spec.Collective{Datacenters: int(n.whole)}
	return int64(c.Part(units.Bytes(size)))
}

// turns is how many messages follow each other on the link: rounds of a collective, or a stream.
func (d point) turns() int64 {
	if n := d.get("collective.datacenters"); n.has() {
		return int64(spec.Collective{Datacenters: int(n.whole)}.Rounds())
	}
	return d.get("message.count").whole
}

// collective builds the operation of a draft that has been checked; its Kind is empty where there
// is none.
func (d point) collective(link spec.Link) spec.Collective {
	if !d.ring() {
		return spec.Collective{}
	}
	c := spec.Collective{
		Kind: d.get("collective.kind").text, Datacenters: d.count("collective.datacenters"),
	}
	c.Hops = make([]spec.Link, c.Datacenters)
	for i := range c.Hops {
		c.Hops[i] = link
	}
	for _, h := range d.hops {
		c.Hops[h.number()] = d.onHop(h).link()
	}
	return c
}

// checkCollective wants a whole operation, and nothing that a single operation cannot have.
func checkCollective(d point, f *faults) {
	if !d.ring() {
		return
	}
	for _, path := range []string{"collective.kind", "collective.datacenters"} {
		if s := d.get(path); s.state == absent {
			k := d.key(path)
			f.add(s.at, "missing; must be "+k.Allowed(), Error{Key: s.name})
		}
	}
	for _, path := range []string{"message.count", "message.in_flight"} {
		if s := d.get(path); s.has() && s.whole != 1 {
			f.blame("must be 1 beside a collective, which sends one part after the other over "+
				"each hop", nil, s)
		}
	}
	checkRounds(d, f)
	for _, h := range d.hops {
		checkHop(d, h, f)
	}
}

// checkRounds keeps the rounds of an operation inside the clock. Each takes a round trip at least.
func checkRounds(d point, f *faults) {
	n := d.get("collective.datacenters")
	if !n.has() || !d.timed() {
		return
	}
	if rounds := d.turns(); float64(rounds)*2*d.delay().Seconds() > maxSendSeconds {
		f.blame("%d rounds of a round trip of %v take more than 11 days of simulated time, the "+
			"most that there is", []any{rounds, 2 * d.delay()}, n, d.get("link.distance"),
			d.get("link.rtt"), d.get("link.delay"))
	}
}

// hopChecks are the rules that a hop can break where the link does not.
var hopChecks = []func(d point, f *faults){
	checkPropagation, checkLoss, checkAckLoss, checkSchemes, checkClock, checkRounds, checkDrops,
}

// checkHop wants a hop to be one of the ring, and its link to be whole.
func checkHop(d point, h *hopDraft, f *faults) {
	number, n := h.get("hop"), d.get("collective.datacenters")
	if !usable(number, n) {
		return
	}
	if number.whole >= n.whole {
		f.blame("there is no hop %d: those of %d datacenters are 0 to %d",
			[]any{number.whole, n.whole, n.whole - 1}, number, n)
		return
	}
	c := d.onHop(h)
	for _, rule := range hopChecks {
		rule(c, f)
	}
}
