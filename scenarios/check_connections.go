package scenarios

import "sdrsim/internal/spec"

// checkConnections refuses what several connections on a NIC cannot have: models that tell the
// packets of one message from those of another by their numbers alone.
func checkConnections(d point, f *faults) {
	qps := d.get("nic.qps")
	if !qps.has() || qps.whole == 1 {
		return
	}
	const refusal = "goes with one connection, not with the %d of nic.qps"
	refuse := func(s *setting) { f.blame(refusal, []any{qps.whole}, s, qps) }
	if d.ring() || d.networked() {
		f.blame("must be 1 in a collective and in a network, whose connections are those of its hops "+
			"and flows", nil, qps)
	}
	for _, prefix := range lossPrefixes {
		if m := d.get(prefix + ".model"); m.text == spec.LossScript || m.text == spec.LossTraced {
			refuse(m)
		}
	}
	chunk, mtu := d.chunk(), d.get("link.mtu")
	if per := d.get("link.loss.per"); per.has() && per.text == spec.PerChunk &&
		usable(chunk, mtu) && chunk.whole > mtu.whole {
		refuse(per)
	}
	if spread := d.get("link.spread"); spread.wrote() && spread.text != "packet" {
		refuse(spread)
	}
}
