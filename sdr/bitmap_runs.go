package sdr

import "math"

// What follows is about a bitmap whose bits are not stored: those that are set are a few runs, and
// no others are.

// maxRuns is how many runs a bitmap keeps before it stores its bits.
const maxRuns = 8

// fewBits is how many bits are always a few runs, unless SetWord sets them: room to store them is
// made once they have to be.
const fewBits = 2 * maxRuns

// runs is disjoint ranges of bits, ascending and not adjacent.
type runs struct {
	n    int // first: it is read together with the first run
	list [maxRuns]span
}

// span is the bits [first, end), at least one. Numbers of 32 bits keep a bitmap within two lines of
// the cache; where they do not suffice the bits are stored.
type span struct{ lo, hi uint32 }

// mostBits is how many bits a bitmap of runs has at most.
const mostBits = math.MaxUint32

func spanOf(first, end int64) span { return span{uint32(first), uint32(end)} }

func (s span) first() int64 { return int64(s.lo) }

func (s span) end() int64 { return int64(s.hi) }

// at is the last run that begins at bit i or before; -1 where there is none.
func (r *runs) at(i int64) int {
	k := r.n - 1
	for k >= 0 && r.list[k].first() > i {
		k--
	}
	return k
}

// test reports whether bit i is in a run.
func (r *runs) test(i int64) bool {
	k := r.at(i)
	return k >= 0 && i < r.list[k].end()
}

// nextClear is the first bit at or after i that is in no run.
func (r *runs) nextClear(i int64) int64 {
	if k := r.at(i); k >= 0 {
		return max(i, r.list[k].end())
	}
	return i
}

// nextSet is the first bit of [i, end) that is in a run, or end.
func (r *runs) nextSet(i, end int64) int64 {
	k := r.at(i)
	if k >= 0 && i < r.list[k].end() {
		return i
	}
	if k++; k < r.n {
		return min(r.list[k].first(), end)
	}
	return end
}

// lastClear is the last bit of [first, end] that is in no run; a number below first where all are.
func (r *runs) lastClear(end int64) int64 {
	if k := r.at(end); k >= 0 && end < r.list[k].end() {
		return r.list[k].first() - 1
	}
	return end
}

// count is how many of the bits [first, end) are in runs.
func (r *runs) count(first, end int64) (n int64) {
	for k := r.at(end); k >= 0 && r.list[k].end() > first; k-- {
		n += max(0, min(end, r.list[k].end())-max(first, r.list[k].first()))
	}
	return n
}

// word is bits 64*w to 64*w+63.
func (r *runs) word(w int64) (v uint64) {
	first, end := w<<6, (w+1)<<6
	for k := r.at(end - 1); k >= 0 && r.list[k].end() > first; k-- {
		from, to := max(first, r.list[k].first()), min(end, r.list[k].end())
		v |= ones >> (64 - (to - from)) << (from - first)
	}
	return v
}

// set puts the bits [first, end), at least one, into the runs and returns how many were in none.
// ok is false, and nothing was done, where that takes a run too many.
func (r *runs) set(first, end int64) (fresh int64, ok bool) {
	k := r.at(end) // the last run that may touch the bits
	switch {
	case k >= 0 && r.list[k].first() <= first && first <= r.list[k].end():
		run := &r.list[k] // most often, what is set goes on
		fresh = max(0, end-run.end())
		run.hi += uint32(fresh)
		return fresh, true
	case k == r.n-1 && r.n < maxRuns && (k < 0 || r.list[k].end() < first):
		r.list[r.n] = spanOf(first, end)
		r.n++
		return end - first, true
	}
	return r.merge(k, spanOf(first, end))
}

// merge is set where run k is the last that may touch the bits.
func (r *runs) merge(k int, bits span) (fresh int64, ok bool) {
	fresh = bits.end() - bits.first()
	lo, whole := k, bits
	for ; lo >= 0 && r.list[lo].end() >= bits.first(); lo-- {
		old := r.list[lo]
		fresh -= min(old.end(), bits.end()) - max(old.first(), bits.first())
		whole = spanOf(min(whole.first(), old.first()), max(whole.end(), old.end()))
	}
	return fresh, r.replace(lo+1, k+1, whole)
}

// clear takes the bits [first, end), at least one, out of the runs and returns how many were in
// one. ok is false, and nothing was done, where that takes a run too many.
func (r *runs) clear(first, end int64) (gone int64, ok bool) {
	hi := r.at(end - 1)
	if hi < 0 || r.list[hi].end() <= first {
		return 0, true
	}
	lo, before, after := hi, span{}, spanOf(end, r.list[hi].end())
	for ; lo >= 0 && r.list[lo].end() > first; lo-- {
		before = spanOf(r.list[lo].first(), first)
		gone += min(r.list[lo].end(), end) - max(r.list[lo].first(), first)
	}
	var rest [2]span
	keep := rest[:0]
	for _, s := range [...]span{before, after} {
		if s.first() < s.end() {
			keep = append(keep, s)
		}
	}
	return gone, r.replace(lo+1, hi+1, keep...)
}

// replace puts others in the place of the runs [lo, hi); false, and nothing was done, where there
// is no room.
func (r *runs) replace(lo, hi int, by ...span) bool {
	n := r.n - (hi - lo) + len(by)
	if n > maxRuns {
		return false
	}
	copy(r.list[lo+len(by):n], r.list[hi:r.n])
	copy(r.list[lo:], by)
	r.n = n
	return true
}

// store stores the bits, where they are not.
func (b *Bitmap) store() {
	if b.stored == b.n {
		return
	}
	b.room(b.n)
	for i := range b.blocks {
		b.blocks[i].some, b.blocks[i].full = 0, 0
	}
	if b.n&63 != 0 {
		last := b.n >> 6
		b.blocks[last>>6].set(last, ones<<(b.n&63))
	}
	b.stored, b.count = b.n, 0
	for _, s := range b.runs.list[:b.runs.n] {
		b.SetRange(s.first(), s.end()-s.first())
	}
}

// setRuns is SetRange where the bits are not stored.
func (b *Bitmap) setRuns(first, count int64) (fresh int64) {
	b.check(first, count)
	if count == 0 {
		return 0
	}
	fresh, ok := b.runs.set(first, first+count)
	if !ok {
		b.store()
		return b.SetRange(first, count)
	}
	b.count += fresh
	return fresh
}

// clearRuns is ClearRange where the bits are not stored; ok is false where they have to be.
func (b *Bitmap) clearRuns(first, count int64) (gone int64, ok bool) {
	if gone, ok = b.runs.clear(first, first+count); ok {
		b.count -= gone
		b.low = min(b.low, first)
	}
	return gone, ok
}
