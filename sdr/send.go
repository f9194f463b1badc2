package sdr

import (
	"fmt"

	"sdrsim/units"
	"sdrsim/wire"
)

// Work is packets that the host is to put on the wire: the package itself does no I/O.
type Work struct {
	Handle *SendHandle
	// First and Count are the packets of the message.
	First, Count int64
	// Repeat tells that all of them were handed out before.
	Repeat bool
}

// SendHandle is a send under way. It stays valid until it is released, whereupon a later send may
// use its memory, or until the queue pair is reset.
type SendHandle struct {
	message
	ended, released bool
	user            uint32
	// high is a mark: the chunks below it have been continued, and no others. It is negative once
	// the stream has skipped chunks; continued then holds those it has not.
	high      int64
	continued *Bitmap
}

// PostSend sends length bytes of mr from offset as one message. The work is the whole message, and
// the handle is ended. Errors are those of StartStream.
func (q *QP) PostSend(mr *MR, offset, length units.Bytes, userImm uint32) (
	*SendHandle, Work, error) {
	h, err := q.StartStream(mr, offset, length, userImm)
	if err != nil {
		return nil, Work{}, err
	}
	h.ended = true
	return h, Work{Handle: h, Count: h.packets}, nil
}

// StartStream starts a send of length bytes of mr from offset, whose chunks go out as Continue
// says. ErrNoCTS when the peer has not announced the receive; ErrRetry when the message id is still
// held by a send that is not released; other errors are mistakes.
func (q *QP) StartStream(mr *MR, offset, length units.Bytes, userImm uint32) (*SendHandle, error) {
	at := region{mr, offset, length}
	if err := q.checkMessage(at); err != nil {
		return nil, err
	}
	slot := q.slot(q.sent)
	if q.sent >= q.cts {
		return nil, ErrNoCTS
	}
	if q.sent >= q.ids && q.sends[slot] != nil {
		return nil, ErrRetry
	}
	if slot == int64(len(q.sends)) {
		q.sends = append(q.sends, nil)
	}
	h := reuse(&q.sends[slot], &q.spareSends)
	h.post(q, q.sent, at)
	h.user, h.high = userImm, 0
	h.ended, h.released = false, false
	q.sent++
	return h, nil
}

// Continue sends chunks [firstChunk, firstChunk+chunks). Any order is allowed, and a chunk may go
// more than once. The work is a repeat if all its chunks were continued before; a mix of repeated
// and new chunks counts as new, so whoever wants repeats known as such asks for them apart.
// ErrOutOfRange where there are no such chunks, or several of which some are shortened; ErrEnded
// after End, ErrUnregistered when the memory was deregistered.
func (h *SendHandle) Continue(firstChunk, chunks int64) (Work, error) {
	switch {
	case h.epoch != h.qp.epoch:
		return Work{}, ErrInvalidHandle
	case h.ended:
		return Work{}, ErrEnded
	case h.mr.ctx == nil:
		return Work{}, ErrUnregistered
	case !h.hasChunks(firstChunk, chunks), chunks > 1 && h.isShort(firstChunk+chunks-1):
		return Work{}, h.noChunks(firstChunk, chunks)
	}
	w := Work{Handle: h, Repeat: h.mark(firstChunk, firstChunk+chunks)}
	w.First, w.Count = h.chunkPackets(firstChunk, chunks)
	return w, nil
}

// mark notes that chunks are continued and tells whether all of them had been before. A stream that
// goes in order needs the high-water mark only; the first one that skips brings in a bitmap.
func (h *SendHandle) mark(first, end int64) (repeat bool) {
	if first > h.high {
		return h.markApart(first, end)
	}
	if end <= h.high {
		return true
	}
	h.high = end
	return false
}

// markApart is mark for a stream that has skipped chunks, or does so now.
func (h *SendHandle) markApart(first, end int64) (repeat bool) {
	if h.high >= 0 {
		if h.continued == nil {
			h.continued = new(Bitmap)
		}
		h.continued.Reset(h.chunks)
		h.continued.SetRange(0, h.high)
		h.high = -1
	}
	return h.continued.SetRange(first, end-first) == 0
}

// Shorten tells that of each chunk from firstChunk on only length bytes travel; the rest of it is
// zeros, and known to be. Such chunks are continued one by one. The receiver does the same. It
// comes before the first Continue. ErrOutOfRange where there is no such chunk or it is not as
// long.
func (h *SendHandle) Shorten(firstChunk int64, length units.Bytes) error {
	return h.shorten(firstChunk, length)
}

// End tells that no more will be sent, repeats included. A second call is ErrDoubleCompletion.
func (h *SendHandle) End() error {
	switch {
	case h.epoch != h.qp.epoch:
		return ErrInvalidHandle
	case h.ended:
		return ErrDoubleCompletion
	}
	h.ended = true
	return nil
}

// Ended reports whether End was called, or the send was posted whole.
func (h *SendHandle) Ended() bool { return h.ended }

// Release tells that the message is acknowledged end to end, so its id and the memory of the handle
// may be used again. It ends the send where End did not. Further calls do nothing until then, and
// are a mistake afterwards.
func (h *SendHandle) Release() {
	if h.released {
		return
	}
	h.ended, h.released = true, true
	if q := h.qp; h.epoch == q.epoch {
		q.sends[h.id] = nil
		q.spareSends = append(q.spareSends, h)
	}
}

// Released reports whether Release was called.
func (h *SendHandle) Released() bool { return h.released }

// UserImm is the user immediate of the message.
func (h *SendHandle) UserImm() uint32 { return h.user }

// RunLimit is how many packets a run that starts with packet first may have: to the end of the
// message, to the short last packet, which travels alone, or to the first shortened chunk, each of
// which is a run of its own.
func (h *SendHandle) RunLimit(first int64) int64 {
	if h.isShortPacket(first) {
		if left := h.left(first); left == 1 || h.shortPayload() == h.qp.cfg.MTU {
			return left
		}
		return h.left(first) - 1
	}
	if h.short.length > 0 {
		return h.short.from*h.qp.perChunk - first
	}
	left := h.packets - first
	if left > 1 && h.lastPayload < h.qp.cfg.MTU {
		return left - 1
	}
	return left
}

// Run makes a run of packets [first, first+count) of the message, but of no more than RunLimit
// allows: look at its Count. Everything is filled in but the timing and Repeat, which the host
// takes from its work.
func (h *SendHandle) Run(first, count int64) (r wire.Run) {
	h.Fill(&r, first, count)
	return r
}

// Fill makes of r what Run returns, but for its timing and Repeat, which are left as they are.
func (h *SendHandle) Fill(r *wire.Run, first, count int64) {
	if first < 0 || count < 1 || count > h.packets-first ||
		h.isShortPacket(first) && h.left(first) < 1 {
		panic(fmt.Sprintf("BUG: sdr: run of packets %d (+%d) of %d", first, count, h.packets))
	}
	r.First, r.Count = first, min(count, h.RunLimit(first))
	r.Message, r.Serial, r.Generation, r.User = h.id, h.index, h.generation, h.user
	r.Payload = h.qp.cfg.MTU
	switch {
	case h.isShortPacket(first):
		if h.left(first) == 1 {
			r.Payload = h.shortPayload()
		}
	case first == h.packets-1:
		r.Payload = h.lastPayload
	}
	if h.mr.buf != nil {
		r.Data = h.data(r)
	} else if r.Data != nil {
		r.Data = nil
	}
}

// data is the memory of the packets of a run.
func (h *SendHandle) data(r *wire.Run) []byte {
	start := h.offset + units.Bytes(r.First)*h.qp.cfg.MTU
	end := start + units.Bytes(r.Count)*r.Payload
	return h.mr.buf[start:end:end]
}

// RemoteOffset is where a packet is written in the zero-based memory key of the receiver: message
// id i owns the bytes from i times the largest message. arXiv:2505.05366 §3.
func (h *SendHandle) RemoteOffset(packet int64) units.Bytes {
	return units.Bytes(int64(h.id)*h.qp.cfg.Split.Packets()+packet) * h.qp.cfg.MTU
}
