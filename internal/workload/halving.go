package workload

import "math/bits"

// halving is a schedule for a power of two of ranks. In round k of the reduce-scatter rank i
// exchanges half of what it still works on with rank i xor 2^k: it sends one half and adds the
// other one. The all-gather does the same backwards. The distance between partners doubles, so that
// those of the largest messages are neighbours.
//
// Other numbers of ranks are folded: of the first pairs one rank hands its buffer to the other, and
// gets the result in the end.
type halving struct {
	n    int
	plan plan
}

// folded is how many ranks are beyond the largest power of two, and of how many bits that is.
func (h *halving) folded() (surplus, rounds int) {
	rounds = bits.Len(uint(h.n)) - 1
	return h.n - 1<<rounds, rounds
}

// threads implements schedule.
func (h *halving) threads() int { return h.plan.channels }

// step implements schedule.
func (h *halving) step(at Place, k int, s *step) bool {
	whole, _ := h.plan.loop(at.Thread, 0)
	surplus, rounds := h.folded()
	rank := at.Rank
	if surplus > 0 {
		switch {
		case rank >= 2*surplus:
			rank -= surplus
		case rank%2 == 1:
			return foldedAway(rank-1, k, whole, s)
		case k == 0:
			s.add(primitive{from: only(rank + 1), reduce: true, region: whole})
			return true
		case k == 2*rounds+1:
			s.add(primitive{to: only(rank + 1), region: whole})
			return true
		default:
			rank, k = rank/2, k-1 // the first step was the fold
		}
	}
	if k >= 2*rounds {
		return false
	}
	h.exchange(rank, k, whole, s)
	return true
}

// foldedAway is what a rank does whose buffer another works on: it sends it, and gets the result.
func foldedAway(other, k int, whole region, s *step) bool {
	if k > 0 {
		return false
	}
	s.add(primitive{to: only(other), region: whole})
	s.add(primitive{from: only(other), region: whole})
	return true
}

// exchange is round k of a rank, of those that are left.
func (h *halving) exchange(rank, k int, whole region, s *step) {
	_, rounds := h.folded()
	reduce, bit := k < rounds, k
	if !reduce {
		bit = 2*rounds - 1 - k
	}
	// What is worked on after the rounds of lower bits.
	at, parts := 0, 1
	for b := range bit {
		at, parts = 2*at+rank>>b&1, 2*parts
	}
	mine, other := 2*at+rank>>bit&1, 2*at+(rank>>bit&1^1)
	sends, receives := other, mine
	if !reduce {
		sends, receives = mine, other
	}
	peer := only(h.original(rank ^ 1<<bit))
	s.add(primitive{to: peer, region: whole.part(sends, 2*parts)})
	s.add(primitive{from: peer, reduce: reduce, region: whole.part(receives, 2*parts)})
}

// original is the number of a rank that is left among all.
func (h *halving) original(rank int) int {
	if surplus, _ := h.folded(); rank >= surplus {
		return rank + surplus
	}
	return 2 * rank
}
