package sdr

// What follows is about a bitmap whose bits are not stored: the first count are set, no others.

// store stores the bits, where they are not.
func (b *Bitmap) store() {
	if b.stored == b.n {
		return
	}
	for i := range b.blocks {
		b.blocks[i].some, b.blocks[i].full = 0, 0
	}
	if b.n&63 != 0 {
		last := b.n >> 6
		b.blocks[last>>6].set(last, ones<<(b.n&63))
	}
	prefix := b.count
	b.stored, b.count, b.low = b.n, 0, prefix
	b.SetRange(0, prefix)
}

// setPrefix is SetRange where the bits are not stored.
func (b *Bitmap) setPrefix(first, count int64) (fresh int64) {
	b.check(first, count)
	end := first + count
	switch {
	case end <= b.count || count == 0:
		return 0
	case first > b.count:
		b.store()
		return b.SetRange(first, count)
	}
	fresh = end - b.count
	b.count = end
	return fresh
}

// clearPrefix is ClearRange where only the end of the prefix is to be cleared; ok is false where it
// is not.
func (b *Bitmap) clearPrefix(first, count int64) (gone int64, ok bool) {
	if b.stored != 0 || first+count < b.count {
		return 0, false
	}
	gone = max(0, b.count-first)
	b.count -= gone
	b.low = min(b.low, b.count)
	return gone, true
}

// prefixWord is the value of word w.
func (b *Bitmap) prefixWord(w int64) uint64 {
	switch set := b.count - w<<6; {
	case set <= 0:
		return 0
	case set < 64:
		return 1<<set - 1
	}
	return ones
}
