package wire

import (
	"encoding/binary"
	"math"
	"math/bits"
	"sort"
)

// AppendAck appends the encoding of a to dst. The selective part is written as ranges or as a
// bitmap, whichever is shorter, and fits into limit bytes with the rest: where it does not, its far
// end is left out, in the form that says more. The part before, at most 15 bytes, is always
// written. An Ack that breaks the rules of its fields panics.
func AppendAck(dst []byte, a *Ack, limit int) []byte {
	checkAck(a)
	flags := uint8(0)
	if a.Final {
		flags = flagFinal
	}
	start := len(dst)
	dst = appendHeader(dst, KindAck, flags, a.Message)
	dst = binary.AppendUvarint(dst, uint64(a.Cumulative))
	room := int64(limit - (len(dst) - start))
	switch {
	case len(a.Selective) > 0:
		return appendSelective(dst, start, a, room)
	case len(a.Bits.Words) > 0:
		return appendBits(dst, start, a, room)
	}
	return dst
}

// appendBits appends the selective part of the Ack that begins at start, given as bits.
func appendBits(dst []byte, start int, a *Ack, room int64) []byte {
	if size, ok := bitmapIsBest(a, room); ok {
		dst[start+1] |= flagBitmap
		dst = binary.AppendUvarint(dst, uint64(a.Bits.start()-a.Cumulative-1))
		return a.Bits.appendBytes(dst, size)
	}
	if out, ok := appendAsRanges(dst, a, room); ok {
		out[start+1] |= flagRanges
		return out
	}
	a.Selective = a.Bits.appendRanges(a.Selective)
	dst = appendSelective(dst, start, a, room)
	a.Selective = a.Selective[:0]
	return dst
}

// appendAsRanges appends the selective part of an Ack, given as bits, as ranges: where all of them
// fit, and a bitmap is not shorter.
func appendAsRanges(dst []byte, a *Ack, room int64) (out []byte, ok bool) {
	out = a.Bits.appendVarints(dst, a.Cumulative)
	start := a.Bits.start()
	bitmap := uvarintLen(start-a.Cumulative-1) + (a.Bits.End()-start-1)/8 + 1
	size := int64(len(out) - len(dst))
	return out, size <= room && (bitmap > room || size <= bitmap)
}

// appendSelective appends the selective part of the Ack that begins at start, given as ranges.
func appendSelective(dst []byte, start int, a *Ack, room int64) []byte {
	count, size := fitRanges(a.Selective, a.Cumulative+1, room)
	reach := a.Cumulative
	if count > 0 {
		reach = a.Selective[count-1].End()
	}
	bitmapSize, bitmapReach := fitBitmap(a, room)
	switch {
	case bitmapReach > reach || bitmapReach == reach && bitmapSize < size:
		dst[start+1] |= flagBitmap
		return appendBitmap(dst, a, bitmapSize)
	case count > 0:
		dst[start+1] |= flagRanges
		return appendRanges(dst, a.Selective[:count], a.Cumulative+1)
	}
	return dst
}

// AppendNack appends the encoding of n to dst. What does not fit into limit bytes is left out from
// the far end; covered is the number of ranges written, at least one whatever the limit. A Nack
// that breaks the rules of its fields panics.
func AppendNack(dst []byte, n *Nack, limit int) (out []byte, covered int) {
	checkRanges(n.Missing, 0)
	if len(n.Missing) == 0 {
		panic("BUG: wire: Nack of nothing")
	}
	flags := uint8(0)
	if n.Submessages {
		flags = flagSubmessages
	}
	covered = 1
	if len(n.Missing) > 1 {
		fitting, _ := fitRanges(n.Missing, 0, int64(limit-headerBytes))
		covered = max(fitting, 1)
	}
	dst = appendHeader(dst, KindNack, flags, n.Message)
	return appendRanges(dst, n.Missing[:covered], 0), covered
}

func appendHeader(dst []byte, kind Kind, flags uint8, message uint32) []byte {
	return append(dst, byte(kind), flags,
		byte(message>>24), byte(message>>16), byte(message>>8), byte(message))
}

// checkAck panics unless the fields of a obey their rules.
func checkAck(a *Ack) {
	bitmap := len(a.Bits.Words) > 0
	if a.Cumulative < 0 || a.Final && (bitmap || len(a.Selective) > 0) {
		panic("BUG: wire: Ack with a negative part, or final and yet selective")
	}
	if bitmap && (len(a.Selective) > 0 || a.Bits.start() <= a.Cumulative) {
		panic("BUG: wire: Ack with bits that are ranges as well, or not beyond the cumulative part")
	}
	checkRanges(a.Selective, a.Cumulative+1)
}

// checkRanges panics unless the ranges are ascending, disjoint, not adjacent, and from least on.
func checkRanges(ranges []Range, least int64) {
	for _, r := range ranges {
		if r.First < least || r.Count < 1 || r.Count >= math.MaxInt64-r.First {
			panic("BUG: wire: ranges are not ascending, disjoint and apart")
		}
		least = r.End() + 1
	}
}

// fitRanges returns how many leading ranges fit into room bytes, and their size. The first gap is
// counted from base.
func fitRanges(ranges []Range, base, room int64) (count int, size int64) {
	for i, r := range ranges {
		more := size + uvarintLen(r.First-base) + uvarintLen(r.Count-1)
		if more > room {
			return i, size
		}
		size = more
		base = r.End() + 1
	}
	return len(ranges), size
}

// appendRanges writes pairs of varints. Ranges are at least one unit apart, so the next is counted
// from one after the end of the one before.
func appendRanges(dst []byte, ranges []Range, base int64) []byte {
	for _, r := range ranges {
		dst = appendUvarint(dst, r.First-base)
		dst = appendUvarint(dst, r.Count-1)
		base = r.End() + 1
	}
	return dst
}

// appendUvarint appends the varint of v >= 0, most often a byte.
func appendUvarint(dst []byte, v int64) []byte {
	if v < 0x80 {
		return append(dst, byte(v))
	}
	return binary.AppendUvarint(dst, uint64(v))
}

// uvarintLen is the length of the varint of v >= 0.
func uvarintLen(v int64) int64 { return int64(bits.Len64(uint64(v)|1)+6) / 7 }

// fitBitmap returns the size of the bitmap that fits into room bytes, its gap included and without
// zeros at its end, and the chunk after the last that it reports; size 0 and reach Cumulative if
// there is no room.
func fitBitmap(a *Ack, room int64) (size, reach int64) {
	base := a.Selective[0].First
	last := a.Selective[len(a.Selective)-1].End()
	gap := uvarintLen(base - a.Cumulative - 1)
	if size = gap + (last-base-1)/8 + 1; size <= room {
		return size, last
	}
	if room <= gap {
		return 0, a.Cumulative
	}
	// The bitmap ends inside: find the last range that begins in it.
	end := base + 8*(room-gap)
	n := sort.Search(len(a.Selective), func(i int) bool { return a.Selective[i].First >= end })
	reach = min(a.Selective[n-1].End(), end)
	return gap + (reach-base-1)/8 + 1, reach
}

// bitmapIsBest tells, at a look, that the bits are written as a bitmap, of so many bytes without
// its gap: it fits, and the ranges take more bytes even where each number of theirs takes one.
func bitmapIsBest(a *Ack, room int64) (size int64, ok bool) {
	start := a.Bits.start()
	size = (a.Bits.End()-start-1)/8 + 1
	whole := uvarintLen(start-a.Cumulative-1) + size
	return size, whole <= room && whole < 2*a.Bits.runs()
}

// appendBitmap writes the gap and the bitmap, size bytes together.
func appendBitmap(dst []byte, a *Ack, size int64) []byte {
	base := a.Selective[0].First
	start := len(dst)
	dst = binary.AppendUvarint(dst, uint64(base-a.Cumulative-1))
	gap := len(dst) - start
	dst = append(dst, make([]byte, int(size)-gap)...)
	bitmap := dst[start+gap:]
	end := base + 8*int64(len(bitmap))
	for _, r := range a.Selective {
		if r.First >= end {
			break
		}
		setBits(bitmap, r.First-base, min(r.End(), end)-base)
	}
	return dst
}

// setBits sets the bits from..to-1, at least one.
func setBits(bitmap []byte, from, to int64) {
	first, last := from/8, (to-1)/8
	head, tail := byte(0xff<<(from%8)), byte(0xff>>(7-(to-1)%8))
	if first == last {
		bitmap[first] |= head & tail
		return
	}
	bitmap[first] |= head
	for i := first + 1; i < last; i++ {
		bitmap[i] = 0xff
	}
	bitmap[last] |= tail
}
