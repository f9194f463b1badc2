package ec

import (
	"sdrsim/sdr"
	"sdrsim/wire"
)

// progress tells which submessages can be recovered from what has arrived. Its cost follows the
// submessages with losses: those whose data arrived whole are passed over word by word.
//
// While all data chunks are needed, which is before any parity has been seen and when strict,
// nobody asks which submessages are recoverable until the last chunk comes. Arrivals are then not
// looked at; settle makes up for it.
type progress struct {
	layout
	coders       *coders
	data, parity *sdr.RecvHandle
	// dataBits and parityBits are the chunks that have arrived.
	dataBits, parityBits *sdr.Bitmap
	perChunk             int64 // packets
	// dataPackets and parityPackets are how many packets of each belong to a submessage.
	dataPackets, parityPackets int64
	// resolved has a bit per submessage that is recoverable, but for those of unseen arrivals.
	resolved sdr.Bitmap
	// unseen tells that arrivals were not looked at. A submessage is then recoverable when needed
	// has all its chunks.
	unseen bool
	needed *sdr.Bitmap
	// strict makes a submessage need all its data chunks; parity no longer counts.
	strict bool
	words  []uint64 // pattern of one submessage
}

func (p *progress) open(l layout, c *coders, data, parity *sdr.RecvHandle) {
	p.layout, p.coders, p.data, p.parity = l, c, data, parity
	p.dataBits, p.parityBits = data.Bitmap(), parity.Bitmap()
	p.perChunk = data.PacketsPerChunk()
	p.dataPackets, p.parityPackets = l.k*p.perChunk, l.m*p.perChunk
	p.unseen, p.needed, p.strict = true, p.dataBits, false
	p.resolved.Reset(l.subs)
	if n := (l.k + l.m + 63) / 64; int64(len(p.words)) < n {
		p.words = make([]uint64, n)
	}
}

// unit is how many chunks of a handle belong to a submessage.
func (p *progress) unit(h *sdr.RecvHandle) int64 {
	if h == p.data {
		return p.k
	}
	return p.m
}

// span is the submessages that an arrival touches, first and last.
func (p *progress) span(a *sdr.Arrival) (first, last int64) {
	packets := p.dataPackets
	if a.Recv == p.parity {
		packets = p.parityPackets
	}
	return a.First / packets, (a.First + a.Count - 1) / packets
}

// restrict makes submessages that are not recoverable need all their data, as have counts it: it
// has the chunks of all others, too.
func (p *progress) restrict(have *sdr.Bitmap) {
	p.strict, p.needed = true, have
}

// settle looks at what has arrived without a look.
func (p *progress) settle() {
	if !p.unseen {
		return
	}
	p.unseen = false
	for from := int64(0); from < p.subs; {
		hole := p.needed.NextClear(from * p.k)
		if hole == p.chunks {
			p.resolved.SetRange(from, p.subs-from)
			return
		}
		damaged := hole / p.k
		p.resolved.SetRange(from, damaged-from)
		// Submessages of which nothing has arrived need no look.
		from = max(damaged+1, p.needed.NextSet(hole)/p.k)
	}
}

// dull tells that an arrival needs no look before it comes: it completes no more chunks than it
// touches, and these are too few.
func (p *progress) dull(a *sdr.Arrival) bool {
	return p.unseen && a.Recv == p.data &&
		(p.needed.Len()-p.needed.Count()-2)*p.perChunk > a.Count-2
}

// wants tells that an arrival needs no look now that it is there: more chunks have to come.
func (p *progress) wants(a *sdr.Arrival) bool {
	return p.unseen && a.Recv == p.data && !p.needed.Full()
}

// note takes an arrival into account, and returns how many submessages it makes recoverable by way
// of parity.
func (p *progress) note(a *sdr.Arrival) (damaged int) {
	if p.wants(a) || p.strict && a.Recv == p.parity {
		return 0
	}
	p.settle()
	first, last := p.span(a)
	if a.Recv == p.data && last > first+1 {
		// Everything between arrived whole. Its submessages need no look.
		p.resolved.SetRange(first+1, last-first-1)
	}
	for s := p.resolved.NextClear(first); s <= last; s = p.resolved.NextClear(s + 1) {
		switch {
		case a.Recv == p.data && p.whole(s): // parity makes no data whole
			p.resolved.Set(s)
		case !p.strict && p.decodable(s):
			p.resolved.Set(s)
			damaged++
		}
	}
	return damaged
}

// whole reports whether all data of a submessage has arrived.
func (p *progress) whole(sub int64) bool {
	first, count := p.layout.data(sub)
	return p.dataBits.NextClear(first) >= first+count
}

// decodable reports whether the data of a submessage can be had with the help of its parity.
func (p *progress) decodable(sub int64) bool {
	_, count := p.layout.data(sub)
	return p.coders.of(count).Recoverable(p.pattern(sub))
}

// pattern is what is present of a submessage, as its code wants it.
func (p *progress) pattern(sub int64) []uint64 {
	first, count := p.layout.data(sub)
	if len(p.words) == 1 {
		p.words[0] = extract(p.dataBits, first, count) |
			extract(p.parityBits, sub*p.m, p.m)<<(count&63)
		return p.words
	}
	clear(p.words)
	p.copyBits(0, p.dataBits, first, count)
	p.copyBits(count, p.parityBits, sub*p.m, p.m)
	return p.words
}

// copyBits puts count bits of a bitmap from first on into the pattern, at bit to.
func (p *progress) copyBits(to int64, b *sdr.Bitmap, first, count int64) {
	for count > 0 {
		n := min(count, 64)
		bits := extract(b, first, n)
		p.words[to/64] |= bits << (to % 64)
		if spill := to%64 + n - 64; spill > 0 {
			p.words[to/64+1] |= bits >> (n - spill)
		}
		to, first, count = to+n, first+n, count-n
	}
}

// extract returns up to 64 bits of a bitmap, at least one.
func extract(b *sdr.Bitmap, first, count int64) uint64 {
	word, shift := first>>6, first&63
	bits := b.Word(word) >> shift
	if shift+count > 64 {
		bits |= b.Word(word+1) << (64 - shift)
	}
	return bits & (^uint64(0) >> ((64 - count) & 63))
}

// completes tells whether an arrival makes the last submessage recoverable, and by which of its
// packets, counted from one. It changes nothing.
func (p *progress) completes(a *sdr.Arrival) (packets int64, ok bool) {
	if p.dull(a) || p.strict && a.Recv == p.parity {
		return 0, false
	}
	p.settle()
	missing := p.subs - p.resolved.Count()
	if p.touchesFewer(a, missing) {
		return 0, false
	}
	first, last := p.span(a)
	if p.resolved.FirstClear() < first || p.resolved.NextClear(last+1) < p.subs || missing == 0 {
		return 0, false
	}
	for s := p.resolved.NextClear(first); s <= last; s = p.resolved.NextClear(s + 1) {
		if a.Recv == p.data && s > first && s < last {
			// Those between arrive whole; the last of them is the last to be recoverable.
			s, _ = p.resolved.LastClear(s, last-s)
		}
		n, ok := p.needs(a, s)
		if !ok {
			return 0, false
		}
		packets = max(packets, n)
	}
	return packets, true
}

// touchesFewer tells that an arrival touches fewer submessages than so many. It may say no where
// yes is true.
func (p *progress) touchesFewer(a *sdr.Arrival, submessages int64) bool {
	packets := p.dataPackets
	if a.Recv == p.parity {
		packets = p.parityPackets
	}
	// All between the first and the last are touched by every packet that they have.
	return (submessages-2)*packets > a.Count-2
}

// needs is how many packets of an arrival make a submessage recoverable.
func (p *progress) needs(a *sdr.Arrival, sub int64) (packets int64, ok bool) {
	unit := p.unit(a.Recv)
	from := max(a.Recv.ChunkOf(a.First), sub*unit)
	to := min(a.Recv.ChunkOf(a.First+a.Count-1), (sub+1)*unit-1)
	// Only the chunks at the ends of an arrival may lack packets that are not in it.
	if from <= to && !isWhole(a, from) {
		from++
	}
	if from <= to && !isWhole(a, to) {
		to--
	}
	spare := p.spare(a, sub, wire.Range{First: from, Count: to - from + 1})
	if from > to || spare < 0 {
		return 0, false
	}
	if p.strict || a.Recv == p.data && p.parityBits.CountRange(sub*p.m, p.m) == 0 {
		to, _ = a.Recv.Bitmap().LastClear(from, to-from+1) // every one of them is needed
		packets, _ = ends(a, to)
		return max(packets, 1), true
	}
	if !p.enough(a, sub, wire.Range{First: from, Count: to - from + 1}) {
		return 0, false
	}
	// The last chunk that is needed, by halving: more chunks never recover less.
	for last := from; last < to; {
		if mid := (last + to) / 2; p.enough(a, sub, wire.Range{First: from, Count: mid - from + 1}) {
			to = mid
		} else {
			last = mid + 1
		}
	}
	packets, _ = ends(a, to)
	return max(packets, 1), true
}

// spare is by how many chunks a submessage has more than the data chunks it needs at least, once
// some chunks of an arrival are there. No code recovers k chunks from fewer.
func (p *progress) spare(a *sdr.Arrival, sub int64, chunks wire.Range) int64 {
	first, count := p.layout.data(sub)
	have := p.dataBits.CountRange(first, count)
	if !p.strict {
		have += p.parityBits.CountRange(sub*p.m, p.m)
	}
	if a.Recv == p.data || !p.strict {
		have += chunks.Count - a.Recv.Bitmap().CountRange(chunks.First, chunks.Count)
	}
	return have - count
}

// enough tells whether a submessage can be recovered once some chunks of an arrival are there.
func (p *progress) enough(a *sdr.Arrival, sub int64, chunks wire.Range) bool {
	first, count := p.layout.data(sub)
	bit := chunks.First - first
	if a.Recv == p.parity {
		bit = count + chunks.First - sub*p.m
	}
	words := p.pattern(sub)
	for i := bit; i < bit+chunks.Count; i++ {
		words[i/64] |= 1 << (i % 64)
	}
	return p.coders.of(count).Recoverable(words)
}

// isWhole reports whether a chunk is complete once an arrival has been taken.
func isWhole(a *sdr.Arrival, chunk int64) bool {
	_, ok := ends(a, chunk)
	return ok
}

// stretches goes through the runs of bits that are set in a part of a bitmap.
type stretches struct {
	wire.Range // the run; valid after next
	bitmap     *sdr.Bitmap
	end        int64
}

func runs(b *sdr.Bitmap, from, end int64) stretches {
	return stretches{Range: wire.Range{First: from}, bitmap: b, end: end}
}

func (s *stretches) next() bool {
	s.First = s.bitmap.NextSet(s.End())
	if s.First >= s.end {
		return false
	}
	s.Count = min(s.bitmap.NextClear(s.First), s.end) - s.First
	return true
}

// ends tells whether an arrival completes a chunk, and by which of its packets, counted from one.
// A chunk that was complete before ends with none.
func ends(a *sdr.Arrival, chunk int64) (packets int64, ok bool) {
	bits := a.Recv.PacketBitmap()
	first, count := a.Recv.ChunkPacketRange(chunk)
	from, to := max(first, a.First), min(first+count, a.First+a.Count)
	if from >= to {
		return 0, bits.CountRange(first, count) == count // it touches none that travels
	}
	outside := count - (to - from)
	if outside > 0 && bits.CountRange(first, count)-bits.CountRange(from, to-from) < outside {
		return 0, false
	}
	last, any := bits.LastClear(from, to-from)
	if !any {
		return 0, true
	}
	return last - a.First + 1, true
}
