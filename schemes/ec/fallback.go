package ec

import (
	"fmt"

	"sdrsim/units"
	"sdrsim/wire"
)

// HandleTimeout begins the fallback, reports again where nothing comes, and acknowledges.
func (r *Receiver) HandleTimeout(now units.Time) {
	r.acker.Poll(now)
	switch {
	case r.done || !r.begun:
	case r.decoding:
		if r.decoded <= now {
			r.complete(now)
		}
	case !r.fallback:
		if now >= r.fto {
			r.counters.Timeouts++
			r.fallBack(now)
		}
	case now >= r.nackAt:
		r.counters.Timeouts++
		r.report(now)
	}
}

// fallBack reports the submessages that cannot be recovered. Of those that are to be repeated
// whole, what has arrived is forgotten, so that their repeats are seen.
func (r *Receiver) fallBack(now units.Time) {
	r.fallback = true
	p := &r.progress
	p.settle()
	r.have.SetRange(0, p.chunks)
	strict := r.cfg.Fallback == FallbackSubmessage
	for sub := p.resolved.FirstClear(); sub < p.subs; sub = p.resolved.NextClear(sub) {
		failed := wire.Range{First: sub, Count: p.resolved.NextSet(sub) - sub}
		first, count := p.layout.dataOf(failed)
		sub = failed.End()
		if !strict {
			r.forget(first, count)
			continue
		}
		r.have.ClearRange(first, count)
		if err := r.data.Rearm(first, count); err != nil {
			panic(fmt.Sprintf("BUG: ec: %v", err))
		}
	}
	if strict {
		p.restrict(&r.have)
	}
	r.report(now)
}

// forget takes the missing ones of some chunks out of those that need not be repeated.
func (r *Receiver) forget(first, count int64) {
	bitmap, end := r.data.Bitmap(), first+count
	for i := bitmap.NextClear(first); i < end; i = bitmap.NextClear(i) {
		stop := min(bitmap.NextSet(i), end)
		r.have.ClearRange(i, stop-i)
		i = stop
	}
}

// report sends the fallback's negative acknowledgement, in as many messages as it takes.
func (r *Receiver) report(now units.Time) {
	p := &r.progress
	r.nack = wire.Nack{Message: r.t.Serial, Submessages: p.strict, Missing: r.nack.Missing[:0]}
	bitmap := &r.have
	if p.strict {
		p.settle()
		p.unseen = true // what comes from now on
		bitmap = &p.resolved
	}
	for i := bitmap.FirstClear(); i < bitmap.Len(); {
		end := bitmap.NextSet(i)
		r.nack.Missing = append(r.nack.Missing, wire.Range{First: i, Count: end - i})
		if end == bitmap.Len() {
			break
		}
		i = bitmap.NextClear(end)
	}
	for len(r.nack.Missing) > 0 {
		buf, covered := wire.AppendNack(r.buf[:0], &r.nack, int(r.cfg.SR.Ack.Size))
		r.buf = buf
		now = max(now, r.t.Control.Send(buf)) // a round trip begins when all has been said
		r.counters.Nacks++
		rest := copy(r.nack.Missing, r.nack.Missing[covered:])
		r.nack.Missing = r.nack.Missing[:rest]
	}
	r.nackAt = now.Add(r.patience)
}

// NextTimeout is the earliest of the poll, the fallback timeout, the decoder and the next report.
func (r *Receiver) NextTimeout() (units.Time, bool) {
	at := units.Never
	if due, ok := r.acker.Deadline(); ok {
		at = due
	}
	switch {
	case r.done || !r.begun:
	case r.decoding:
		at = min(at, r.decoded)
	case r.fallback:
		at = min(at, r.nackAt)
	default:
		at = min(at, r.fto)
	}
	return at, at != units.Never
}
