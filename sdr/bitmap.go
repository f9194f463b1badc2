package sdr

import (
	"fmt"
	"math/bits"
)

// Bitmap is n bits with operations on ranges. The zero value is a bitmap of no bits.
//
// Two summaries hold one bit for each word of 64:
//
//	some   the word is not zero
//	full   every bit of the word is set
//
//	some full   the word reads as
//	 0    0     zero, whatever is stored
//	 1    0     what is stored
//	 1    1     all ones, whatever is stored
//
// So clearing the bitmap clears the summaries only, a range of whole words is set in the summaries
// only, and scans skip 64 uniform words at a time: the cost of an operation follows the words it
// touches, and a long uniform stretch costs 1/64 of that. The summaries are exact, never hints:
// they are what the last store made of the word.
//
// A Bitmap is not safe for concurrent use, and FirstClear counts as a change.
type Bitmap struct {
	// words holds the bits, 64 each; valid only where some is set and full is not.
	words []uint64
	// some and full are the summaries; full implies some. Bits past the last word are zero.
	some, full []uint64
	// n is the number of bits, count how many of them are set.
	n, count int64
	// low is a mark below which every bit is set.
	low int64
}

// NewBitmap returns a bitmap of n bits, all clear.
func NewBitmap(n int64) *Bitmap {
	b := new(Bitmap)
	b.Reset(n)
	return b
}

// Reset makes this a bitmap of n bits, all clear. It reuses the memory where it suffices; the cost
// is one store per 4096 bits and summary.
func (b *Bitmap) Reset(n int64) {
	if n < 0 {
		panic(fmt.Sprintf("BUG: sdr: a bitmap of %d bits", n))
	}
	words := int((n + 63) >> 6)
	sums := (words + 63) >> 6
	if words > cap(b.words) {
		b.words = make([]uint64, words)
		b.some = make([]uint64, sums)
		b.full = make([]uint64, sums)
	}
	b.words, b.some, b.full = b.words[:words], b.some[:sums], b.full[:sums]
	clear(b.some)
	clear(b.full)
	b.n, b.count, b.low = n, 0, 0
}

// Len is the number of bits.
func (b *Bitmap) Len() int64 { return b.n }

// Count is the number of bits that are set.
func (b *Bitmap) Count() int64 { return b.count }

// Full tells whether every bit is set. A bitmap of no bits is full.
func (b *Bitmap) Full() bool { return b.count == b.n }

// Test tells whether bit i is set; 0 <= i < Len.
func (b *Bitmap) Test(i int64) bool {
	if uint64(i) >= uint64(b.n) {
		b.outOfRange(i, 1)
	}
	w := i >> 6
	s, m := w>>6, uint64(1)<<(w&63)
	return b.full[s]&m != 0 || b.some[s]&m != 0 && b.words[w]>>(i&63)&1 != 0
}

// Set sets bit i and tells whether it was clear; 0 <= i < Len.
func (b *Bitmap) Set(i int64) bool {
	if uint64(i) >= uint64(b.n) {
		b.outOfRange(i, 1)
	}
	w := i >> 6
	s, m := w>>6, uint64(1)<<(w&63)
	v := uint64(1) << (i & 63)
	if b.some[s]&m != 0 {
		if b.full[s]&m != 0 || b.words[w]&v != 0 {
			return false
		}
		v |= b.words[w]
	}
	b.words[w] = v
	b.some[s] |= m
	if v == b.valid(w) {
		b.full[s] |= m
	}
	b.count++
	return true
}

// Word returns bits 64*i to 64*i+63, the lowest first; bits past the end read as zero. It is what
// an encoder of the bitmap wants. 0 <= 64*i < Len.
func (b *Bitmap) Word(i int64) uint64 {
	b.check(i<<6, 1)
	return b.word(i)
}

// SetWord sets the bits of a word, 64*i and on, that mask has, and returns how many were clear. All
// of them must exist.
func (b *Bitmap) SetWord(i int64, mask uint64) int64 {
	b.check(i<<6, int64(bits.Len64(mask)))
	fresh := b.setMask(i, mask)
	b.count += fresh
	return fresh
}

// AppendWords appends the words that hold the bits [from, end), the lowest first; other bits in
// them read as zero. 0 <= from < end <= Len.
func (b *Bitmap) AppendWords(dst []uint64, from, end int64) []uint64 {
	b.check(from, end-from)
	first, e := len(dst), extentOf(from, end-from)
	for w := e.first; w <= e.last; w++ {
		dst = append(dst, b.word(w))
	}
	dst[first] &= ones << (from & 63)
	dst[len(dst)-1] &= ones >> (63 - (end-1)&63)
	return dst
}

// window returns the 64 bits from bit i on, the lowest first; bits past the end read as zero.
func (b *Bitmap) window(i int64) uint64 {
	w, shift := i>>6, i&63
	v := b.word(w) >> shift
	if shift != 0 && w+1 < int64(len(b.words)) {
		v |= b.word(w+1) << (64 - shift)
	}
	return v
}

// check panics when bits [first, first+count) do not all exist.
func (b *Bitmap) check(first, count int64) {
	if uint64(first) > uint64(b.n) || uint64(count) > uint64(b.n-first) {
		b.outOfRange(first, count)
	}
}

func (b *Bitmap) outOfRange(first, count int64) {
	panic(fmt.Sprintf("BUG: sdr: bits %d (+%d) of a bitmap of %d", first, count, b.n))
}

// word is the value of word w, read through the summaries.
func (b *Bitmap) word(w int64) uint64 {
	s, m := w>>6, uint64(1)<<(w&63)
	switch {
	case b.full[s]&m != 0:
		return b.valid(w)
	case b.some[s]&m != 0:
		return b.words[w]
	}
	return 0
}

// valid is the mask of the bits of word w that exist: all of them but in the last word.
func (b *Bitmap) valid(w int64) uint64 {
	if left := b.n - w<<6; left < 64 {
		return 1<<left - 1
	}
	return ^uint64(0)
}

// store gives word w the value v and keeps the summaries exact.
func (b *Bitmap) store(w int64, v uint64) {
	s, m := w>>6, uint64(1)<<(w&63)
	b.words[w] = v
	b.some[s] &^= m
	b.full[s] &^= m
	if v != 0 {
		b.some[s] |= m
	}
	if v == b.valid(w) {
		b.full[s] |= m
	}
}

// setMask sets bits of word w and returns how many were clear. It leaves count alone.
func (b *Bitmap) setMask(w int64, mask uint64) int64 {
	s, m := w>>6, uint64(1)<<(w&63)
	old := uint64(0)
	if b.some[s]&m != 0 {
		if b.full[s]&m != 0 {
			return 0
		}
		old = b.words[w]
	}
	v := old | mask
	if v == old {
		return 0
	}
	b.words[w] = v
	b.some[s] |= m
	if v == b.valid(w) {
		b.full[s] |= m
	}
	return int64(bits.OnesCount64(v ^ old))
}

// clearMask clears bits of word w and returns how many were set. It leaves count alone.
func (b *Bitmap) clearMask(w int64, mask uint64) int64 {
	old := b.word(w)
	if mask&old == 0 {
		return 0
	}
	b.store(w, old&^mask)
	return int64(bits.OnesCount64(mask & old))
}
