package sdr

import "sdrsim/link/wire"

// Absorb delivers the first count packets of a run that is likely to be for a receive: what Deliver
// does, without the search for their receive. ok is false, and nothing was done, where some would
// be discarded, are for another, or reach the end of the message, where a packet may not fit.
func (h *RecvHandle) Absorb(run *wire.Run, count int64) (a Arrival, ok bool) {
	if run.Message != h.id || run.Generation != h.generation || h.epoch != h.qp.epoch ||
		h.completed || run.First < 0 || count >= h.packets-run.First || h.mr.ctx == nil {
		return Arrival{}, false
	}
	a = Arrival{Recv: h, First: run.First, Count: count, Repeat: run.Repeat}
	h.qp.Accept(run, &a)
	return a, true
}
