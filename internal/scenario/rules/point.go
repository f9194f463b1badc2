package rules

import (
	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// Build makes the point of a draft that has been checked.
func Build(from *draft.Draft) spec.Point {
	kind, d := point{from}.workload(), point{from}.lowered()
	split, ok := d.split()
	if !ok || !d.timed() {
		panic("BUG: rules: a point that was not checked")
	}
	p := spec.Point{
		Link: d.link(),
		Message: spec.Message{
			Size: units.Bytes(d.messageSize().Whole), Chunk: units.Bytes(d.chunk().Whole),
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
		Engine:     spec.Engine{MaxRun: d.Get("engine.runs").Whole}, // 0 for unlimited
		Payload:    d.Get("payload").Text,
		Schemes:    d.BuildSchemes(),
		Samples:    d.count("samples"), Precision: d.precision(), SamplesMax: d.samplesMax(),
		Seed: uint64(d.Get("seed").Whole),
	}
	p.Collective = d.collective(p.Link)
	d.addNetwork(&p)
	if kind != nil && kind.build != nil {
		kind.build(point{from}, &p)
	}
	p.Tilts = d.tilts(p.Link.Loss)
	if len(p.Tilts) == 0 {
		p.Sampling = d.Get("acceleration.sampling").Text
	}
	return p
}

func (d point) link() spec.Link {
	l := spec.Link{
		Bandwidth:     units.Rate(d.Get("link.bandwidth").Whole),
		Delay:         d.delay(),
		MTU:           d.bytes("link.mtu"),
		Encapsulation: d.Get("link.encapsulation").Text,
	}
	l.ReverseBandwidth = l.Bandwidth
	if back := d.Get("link.reverse_bandwidth"); back.Has() {
		l.ReverseBandwidth = units.Rate(back.Whole)
	}
	l.Loss, l.AckLoss = d.losses(l.Bandwidth, l.ReverseBandwidth)
	l.Overhead = spec.Overhead(l.Encapsulation)
	d.addEvents(&l)
	d.addPaths(&l)
	return l
}

func (d point) bytes(path string) units.Bytes { return units.Bytes(d.Get(path).Whole) }

func (d point) count(path string) int { return int(d.Get(path).Whole) }

func (d point) duration(path string) units.Duration { return units.Duration(d.Get(path).Whole) }
