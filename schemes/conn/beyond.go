package conn

import "sdrsim/wire"

// Beyond sets bits to the PSNs from one on, below another, that have arrived; none where none has.
func (r *Receives) Beyond(from, to int64, bits *wire.Bits) {
	bits.First, bits.Words = from&^63, bits.Words[:0]
	for i := r.receives.First(); i < r.receives.Next(); i++ {
		m := r.receives.At(i)
		lo, hi := max(from, m.first), min(to, m.end)
		if m.first >= to {
			break
		}
		if lo >= hi {
			continue
		}
		arrived := m.handle.PacketBitmap()
		for at := arrived.NextSetBefore(lo-m.first, hi-m.first); at < hi-m.first; {
			end := min(arrived.NextClear(at), hi-m.first)
			setBits(bits, m.first+at, m.first+end)
			at = arrived.NextSetBefore(end, hi-m.first)
		}
	}
	for len(bits.Words) > 0 && bits.Words[0] == 0 {
		bits.First, bits.Words = bits.First+64, bits.Words[1:]
	}
}

// setBits sets the bits from one on, below another.
func setBits(bits *wire.Bits, from, to int64) {
	for int64(len(bits.Words))*64 <= to-1-bits.First {
		bits.Words = append(bits.Words, 0)
	}
	for from < to {
		i, shift := (from-bits.First)/64, (from-bits.First)%64
		n := min(64-shift, to-from)
		bits.Words[i] |= (^uint64(0) >> (64 - n)) << shift
		from += n
	}
}

// FirstMissing is the first PSN from one on, below another, that has not arrived; the other where
// all have.
func (r *Receives) FirstMissing(from, to int64) int64 {
	for i := r.receives.First(); i < r.receives.Next(); i++ {
		m := r.receives.At(i)
		if m.end <= from {
			continue
		}
		if m.first >= to {
			break
		}
		lo := max(from, m.first)
		if at := m.first + m.handle.PacketBitmap().NextClear(lo-m.first); at < min(to, m.end) {
			return at
		}
	}
	return to
}
