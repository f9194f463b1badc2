package sdr

import "testing"

// mapBitmap is the deliberately dumb bitmap that judges the real one.
type mapBitmap struct {
	n   int64
	set map[int64]bool
}

func newMapBitmap(n int64) *mapBitmap { return &mapBitmap{n: n, set: map[int64]bool{}} }

func (m *mapBitmap) setRange(first, count int64) (fresh int64) {
	for i := first; i < first+count; i++ {
		if !m.set[i] {
			m.set[i] = true
			fresh++
		}
	}
	return fresh
}

func (m *mapBitmap) clearRange(first, count int64) (gone int64) {
	for i := first; i < first+count; i++ {
		if m.set[i] {
			delete(m.set, i)
			gone++
		}
	}
	return gone
}

func (m *mapBitmap) countRange(first, count int64) (n int64) {
	for i := first; i < first+count; i++ {
		if m.set[i] {
			n++
		}
	}
	return n
}

// next is the first bit at or after i that has the value, or n.
func (m *mapBitmap) next(i int64, value bool) int64 {
	for i < m.n && m.set[i] != value {
		i++
	}
	return i
}

func (m *mapBitmap) lastClear(first, count int64) (int64, bool) {
	for i := first + count - 1; i >= first; i-- {
		if !m.set[i] {
			return i, true
		}
	}
	return 0, false
}

func (m *mapBitmap) word(w int64) (v uint64) {
	for i := w << 6; i < min(m.n, (w+1)<<6); i++ {
		if m.set[i] {
			v |= 1 << (i & 63)
		}
	}
	return v
}

// failer is what *testing.T and *rapid.T have in common here.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// same fails when a result of the real bitmap differs from that of the dumb one.
func same[T comparable](t failer, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("%s = %v, want %v", what, got, want)
	}
}

// bitmapOp is one call with its arguments before they are brought into range.
type bitmapOp struct {
	kind         uint8
	first, count uint16
}

// apply makes the call on both bitmaps and compares what it returns.
func (op bitmapOp) apply(t failer, b *Bitmap, m *mapBitmap) {
	first := int64(op.first) % (m.n + 1)
	count := int64(op.count) % (m.n - first + 1)
	switch op.kind % 10 {
	case 0, 1:
		same(t, "SetRange", b.SetRange(first, count), m.setRange(first, count))
	case 2:
		same(t, "ClearRange", b.ClearRange(first, count), m.clearRange(first, count))
	case 3:
		same(t, "CountRange", b.CountRange(first, count), m.countRange(first, count))
	case 4:
		same(t, "NextClear", b.NextClear(first), m.next(first, false))
	case 5:
		same(t, "NextSet", b.NextSet(first), m.next(first, true))
	case 6:
		at, ok := b.LastClear(first, count)
		wantAt, wantOK := m.lastClear(first, count)
		same(t, "LastClear ok", ok, wantOK)
		if ok {
			same(t, "LastClear", at, wantAt)
		}
	case 7:
		same(t, "FirstClear", b.FirstClear(), m.next(0, false))
	case 8:
		op.applyBit(t, b, m)
	case 9:
		first = m.next(0, false)
		count = min(count, m.n-first)
		same(t, "SetRange in turn", b.SetRange(first, count), m.setRange(first, count))
	}
}

// applyBit makes the calls that are about one bit.
func (op bitmapOp) applyBit(t failer, b *Bitmap, m *mapBitmap) {
	if m.n == 0 {
		return
	}
	i := int64(op.first) % m.n
	same(t, "Test", b.Test(i), m.set[i])
	same(t, "Set", b.Set(i), m.setRange(i, 1) == 1)
	same(t, "window", b.window(i), windowOf(m, i))
}

func windowOf(m *mapBitmap, i int64) (v uint64) {
	for j := range int64(64) {
		if m.set[i+j] {
			v |= 1 << j
		}
	}
	return v
}

// compare checks every bit, and the invariants written on the fields.
func compare(t failer, b *Bitmap, m *mapBitmap) {
	t.Helper()
	same(t, "Len", b.Len(), m.n)
	same(t, "Count", b.Count(), int64(len(m.set)))
	same(t, "Full", b.Full(), int64(len(m.set)) == m.n)
	for w := range (m.n + 63) >> 6 {
		v := m.word(w)
		same(t, "Word", b.Word(w), v)
	}
	same(t, "every bit below low is set", b.CountRange(0, b.low), b.low)
	if b.stored == 0 {
		end := int64(-1)
		for _, s := range b.runs.list[:b.runs.n] {
			same(t, "a run begins beyond the one before", s.first() > end, true)
			same(t, "where the next bit is set", m.next(end+1, true), s.first())
			same(t, "and ends where the next is clear", m.next(s.first(), false), s.end())
			end = s.end()
		}
		same(t, "bits beyond the last run", m.next(min(end+1, m.n), true), m.n)
		return
	}
	same(t, "stored", b.stored, m.n)
	for w := range int64(len(b.blocks)) << 6 {
		v := m.word(w)
		if end := m.n >> 6; w == end {
			v |= ones << (m.n & 63) // as set bits, where the word has any before the end
			if m.n&63 == 0 {
				v = 0
			}
		}
		k := &b.blocks[w>>6]
		same(t, "some", k.some>>(w&63)&1 == 1, v != 0)
		same(t, "full", k.full>>(w&63)&1 == 1, v == ones)
	}
}

// sizes are lengths around the edges of words and summary words.
var sizes = []int64{0, 1, 63, 64, 65, 128, 200, 4095, 4096, 4097, 4160, 8191, 8192, 8300, 13_000}

// ops reads operations from bytes, five each.
func opsOf(data []byte) (ops []bitmapOp) {
	for ; len(data) >= 5; data = data[5:] {
		ops = append(ops, bitmapOp{
			kind: data[0], first: uint16(data[1])<<8 | uint16(data[2]),
			count: uint16(data[3])<<8 | uint16(data[4]),
		})
	}
	return ops
}

// FuzzBitmap lets any sequence of calls loose on a bitmap of any of the sizes.
func FuzzBitmap(f *testing.F) {
	f.Add(uint8(9), []byte{0, 0, 0, 255, 255, 7, 0, 0, 0, 0, 2, 16, 0, 0, 1, 7, 0, 0, 0, 0})
	f.Add(uint8(13), []byte{0, 0, 1, 32, 0, 2, 0, 65, 15, 0, 6, 0, 3, 31, 0, 4, 0, 2, 0, 0})
	f.Fuzz(func(t *testing.T, size uint8, data []byte) {
		n := sizes[int(size)%len(sizes)]
		b, m := NewBitmap(n), newMapBitmap(n)
		for _, op := range opsOf(data[:min(len(data), 500)]) {
			op.apply(t, b, m)
		}
		compare(t, b, m)
	})
}
