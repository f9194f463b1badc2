package experiment

import (
	"sdrsim/internal/spec"
	"sdrsim/nic"
)

// shareHosts has the connections of a host share its wire, where it has several: those that send
// data from it, and those that acknowledge what has arrived.
func (r *Runner) shareHosts(n *network, flows []spec.Flow) {
	nics := map[spec.Host][]*nic.NIC{}
	var hosts []spec.Host // in the order of the flows
	add := func(h spec.Host, one *nic.NIC) {
		if nics[h] == nil {
			hosts = append(hosts, h)
		}
		nics[h] = append(nics[h], one)
	}
	for i, f := range flows {
		add(f.From, r.hops[i].pair.a)
		add(f.To, r.hops[i].pair.b)
	}
	for _, h := range hosts {
		if len(nics[h]) == 1 {
			continue
		}
		e := nic.NewEgress(r.engine)
		for _, one := range nics[h] {
			one.Share(e)
		}
		n.egresses = append(n.egresses, e)
	}
}
