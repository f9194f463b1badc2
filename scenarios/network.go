package scenarios

import (
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// pair is a flow before it is built: its ends, and the entry that it comes from; nil: the default.
type pair struct {
	from, to spec.Host
	entry    *eventDraft
}

// eachPair yields the flows in the order of the file, and within an entry by from, then by to.
func (d point) eachPair(n int) func(yield func(pair) bool) {
	return func(yield func(pair) bool) {
		if (d.networkAt[flowsPath] == pos{}) {
			patternPairs(PatternPairs, n, nil, yield)
			return
		}
		for i := range d.events {
			if e := &d.events[i]; e.list == flowsPath && !pairsOf(e, n, yield) {
				return
			}
		}
	}
}

// pairsOf yields the flows of an entry; false where there is to be no more.
func pairsOf(e *eventDraft, n int, yield func(pair) bool) bool {
	if p := e.get("pattern"); p.has() {
		return patternPairs(p.text, n, e, yield)
	}
	from, ok := parseHosts(e.get("from").text)
	to, ok2 := parseHosts(e.get("to").text)
	if !ok || !ok2 {
		return true
	}
	for _, a := range from.of(n) {
		for _, b := range to.of(n) {
			if !yield(pair{a, b, e}) {
				return false
			}
		}
	}
	return true
}

// patternPairs yields the flows of a pattern among n hosts on either side.
func patternPairs(pattern string, n int, e *eventDraft, yield func(pair) bool) bool {
	for i := range n {
		first, last := i, i // the hosts that west[i] sends to
		switch pattern {
		case PatternIncast:
			first, last = 0, 0
		case PatternPermutation:
			first, last = (i+1)%n, (i+1)%n
		case PatternAllToAll:
			first, last = 0, n-1
		}
		for k := first; k <= last; k++ {
			if !yield(pair{spec.Host{Index: i}, spec.Host{East: true, Index: k}, e}) {
				return false
			}
		}
	}
	return true
}

// addNetwork builds the network of a draft that has been checked, with what shares it.
func (d point) addNetwork(p *spec.Point) {
	if !d.networked() {
		return
	}
	p.Network = spec.Network{
		Kind: d.get("network.kind").text, Hosts: d.count("network.hosts"),
		Access: spec.Access{Bandwidth: p.Link.Bandwidth, Delay: d.duration("network.access.delay")},
		Queue:  spec.Queue{Buffer: d.bytes("network.queue.buffer")},
	}
	if rate := d.get("network.access.bandwidth"); rate.has() {
		p.Network.Access.Bandwidth = units.Rate(rate.whole)
	}
	if kmax := d.get("network.queue.ecn.kmax"); kmax.has() {
		e := spec.ECN{KMin: units.Bytes(kmax.whole), KMax: units.Bytes(kmax.whole),
			PMax: d.get("network.queue.ecn.pmax").number}
		if kmin := d.get("network.queue.ecn.kmin"); kmin.has() {
			e.KMin = units.Bytes(kmin.whole)
		}
		p.Network.Queue.ECN = e
	}
	p.Network.Queue.Priority = d.get("network.queue.priority").text == "true"
	for one := range d.eachPair(p.Network.Hosts) {
		p.Flows = append(p.Flows, one.flow(p.Message.Size))
	}
	for i := range d.events {
		if e := &d.events[i]; e.list == trafficPath {
			p.Traffic = append(p.Traffic, trafficOf(e))
		}
	}
}

// flow builds a flow of messages of a size, unless its entry has another.
func (one pair) flow(size units.Bytes) spec.Flow {
	f := spec.Flow{Name: one.from.String() + "-" + one.to.String(), From: one.from, To: one.to,
		Size: size}
	e := one.entry
	if e == nil {
		return f
	}
	if own := e.get("size"); own.has() {
		f.Size = units.Bytes(own.whole)
	}
	f.Start = units.Duration(e.get("start").whole)
	if e.scheme != nil {
		s := e.scheme.build()
		f.Scheme = &s
	}
	return f
}

// trafficOf builds an entry of cross traffic.
func trafficOf(e *eventDraft) spec.Traffic {
	t := spec.Traffic{East: e.get("at").text == atEast, Model: e.get("model").text,
		Load: e.get("load").number, Packet: units.Bytes(e.get("packet").whole)}
	if t.Model == spec.TrafficOnOff {
		t.On = units.Duration(e.get("on").whole)
	}
	return t
}
