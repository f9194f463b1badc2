package sr

import "sdrsim/sdr"

// Patience is every packet but the last one that is missing, while a poll is due. Where holes are
// reported it depends on the packets.
func (r *Receiver) Patience(h *sdr.RecvHandle) int64 {
	if h != r.handle || r.done || r.holes != nil || !r.acker.Armed() {
		return 0
	}
	return h.Missing() - 1
}
