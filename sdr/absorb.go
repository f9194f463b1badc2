package sdr

import "sdrsim/wire"

// Owns reports whether a run is for this receive and none of it would be discarded, without the
// search for its receive. It may say no where yes is true: of a run that reaches the end of the
// message, where a packet may not fit.
func (h *RecvHandle) Owns(run *wire.Run) bool {
	return run.Message == h.id && run.Generation == h.generation && h.epoch == h.qp.epoch &&
		!h.completed && !h.ordered && !h.blocked && run.First >= 0 && run.First < h.packets-1 &&
		h.mr.ctx != nil
}

// Absorb delivers the first count packets of a run that Owns has approved of: what Deliver does. ok
// is false, and nothing was done, where they reach the end of the message.
func (h *RecvHandle) Absorb(run *wire.Run, count int64) (a Arrival, ok bool) {
	if count >= h.packets-run.First {
		return Arrival{}, false
	}
	a = Arrival{Recv: h, First: run.First, Count: count, Repeat: run.Repeat,
		Spacing: run.Spacing}
	h.qp.Accept(run, &a)
	return a, true
}
