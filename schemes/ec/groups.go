package ec

import (
	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/units"
)

// outline is a message of which only the size is known.
type outline struct{ size, chunk, mtu units.Bytes }

func (o outline) Chunks() int64          { return int64((o.size + o.chunk - 1) / o.chunk) }
func (o outline) PacketCount() int64     { return o.packets(o.size) }
func (o outline) PacketsPerChunk() int64 { return o.packets(o.chunk) }
func (o outline) Length() units.Bytes    { return o.size }

func (o outline) packets(size units.Bytes) int64 { return int64((size + o.mtu - 1) / o.mtu) }

// Groups are the chunks of a message that repair each other, submessage by submessage, as they are
// sent where nothing is repeated: all k+m of an MDS code, of which m may be lost; of an XOR code a
// parity chunk with what it covers, of which one may.
func Groups(cfg Config, size, chunk, mtu units.Bytes) ([]schemes.Group, error) {
	c, err := newCoders(&cfg)
	if err != nil {
		return nil, err
	}
	o := outline{size, chunk, mtu}
	l := layoutOf(&cfg, &c, o, sdr.QPConfig{MTU: mtu, Chunk: chunk})
	var list []schemes.Group
	for sub := range l.subs {
		_, count := l.data(sub)
		groups := make([]schemes.Group, min(int64(c.of(count).Covers(int(l.m-1)))+1, l.m))
		for i := range count + l.m {
			chunk := l.transmission(cfg.Order, o, sub, i)
			n := i
			if i >= count {
				n = i - count
			}
			g := &groups[n%int64(len(groups))]
			if i >= count {
				g.Bears++
			}
			g.Chunks = append(g.Chunks, chunk)
		}
		list = append(list, groups...)
	}
	return list, nil
}

// sent is the number of chunk i of a submessage, data first, among all first transmissions.
func (l *layout) sent(order Order, sub, i int64) int64 {
	first, count := l.data(sub)
	switch {
	case order == OrderInterleaved:
		return first + sub*l.m + i
	case i < count:
		return first + i
	}
	return l.chunks + sub*l.m + i - count
}

// transmission is chunk i of a submessage, data first. Only the last data chunk and the parity
// of it may be short; before all others there are whole chunks, but for that one.
func (l *layout) transmission(order Order, o outline, sub, i int64) schemes.Sent {
	first, count := l.data(sub)
	last := o.PacketCount() - (l.chunks-1)*l.perChunk
	at := l.sent(order, sub, i)
	s := schemes.Sent{Chunk: at, Packet: at * l.perChunk, Packets: l.perChunk}
	if i < count {
		if first+i == l.chunks-1 {
			s.Packets = last
		}
		return s
	}
	if order == OrderParityLast || sub == l.subs-1 { // the last data chunk was sent before
		s.Packet -= l.perChunk - last
	}
	if short, n := o.packets(l.shortLength), sub*l.m+i-count-l.short; n >= 0 {
		s.Packets = short
		s.Packet -= n * (l.perChunk - short)
	}
	return s
}
