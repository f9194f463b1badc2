package sdr

import "math/bits"

// extent is a range of bits as words: a mask for the first word, a mask for the last, and whole
// words in between. Where the range lies in one word, tail is zero and last equals first.
type extent struct {
	first, last int64
	head, tail  uint64
}

// extentOf takes the range [first, first+count) apart; count must be positive.
func extentOf(first, count int64) extent {
	end := first + count - 1
	e := extent{
		first: first >> 6, head: ones << (first & 63),
		last: end >> 6, tail: ones >> (63 - end&63),
	}
	if e.first == e.last {
		e.head, e.tail = e.head&e.tail, 0
	}
	return e
}

// SetRange sets bits [first, first+count) and returns how many of them were clear.
func (b *Bitmap) SetRange(first, count int64) (fresh int64) {
	if uint64(count-1) >= uint64(64-first&63) || uint64(first+count-1) >= uint64(b.stored) {
		if b.stored == 0 {
			return b.setRuns(first, count)
		}
		return b.setLong(first, count)
	}
	fresh = count
	mask := ones >> ((64 - count) & 63) << (first & 63)
	if before := b.blocks[first>>12].set(first>>6, mask); before != 0 {
		fresh -= int64(bits.OnesCount64(before))
	}
	b.count += fresh
	return fresh
}

// setLong is SetRange where the bits are stored, and not all of one word.
func (b *Bitmap) setLong(first, count int64) int64 {
	b.check(first, count)
	if count == 0 {
		return 0
	}
	e := extentOf(first, count)
	head := b.blocks[e.first>>6].set(e.first, e.head)
	fresh := count - int64(bits.OnesCount64(head))
	if e.first+1 < e.last {
		fresh -= b.setWords(e.first+1, e.last)
	}
	tail := b.blocks[e.last>>6].set(e.last, e.tail)
	fresh -= int64(bits.OnesCount64(tail))
	b.count += fresh
	return fresh
}

// ClearRange clears bits [first, first+count) and returns how many of them were set.
func (b *Bitmap) ClearRange(first, count int64) int64 {
	b.check(first, count)
	switch {
	case count == 0:
		return 0
	case b.stored == 0:
		if gone, ok := b.clearRuns(first, count); ok {
			return gone
		}
		b.store()
	}
	e := extentOf(first, count)
	gone := b.blocks[e.first>>6].clear(e.first, e.head)
	if e.last != e.first {
		gone += b.clearWords(e.first+1, e.last) + b.blocks[e.last>>6].clear(e.last, e.tail)
	}
	b.count -= gone
	b.low = min(b.low, first)
	return gone
}

// CountRange returns how many of the bits [first, first+count) are set.
func (b *Bitmap) CountRange(first, count int64) int64 {
	b.check(first, count)
	switch {
	case count == 0:
		return 0
	case b.stored == 0:
		return b.runs.count(first, first+count)
	case first&63+count <= 64:
		v := b.blocks[first>>12].word(first>>6) >> (first & 63)
		return int64(bits.OnesCount64(v & (ones >> ((64 - count) & 63))))
	}
	e := extentOf(first, count)
	n := int64(bits.OnesCount64(b.word(e.first) & e.head))
	for w := e.first + 1; w < e.last; {
		s, m := summary(w, e.last)
		n += b.blocks[s].countWords(m)
		w = (s + 1) << 6
	}
	return n + int64(bits.OnesCount64(b.word(e.last)&e.tail))
}

// setWords sets the words [w, end), which must be whole, and returns how many of their bits were
// set before.
func (b *Bitmap) setWords(w, end int64) (before int64) {
	s, last := w>>6, end>>6
	m := ones << (w & 63)
	for ; s < last; s++ {
		before += b.blocks[s].fill(m)
		m = ones
	}
	if m &= 1<<(end&63) - 1; m != 0 {
		before += b.blocks[s].fill(m)
	}
	return before
}

// clearWords clears the words [w, end), which must be whole, and returns how many bits were set.
func (b *Bitmap) clearWords(w, end int64) (gone int64) {
	for w < end {
		s, m := summary(w, end)
		k := &b.blocks[s]
		gone += k.countWords(m)
		k.some &^= m
		k.full &^= m
		w = (s + 1) << 6
	}
	return gone
}

// summary returns the block that holds word w, and the mask of the words [w, end) in its summaries.
func summary(w, end int64) (s int64, m uint64) {
	s, m = w>>6, ones<<(w&63)
	if left := end - s<<6; left < 64 {
		m &= 1<<left - 1
	}
	return s, m
}
