package rules

import (
	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// pair is a flow before it is built: its ends, and the entry that it comes from; nil: the default.
type pair struct {
	from, to spec.Host
	entry    *draft.Entry
}

// eachPair yields the flows in the order of the file, and within an entry by from, then by to.
func (d point) eachPair(n int) func(yield func(pair) bool) {
	return func(yield func(pair) bool) {
		if (d.NetworkAt[keys.FlowsPath] == format.Pos{}) {
			patternPairs(keys.PatternPairs, n, nil, yield)
			return
		}
		for i := range d.Events {
			if e := &d.Events[i]; e.List == keys.FlowsPath && !pairsOf(e, n, yield) {
				return
			}
		}
	}
}

// pairsOf yields the flows of an entry; false where there is to be no more.
func pairsOf(e *draft.Entry, n int, yield func(pair) bool) bool {
	if p := e.Get("pattern"); p.Has() {
		return patternPairs(p.Text, n, e, yield)
	}
	from, ok := keys.ParseHosts(e.Get("from").Text)
	to, ok2 := keys.ParseHosts(e.Get("to").Text)
	if !ok || !ok2 {
		return true
	}
	for _, a := range from.Of(n) {
		for _, b := range to.Of(n) {
			if !yield(pair{a, b, e}) {
				return false
			}
		}
	}
	return true
}

// patternPairs yields the flows of a pattern among n hosts on either side.
func patternPairs(pattern string, n int, e *draft.Entry, yield func(pair) bool) bool {
	for i := range n {
		first, last := i, i // the hosts that west[i] sends to
		switch pattern {
		case keys.PatternIncast:
			first, last = 0, 0
		case keys.PatternPermutation:
			first, last = (i+1)%n, (i+1)%n
		case keys.PatternAllToAll:
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
	if !d.Networked() {
		return
	}
	p.Network = spec.Network{
		Kind: d.Get("network.kind").Text, Hosts: d.count("network.hosts"),
		Access: spec.Access{Bandwidth: p.Link.Bandwidth, Delay: d.duration("network.access.delay")},
		Queue:  spec.Queue{Buffer: d.bytes("network.queue.buffer")},
	}
	if rate := d.Get("network.access.bandwidth"); rate.Has() {
		p.Network.Access.Bandwidth = units.Rate(rate.Whole)
	}
	if kmax := d.Get("network.queue.ecn.kmax"); kmax.Has() {
		e := spec.ECN{KMin: units.Bytes(kmax.Whole), KMax: units.Bytes(kmax.Whole),
			PMax: d.Get("network.queue.ecn.pmax").Number}
		if kmin := d.Get("network.queue.ecn.kmin"); kmin.Has() {
			e.KMin = units.Bytes(kmin.Whole)
		}
		p.Network.Queue.ECN = e
	}
	p.Network.Queue.Priority = d.Get("network.queue.priority").Text == "true"
	for one := range d.eachPair(p.Network.Hosts) {
		p.Flows = append(p.Flows, one.flow(p.Message.Size))
	}
	for i := range d.Events {
		if e := &d.Events[i]; e.List == keys.TrafficPath {
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
	if own := e.Get("size"); own.Has() {
		f.Size = units.Bytes(own.Whole)
	}
	f.Start = units.Duration(e.Get("start").Whole)
	if e.Scheme != nil {
		s := e.Scheme.Build()
		f.Scheme = &s
	}
	return f
}

// trafficOf builds an entry of cross traffic.
func trafficOf(e *draft.Entry) spec.Traffic {
	t := spec.Traffic{East: e.Get("at").Text == keys.AtEast, Model: e.Get("model").Text,
		Load: e.Get("load").Number, Packet: units.Bytes(e.Get("packet").Whole)}
	if t.Model == spec.TrafficOnOff {
		t.On = units.Duration(e.Get("on").Whole)
	}
	return t
}
