package rules

import (
	"strings"

	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// checkNetwork wants a whole network, and nothing that has no meaning behind a queue.
func checkNetwork(d point, f *format.Faults) {
	if !d.Networked() {
		checkNoNetwork(d, f)
		return
	}
	if kind := d.Get("network.kind"); kind.State == keys.Absent {
		f.Add(d.NetworkAt[keys.NetworkPath], "missing; must be "+d.Key(kind.Name).Allowed(),
			format.Error{Key: kind.Name})
	}
	checkBesideNetwork(d, f)
	checkQueue(d, f)
	checkFlows(d, f)
	checkTraffic(d, f)
}

// checkNoNetwork refuses what goes with a network only.
func checkNoNetwork(d point, f *format.Faults) {
	for _, list := range []string{keys.FlowsPath, keys.TrafficPath} {
		if at := d.NetworkAt[list]; at != (format.Pos{}) {
			f.Add(at, "goes with network, which the scenario does not have", format.Error{Key: list})
		}
	}
	for _, s := range d.Settings {
		if strings.HasPrefix(s.Name, keys.NetworkPath+".") && s.Wrote() {
			f.Blame("goes with network.kind, which the scenario does not have", nil, s)
		}
	}
}

// checkBesideNetwork refuses what a network cannot have.
func checkBesideNetwork(d point, f *format.Faults) {
	const refusal = "does not go with a network, "
	if d.Ring() {
		f.Add(d.NetworkAt[keys.NetworkPath], refusal+"which has flows: a collective has a ring of links",
			format.Error{Key: "collective"})
	}
	for i := range d.Events {
		if e := &d.Events[i]; strings.HasPrefix(e.List, "link.") {
			f.Add(e.At, refusal+"whose packets wait in queues that know one steady link",
				format.Error{Key: e.List})
			break
		}
	}
	if jitter := d.Get("link.jitter.model"); jitter.Has() && jitter.Text != spec.JitterNone {
		f.Blame(refusal+"whose packets keep their order", nil, jitter)
	}
	for _, prefix := range lossPrefixes {
		if m := d.Get(prefix + ".model"); m.Text == spec.LossScript || m.Text == spec.LossTraced {
			f.Blame(refusal+"where several flows count the packets of the link", nil, m)
		}
	}
	per, chunk, mtu := d.Get("link.loss.per"), d.chunk(), d.Get("link.mtu")
	lossy := d.Get("link.loss.model").Text != spec.LossNone
	if keys.Usable(per, chunk, mtu) && lossy && per.Text == spec.PerChunk && chunk.Whole > mtu.Whole {
		f.Blame(refusal+"which mixes packets of several chunks; a chunk of link.mtu would do", nil,
			per, chunk, mtu)
	}
	checkNetworkSampling(d, f)
}

// checkNetworkSampling refuses to accelerate a network.
func checkNetworkSampling(d point, f *format.Faults) {
	tilt, how := d.Get("acceleration.tilt"), d.Get("acceleration.sampling")
	switch {
	case tilt.Has() && tilt.Number > 1:
		f.Blame("goes with one message on one link, not with a network", nil, tilt)
	case how.Text == spec.SamplingStrata || how.Text == spec.SamplingTilt:
		f.Blame("goes with one message on one link, not with a network", nil, how)
	}
}

// checkQueue wants room for a packet, and thresholds in order.
func checkQueue(d point, f *format.Faults) {
	buffer, mtu, encap := d.Get("network.queue.buffer"), d.Get("link.mtu"), d.Get("link.encapsulation")
	if keys.Usable(buffer, mtu, encap) {
		if packet := mtu.Whole + int64(spec.Overhead(encap.Text)); buffer.Whole < packet {
			f.Blame("must hold a packet at least, which has %v on the wire",
				[]any{units.Bytes(packet)}, buffer, mtu, encap)
		}
	}
	kmin, kmax, pmax := d.Get(keys.EcnPaths[0]), d.Get(keys.EcnPaths[1]), d.Get(keys.EcnPaths[2])
	if kmax.State == keys.Absent {
		for _, s := range []*keys.Setting{kmin, pmax} {
			if s.Wrote() {
				f.Blame("goes with "+kmax.Name+", which is missing", nil, s)
				return
			}
		}
	}
	if keys.Usable(kmin, kmax) && kmin.Whole > kmax.Whole {
		f.Blame("kmin %v must not be above kmax %v",
			[]any{units.Bytes(kmin.Whole), units.Bytes(kmax.Whole)}, kmin, kmax)
	}
	if keys.Usable(kmax, buffer) && kmax.Whole > buffer.Whole {
		f.Blame("kmax %v must not be above network.queue.buffer %v",
			[]any{units.Bytes(kmax.Whole), units.Bytes(buffer.Whole)}, kmax, buffer)
	}
}

// checkTraffic wants whole entries, and queues with room beside them.
func checkTraffic(d point, f *format.Faults) {
	total := map[bool]float64{} // by side
	for i := range d.Events {
		e := &d.Events[i]
		if e.List != keys.TrafficPath {
			continue
		}
		eventNeeds(e, "model", f)
		eventNeeds(e, "load", f)
		at, model, load := e.Get("at"), e.Get("model"), e.Get("load")
		if on := e.Get("on"); on.Wrote() && model.Has() && model.Text != spec.TrafficOnOff &&
			model.State != keys.Swept {
			f.Blame("goes with model "+spec.TrafficOnOff, nil, on)
		}
		packet, buffer := e.Get("packet"), d.Get("network.queue.buffer")
		if keys.Usable(packet, buffer) && packet.Whole > buffer.Whole {
			f.Blame("a packet of %v must not be above network.queue.buffer %v",
				[]any{units.Bytes(packet.Whole), units.Bytes(buffer.Whole)}, packet, buffer)
		}
		if !keys.Usable(at, load) {
			continue
		}
		east := at.Text == keys.AtEast
		if total[east] += load.Number; total[east] >= 1 && total[east] > load.Number {
			f.Blame("the traffic of a border has a load of %v; must be below 1 together",
				[]any{keys.FormatNumber(total[east])}, load)
		}
	}
}
