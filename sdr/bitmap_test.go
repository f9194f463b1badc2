package sdr

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestBitmapBehavesLikeASetOfNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := new(Bitmap)
		for range rapid.IntRange(1, 3).Draw(t, "resets") {
			n := rapid.SampledFrom(sizes).Draw(t, "bits")
			b.Reset(n)
			m := newMapBitmap(n)
			for range rapid.IntRange(0, 20).Draw(t, "calls") {
				bitmapOp{
					kind:  rapid.Uint8().Draw(t, "kind"),
					first: rapid.Uint16().Draw(t, "first"),
					count: rapid.Uint16().Draw(t, "count"),
				}.apply(t, b, m)
			}
			compare(t, b, m)
		}
	})
}

// Bits that are set in turn are not stored, as long as no other is set and only the last of them
// are cleared. All that is asked of them is answered as if they were.
func TestBitmapOfAPrefixBehavesLikeASetOfNumbers(t *testing.T) {
	reads := []uint8{3, 4, 5, 6, 7}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom(sizes).Draw(t, "bits")
		b, m := NewBitmap(n), newMapBitmap(n)
		draw := func() bitmapOp {
			return bitmapOp{
				first: rapid.Uint16().Draw(t, "first"), count: rapid.Uint16().Draw(t, "count"),
			}
		}
		for range rapid.IntRange(0, 12).Draw(t, "calls") {
			op := draw()
			switch rapid.SampledFrom([]string{"read", "read", "set", "clear"}).Draw(t, "call") {
			case "read":
				op.kind = rapid.SampledFrom(reads).Draw(t, "kind")
			case "set":
				op.kind = 9
			case "clear":
				first := int64(op.first) % (n + 1)
				same(t, "ClearRange", b.ClearRange(first, n-first), m.clearRange(first, n-first))
				continue
			}
			op.apply(t, b, m)
			same(t, "stored", b.stored, 0)
		}
		compare(t, b, m)
		op := draw()
		op.kind = rapid.Uint8().Draw(t, "kind")
		op.apply(t, b, m)
		compare(t, b, m)
	})
}

func TestBitmapHolesAreFoundFromBothEnds(t *testing.T) {
	b := NewBitmap(10_000)
	t.Log("# full but for three holes: in the first word, in the middle, in the tail word")
	b.SetRange(0, 10_000)
	for _, hole := range []int64{5, 4100, 9_999} {
		same(t, "ClearRange", b.ClearRange(hole, 1), 1)
	}
	same(t, "Count", b.Count(), 9_997)
	same(t, "FirstClear", b.FirstClear(), 5)
	same(t, "NextClear after the first", b.NextClear(6), 4100)
	same(t, "NextClear after the second", b.NextClear(4101), 9_999)
	at, ok := b.LastClear(0, 9_999)
	same(t, "LastClear before the tail", at, 4100)
	same(t, "LastClear ok", ok, true)
	_, ok = b.LastClear(6, 4094)
	same(t, "LastClear between holes", ok, false)

	t.Log("# filled from the front, FirstClear moves on; a hole that opens behind it is seen")
	b.Set(5)
	same(t, "FirstClear", b.FirstClear(), 4100)
	b.ClearRange(3, 2)
	same(t, "FirstClear", b.FirstClear(), 3)
	b.SetRange(0, 10_000)
	same(t, "FirstClear of a full bitmap", b.FirstClear(), b.Len())
}

func TestBitmapResetForgetsWhatItsMemoryHeld(t *testing.T) {
	b := NewBitmap(8192)
	t.Log("# words with content, and words that are full")
	b.SetRange(3, 5000)
	for _, n := range []int64{8192, 100, 8192, 4097} {
		b.Reset(n)
		same(t, "Len", b.Len(), n)
		same(t, "Count", b.Count(), 0)
		same(t, "NextSet", b.NextSet(0), n)
		same(t, "a bit of the first word", b.Test(3), false)
		same(t, "SetRange", b.SetRange(1, n-1), n-1)
	}
}

func TestBitmapCountsWhatWasClearBeforeUnderALongRange(t *testing.T) {
	b := NewBitmap(5 * 4096)
	t.Log("# bits here and there, a full word, and a whole stretch of 4096")
	for _, r := range [][2]int64{{0, 1}, {5000, 3}, {4096 + 640, 64}, {3 * 4096, 4096}} {
		same(t, "SetRange", b.SetRange(r[0], r[1]), r[1])
	}
	same(t, "SetRange over all but the ends", b.SetRange(1, 5*4096-2), 5*4096-2-3-64-4096)
	same(t, "CountRange", b.CountRange(1, 5*4096-2), 5*4096-2)
	same(t, "ClearRange", b.ClearRange(0, 5*4096), 5*4096-1)
}

func TestBitmapOfNoBitsIsFull(t *testing.T) {
	var b Bitmap
	same(t, "Full", b.Full(), true)
	same(t, "FirstClear", b.FirstClear(), 0)
	same(t, "SetRange", b.SetRange(0, 0), 0)
}

func TestBitmapRefusesBitsThatDoNotExist(t *testing.T) {
	b := NewBitmap(100)
	for name, call := range map[string]func(){
		"Test":       func() { b.Test(100) },
		"Set":        func() { b.Set(-1) },
		"SetRange":   func() { b.SetRange(50, 51) },
		"ClearRange": func() { b.ClearRange(0, -1) },
		"CountRange": func() { b.CountRange(101, 0) },
		"NextClear":  func() { b.NextClear(101) },
		"NextSet":    func() { b.NextSet(-1) },
		"LastClear":  func() { b.LastClear(0, 1<<62) },
		"Word":       func() { b.Word(2) },
		"Reset":      func() { new(Bitmap).Reset(-1) },
	} {
		t.Run(name, func(t *testing.T) { wantBug(t, call) })
	}
}

// wantBug expects the call to panic as a bug.
func wantBug(t *testing.T, call func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if text, _ := recover().(string); !strings.HasPrefix(text, "BUG: sdr: ") {
			t.Errorf("panicked with %q, want a BUG", text)
		}
	}()
	call()
}
