package sdr

import "math/bits"

const ones = ^uint64(0)

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
func (b *Bitmap) SetRange(first, count int64) int64 {
	switch count {
	case 0:
		b.check(first, 0)
		return 0
	case 1:
		if b.Set(first) {
			return 1
		}
		return 0
	}
	b.check(first, count)
	if first&63+count <= 64 {
		fresh := b.setMask(first>>6, ones>>(64-count)<<(first&63))
		b.count += fresh
		return fresh
	}
	e := extentOf(first, count)
	fresh := b.setMask(e.first, e.head)
	if e.first+1 < e.last {
		fresh += b.setWords(e.first+1, e.last)
	}
	fresh += b.setMask(e.last, e.tail)
	b.count += fresh
	return fresh
}

// ClearRange clears bits [first, first+count) and returns how many of them were set.
func (b *Bitmap) ClearRange(first, count int64) int64 {
	b.check(first, count)
	if count == 0 {
		return 0
	}
	e := extentOf(first, count)
	gone := b.clearMask(e.first, e.head)
	if e.last != e.first {
		gone += b.clearWords(e.first+1, e.last) + b.clearMask(e.last, e.tail)
	}
	b.count -= gone
	b.low = min(b.low, first)
	return gone
}

// CountRange returns how many of the bits [first, first+count) are set.
func (b *Bitmap) CountRange(first, count int64) int64 {
	b.check(first, count)
	if count == 0 {
		return 0
	}
	if shift := first & 63; shift+count <= 64 {
		return int64(bits.OnesCount64(b.word(first>>6) >> shift & (ones >> (64 - count))))
	}
	e := extentOf(first, count)
	n := int64(bits.OnesCount64(b.word(e.first) & e.head))
	for w := e.first + 1; w < e.last; {
		s, m := summary(w, e.last)
		n += b.countSummary(s, m)
		w = (s + 1) << 6
	}
	return n + int64(bits.OnesCount64(b.word(e.last)&e.tail))
}

// setWords sets the words [w, end), which must be whole, and returns how many bits were clear.
func (b *Bitmap) setWords(w, end int64) (fresh int64) {
	if w&63 != 0 && w < end {
		s, m := summary(w, end)
		fresh = b.fill(s, m)
		w = (s + 1) << 6
	}
	if w >= end {
		return fresh
	}
	// This loop is the cost of a message without loss: two stores for 4096 bits.
	some := b.some[w>>6 : end>>6]
	full := b.full[w>>6 : end>>6][:len(some)]
	for i := range some {
		if some[i] != 0 {
			fresh -= b.countSummary(w>>6+int64(i), ones)
		}
		some[i], full[i] = ones, ones
	}
	fresh += int64(len(some)) << 12
	if end&63 != 0 {
		fresh += b.fill(summary(end&^63, end))
	}
	return fresh
}

// fill sets the words that mask m selects of summary word s and returns how many bits were clear.
func (b *Bitmap) fill(s int64, m uint64) int64 {
	fresh := int64(bits.OnesCount64(m))<<6 - b.countSummary(s, m)
	b.some[s] |= m
	b.full[s] |= m
	return fresh
}

// clearWords clears the words [w, end) and returns how many bits were set.
func (b *Bitmap) clearWords(w, end int64) (gone int64) {
	for w < end {
		s, m := summary(w, end)
		gone += b.countSummary(s, m)
		b.some[s] &^= m
		b.full[s] &^= m
		w = (s + 1) << 6
	}
	return gone
}

// summary returns the summary word that holds word w, and the mask of the words [w, end) in it.
func summary(w, end int64) (s int64, m uint64) {
	s, m = w>>6, ones<<(w&63)
	if left := end - s<<6; left < 64 {
		m &= 1<<left - 1
	}
	return s, m
}

// countSummary counts the bits that are set in the words that mask m selects of summary word s.
// Those words must be whole.
func (b *Bitmap) countSummary(s int64, m uint64) int64 {
	n := int64(bits.OnesCount64(b.full[s]&m)) << 6
	for part := b.some[s] &^ b.full[s] & m; part != 0; part &= part - 1 {
		n += int64(bits.OnesCount64(b.words[s<<6+int64(bits.TrailingZeros64(part))]))
	}
	return n
}
