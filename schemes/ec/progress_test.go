package ec

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/sdr"
	"sdrsim/units"
)

// dumb is what progress computes, packet by packet and without thought.
type dumb struct {
	k, m, perChunk int64
	xor, strict    bool
	data, parity   []bool // packets that have arrived
	resolved       []bool // submessages that are recoverable, or were before strict
}

func newDumb(l layout, h *host, xor bool) *dumb {
	d := &dumb{k: l.k, m: l.m, perChunk: h.receiver.data.PacketsPerChunk(), xor: xor,
		data:     make([]bool, h.receiver.data.PacketCount()),
		parity:   make([]bool, h.receiver.parity.PacketCount()),
		resolved: make([]bool, l.subs)}
	for c := l.short; c < l.parity(); c++ { // what does not travel counts as there
		sent := (l.shortLength + testMTU - 1) / testMTU
		for p := c*d.perChunk + int64(sent); p < (c+1)*d.perChunk; p++ {
			d.parity[p] = true
		}
	}
	return d
}

// chunks tells which chunks first..end-1 have arrived whole.
func (d *dumb) chunks(packets []bool, first, end int64) (whole []bool) {
	for c := first; c < end && c*d.perChunk < int64(len(packets)); c++ {
		all := true
		for p := c * d.perChunk; p < min((c+1)*d.perChunk, int64(len(packets))); p++ {
			all = all && packets[p]
		}
		whole = append(whole, all)
	}
	return whole
}

// missing counts what is false.
func missing(list []bool) (n int64) {
	for _, there := range list {
		if !there {
			n++
		}
	}
	return n
}

func (d *dumb) whole(s int64) bool { return missing(d.chunks(d.data, s*d.k, (s+1)*d.k)) == 0 }

func (d *dumb) recoverable(s int64) bool {
	data := d.chunks(d.data, s*d.k, (s+1)*d.k)
	parity := d.chunks(d.parity, s*d.m, (s+1)*d.m)
	switch {
	case d.strict || missing(data) == 0:
		return missing(data) == 0
	case !d.xor:
		return missing(data)+missing(parity) <= d.m
	}
	for g := range d.m {
		lost := int64(0)
		for j := g; j < int64(len(data)); j += d.m {
			lost += missing(data[j : j+1])
		}
		if lost > 1 || lost == 1 && !parity[g] {
			return false
		}
	}
	return true
}

// take lets a packet arrive, and reports whether everything is recoverable then.
func (d *dumb) take(parity bool, packet int64) bool {
	if parity {
		d.parity[packet] = true
	} else {
		d.data[packet] = true
	}
	for s := range d.resolved {
		d.resolved[s] = d.resolved[s] || d.recoverable(int64(s))
	}
	return missing(d.resolved) == 0
}

// arrival draws consecutive packets of data or parity and returns what the receiver would see of
// them, before and after.
func arrival(t *rapid.T, h *host) (before sdr.Arrival, deliver func() sdr.Arrival, parity bool) {
	handle, recv := h.sender.data, h.receiver.data
	if parity = rapid.Bool().Draw(t, "parity"); parity {
		handle, recv = h.sender.parity, h.receiver.parity
	}
	first := travels(handle, rapid.Int64Range(0, recv.PacketCount()-1).Draw(t, "first"))
	count := rapid.Int64Range(1, recv.PacketCount()-first).Draw(t, "count")
	run := handle.Run(first, count)
	return h.to.Preview(&run), func() sdr.Arrival { return h.to.Deliver(&run) }, parity
}

// travels is a packet of a message, or where that does not travel the last of its chunk that does.
func travels(h *sdr.SendHandle, packet int64) int64 {
	first, count := h.ChunkPacketRange(h.ChunkOf(packet))
	return min(packet, first+count-1)
}

// What progress says of an arrival as a whole is what happens when its packets arrive one by one:
// whether the last submessage becomes recoverable and by which packet, which submessages are
// recoverable afterwards, and how many of them owe it to parity.
func TestProgressAgreesWithPacketsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		isXOR := rapid.Bool().Draw(t, "xor")
		k := rapid.OneOf(rapid.IntRange(1, 6), rapid.IntRange(60, 70)).Draw(t, "k")
		m, coder := rapid.IntRange(1, 8).Draw(t, "m"), mds
		if isXOR {
			m, coder = min(k, m), xor
		}
		perChunk := rapid.Int64Range(1, 5).Draw(t, "packets a chunk")
		packets := rapid.Int64Range(1, 4*int64(k)*perChunk).Draw(t, "packets")
		h := newHost(t, testConfig(coder, k, m), shape{
			size:     units.Bytes(packets)*testMTU - units.Bytes(rapid.IntRange(0, 63).Draw(t, "short")),
			perChunk: perChunk,
		})
		p := &h.receiver.progress
		d := newDumb(p.layout, h, isXOR)
		for range rapid.IntRange(1, 12).Draw(t, "arrivals") {
			if rapid.IntRange(0, 9).Draw(t, "strict") == 0 {
				fallBackStrictly(t, h, d)
				p.unseen = rapid.Bool().Draw(t, "unseen")
			}
			checkArrival(t, h, p, d)
		}
	})
}

// fallBackStrictly makes submessages that are not recoverable need all their data, anew.
func fallBackStrictly(t *rapid.T, h *host, d *dumb) {
	p := &h.receiver.progress
	p.settle()
	have := &h.receiver.have
	have.SetRange(0, p.chunks)
	p.restrict(have)
	d.strict = true
	for s := range p.subs {
		if d.resolved[s] {
			continue
		}
		first, count := p.layout.data(s)
		have.ClearRange(first, count)
		if err := h.receiver.data.Rearm(first, count); err != nil {
			t.Fatalf("%v", err)
		}
		for i := first * d.perChunk; i < min((first+count)*d.perChunk, int64(len(d.data))); i++ {
			d.data[i] = false
		}
	}
}

func checkArrival(t *rapid.T, h *host, p *progress, d *dumb) {
	before, deliver, parity := arrival(t, h)
	n, ok := p.completes(&before)
	known := append([]bool{}, d.resolved...)
	want, wantOK := int64(0), false
	open := missing(d.resolved) > 0
	for i := range before.Count {
		if d.take(parity, before.First+i) && open && !wantOK {
			want, wantOK = i+1, true
		}
	}
	if n != want || ok != wantOK {
		t.Fatalf("%+v completes by packet %d, %v; one by one %d, %v", before, n, ok, want, wantOK)
	}
	after := deliver()
	if !parity {
		h.receiver.repeated(&after, after.Recv.ChunkOf(after.First),
			after.Recv.ChunkOf(after.First+after.Count-1))
	}
	damaged := p.note(&after)
	wantDamaged := 0
	if p.resolved.Full() != (missing(d.resolved) == 0) {
		t.Fatalf("all recoverable: %v, one by one %v", p.resolved.Full(), missing(d.resolved) == 0)
	}
	if rapid.Bool().Draw(t, "look") {
		p.settle()
	} else if p.unseen {
		return
	}
	for s := range d.resolved {
		if d.resolved[s] != p.resolved.Test(int64(s)) {
			t.Fatalf("submessage %d: recoverable %v, one by one %v", s, !d.resolved[s], d.resolved[s])
		}
		if d.resolved[s] && !known[s] && !d.whole(int64(s)) {
			wantDamaged++
		}
	}
	if damaged != wantDamaged {
		t.Fatalf("%d submessages owe it to parity, one by one %d", damaged, wantDamaged)
	}
}

// The pattern of a submessage is its data bits followed by its parity bits, wherever words end.
func TestPatternOfASubmessageIsDataThenParity(t *testing.T) {
	for _, c := range []struct{ k, m int }{
		{1, 1}, {3, 2}, {32, 8}, {60, 5}, {60, 10}, {64, 64}, {100, 41},
	} {
		h := newHost(t, testConfig(mds, c.k, c.m), shape{size: bytesOf(int64(3*c.k - c.k/2))})
		h.arrives(without(h.pump(0), func(p packet) bool {
			return (p.run.First*7+int64(c.m))%3 == 0 || p.parity && p.run.First%5 == 1 && p.run.First > 10
		})...)
		p := &h.receiver.progress
		for s := range p.subs {
			first, count := p.layout.data(s)
			words := p.pattern(s)
			for i := range count + p.m {
				want := i < count && h.receiver.data.Bitmap().Test(first+min(i, count-1)) ||
					i >= count && h.receiver.parity.Bitmap().Test(s*p.m+max(i-count, 0))
				if got := words[i/64]>>(i%64)&1 == 1; got != want {
					t.Errorf("(%d,%d) submessage %d: bit %d is %v", c.k, c.m, s, i, got)
				}
			}
		}
	}
}

func (d *dumb) String() string { return fmt.Sprintf("%+v", *d) }
