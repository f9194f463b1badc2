package sdr

import (
	"fmt"

	"sdrsim/units"
)

// RecvHandle is a posted receive. It stays valid until the queue pair is reset or its message id
// has been posted again, which takes a Complete and as many further receives as there are ids;
// with two generations or more until the id has been posted twice more: a sender that has not
// heard of the completion repeats packets, and its receiver is still told of them.
type RecvHandle struct {
	message
	completed bool
	// ordered refuses every packet but those that follow what has arrived, or repeat it; blocked
	// refuses all.
	ordered, blocked bool
	// seen has a bit per fragment of the user immediate that has arrived in user.
	seen, user uint32
	// backend has a bit per packet, frontend a bit per chunk. Where a chunk is one packet, the
	// backend is the frontend too, and there is no other.
	backend  Bitmap
	frontend *Bitmap
}

// PostRecv posts the next receive, into length bytes of mr from offset. Sends land in receives in
// the order of posting. ErrRetry when the message id is still held by a receive that is not
// completed, or MaxRecvs receives are open; other errors are mistakes.
func (q *QP) PostRecv(mr *MR, offset, length units.Bytes) (*RecvHandle, error) {
	at := region{mr, offset, length}
	if err := q.checkMessage(at); err != nil {
		return nil, err
	}
	if !q.CanPost() {
		return nil, ErrRetry
	}
	slot := q.recvSlot(q.posted)
	if slot == int64(len(q.recvs)) {
		q.recvs = append(q.recvs, nil)
	}
	h := reuse(&q.recvs[slot], &q.spareRecvs)
	h.post(q, q.posted, at)
	h.seen, h.user = 0, 0
	h.completed, h.ordered, h.blocked = false, false, false
	h.backend.Reset(h.packets)
	if q.perChunk > 1 {
		if h.frontend == nil {
			h.frontend = new(Bitmap)
		}
		h.frontend.Reset(h.chunks)
	}
	q.posted++
	q.open++
	return h, nil
}

// SetOrdered has the receive refuse packets that are out of order: they are discarded, and the
// Arrival says so. It is for transports that keep no record of gaps, and to be called before the
// receive is announced.
func (h *RecvHandle) SetOrdered() { h.ordered = true }

// Block has the receive refuse all packets, until Admit: they are discarded, and the Arrival says
// so. A transport that keeps no record of gaps refuses a message while the one before is
// incomplete.
func (h *RecvHandle) Block() { h.blocked = true }

// Admit has the receive take packets after Block.
func (h *RecvHandle) Admit() { h.blocked = false }

// reuse puts a handle into a slot that has none, a spare one where there is one.
func reuse[H any](slot **H, spare *[]*H) *H {
	if *slot != nil {
		return *slot
	}
	if last := len(*spare) - 1; last >= 0 {
		*slot, *spare = (*spare)[last], (*spare)[:last]
	} else {
		*slot = new(H)
	}
	return *slot
}

// Retire tells that no packet of a receive that was completed is under way any more, by its Index:
// the memory of its handle goes to a later receive. Packets that arrive nonetheless count as stale.
// It does nothing where the handle has gone to a later receive already.
func (q *QP) Retire(index int64) {
	if index < 0 || index >= q.posted {
		return
	}
	slot := q.recvSlot(index)
	if h := q.recvs[slot]; h != nil && h.index == index && h.completed {
		q.recvs[slot] = nil
		q.spareRecvs = append(q.spareRecvs, h)
	}
}

// Bitmap is the frontend: a bit per chunk, set when every packet of the chunk has arrived. It is
// to be read, not written.
func (h *RecvHandle) Bitmap() *Bitmap {
	if h.qp.perChunk == 1 {
		return &h.backend
	}
	return h.frontend
}

// PacketBitmap is the backend: a bit per packet. Where a chunk is one packet it is the same bitmap
// as the frontend. It is to be read, not written.
func (h *RecvHandle) PacketBitmap() *Bitmap { return &h.backend }

// Missing is how many packets have not arrived.
func (h *RecvHandle) Missing() int64 { return h.packets - h.backend.count }

// Completing reports whether packets [first, first+count) complete a chunk, and which of them, from
// one on, completes the first.
func (h *RecvHandle) Completing(first, count int64) (packets int64, ok bool) {
	end := first + count
	for chunk := h.ChunkOf(first); chunk <= h.ChunkOf(end-1); chunk++ {
		from, n := h.chunkPackets(chunk, 1)
		to := from + n
		here, until := max(from, first), min(to, end)
		before, after := here-from, to-until
		if h.backend.CountRange(from, before) != before ||
			h.backend.CountRange(until, after) != after {
			continue
		}
		if last, missing := h.backend.LastClear(here, until-here); missing {
			return last - first + 1, true
		}
	}
	return 0, false
}

// Expansion is one chunk at packet granularity.
type Expansion struct {
	First, Count int64  // packets of the chunk
	Arrived      int64  // how many of them have arrived
	Bits         uint64 // bit j: packet First+j has arrived, for the first 64 packets
}

// ExpandChunk looks at one chunk at packet granularity. On hardware it costs a round trip over PCIe
// at least, because the packet bitmap is in the memory of the NIC. arXiv:2505.05366 §3.
// ErrOutOfRange where there is no such chunk.
func (h *RecvHandle) ExpandChunk(chunk int64) (Expansion, error) {
	if !h.hasChunks(chunk, 1) {
		return Expansion{}, h.noChunks(chunk, 1)
	}
	first, count := h.chunkPackets(chunk, 1)
	x := Expansion{First: first, Count: count, Arrived: h.backend.CountRange(first, count)}
	x.Bits = h.backend.window(first)
	if count < 64 {
		x.Bits &= 1<<count - 1
	}
	return x, nil
}

func (m *message) noChunks(first, count int64) error {
	return fmt.Errorf("%w: chunks %d (+%d) of a message of %d", ErrOutOfRange, first, count, m.chunks)
}

// UserImm is the user immediate of the send. ok is false while fragments are missing: a message
// of fewer packets than the split has fragments (8 by default) never carries it whole.
func (h *RecvHandle) UserImm() (imm uint32, ok bool) {
	return h.user, h.qp.fragments != 0 && h.seen == h.qp.fragments
}

// Rearm forgets that chunks [firstChunk, firstChunk+chunks) have arrived, so that repeats of them
// are seen anew. A fallback that repeats whole submessages needs it. It is safe only once none of
// the originals can still be under way: one that arrives later would pass for a repeat.
// ErrOutOfRange where there are no such chunks, ErrCompleted after Complete.
func (h *RecvHandle) Rearm(firstChunk, chunks int64) error {
	switch {
	case h.epoch != h.qp.epoch:
		return ErrInvalidHandle
	case h.completed:
		return ErrCompleted
	case !h.hasChunks(firstChunk, chunks):
		return h.noChunks(firstChunk, chunks)
	}
	first, count := h.chunkPackets(firstChunk, chunks)
	h.backend.ClearRange(first, count)
	if h.qp.perChunk > 1 {
		h.frontend.ClearRange(firstChunk, chunks)
	}
	return nil
}

// Shorten tells that of each chunk from firstChunk on only length bytes travel, as the sender does:
// the rest of it is zeros, and counts as arrived. It comes right after posting. ErrOutOfRange where
// there is no such chunk or it is not as long.
func (h *RecvHandle) Shorten(firstChunk int64, length units.Bytes) error {
	if err := h.shorten(firstChunk, length); err != nil {
		return err
	}
	for chunk := firstChunk; chunk < h.chunks; chunk++ {
		first, count := h.chunkPackets(chunk, 1)
		end := min(first+h.qp.perChunk, h.packets)
		if first += count; first < end {
			h.backend.SetRange(first, end-first)
		}
		if bytes := h.Bytes(chunk, 1); bytes != nil {
			clear(bytes[length:])
		}
	}
	return nil
}

// Complete tells that the host needs no more of the message. The key of its slot becomes the null
// key: packets that still arrive are discarded and counted. A second call is ErrDoubleCompletion.
func (h *RecvHandle) Complete() error {
	switch {
	case h.epoch != h.qp.epoch:
		return ErrInvalidHandle
	case h.completed:
		return ErrDoubleCompletion
	}
	h.completed = true
	h.qp.open--
	return nil
}

// Completed reports whether Complete was called.
func (h *RecvHandle) Completed() bool { return h.completed }
