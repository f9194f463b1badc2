package sr

import (
	"sdrsim/internal/ring"
	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// Window is what a sender knows of the chunks of one message: which were acknowledged, which are
// on their way since when, and which wait to be sent again. Its cost follows losses: chunks that
// were sent back to back share one record, and only repeated chunks have a state of their own.
type Window struct {
	geometry
	// due is what Deadline returns, as long as known: that of the oldest chunk in flight, whose state
	// is state, nil where it has none.
	due   units.Time
	known bool

	failed bool
	// sentPackets is the end of the packets that have been sent at least once; first
	// transmissions go in order.
	sentPackets int64
	// acked has a bit per chunk. base is no greater than the first chunk that is not acknowledged.
	base int64
	last departed
	// front is the chunks to be sent again that have waited longest, of no count where there are
	// none; its first chunk was not acknowledged. waiting holds the others, in order of request.
	front wire.Range
	rto   units.Duration
	acked sdr.Bitmap
	// flight holds the transmissions in order of departure; timeouts expire in the same order.
	flight flight
	state  *repeat
	// plain is chunks that NextRepeat has handed out last, offered and never requested.
	plain   wire.Range
	waiting ring.Ring[wire.Range]
	repeats repeats
	retries int
}

// departed is the packets that were sent last; the first of them left at depart, the others spacing
// apart. The last of them may not have left yet.
type departed struct {
	first, count int64
	repeat       bool
	depart       units.Time
	spacing      units.Duration
}

// departureOf is when a packet of them leaves.
func (d *departed) departureOf(packet int64) units.Time {
	return d.depart.Add(units.Duration(packet-d.first) * d.spacing)
}

// geometry is how a message is divided.
type geometry struct{ chunks, packets, perChunk int64 }

// chunkOf is the chunk of a packet.
func (g geometry) chunkOf(packet int64) int64 {
	if g.perChunk == 1 {
		return packet // most often, and a division costs
	}
	return packet / g.perChunk
}

// lastPacket is the offset of the last packet of a chunk.
func (g geometry) lastPacket(chunk int64) int64 {
	return min((chunk+1)*g.perChunk, g.packets) - 1
}

// Open starts on the message of a handle.
func (w *Window) Open(h *sdr.SendHandle, rto units.Duration, retries int) {
	w.geometry = geometry{h.Chunks(), h.PacketCount(), h.PacketsPerChunk()}
	w.rto, w.retries = rto, retries
	w.acked.Reset(w.chunks)
	w.base, w.sentPackets, w.failed, w.last = 0, 0, false, departed{}
	w.known = false
	w.flight.Reset()
	w.front, w.plain = wire.Range{}, wire.Range{}
	w.waiting.Reset()
	w.repeats.reset(w.chunks)
}

// Done tells that every chunk was acknowledged.
func (w *Window) Done() bool { return w.acked.Full() }

// Failed tells that a chunk was sent as often as is allowed.
func (w *Window) Failed() bool { return w.failed }

// Acked is how many chunks were acknowledged.
func (w *Window) Acked() int64 { return w.acked.Count() }

// AckBelow acknowledges every chunk before end.
func (w *Window) AckBelow(end int64) {
	if end > w.base {
		w.acked.SetRange(w.base, end-w.base)
		w.base = end
		w.heard()
	}
}

// Ack acknowledges count chunks from first.
func (w *Window) Ack(first, count int64) {
	w.acked.SetRange(first, count)
	w.heard()
}

// ackBits acknowledges the chunks that are set.
func (w *Window) ackBits(b *wire.Bits) {
	for i, mask := range b.Words {
		w.acked.SetWord(b.First/64+int64(i), mask)
	}
	w.heard()
}

// heard finds what expires and what waits first again, after an acknowledgement.
func (w *Window) heard() {
	w.known = false
	w.look()
}

// Unack takes back the acknowledgement of chunks that were never sent under this window's timers;
// erasure coding opens the window with all chunks acknowledged and takes back those that failed.
func (w *Window) Unack(first, count int64) {
	w.acked.ClearRange(first, count)
	w.base = min(w.base, first)
	w.known = false
}

// Sent records the departure of a part of the message. The chunks whose last packet is in it are
// on their way from then on.
func (w *Window) Sent(part sdr.Work, depart units.Time, spacing units.Duration) {
	last := &w.last
	last.first, last.count, last.repeat = part.First, part.Count, part.Repeat
	last.depart, last.spacing = depart, spacing
	end := part.First + part.Count
	w.sentPackets = max(w.sentPackets, end)
	switch {
	case !part.Repeat:
		w.sentFirsts(part.First, end)
	case w.perChunk == 1 && part.Count == 1: // one chunk, and its only packet
		if e := w.repeats.find(part.First); e != nil {
			e.depart = depart
		}
		w.flight.append(part.First, 1, depart, spacing)
	default:
		w.sentRepeats(part.First, end)
	}
}

// sentFirsts records the chunks that packets [packet, end) complete, sent for the first time.
func (w *Window) sentFirsts(packet, end int64) {
	if w.perChunk == 1 {
		w.flight.append(packet, end-packet, w.last.depart, w.last.spacing)
		return
	}
	for chunk := w.chunkOf(packet); chunk < w.chunks && w.lastPacket(chunk) < end; {
		count := w.wholeChunks(chunk, end)
		w.fly(chunk, count)
		chunk += count
	}
}

// sentRepeats records the chunks that packets [packet, end) complete, sent again: those that were
// requested one by one, those that were only offered together.
func (w *Window) sentRepeats(packet, end int64) {
	for chunk := w.chunkOf(packet); chunk < w.chunks && w.lastPacket(chunk) < end; {
		count := int64(1)
		if e := w.repeats.find(chunk); e != nil {
			e.depart = w.last.departureOf(w.lastPacket(chunk))
		} else {
			count = w.offered(chunk, chunk+w.wholeChunks(chunk, end)) - chunk
		}
		w.fly(chunk, count)
		chunk += count
	}
}

// offered is the end of the chunks from chunk on, before end, that were offered and not requested,
// as chunk was.
func (w *Window) offered(chunk, end int64) int64 {
	if chunk >= w.plain.First && chunk < w.plain.End() {
		return min(end, w.plain.End())
	}
	return w.repeats.next(chunk, end)
}

// fly records that count chunks are under way, as what was sent last.
func (w *Window) fly(first, count int64) {
	depart := w.last.departureOf(w.lastPacket(first))
	w.flight.append(first, count, depart, units.Duration(w.perChunk)*w.last.spacing)
}

// wholeChunks is how many chunks from first on end before packet end at equal distances, given that
// first does: the last chunk of a message may have fewer packets than the others.
func (w *Window) wholeChunks(first, end int64) int64 { return max(1, w.chunkOf(end)-first) }

// Unsend takes back the last count packets of what was sent last.
func (w *Window) Unsend(count int64) {
	end := w.last.first + w.last.count
	from := end - count
	w.last.count -= count
	first := w.chunkOf(from) // the first chunk that has not left whole
	if w.last.repeat {
		for chunk := w.chunkOf(end - 1); chunk >= first; chunk-- {
			if w.lastPacket(chunk) < end {
				w.landRepeat(chunk)
			}
		}
	} else {
		w.sentPackets = from
		w.flight.land(first)
	}
	w.known = w.known && !w.flight.empty() // what is left of the oldest stretch begins as before
}

// landRepeat takes the youngest transmission, which is of the chunk, out of flight. There is none
// where the chunk was acknowledged meanwhile, and with it everything that had left before.
func (w *Window) landRepeat(chunk int64) {
	if e := w.repeats.find(chunk); e != nil {
		e.depart = units.Never
	}
	w.flight.landLast()
}

// Deadline is when the next chunk that was sent and not acknowledged expires.
func (w *Window) Deadline() (at units.Time, ok bool) {
	if !w.known {
		w.due = w.deadline()
	}
	return w.due, w.due != units.Never
}

// deadline drops what will not expire from the front of flight: what was acknowledged, and what was
// asked for since it left, so that its last transmission left at another time, or is about to.
func (w *Window) deadline() units.Time {
	for ; !w.flight.empty(); w.flight.Pop() {
		s := w.flight.oldest()
		end := s.end()
		for chunk := int64(s.first); chunk < end; chunk++ {
			if chunk+1 < end {
				chunk = w.acked.NextClear(chunk)
			} else if w.acked.Test(chunk) { // most repeats are alone
				break
			}
			if chunk >= end {
				break
			}
			depart := s.departureOf(chunk)
			if e := w.repeats.find(chunk); e == nil || e.depart == depart {
				s.first, s.count, s.depart = uint32(chunk), uint32(end-chunk), depart
				w.known, w.state = true, e
				return depart.Add(w.rto)
			}
		}
	}
	return units.Never
}

// Expire requests the repeat of every chunk whose timeout is due, and counts them.
func (w *Window) Expire(now units.Time) (expired int64) {
	for {
		at, ok := w.Deadline()
		if !ok || at > now {
			return expired
		}
		s := w.flight.oldest()
		chunk := int64(s.first)
		w.flight.skip(s)
		w.known = false
		w.request(chunk, w.state)
		expired++
	}
}

// Request asks for a chunk to be sent again that was not acknowledged.
func (w *Window) Request(chunk int64) {
	w.forgo(chunk)
	w.request(chunk, w.repeats.find(chunk))
}

// forgo notes that the last transmission of a chunk will not expire any more.
func (w *Window) forgo(chunk int64) {
	if w.known && int64(w.flight.oldest().first) == chunk {
		w.known = false
	}
}

// request asks for a chunk to be sent again whose state is e, nil where it has none yet.
func (w *Window) request(chunk int64, e *repeat) {
	if e == nil {
		e = w.repeats.add(chunk)
	}
	e.attempt++
	e.depart = units.Never
	if int(e.attempt)-1 > w.retries {
		w.failed = true
	}
	w.wait(wire.Range{First: chunk, Count: 1})
}

// wait lets chunks wait behind the others, the first of which was not acknowledged.
func (w *Window) wait(r wire.Range) {
	if w.front.Count == 0 {
		w.front = r
		return
	}
	*w.waiting.Push() = r
}

// Offer asks for chunks to be sent that were never sent under this window's timers; it does not
// count as a repeat.
func (w *Window) Offer(first, count int64) {
	w.Unack(first, count)
	w.wait(wire.Range{First: first, Count: count})
}

// Reported handles the news that chunks are missing at the receiver. Each is sent again unless it
// was acknowledged, was never sent, waits already, or left so recently that the news cannot be of
// its last transmission.
func (w *Window) Reported(now units.Time, r wire.Range, rtt units.Duration) {
	for chunk := r.First; chunk < r.End(); chunk++ {
		if w.acked.Test(chunk) || !w.left(chunk, now) {
			continue
		}
		if e := w.repeats.find(chunk); e == nil || e.settled(now, rtt) {
			w.forgo(chunk)
			w.request(chunk, e)
		}
	}
}

// left reports whether all packets of a chunk have left at least once.
func (w *Window) left(chunk int64, now units.Time) bool {
	last := w.lastPacket(chunk)
	return last < w.sentPackets &&
		(w.last.repeat || last < w.last.first || w.last.departureOf(last) <= now)
}

// Waiting reports whether a chunk waits to be sent again.
func (w *Window) Waiting() bool { return w.front.Count > 0 }

// look drops what was acknowledged from the front of what waits.
func (w *Window) look() {
	for w.front.Count > 0 && w.acked.Test(w.front.First) {
		w.drop(min(w.acked.NextClear(w.front.First), w.front.End()) - w.front.First)
	}
}

// drop takes the first n chunks off the front.
func (w *Window) drop(n int64) {
	w.front.First += n
	if w.front.Count -= n; w.front.Count == 0 && w.waiting.Len() > 0 {
		w.front = *w.waiting.Head()
		w.waiting.Pop()
	}
}

// NextRepeat takes the consecutive chunks that have waited longest.
func (w *Window) NextRepeat() (first, count int64, ok bool) {
	first = w.front.First
	switch {
	case w.front.Count == 1 && w.waiting.Len() == 0: // most are alone
		w.front.Count = 0
		return first, 1, true
	case w.front.Count == 0:
		return 0, 0, false
	}
	for w.front.Count > 0 && w.front.First == first+count {
		n := w.front.Count
		if n > 1 {
			n = w.acked.NextSetBefore(w.front.First, w.front.End()) - w.front.First
			w.plain = wire.Range{First: w.front.First, Count: n} // only what is offered is many
		}
		count += n
		w.drop(n)
		w.look()
	}
	return first, count, true
}
