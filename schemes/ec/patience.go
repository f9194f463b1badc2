package ec

import "sdrsim/sdr"

// Patience ends before the last chunk where all of the data is needed: until then nobody looks. Else
// it ends before the last submessage that is not recoverable: a packet makes no more than one of
// them so. There is none in the fallback, where chunks put off the next report, and none where a
// decoder counts when it is given a submessage.
func (r *Receiver) Patience(h *sdr.RecvHandle) int64 {
	p := &r.progress
	switch {
	case !r.begun || r.fallback || r.decoding || r.done:
		return 0
	case p.unseen && h == r.data:
		return p.needed.Len() - p.needed.Count() - 1 // a packet each, at least
	case r.cfg.DecodeRate != 0 || h != r.data && h != r.parity:
		return 0
	}
	p.settle()
	return p.subs - p.resolved.Count() - 1
}
