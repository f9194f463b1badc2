package scenarios

import (
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// build makes the point of a draft that has been checked.
func (d *draft) build() spec.Point {
	kind := d.workload()
	d = d.lowered()
	split, ok := d.split()
	if !ok || !d.timed() {
		panic("BUG: scenarios: a point that was not checked")
	}
	p := spec.Point{
		Link: d.link(),
		Message: spec.Message{
			Size: units.Bytes(d.messageSize().whole), Chunk: units.Bytes(d.chunk().whole),
			Count: d.count("message.count"), InFlight: d.count("message.in_flight"),
			Sizes: d.sizes(), Arrival: d.arrival(), Deadline: d.deadline(),
		},
		SDR: spec.SDR{
			Split: split, RecvDepth: int(d.recvDepth(split)), WantedDepth: int(d.wantedDepth()),
			Channels: d.count("sdr.channels"), Generations: d.count("sdr.generations"),
		},
		NIC: spec.NIC{
			Workers: d.count("nic.workers"), PerPacket: d.duration("nic.per_packet"),
			PerChunk: d.duration("nic.per_chunk"), Repost: d.duration("nic.repost"),
			QPs: d.count("nic.qps"),
		},
		Submission: d.submission(),
		Engine:     spec.Engine{MaxRun: d.get("engine.runs").whole}, // 0 for unlimited
		Payload:    d.get("payload").text,
		Schemes:    d.buildSchemes(),
		Samples:    d.count("samples"), Precision: d.precision(), SamplesMax: d.samplesMax(),
		Seed: uint64(d.get("seed").whole),
	}
	p.Collective = d.collective(p.Link)
	d.addNetwork(&p)
	if kind != nil && kind.build != nil {
		kind.build(d, &p)
	}
	p.Tilts = d.tilts(p.Link.Loss)
	if len(p.Tilts) == 0 {
		p.Sampling = d.get("acceleration.sampling").text
	}
	return p
}

func (d *draft) link() spec.Link {
	l := spec.Link{
		Bandwidth:     units.Rate(d.get("link.bandwidth").whole),
		Delay:         d.delay(),
		MTU:           d.bytes("link.mtu"),
		Encapsulation: d.get("link.encapsulation").text,
	}
	l.ReverseBandwidth = l.Bandwidth
	if back := d.get("link.reverse_bandwidth"); back.has() {
		l.ReverseBandwidth = units.Rate(back.whole)
	}
	l.Loss, l.AckLoss = d.losses(l.Bandwidth, l.ReverseBandwidth)
	l.Overhead = overhead(l.Encapsulation)
	d.addEvents(&l)
	d.addPaths(&l)
	return l
}

func (d *draft) buildSchemes() []spec.Scheme {
	list := make([]spec.Scheme, len(d.schemes))
	for i := range d.schemes {
		list[i] = d.schemes[i].build()
	}
	return list
}

func (s *schemeDraft) build() spec.Scheme {
	if s.params == nil {
		s.params = s.values()
	}
	return spec.Scheme{Name: s.entry.Name, Label: s.label, Params: s.params}
}

func (d *draft) bytes(path string) units.Bytes       { return units.Bytes(d.get(path).whole) }
func (d *draft) count(path string) int               { return int(d.get(path).whole) }
func (d *draft) duration(path string) units.Duration { return units.Duration(d.get(path).whole) }
