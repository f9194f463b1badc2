package wire

import (
	"encoding/binary"
	"math/bits"
)

// Bits is chunks as a bitmap: chunk First + 64*i + j is bit j of Words[i]. It says the same as
// ranges do, at a cost that does not depend on how often the chunks alternate. First is a multiple
// of 64; where there are words, neither the first nor the last of them is zero.
type Bits struct {
	First int64
	Words []uint64
}

// start is the first chunk that is set, in a word that is not zero.
func (b *Bits) start() int64 { return b.First + int64(bits.TrailingZeros64(b.Words[0])) }

// End is the chunk after the last one that is set, in a word that is not zero.
func (b *Bits) End() int64 {
	last := len(b.Words) - 1
	return b.First + 64*int64(last) + int64(bits.Len64(b.Words[last]))
}

// decode makes b the bitmap whose first bit is the chunk base. Neither end of the bitmap is zero.
func (b *Bits) decode(bitmap []byte, base int64) {
	b.First, b.Words = base&^63, b.Words[:0]
	shift, carry := base&63, uint64(0)
	for len(bitmap) > 0 {
		word, used := loadWord(bitmap)
		bitmap = bitmap[used:]
		b.Words = append(b.Words, word<<shift|carry)
		carry = word >> (64 - shift) // zero without a shift: Go shifts by 64 all bits out
	}
	if carry != 0 {
		b.Words = append(b.Words, carry)
	}
}

// runs is the number of ranges that the bits are.
func (b *Bits) runs() (n int64) {
	before := uint64(0) // the last bit of the word before
	for _, w := range b.Words {
		n += int64(bits.OnesCount64(w &^ (w<<1 | before)))
		before = w >> 63
	}
	return n
}

// appendRanges appends the bits as ranges.
func (b *Bits) appendRanges(ranges []Range) []Range {
	for run := range b.all {
		ranges = append(ranges, run)
	}
	return ranges
}

// appendVarints appends the bits as ranges in their encoded form, the first gap counted from the
// chunk after cumulative. A gap or a count goes from one end of a range to the next, and one less
// is written.
func (b *Bits) appendVarints(dst []byte, cumulative int64) []byte {
	last, before := cumulative, uint64(0) // the last end of a range; the last bit seen
	for i, word := range b.Words {
		at := b.First + 64*int64(i)
		for ends := word ^ (word<<1 | before); ends != 0; ends &= ends - 1 {
			here := at + int64(bits.TrailingZeros64(ends))
			dst = appendUvarint(dst, here-last-1)
			last = here
		}
		before = word >> 63
	}
	if before != 0 {
		dst = appendUvarint(dst, b.First+64*int64(len(b.Words))-last-1)
	}
	return dst
}

// all yields the bits as ranges. It goes from one end of a range to the next.
func (b *Bits) all(yield func(Range) bool) {
	open, before := int64(-1), uint64(0) // where the range under way begins; the last bit seen
	for i, word := range b.Words {
		at := b.First + 64*int64(i)
		for ends := word ^ (word<<1 | before); ends != 0; ends &= ends - 1 {
			here := at + int64(bits.TrailingZeros64(ends))
			if open < 0 {
				open = here
				continue
			}
			if !yield(Range{First: open, Count: here - open}) {
				return
			}
			open = -1
		}
		before = word >> 63
	}
	if open >= 0 {
		yield(Range{First: open, Count: b.First + 64*int64(len(b.Words)) - open})
	}
}

// appendBytes appends the bitmap that begins with the first chunk that is set, size bytes.
func (b *Bits) appendBytes(dst []byte, size int64) []byte {
	skip := b.start() - b.First
	for i := 0; size > 0; i++ {
		word := b.Words[i] >> skip
		if skip > 0 && i+1 < len(b.Words) {
			word |= b.Words[i+1] << (64 - skip)
		}
		if size >= 8 {
			dst = binary.LittleEndian.AppendUint64(dst, word)
			size -= 8
			continue
		}
		for ; size > 0; size-- {
			dst = append(dst, byte(word))
			word >>= 8
		}
	}
	return dst
}

// Ranges yields what has arrived beyond the cumulative part, however it was written.
func (a *Ack) Ranges(yield func(Range) bool) {
	for _, r := range a.Selective {
		if !yield(r) {
			return
		}
	}
	if len(a.Bits.Words) > 0 {
		a.Bits.all(yield)
	}
}
