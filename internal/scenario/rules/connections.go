package rules

import (
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
)

// checkConnections refuses what several connections on a NIC cannot have: models that tell the
// packets of one message from those of another by their numbers alone.
func checkConnections(d point, f *format.Faults) {
	qps := d.Get("nic.qps")
	if !qps.Has() || qps.Whole == 1 {
		return
	}
	if d.Ring() || d.Networked() {
		f.Blame("must be 1 in a collective and in a network, whose connections are those of its hops "+
			"and flows", nil, qps)
	}
	d.sharing("goes with one connection, not with the %d of nic.qps", []any{qps.Whole}, qps, f)
}

// sharing refuses what several connections on a link cannot have.
func (d point) sharing(refusal string, args []any, by *keys.Setting, f *format.Faults) {
	refuse := func(s *keys.Setting) { f.Blame(refusal, args, s, by) }
	for _, prefix := range lossPrefixes {
		if m := d.Get(prefix + ".model"); m.Text == spec.LossScript || m.Text == spec.LossTraced {
			refuse(m)
		}
	}
	chunk, mtu := d.chunk(), d.Get("link.mtu")
	if per := d.Get("link.loss.per"); per.Has() && per.Text == spec.PerChunk &&
		keys.Usable(chunk, mtu) && chunk.Whole > mtu.Whole {
		refuse(per)
	}
	if spread := d.Get("link.spread"); spread.Wrote() && spread.Text != "packet" {
		refuse(spread)
	}
}
