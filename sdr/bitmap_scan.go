package sdr

import "math/bits"

// FirstClear returns the first bit that is clear, or Len when the bitmap is full. Repeated calls
// go on from where the last one stopped.
func (b *Bitmap) FirstClear() int64 {
	b.low = b.NextClear(b.low)
	return b.low
}

// NextClear returns the first clear bit at or after i, or Len when there is none; 0 <= i <= Len.
func (b *Bitmap) NextClear(i int64) int64 {
	if uint64(i) >= uint64(b.stored) {
		b.check(i, 0)
		if b.stored != 0 {
			return i // the end
		}
		return b.runs.nextClear(i)
	}
	k, w := &b.blocks[uint64(i)>>12], i>>6
	switch m := uint64(1) << (w & 63); {
	case k.some&m == 0:
		return i
	case k.full&m == 0:
		if v := ^k.words[w&63] >> (i & 63); v != 0 {
			return i + int64(bits.TrailingZeros64(v))
		}
	}
	w = b.nextNotFull(w + 1)
	if w>>6 >= int64(len(b.blocks)) {
		return b.n
	}
	return min(w<<6+int64(bits.TrailingZeros64(^b.blocks[w>>6].word(w))), b.n)
}

// NextSet returns the first set bit at or after i, or Len when there is none; 0 <= i <= Len.
func (b *Bitmap) NextSet(i int64) int64 { return b.NextSetBefore(i, b.n) }

// NextSetBefore returns the first set bit of [i, end), or end when there is none;
// 0 <= i <= end <= Len. Its cost follows end-i.
func (b *Bitmap) NextSetBefore(i, end int64) int64 {
	b.check(i, end-i)
	switch {
	case i == end:
		return end
	case b.stored == 0:
		return b.runs.nextSet(i, end)
	}
	w, last := i>>6, (end-1)>>6
	if v := b.blocks[w>>6].word(w) >> (i & 63); v != 0 {
		return min(i+int64(bits.TrailingZeros64(v)), end)
	}
	if w = b.nextNotZero(w+1, last+1); w > last {
		return end
	}
	return min(w<<6+int64(bits.TrailingZeros64(b.blocks[w>>6].word(w))), end)
}

// LastClear returns the last clear bit of [first, first+count); ok is false when all are set.
func (b *Bitmap) LastClear(first, count int64) (i int64, ok bool) {
	b.check(first, count)
	end := first + count - 1
	switch {
	case count == 0:
		return 0, false
	case b.stored == 0:
		i = b.runs.lastClear(end)
		return i, i >= first
	}
	w, v := end>>6, ^b.word(end>>6)&(ones>>(63-end&63))
	if v == 0 {
		if w = b.lastNotFull(first>>6, w); w < first>>6 {
			return 0, false
		}
		v = ^b.word(w)
	}
	i = w<<6 + 63 - int64(bits.LeadingZeros64(v))
	return i, i >= first
}

// nextNotFull returns the first word at or after w that has a clear bit, or a number past the last.
func (b *Bitmap) nextNotFull(w int64) int64 {
	mask := ones << (w & 63)
	for s := w >> 6; s < int64(len(b.blocks)); s++ {
		if m := ^b.blocks[s].full & mask; m != 0 {
			return s<<6 + int64(bits.TrailingZeros64(m))
		}
		mask = ones
	}
	return int64(len(b.blocks)) << 6
}

// nextNotZero returns the first word of [w, end) that has a set bit, or a number from end on.
func (b *Bitmap) nextNotZero(w, end int64) int64 {
	mask := ones << (w & 63)
	for s := w >> 6; s<<6 < end; s++ {
		if m := b.blocks[s].some & mask; m != 0 {
			return s<<6 + int64(bits.TrailingZeros64(m))
		}
		mask = ones
	}
	return end
}

// lastNotFull returns the last word of [first, end) that has a clear bit, or a number below first.
func (b *Bitmap) lastNotFull(first, end int64) int64 {
	mask := uint64(1)<<(end&63) - 1
	for s := end >> 6; s >= first>>6; s-- {
		if m := ^b.blocks[s].full & mask; m != 0 {
			return s<<6 + 63 - int64(bits.LeadingZeros64(m))
		}
		mask = ones
	}
	return first - 1
}
