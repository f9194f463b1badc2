package ec

import "sdrsim/sdr"

// Patience is for data, as long as all of it is needed, and ends before its last chunk: until then
// nobody looks.
func (r *Receiver) Patience(h *sdr.RecvHandle) int64 {
	if h != r.data || !r.begun || r.fallback || r.decoding || r.done || !r.progress.unseen {
		return 0
	}
	return r.progress.needed.Len() - r.progress.needed.Count() - 1 // a packet each, at least
}
