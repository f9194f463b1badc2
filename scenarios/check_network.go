package scenarios

import (
	"strings"

	"sdrsim/internal/spec"
	"sdrsim/units"
)

// checkNetwork wants a whole network, and nothing that has no meaning behind a queue.
func checkNetwork(d point, f *faults) {
	if !d.networked() {
		checkNoNetwork(d, f)
		return
	}
	if kind := d.get("network.kind"); kind.state == absent {
		f.add(d.networkAt[networkPath], "missing; must be "+d.key(kind.name).Allowed(),
			Error{Key: kind.name})
	}
	checkBesideNetwork(d, f)
	checkQueue(d, f)
	checkFlows(d, f)
	checkTraffic(d, f)
}

// checkNoNetwork refuses what goes with a network only.
func checkNoNetwork(d point, f *faults) {
	for _, list := range []string{flowsPath, trafficPath} {
		if at := d.networkAt[list]; at != (pos{}) {
			f.add(at, "goes with network, which the scenario does not have", Error{Key: list})
		}
	}
	for i := range networkKeys {
		if s := d.get(networkKeys[i].Path); s.wrote() {
			f.blame("goes with network.kind, which the scenario does not have", nil, s)
		}
	}
}

// checkBesideNetwork refuses what a network cannot have.
func checkBesideNetwork(d point, f *faults) {
	const refusal = "does not go with a network, "
	if d.ring() {
		f.add(d.networkAt[networkPath], refusal+"which has flows: a collective has a ring of links",
			Error{Key: "collective"})
	}
	for i := range d.events {
		if e := &d.events[i]; strings.HasPrefix(e.list, "link.") {
			f.add(e.at, refusal+"whose packets wait in queues that know one steady link",
				Error{Key: e.list})
			break
		}
	}
	if jitter := d.get("link.jitter.model"); jitter.has() && jitter.text != spec.JitterNone {
		f.blame(refusal+"whose packets keep their order", nil, jitter)
	}
	for _, prefix := range lossPrefixes {
		if m := d.get(prefix + ".model"); m.text == spec.LossScript || m.text == spec.LossTraced {
			f.blame(refusal+"where several flows count the packets of the link", nil, m)
		}
	}
	per, chunk, mtu := d.get("link.loss.per"), d.chunk(), d.get("link.mtu")
	lossy := d.get("link.loss.model").text != spec.LossNone
	if usable(per, chunk, mtu) && lossy && per.text == spec.PerChunk && chunk.whole > mtu.whole {
		f.blame(refusal+"which mixes packets of several chunks; a chunk of link.mtu would do", nil,
			per, chunk, mtu)
	}
	checkNetworkSampling(d, f)
}

// checkNetworkSampling refuses to accelerate a network.
func checkNetworkSampling(d point, f *faults) {
	tilt, how := d.get("acceleration.tilt"), d.get("acceleration.sampling")
	switch {
	case tilt.has() && tilt.number > 1:
		f.blame("goes with one message on one link, not with a network", nil, tilt)
	case how.text == spec.SamplingStrata || how.text == spec.SamplingTilt:
		f.blame("goes with one message on one link, not with a network", nil, how)
	}
}

// checkQueue wants room for a packet, and thresholds in order.
func checkQueue(d point, f *faults) {
	buffer, mtu, encap := d.get("network.queue.buffer"), d.get("link.mtu"), d.get("link.encapsulation")
	if usable(buffer, mtu, encap) {
		if packet := mtu.whole + int64(overhead(encap.text)); buffer.whole < packet {
			f.blame("must hold a packet at least, which has %v on the wire",
				[]any{units.Bytes(packet)}, buffer, mtu, encap)
		}
	}
	kmin, kmax, pmax := d.get(ecnPaths[0]), d.get(ecnPaths[1]), d.get(ecnPaths[2])
	if kmax.state == absent {
		for _, s := range []*setting{kmin, pmax} {
			if s.wrote() {
				f.blame("goes with "+kmax.name+", which is missing", nil, s)
				return
			}
		}
	}
	if usable(kmin, kmax) && kmin.whole > kmax.whole {
		f.blame("kmin %v must not be above kmax %v",
			[]any{units.Bytes(kmin.whole), units.Bytes(kmax.whole)}, kmin, kmax)
	}
	if usable(kmax, buffer) && kmax.whole > buffer.whole {
		f.blame("kmax %v must not be above network.queue.buffer %v",
			[]any{units.Bytes(kmax.whole), units.Bytes(buffer.whole)}, kmax, buffer)
	}
}

// checkTraffic wants whole entries, and queues with room beside them.
func checkTraffic(d point, f *faults) {
	total := map[bool]float64{} // by side
	for i := range d.events {
		e := &d.events[i]
		if e.list != trafficPath {
			continue
		}
		eventNeeds(e, "model", f)
		eventNeeds(e, "load", f)
		at, model, load := e.get("at"), e.get("model"), e.get("load")
		if on := e.get("on"); on.wrote() && model.has() && model.text != spec.TrafficOnOff &&
			model.state != swept {
			f.blame("goes with model "+spec.TrafficOnOff, nil, on)
		}
		packet, buffer := e.get("packet"), d.get("network.queue.buffer")
		if usable(packet, buffer) && packet.whole > buffer.whole {
			f.blame("a packet of %v must not be above network.queue.buffer %v",
				[]any{units.Bytes(packet.whole), units.Bytes(buffer.whole)}, packet, buffer)
		}
		if !usable(at, load) {
			continue
		}
		east := at.text == atEast
		if total[east] += load.number; total[east] >= 1 && total[east] > load.number {
			f.blame("the traffic of a border has a load of %v; must be below 1 together",
				[]any{formatNumber(total[east])}, load)
		}
	}
}
