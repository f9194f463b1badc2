package rules

import (
	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// size is the size of a message: message.size, or the part of it that a collective sends.
func (d point) size() int64 {
	size, n := d.largestSize().Whole, d.Get("collective.datacenters")
	if !n.Has() {
		return size
	}
	c := spec.Collective{Datacenters: int(n.Whole)}
	return int64(c.Part(units.Bytes(size)))
}

// turns is how many messages follow each other on the link: rounds of a collective, or a stream.
func (d point) turns() int64 {
	if n := d.Get("collective.datacenters"); n.Has() {
		return int64(spec.Collective{Datacenters: int(n.Whole)}.Rounds())
	}
	return d.Get("message.count").Whole
}

// collective builds the operation of a draft that has been checked; its Kind is empty where there
// is none.
func (d point) collective(link spec.Link) spec.Collective {
	if !d.Ring() {
		return spec.Collective{}
	}
	c := spec.Collective{
		Kind: d.Get("collective.kind").Text, Datacenters: d.count("collective.datacenters"),
	}
	c.Hops = make([]spec.Link, c.Datacenters)
	for i := range c.Hops {
		c.Hops[i] = link
	}
	for _, h := range d.Hops {
		c.Hops[h.Number()] = d.onHop(h).link()
	}
	return c
}

// checkCollective wants a whole operation, and nothing that a single operation cannot have.
func checkCollective(d point, f *format.Faults) {
	if !d.Ring() {
		return
	}
	for _, path := range []string{"collective.kind", "collective.datacenters"} {
		if s := d.Get(path); s.State == keys.Absent {
			k := d.Key(path)
			f.Add(s.At, "missing; must be "+k.Allowed(), format.Error{Key: s.Name})
		}
	}
	for _, path := range []string{"message.count", "message.in_flight"} {
		if s := d.Get(path); s.Has() && s.Whole != 1 {
			f.Blame("must be 1 beside a collective, which sends one part after the other over "+
				"each hop", nil, s)
		}
	}
	checkRounds(d, f)
	for _, h := range d.Hops {
		checkHop(d, h, f)
	}
}

// checkRounds keeps the rounds of an operation inside the clock. Each takes a round trip at least.
func checkRounds(d point, f *format.Faults) {
	n := d.Get("collective.datacenters")
	if !n.Has() || !d.timed() {
		return
	}
	if rounds := d.turns(); float64(rounds)*2*d.delay().Seconds() > keys.MaxSendSeconds {
		f.Blame("%d rounds of a round trip of %v take more than 11 days of simulated time, the "+
			"most that there is", []any{rounds, 2 * d.delay()}, n, d.Get("link.distance"),
			d.Get("link.rtt"), d.Get("link.delay"))
	}
}

// hopChecks are the rules that a hop can break where the link does not.
var hopChecks = []func(d point, f *format.Faults){
	checkPropagation, checkLoss, checkAckLoss, checkSchemes, checkClock, checkRounds, checkDrops,
}

// checkHop wants a hop to be one of the ring, and its link to be whole.
func checkHop(d point, h *draft.Hop, f *format.Faults) {
	number, n := h.Get("hop"), d.Get("collective.datacenters")
	if !keys.Usable(number, n) {
		return
	}
	if number.Whole >= n.Whole {
		f.Blame("there is no hop %d: those of %d datacenters are 0 to %d",
			[]any{number.Whole, n.Whole, n.Whole - 1}, number, n)
		return
	}
	c := d.onHop(h)
	for _, rule := range hopChecks {
		rule(c, f)
	}
}
