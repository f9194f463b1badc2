package ec

import (
	"sdrsim/sdr"
	"sdrsim/units"
)

// Patience ends before the last chunk where all of the data is needed: until then nobody looks.
// Else it ends before the last submessage that is not recoverable: a packet makes no more than one
// of them so. There is none where a decoder counts when it is given a submessage, and in the
// fallback only about chunks of one packet that are all needed.
func (r *Receiver) Patience(h *sdr.RecvHandle) int64 {
	p := &r.progress
	switch {
	case !r.begun || r.decoding || r.done:
		return 0
	case r.fallback:
		return r.patienceForRepeats(h)
	case p.unseen && h == r.data:
		return p.needed.Len() - p.needed.Count() - 1 // a packet each, at least
	case r.cfg.DecodeRate != 0 || h != r.data && h != r.parity:
		return 0
	}
	p.settle()
	return p.subs - p.resolved.Count() - 1
}

// patienceForRepeats is Patience in the fallback. Chunks put off the next report, but as long as a
// poll is due before it the timeout stays where it is.
func (r *Receiver) patienceForRepeats(h *sdr.RecvHandle) int64 {
	p := &r.progress
	if h != r.data || !p.strict || p.perChunk != 1 {
		return 0
	}
	if poll, armed := r.acker.Deadline(); !armed || poll > r.nackAt {
		return 0
	}
	return r.have.Len() - r.have.Count() - 1
}

// newsAt is when the last packet of an arrival of data came that was asked for, if one was, where a
// chunk is a packet.
func (r *Receiver) newsAt(now units.Time, a *sdr.Arrival) units.Time {
	if !r.have.Test(a.First + a.Count - 1) {
		return now
	}
	last, ok := r.have.LastClear(a.First, a.Count)
	if !ok {
		return now
	}
	return now.Add(-units.Duration(a.First+a.Count-1-last) * a.Spacing)
}
