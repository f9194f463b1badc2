package experiment

import (
	"sdrsim/internal/spec"
	"sdrsim/link"
	"sdrsim/nic"
	"sdrsim/schemes/catalog"
)

// addConnections builds the connections that share the NICs and the link of a point: most often
// one.
func (r *Runner) addConnections(p *spec.Point, b build) error {
	if err := r.addHop(p, b.entry, b.factory); err != nil || p.NIC.QPs <= 1 {
		return err
	}
	first := r.hops[0].pair
	r.wires = []*nic.Egress{nic.NewEgress(r.engine), nic.NewEgress(r.engine)}
	for i := range p.NIC.QPs {
		if i > 0 {
			t, err := first.beside(p, b.entry)
			if err != nil {
				return err
			}
			if err := r.addStream(t, p, b.entry, b.factory); err != nil {
				return err
			}
		}
		t := r.hops[i].pair
		t.a.Share(r.wires[0])
		t.b.Share(r.wires[1])
	}
	return nil
}

// beside is a pair on the link of another: its ports lose and delay by the same models, in the
// order in which packets leave, whatever their connection.
func (t *pair) beside(p *spec.Point, entry catalog.Entry) (*pair, error) {
	b := &pair{engine: t.engine, mtu: t.mtu, chunk: t.chunk, least: t.least, links: t.links}
	if err := b.openDevices(p, entry); err != nil {
		return nil, err
	}
	b.there, b.back = link.New(t.links[0]), link.New(t.links[1])
	b.openNICs(p)
	return b, nil
}

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
