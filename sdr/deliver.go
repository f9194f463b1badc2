package sdr

import (
	"sdrsim/units"
	"sdrsim/wire"
)

// Arrival is what became of packets that were delivered.
type Arrival struct {
	// Recv is the receive that the packets belong to; nil when they are of none, or of one whose
	// id has been posted twice since. For a receive that was completed it is still given, also
	// when its id was posted again, so that the host can repeat its last acknowledgement.
	Recv *RecvHandle
	// First and Count are the packets of the message. Packets past the end of the receive are
	// not among them, unless all are.
	First, Count int64
	// Fresh is how many packets had not been there before.
	Fresh int64
	// Spurious is how many chunks were repeated although they were complete. A chunk counts when
	// its first packet arrives in a repeat, so that it does not matter how packets are grouped.
	Spurious int64
	// Discarded tells that nothing was written.
	Discarded bool
	// Repeat is that of the run.
	Repeat bool
	// Spacing is the time between two packets as they arrived, which is not always that in which they
	// were sent. Of one packet it says nothing.
	Spacing units.Duration
}

// verdict is what is to be done with packets, and where they are counted.
type verdict uint8

const (
	accept verdict = iota
	late
	stale
	unmatched
)

// Deliver takes packets from the wire: it finds their receive, stores the payload where there is
// one, and sets the bits of the packets and of the chunks that they complete.
func (q *QP) Deliver(run *wire.Run) Arrival {
	a, v := q.match(run)
	q.counters.Unmatched += run.Count - a.Count // past the end of the receive
	switch v {
	case stale:
		q.counters.Stale += a.Count
		if a.Recv != nil {
			a.Spurious = a.Recv.spurious(&a)
		}
	case unmatched:
		q.counters.Unmatched += a.Count
	case late:
		q.counters.Discarded += a.Count
		a.Spurious = a.Recv.spurious(&a)
	default:
		q.Accept(run, &a)
	}
	return a
}

// Accept delivers packets that Preview has found not to be discarded, all of those of the arrival
// or the first of them: what Deliver would do, without finding their receive again.
func (q *QP) Accept(run *wire.Run, a *Arrival) {
	h := a.Recv
	if run.Data != nil || h.seen != q.fragments {
		h.unpack(run, a.Count)
	}
	if q.perChunk > 1 {
		a.Spurious = h.spurious(a)
	}
	a.Fresh = h.backend.SetRange(run.First, a.Count)
	switch {
	case q.perChunk > 1 && a.Fresh > 0:
		h.coalesce(run.First, a.Count)
	case q.perChunk == 1 && a.Repeat:
		a.Spurious = a.Count - a.Fresh // each packet is a chunk
	}
	q.counters.Fresh += a.Fresh
	q.counters.Duplicates += a.Count - a.Fresh
}

// Preview says which receive Deliver would find and whether it would discard the packets, without
// changing anything. Fresh and Spurious are zero.
func (q *QP) Preview(run *wire.Run) Arrival {
	a, _ := q.match(run)
	return a
}

// match finds the receive that a run belongs to and what is to become of its packets.
func (q *QP) match(run *wire.Run) (Arrival, verdict) {
	if h := q.find(run); h != nil && h.holds(run) && h.takes(run) {
		return Arrival{Recv: h, First: run.First, Count: run.Count, Repeat: run.Repeat,
			Spacing: run.Spacing}, accept
	}
	return q.judge(run)
}

// find is the receive that has the id of a run in its generation, be it the last or the one before;
// nil where neither has.
func (q *QP) find(run *wire.Run) *RecvHandle {
	for slot := int64(run.Message); slot < min(int64(len(q.recvs)), q.posted); slot += q.ids {
		if h := q.recvs[slot]; h != nil && h.generation == run.Generation {
			return h
		}
	}
	return nil
}

// holder is the receive that was posted last under an id.
func (q *QP) holder(id int64) *RecvHandle {
	last := q.posted - 1 - (q.posted-1-id)&(q.ids-1)
	return q.recvs[q.recvSlot(last)]
}

// holds tells that every packet of a run lies within the message.
func (h *RecvHandle) holds(run *wire.Run) bool {
	left := h.packets - run.First
	return run.First >= 0 && run.Count <= left &&
		(run.Count < left || run.Payload <= h.lastPayload)
}

// takes reports whether the receive takes packets: it was not completed and is not blocked, its
// memory is registered, and they are not out of order where that matters.
func (h *RecvHandle) takes(run *wire.Run) bool {
	return !h.completed && h.mr.ctx != nil && !h.blocked &&
		(!h.ordered || run.First <= h.backend.FirstClear())
}

// judge is match for every run, also one that is to be discarded, all or in part.
func (q *QP) judge(run *wire.Run) (Arrival, verdict) {
	a := Arrival{First: run.First, Count: run.Count, Discarded: true, Repeat: run.Repeat,
		Spacing: run.Spacing}
	slot := int64(run.Message)
	if slot >= min(q.posted, q.ids) {
		return a, unmatched
	}
	h := q.find(run)
	if h == nil {
		return a, stale
	}
	limit := h.packets
	if run.Payload > h.lastPayload {
		limit-- // a packet of this size would reach past the end in the last place
	}
	if run.First < 0 || run.First >= limit {
		return a, unmatched
	}
	a.Recv = h
	a.Count = min(run.Count, limit-run.First)
	if h != q.holder(slot) {
		return a, stale // its host may answer it
	}
	if !h.takes(run) {
		return a, late
	}
	a.Discarded = false
	return a, accept
}

// unpack takes what the first count packets of the run carry: their payload, and fragments of the
// user immediate.
func (h *RecvHandle) unpack(run *wire.Run, count int64) {
	if run.Data != nil && h.mr.buf != nil {
		h.copy(run, count)
	}
	if h.seen != h.qp.fragments {
		h.collect(run, count)
	}
}

// copy writes the payload of count packets where it belongs.
func (h *RecvHandle) copy(run *wire.Run, count int64) {
	from := units.Bytes(run.First) * h.qp.cfg.MTU
	if count > 1 && run.Payload != h.qp.cfg.MTU {
		panic("BUG: sdr: a run of several packets that are not full")
	}
	copy(h.mr.buf[h.offset+from:h.offset+h.length], run.Data[:units.Bytes(count)*run.Payload])
}

// collect takes the fragments of the user immediate that count packets carry. Packets a whole
// round of fragments apart carry the same one, and a whole round carries the immediate.
func (h *RecvHandle) collect(run *wire.Run, count int64) {
	width := int64(h.qp.cfg.Split.User)
	round := 32 / width // a power of two
	if count >= round {
		h.seen, h.user = h.qp.fragments, run.User
		return
	}
	for i := run.First; i < run.First+count; i++ {
		part := i & (round - 1)
		bits := uint32(1<<width-1) << (part * width)
		h.seen |= 1 << part
		h.user = h.user&^bits | run.User&bits
	}
}

// coalesce sets the bits of the chunks that packets [first, first+count) have completed. Chunks
// that lie wholly in the range are complete; the two at its ends must be looked at.
func (h *RecvHandle) coalesce(first, count int64) {
	n, end := h.qp.perChunk, first+count
	from, to := (first+n-1)/n, end/n
	if end == h.packets {
		to = h.chunks
	}
	if from < to {
		h.frontend.SetRange(from, to-from)
	}
	if first%n != 0 {
		h.coalesceOne(first / n)
	}
	if end != h.packets && end%n != 0 {
		h.coalesceOne(end / n)
	}
}

// coalesceOne sets the bit of a chunk when all its packets have arrived.
func (h *RecvHandle) coalesceOne(chunk int64) {
	first, count := h.chunkPackets(chunk, 1)
	if h.backend.CountRange(first, count) == count {
		h.frontend.Set(chunk)
	}
}

// spurious counts the chunks of a repeat that were complete before it, by their first packets.
func (h *RecvHandle) spurious(a *Arrival) int64 {
	if !a.Repeat {
		return 0
	}
	n := h.qp.perChunk
	if n == 1 {
		return h.backend.CountRange(a.First, a.Count)
	}
	from, to := (a.First+n-1)/n, (a.First+a.Count+n-1)/n
	if from >= to {
		return 0
	}
	return h.Bitmap().CountRange(from, to-from)
}
