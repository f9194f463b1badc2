package schemes

import "sdrsim/sdr"

// Passed lets go of the receives of a Receiver whose packets have all passed, one message after the
// other. The zero value is ready.
//
// When a receiver takes on a message, repeats of the last one may still be under way, but none of
// the one before that: the last one was announced after that was over, and has arrived in full
// since, on a path that keeps the order.
type Passed struct {
	qp     *sdr.QP
	epoch  uint64
	last   int64 // Index of the last receive
	before int64 // Index of the one before
}

// Posted tells of a receive that was posted; the one before the last is retired.
func (p *Passed) Posted(qp *sdr.QP, h *sdr.RecvHandle) {
	if qp != p.qp || qp.Epoch() != p.epoch {
		p.qp, p.epoch, p.last, p.before = qp, qp.Epoch(), -1, -1
	}
	qp.Retire(p.before)
	p.before, p.last = p.last, h.Index()
}
