package sdr

import (
	"fmt"
	"math/bits"
)

const ones = ^uint64(0)

// Bitmap is n bits with operations on ranges. The zero value is a bitmap of no bits.
//
// As long as the bits that are set are a few runs, which is all that a message with few losses ever
// sees, their ends say everything and nothing is stored. One run too many stores them, in blocks of
// 64 words of 64 bits with two summaries, a bit for each word:
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
	// n is the number of bits, count how many of them are set.
	n, count int64
	// stored is n where the bits are stored, and zero where those set are those of runs.
	stored int64
	// low is a mark below which every bit is set.
	low  int64
	runs runs
	// blocks holds the bits; valid where they are stored. Bits past the end, in the last word that
	// has any before it, are set; words past that are zero.
	blocks []block
}

// block is 64 words.
type block struct {
	// some and full are the summaries; full implies some.
	some, full uint64
	// words holds 64 bits each; valid only where some is set and full is not.
	words [64]uint64
}

// NewBitmap returns a bitmap of n bits, all clear.
func NewBitmap(n int64) *Bitmap {
	b := new(Bitmap)
	b.Reset(n)
	return b
}

// Reset makes this a bitmap of n bits, all clear. It reuses the memory where it suffices, and
// touches none of it.
func (b *Bitmap) Reset(n int64) {
	if n < 0 {
		panic(fmt.Sprintf("BUG: sdr: a bitmap of %d bits", n))
	}
	if n > fewBits {
		b.room(n)
	}
	b.n, b.count, b.stored, b.low, b.runs.n = n, 0, 0, 0, 0
	if n > mostBits {
		b.store()
	}
}

// room makes room for n bits.
func (b *Bitmap) room(n int64) {
	blocks := int((n + 4095) >> 12)
	if blocks > cap(b.blocks) {
		b.blocks = make([]block, blocks)
	}
	b.blocks = b.blocks[:blocks]
}

// Len is the number of bits.
func (b *Bitmap) Len() int64 { return b.n }

// Count is the number of bits that are set.
func (b *Bitmap) Count() int64 { return b.count }

// Full reports whether every bit is set. A bitmap of no bits is full.
func (b *Bitmap) Full() bool { return b.count == b.n }

// Test reports whether bit i is set; 0 <= i < Len.
func (b *Bitmap) Test(i int64) bool {
	if uint64(i) >= uint64(b.stored) {
		b.check(i, 1)
		return b.runs.test(i)
	}
	k, w := &b.blocks[uint64(i)>>12], i>>6
	if k.some>>(w&63)&1 == 0 {
		return false
	}
	return k.full>>(w&63)&1 != 0 || k.words[w&63]>>(i&63)&1 != 0
}

// Set sets bit i and reports whether it was clear; 0 <= i < Len.
func (b *Bitmap) Set(i int64) bool { return b.SetRange(i, 1) == 1 }

// Word returns bits 64*i to 64*i+63, the lowest first; bits past the end read as zero. It is what
// an encoder of the bitmap wants. 0 <= 64*i < Len.
func (b *Bitmap) Word(i int64) uint64 {
	b.check(i<<6, 1)
	return b.word(i) & b.valid(i)
}

// SetWord sets the bits of a word, 64*i and on, that mask has, and returns how many were clear. All
// of them must exist.
func (b *Bitmap) SetWord(i int64, mask uint64) int64 {
	b.check(i<<6, int64(bits.Len64(mask)))
	if mask == 0 {
		return 0
	}
	if b.stored == 0 {
		b.store()
	}
	before := b.blocks[i>>6].set(i, mask)
	if before == mask {
		return 0 // what is acknowledged again is not new
	}
	fresh := int64(bits.OnesCount64(mask &^ before))
	b.count += fresh
	return fresh
}

// AppendWords appends the words that hold the bits [from, end), the lowest first; other bits in
// them read as zero. 0 <= from < end <= Len.
func (b *Bitmap) AppendWords(dst []uint64, from, end int64) []uint64 {
	b.check(from, end-from)
	first, w, last := len(dst), from>>6, (end-1)>>6
	for ; b.stored == 0 && w <= last; w++ {
		dst = append(dst, b.runs.word(w))
	}
	for ; w <= last; w++ {
		dst = append(dst, b.blocks[w>>6].word(w))
	}
	dst[first] &= ones << (from & 63)
	dst[len(dst)-1] &= ones >> (63 - (end-1)&63)
	return dst
}

// window returns the 64 bits from bit i on, the lowest first; bits past the end read as zero.
func (b *Bitmap) window(i int64) uint64 {
	w, shift := i>>6, i&63
	v := b.Word(w) >> shift
	if shift != 0 && (w+1)<<6 < b.n {
		v |= b.Word(w+1) << (64 - shift)
	}
	return v
}

// check panics when bits [first, first+count) do not all exist.
func (b *Bitmap) check(first, count int64) {
	if uint64(first) > uint64(b.n) || uint64(count) > uint64(b.n-first) {
		b.outOfRange(first, count)
	}
}

// outOfRange is kept out of check, which is small enough to be inlined.
//
//go:noinline
func (b *Bitmap) outOfRange(first, count int64) {
	panic(fmt.Sprintf("BUG: sdr: bits %d (+%d) of a bitmap of %d", first, count, b.n))
}

// valid is the mask of the bits of word w that exist: all of them but in the last word.
func (b *Bitmap) valid(w int64) uint64 {
	if left := b.n - w<<6; left < 64 {
		return 1<<left - 1
	}
	return ones
}

// word is the value of word w. Bits past the end may read as one.
func (b *Bitmap) word(w int64) uint64 {
	if b.stored == 0 {
		return b.runs.word(w)
	}
	return b.blocks[w>>6].word(w)
}

// word is the value of word w, whose place in the block is w mod 64, read through the summaries.
func (k *block) word(w int64) uint64 {
	switch m := uint64(1) << (w & 63); {
	case k.full&m != 0:
		return ones
	case k.some&m != 0:
		return k.words[w&63]
	}
	return 0
}

// set sets bits of word w, one at least, and returns those that were set before.
func (k *block) set(w int64, mask uint64) (before uint64) {
	m, word := uint64(1)<<(w&63), &k.words[w&63]
	switch {
	case k.some&m == 0:
		*word = mask
		k.some |= m
	case k.full&m == 0:
		before = *word & mask
		*word |= mask
	default:
		return mask
	}
	if *word == ones {
		k.full |= m
	}
	return before
}

// fill sets every bit of the words that mask m selects, and returns how many were set before.
func (k *block) fill(m uint64) (before int64) {
	if k.some&m != 0 {
		before = k.countWords(m)
	}
	k.some |= m
	k.full |= m
	return before
}

// clear clears bits of word w and returns how many were set.
func (k *block) clear(w int64, mask uint64) int64 {
	old := k.word(w)
	if mask&old == 0 {
		return 0
	}
	m := uint64(1) << (w & 63)
	k.words[w&63] = old &^ mask
	k.full &^= m
	if old&^mask == 0 {
		k.some &^= m
	}
	return int64(bits.OnesCount64(mask & old))
}

// countWords counts the bits that are set in the words that mask m selects.
func (k *block) countWords(m uint64) int64 {
	n := int64(bits.OnesCount64(k.full&m)) << 6
	for part := k.some &^ k.full & m; part != 0; part &= part - 1 {
		n += int64(bits.OnesCount64(k.words[bits.TrailingZeros64(part)]))
	}
	return n
}
