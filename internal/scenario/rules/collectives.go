package rules

import (
	"slices"
	"strings"

	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/internal/workload"
	"sdrsim/units"
)

// collectiveKinds are the workloads that are one operation of all ranks.
func collectiveKinds() (list []workloadKind) {
	for _, name := range workload.Kinds() {
		k := workloadKind{name: name, lower: lowerCollective, check: checkRanks, build: buildCollective,
			keys: []string{"algorithm", "ranks", "datacenters", "channels", "chunk", "protocol",
				"local.delay", "local.bandwidth", "share", "outstanding"},
			says: []string{"message.in_flight", "message.count"}}
		switch name {
		case workload.AllReduce, workload.ReduceScatter:
			k.keys = append(k.keys, "reduce_rate")
		case workload.ReduceTo:
			k.keys = append(k.keys, "reduce_rate", "root")
		case workload.Broadcast:
			k.keys = append(k.keys, "root")
		}
		list = append(list, k)
	}
	return list
}

// ranks are how many ranks and datacenters there are; false: nothing says so.
func (d point) ranks() (ranks, datacenters int, ok bool) {
	r, c := d.Get("workload.ranks"), d.Get("workload.datacenters")
	switch {
	case keys.Usable(r, c):
		return int(r.Whole), int(c.Whole), true
	case r.Has() && c.State == keys.Absent:
		return int(r.Whole), int(r.Whole), true
	case c.Has() && r.State == keys.Absent:
		return int(c.Whole), int(c.Whole), true
	}
	return 0, 0, false
}

// operation is the collective of a draft; false where some of its settings have no value.
func (d point) operation() (c workload.Collective, ok bool) {
	kind, size := d.Get("workload.kind"), d.messageSize()
	channels, protocol := d.Get("workload.channels"), d.Get("workload.protocol")
	algorithm, chunk, rate := d.Get("workload.algorithm"), d.Get("workload.chunk"),
		d.Get("workload.reduce_rate")
	ranks, datacenters, ok := d.ranks()
	if !ok || !keys.Usable(kind, size, channels, protocol, d.Get("workload.root")) ||
		algorithm.State == keys.Broken || chunk.State == keys.Broken || rate.State == keys.Broken {
		return c, false
	}
	c = workload.Collective{Kind: kind.Text, Algorithm: workload.Algorithms(kind.Text)[0],
		Ranks: ranks, Datacenters: datacenters, Root: d.count("workload.root"),
		Size: units.Bytes(size.Whole), Channels: int(channels.Whole)}
	if algorithm.Has() {
		c.Algorithm = algorithm.Text
	}
	if chunk.Has() {
		c.Chunk = units.Bytes(chunk.Whole)
	}
	if rate.Has() {
		c.Rate = units.Rate(rate.Whole)
	}
	c.Protocol, _ = workload.ProtocolNamed(protocol.Text, kind.Text)
	return c, true
}

// lowerCollective says how large the messages of a collective are at most, and how many of a
// connection are under way.
func lowerCollective(d, into point) {
	size, outstanding := d.messageSize(), d.Get("workload.outstanding")
	c, ok := d.operation()
	ok = ok && slices.Contains(workload.Algorithms(c.Kind), c.Algorithm)
	into.says("message.size", func() int64 {
		if !ok {
			return size.Whole
		}
		return int64(c.Largest())
	}, size)
	into.says("message.in_flight", func() int64 { return outstanding.Whole }, outstanding)
	into.says("message.count", func() int64 { return outstanding.Whole }, outstanding)
}

// checkRanks wants a collective that there is.
func checkRanks(d point, f *format.Faults) {
	ranks, datacenters := d.Get("workload.ranks"), d.Get("workload.datacenters")
	if ranks.State == keys.Absent && datacenters.State == keys.Absent {
		f.Add(ranks.At, "missing; must be "+d.Key(ranks.Name).Allowed(), format.Error{Key: ranks.Name})
	}
	if keys.Usable(ranks, datacenters) && datacenters.Whole > ranks.Whole {
		f.Blame("workload.datacenters %d must not be above workload.ranks %d",
			[]any{datacenters.Whole, ranks.Whole}, datacenters, ranks)
	}
	if model := d.Get("message.size.model"); model.Has() && model.Text != spec.SizeFixed {
		f.Blame("a workload has a buffer of one size", nil, model)
	}
	if qps := d.Get("nic.qps"); qps.Has() && qps.Whole > 1 {
		f.Blame("must be 1 with a workload, whose connections are those of its ranks", nil, qps)
	}
	if arrival := d.Get("message.arrival.model"); arrival.Has() &&
		arrival.Text != spec.ArrivalAllAtOnce {
		f.Blame("a workload has no arrivals: its messages follow from each other", nil, arrival)
	}
	if c, ok := d.operation(); ok {
		checkOperation(d, &c, f)
	}
	checkShared(d, f)
}

// checkOperation wants a collective whose parts agree.
func checkOperation(d point, c *workload.Collective, f *format.Faults) {
	algorithm, ranks := d.Get("workload.algorithm"), d.Get("workload.ranks")
	protocol, root := d.Get("workload.protocol"), d.Get("workload.root")
	switch {
	case !slices.Contains(workload.Algorithms(c.Kind), c.Algorithm):
		f.Blame("is not an algorithm of %s, which has %s", []any{c.Kind,
			strings.Join(workload.Algorithms(c.Kind), ", ")}, algorithm)
	case c.Hierarchical() && c.Ranks%c.Datacenters != 0:
		f.Blame("%d ranks must be equally many in each of %d datacenters", []any{c.Ranks, c.Datacenters},
			ranks, d.Get("workload.datacenters"), algorithm)
	case c.Kind == workload.PointToPoint && c.Ranks%2 != 0:
		f.Blame("must be even: those of the first half send to those of the second", nil, ranks,
			d.Get("workload.datacenters"))
	case root.Whole >= int64(c.Ranks):
		f.Blame("there is no rank %d: those of %d ranks are 0 to %d",
			[]any{root.Whole, c.Ranks, c.Ranks - 1}, root, ranks)
	case c.Protocol.Slot > 0 && !c.Slotted():
		f.Blame("goes with %s, not with %s", []any{strings.Join(workload.SlottedAlgorithms(), ", "),
			c.Algorithm}, protocol, algorithm)
	case c.Protocol.Slot > 0 && c.Chunk > 0:
		f.Blame("must not be given beside workload.protocol, which says it", nil,
			d.Get("workload.chunk"))
	case c.Connections() > maxConnections:
		f.Blame("has up to %d connections between datacenters; there must be at most %d",
			[]any{c.Connections(), maxConnections}, ranks, algorithm, d.Get("workload.channels"))
	}
}

// maxConnections bounds the connections of a workload, each of which has NICs of its own.
const maxConnections = 1 << 14

// checkShared refuses what connections that share a link cannot have.
func checkShared(d point, f *format.Faults) {
	share := d.Get("workload.share")
	if !share.Has() || share.Text == keys.ShareConnection {
		return
	}
	d.sharing("goes with workload.share connection", nil, share, f)
}

// buildCollective puts a collective into a point.
func buildCollective(d point, p *spec.Point) {
	c, _ := d.operation()
	w := spec.Workload{Ranks: c.Ranks, Datacenters: c.Datacenters, Collective: &c,
		Local: spec.Local{Delay: d.duration("workload.local.delay"), Bandwidth: p.Link.Bandwidth},
		Own:   d.Get("workload.share").Text == keys.ShareConnection}
	if rate := d.Get("workload.local.bandwidth"); rate.Has() {
		w.Local.Bandwidth = units.Rate(rate.Whole)
	}
	p.Workload = w
}
