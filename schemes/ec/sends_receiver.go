package ec

import (
	"errors"
	"fmt"

	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/sim/units"
)

// pieceReceiver is a Receiver that posts a receive for the data of each submessage, and one for its
// parity. A submessage that is recovered completes both, which frees their ids.
type pieceReceiver struct {
	Receiver
	sends sends
	// handles has the receives that are open, by place; those from posted on are not yet.
	handles []*sdr.RecvHandle
	posted  int64
	// dataBits and parityBits are the chunks that have arrived, of the whole message.
	dataBits, parityBits sdr.Bitmap
	useful               int64 // parity chunks that reconstructions used so far
}

// newPieceReceiver builds a receiver that takes on one message after the other.
func newPieceReceiver(cfg Config) (*pieceReceiver, error) {
	r, err := NewReceiver(cfg)
	return &pieceReceiver{Receiver: *r}, err
}

// Open posts the first receives of a new message, as far as there are ids.
func (r *pieceReceiver) Open(t schemes.Transfer) error {
	r.sends.open(&r.cfg, &t)
	l := r.sends.layout
	memory, err := parityMemory(r.memory, l, &t)
	if err != nil {
		return err
	}
	r.memory, r.t = memory, t
	h, err := r.post(0)
	if err != nil {
		return err
	}
	r.handles = handles(r.handles, r.sends.total())
	r.handles[0], r.sends.base, r.posted = h, h.Index(), 1
	r.dataBits.Reset(l.chunks)
	r.parityBits.Reset(l.parity())
	r.useful = 0
	r.progress.dataBits, r.progress.parityBits = &r.dataBits, &r.parityBits
	r.progress.start(l, &r.coders, h.PacketsPerChunk())
	r.reset(h.PacketsPerChunk())
	r.Post()
	return nil
}

// post posts the receive of a place.
func (r *pieceReceiver) post(place int64) (h *sdr.RecvHandle, err error) {
	offset, length, parity := r.sends.region(place)
	if parity {
		h, err = r.t.QP.PostRecv(r.memory, offset, length)
	} else {
		h, err = r.t.QP.PostRecv(r.t.MR, r.t.Offset+offset, length)
	}
	if err == nil {
		h.SetTag(r.t.Tag)
	}
	return h, err
}

// Post posts receives as long as there are ids, and something can be received that is needed: not
// once everything is recoverable, and no parity behind all data in the fallback. Receives of what
// is not needed, which only keep their place, are completed at once.
func (r *pieceReceiver) Post() (whole bool) {
	p := &r.progress
	for r.posted < r.sends.total() && !r.done && !r.decoding {
		sub, parity := r.sends.at(r.posted)
		if r.fallback && r.sends.dataBefore(r.posted) == p.subs {
			return false
		}
		h, err := r.post(r.posted)
		if errors.Is(err, sdr.ErrRetry) {
			return false
		}
		if err != nil {
			panic(fmt.Sprintf("BUG: ec: %v", err)) // the first could be posted
		}
		r.handles[r.posted] = h
		r.posted++
		if parity && (r.fallback || p.resolved.Test(sub)) {
			r.closeAt(r.posted - 1)
		}
	}
	return r.posted == r.sends.total()
}

// closeAt completes the receive of a place, unless that was done or it was not posted yet.
func (r *pieceReceiver) closeAt(place int64) {
	if h := r.handles[place]; h != nil {
		closeReceive(h)
		r.handles[place] = nil
	}
}

// find is the place of a receive; ok is false where it is not one of this message.
func (r *pieceReceiver) find(h *sdr.RecvHandle) (place int64, ok bool) {
	place = h.Index() - r.sends.base
	return place, place >= 0 && place < r.posted
}

// Quiet ends where a submessage is recoverable, which completes its receives, and in the fallback
// also at each chunk.
func (r *pieceReceiver) Quiet(a sdr.Arrival) (packets int64, silent bool) {
	place, ok := r.find(a.Recv)
	switch {
	case !ok:
		return a.Count, true
	case r.done:
		return r.acker.QuietLate(a.Count)
	case !r.begun || r.fallback && !r.acker.Armed():
		a.Count = 1 // sets a timeout
	case r.fallback:
		a.Count = firstChunk(&a)
	}
	if r.decoding || a.Discarded {
		return a.Count, true
	}
	sub, parity := r.sends.at(place)
	if n, ok := r.recovers(&a, sub, parity); ok {
		return n, false
	}
	return a.Count, true
}

// recovers tells whether an arrival makes a submessage recoverable that was not, and by which of
// its packets, counted from one. It changes nothing.
func (r *pieceReceiver) recovers(a *sdr.Arrival, sub int64, parity bool) (packets int64, ok bool) {
	p := &r.progress
	if p.resolved.Test(sub) || p.strict && parity {
		return 0, false
	}
	first, count := p.layout.data(sub)
	bit, have := int64(0), p.dataBits.CountRange(first, count)
	if parity {
		bit = count
	}
	whole := have // data chunks
	if !p.strict {
		have += p.parityBits.CountRange(sub*p.m, p.m)
	}
	from, to := a.Recv.ChunkOf(a.First), a.Recv.ChunkOf(a.First+a.Count-1)
	if have+to-from+1 < count {
		return 0, false
	}
	words := p.pattern(sub)
	for chunk := from; chunk <= to; chunk++ {
		n, complete := ends(a, chunk)
		if i := bit + chunk; complete && words[i/64]>>(i%64)&1 == 0 {
			words[i/64] |= 1 << (i % 64)
			have++
			if !parity {
				whole++
			}
		}
		if whole == count || !p.strict && have >= count && p.coders.of(count).Recoverable(words) {
			return max(n, 1), true
		}
	}
	return 0, false
}

// Patience is none: nearly every packet of a short send may be its last.
func (r *pieceReceiver) Patience(*sdr.RecvHandle) int64 { return 0 }

// HandleArrival arms the fallback timeout, recovers, completes receives, and acknowledges.
func (r *pieceReceiver) HandleArrival(now units.Time, a sdr.Arrival) {
	place, ok := r.find(a.Recv)
	if !ok {
		return
	}
	if r.done {
		r.acker.Late(now)
		return
	}
	if !r.begun {
		r.begun = true
		r.fto = now.Add(r.sends.fto(&r.cfg, r.t.Path, a.Recv.PacketsPerChunk()))
	}
	if r.decoding {
		return
	}
	sub, parity := r.sends.at(place)
	from, to := a.Recv.ChunkOf(a.First), a.Recv.ChunkOf(a.First+a.Count-1)
	if parity {
		from, to = from+sub*r.sends.m, to+sub*r.sends.m
	} else {
		from, to = from+sub*r.sends.k, to+sub*r.sends.k
	}
	fresh := int64(0)
	if !a.Discarded {
		fresh = r.note(&a, sub, parity)
	}
	recovered := !r.progress.resolved.Test(sub) && r.recoverable(now, sub, parity)
	if recovered && r.fallback && !r.progress.strict {
		first, count := r.progress.layout.data(sub)
		if n := r.have.SetRange(first, count); n > 0 {
			if parity {
				from, to = first, first+count-1
			}
			from, to, fresh = min(from, first), max(to, first+count-1), fresh+n
			parity = false
		}
	}
	if r.fallback && !parity {
		r.acker.Note(now, from, to)
	}
	if fresh > 0 {
		r.nackAt = now.Add(r.newsPatience)
	}
	if recovered {
		r.finish(now, sub)
	}
}

// note takes down the chunks of an arrival that are there, and returns how many of them had been
// asked for in the fallback.
func (r *pieceReceiver) note(a *sdr.Arrival, sub int64, parity bool) (fresh int64) {
	l, bits := &r.sends, a.Recv.Bitmap()
	from, end := a.Recv.ChunkOf(a.First), a.Recv.ChunkOf(a.First+a.Count-1)+1
	for there := runs(bits, from, end); there.next(); {
		if parity {
			r.parityBits.SetRange(sub*l.m+there.First, there.Count)
			continue
		}
		r.dataBits.SetRange(sub*l.k+there.First, there.Count)
		if r.fallback {
			fresh += r.have.SetRange(sub*l.k+there.First, there.Count)
		}
	}
	return fresh
}

// recoverable tells whether a submessage has become so, and then gives it to the decoder where
// data is missing.
func (r *pieceReceiver) recoverable(now units.Time, sub int64, parity bool) bool {
	p := &r.progress
	if !parity && p.whole(sub) {
		return true
	}
	if p.strict || !p.decodable(sub) {
		return false
	}
	r.decode(now, 1)
	return true
}

// finish completes the receives of a submessage that is recovered, and the message with the last.
func (r *pieceReceiver) finish(now units.Time, sub int64) {
	p := &r.progress
	p.resolved.Set(sub)
	first, count := p.layout.data(sub)
	if missing := count - r.dataBits.CountRange(first, count); missing > 0 {
		r.useful += missing
		r.rebuildOne(sub, count)
	}
	r.closeAt(r.sends.dataPlace(sub))
	r.closeAt(r.sends.parityPlace(sub))
	if p.resolved.Full() {
		r.closeRest()
		r.recovered(now)
		r.countUseful()
	}
	r.freed(now)
}

// freed tells the host that there may be something to post.
func (r *pieceReceiver) freed(now units.Time) {
	if r.t.Posting != nil {
		r.t.Posting.Freed(now)
	}
}

// countUseful counts the parity that was used, once the message is complete.
func (r *pieceReceiver) countUseful() {
	if r.done {
		r.counters.UsefulParity = r.useful
	}
}

// closeRest completes the receives that are left, which are those of parity.
func (r *pieceReceiver) closeRest() {
	for place := range r.posted {
		r.closeAt(place)
	}
}

// rebuildOne decodes a submessage that misses data, before its receives are completed.
func (r *pieceReceiver) rebuildOne(sub, count int64) {
	if r.memory.Virtual() {
		return
	}
	r.shards = r.sends.shards(r.shards[:0], sub, &r.t, r.memory)
	if err := r.coders.of(count).Reconstruct(r.shards, r.progress.pattern(sub)); err != nil {
		panic(fmt.Sprintf("BUG: ec: a recoverable submessage: %v", err))
	}
}

// HandleTimeout begins the fallback, reports again where nothing comes, and acknowledges.
func (r *pieceReceiver) HandleTimeout(now units.Time) {
	if r.begun && !r.done && !r.decoding && !r.fallback && now >= r.fto {
		r.acker.Poll(now)
		r.counters.Timeouts++
		r.fallBack(now)
		return
	}
	r.Receiver.HandleTimeout(now)
	r.countUseful()
}

// fallBack reports the submessages that cannot be recovered, those that have no receive yet among
// them. Of those that are to be repeated whole, what has arrived is forgotten.
func (r *pieceReceiver) fallBack(now units.Time) {
	r.fallback = true
	p := &r.progress
	r.have.SetRange(0, p.chunks)
	strict := r.cfg.Fallback == FallbackSubmessage
	for sub := p.resolved.FirstClear(); sub < p.subs; sub = p.resolved.NextClear(sub + 1) {
		first, count := p.layout.data(sub)
		if !strict {
			forget(&r.have, &r.dataBits, first, count)
			continue
		}
		r.have.ClearRange(first, count)
		r.dataBits.ClearRange(first, count)
		if h := r.handles[r.sends.dataPlace(sub)]; h != nil {
			if err := h.Rearm(0, h.Chunks()); err != nil {
				panic(fmt.Sprintf("BUG: ec: %v", err))
			}
		}
	}
	if strict {
		p.restrict(&r.have)
	}
	r.report(now)
	r.freed(now) // parity is completed where it is posted, and data behind it
}

// State describes the receiver in a line.
func (r *pieceReceiver) State() string {
	return fmt.Sprintf("%s, %d of %d receives posted", r.Receiver.State(), r.posted, r.sends.total())
}
