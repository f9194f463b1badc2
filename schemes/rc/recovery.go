package rc

import (
	"slices"

	"sdrsim/wire"
)

// repeats are what a sender has to retransmit.
//
// Under Go-Back-N that is everything from next on that was sent before the sender went back. With
// selective recovery it is the holes from next on, below the highest PSN that was reported.
type repeats struct {
	active bool
	next   int64 // PSN to be handed out next
	left   int64 // behind the last that has left
	// resume says that what was handed out and has not left is void, and is to be handed out again.
	resume bool
	// to is where retransmissions end, exclusive: asFarAsSent before the first is handed out. With
	// selective recovery it is where a timeout has holes end at least.
	to int64
	// sacked are the PSNs beyond the cumulative one that have arrived.
	sacked []wire.Range
}

// asFarAsSent says that everything is retransmitted that has left.
const asFarAsSent = -1

// goBack retransmits from the oldest packet on that is not acknowledged.
func (s *Sender) goBack() {
	r := &s.repeats
	r.active, r.next, r.left, r.resume = true, s.una, s.una, false
	if r.to = asFarAsSent; s.cfg.Selective {
		r.to = s.una + 1
	}
	s.recalled = true
}

// acknowledged notes progress: what was acknowledged is not to be retransmitted.
func (s *Sender) acknowledged() {
	r := &s.repeats
	for len(r.sacked) > 0 && r.sacked[0].First <= s.una {
		if end := r.sacked[0].End(); end > s.una {
			r.sacked[0] = wire.Range{First: s.una, Count: end - s.una}
			break
		}
		r.sacked = slices.Delete(r.sacked, 0, 1)
	}
}

// report takes the bitmap of an acknowledgement: PSNs beyond the cumulative one that have arrived.
// The holes below them are retransmitted, each once.
func (s *Sender) report() {
	r := &s.repeats
	for got := range s.reports.Ack.Ranges {
		if got.End() > s.una {
			r.add(got)
		}
	}
	if !r.active {
		r.active, r.next, r.left, r.to = true, s.una, s.una, s.una
	}
}

// add puts a range among those that have arrived.
func (r *repeats) add(got wire.Range) {
	i, _ := slices.BinarySearchFunc(r.sacked, got.First, func(x wire.Range, first int64) int {
		return int(x.End() - first)
	})
	j := i
	for j < len(r.sacked) && r.sacked[j].First <= got.End() {
		end := max(got.End(), r.sacked[j].End())
		got.First = min(got.First, r.sacked[j].First)
		got.Count = end - got.First
		j++
	}
	r.sacked = slices.Replace(r.sacked, i, j, got)
}

// pending are the PSNs that are to be retransmitted next; none where from is not below to. It
// changes nothing.
func (s *Sender) pending() (from, to int64) {
	r := &s.repeats
	if !r.active {
		return 0, 0
	}
	if from = max(r.next, s.una); r.resume {
		from = max(r.left, s.una)
	}
	if !s.cfg.Selective && r.to == asFarAsSent {
		return from, s.Sent
	}
	for _, got := range r.sacked {
		if from < got.First {
			return from, got.First
		}
		from = max(from, got.End())
	}
	return from, min(r.to, s.Sent)
}
