package sdr

import "sdrsim/link/wire"

// Absorb delivers packets that are known to be for a receive, if that takes them all: what Deliver
// does, without the search for their receive. ok is false, and nothing was done, where some would
// be discarded or are for another.
func (h *RecvHandle) Absorb(run *wire.Run) (a Arrival, ok bool) {
	if run.Message != h.id || run.Generation != h.generation || h.epoch != h.qp.epoch ||
		h.completed || run.First < 0 || run.Count >= h.packets-run.First || h.mr.ctx == nil {
		return Arrival{}, false
	}
	a = Arrival{Recv: h, First: run.First, Count: run.Count, Repeat: run.Repeat}
	h.qp.Accept(run, &a)
	return a, true
}
