package code

import (
	"math/bits"
	"testing"

	"github.com/klauspost/reedsolomon"
	"pgregory.net/rapid"
)

// The rule is judged by something that does not know it: the bare Reed-Solomon library for MDS, the
// rank of the generator matrix over GF(2) for XOR. Every pattern of every small code is tried.

func TestMDSRuleIsTheLibrarysVerdict(t *testing.T) {
	for _, shape := range [][2]int{{1, 1}, {1, 3}, {2, 2}, {3, 5}, {4, 2}, {6, 3}, {7, 1}} {
		k, m := shape[0], shape[1]
		coder, _ := NewMDS(k, m)
		library, err := reedsolomon.New(k, m)
		if err != nil {
			t.Fatal(err)
		}
		chunks := encoded(t, coder, filled(1, k, 8, 8), 8)
		for word := uint64(0); word < 1<<(k+m); word++ {
			present := []uint64{word}
			shards := damaged(coder, chunks, present)
			for i := range shards {
				if !has(present, i) {
					shards[i] = nil
				}
			}
			can := library.ReconstructData(shards) == nil
			if got := coder.Recoverable(present); got != can {
				t.Fatalf("(%d,%d) pattern %b: rule says %v, library %v", k, m, word, got, can)
			}
			checkRebuild(t, coder, chunks, present)
		}
	}
}

func TestXORRuleIsTheRankOfTheGenerator(t *testing.T) {
	shapes := [][2]int{{1, 1}, {2, 1}, {2, 2}, {4, 2}, {5, 2}, {6, 3}, {7, 3}, {8, 4}, {9, 1}}
	for _, shape := range shapes {
		k, m := shape[0], shape[1]
		coder, _ := NewXOR(k, m)
		chunks := encoded(t, coder, filled(2, k, 8, 8), 8)
		for word := uint64(0); word < 1<<(k+m); word++ {
			present := []uint64{word}
			can := rankXOR(k, m, word) == k
			if got := coder.Recoverable(present); got != can {
				t.Fatalf("(%d,%d) pattern %b: rule says %v, algebra %v", k, m, word, got, can)
			}
			checkRebuild(t, coder, chunks, present)
		}
	}
}

// A pattern of one word is judged at a stroke; the verdict is that of the walk over its chunks.
func TestXORRuleOfAWordIsThatOfTheWalk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 63).Draw(t, "k")
		m := rapid.IntRange(1, min(k, 64-k)).Draw(t, "m")
		c, err := NewXOR(k, m)
		if err != nil {
			t.Fatal(err)
		}
		present := rapid.Uint64().Draw(t, "bits beyond")<<(k+m) | 1<<(k+m) - 1
		for range rapid.IntRange(0, 2*m).Draw(t, "losses") {
			present &^= 1 << rapid.IntRange(0, k+m-1).Draw(t, "lost")
		}
		if got, want := c.fold(present), c.walk([]uint64{present}); got != want {
			t.Fatalf("(%d,%d) pattern %b: %v at a stroke, %v chunk by chunk", k, m, present, got, want)
		}
	})
}

// rankXOR is the rank over GF(2) of the rows of the generator matrix that are present.
func rankXOR(k, m int, present uint64) int {
	var basis [64]uint64
	rank := 0
	for i := range k + m {
		if present>>i&1 == 0 {
			continue
		}
		row := uint64(1) << i
		if i >= k {
			row = 0
			for j := i - k; j < k; j += m {
				row |= 1 << j
			}
		}
		for row != 0 {
			top := bits.Len64(row) - 1
			if basis[top] == 0 {
				basis[top] = row
				rank++
				break
			}
			row ^= basis[top]
		}
	}
	return rank
}

func TestXORNeverRecoversMoreThanMDS(t *testing.T) {
	const k, m = 6, 3
	mds, _ := NewMDS(k, m)
	xor, _ := NewXOR(k, m)
	weaker := 0
	for word := uint64(0); word < 1<<(k+m); word++ {
		x, d := xor.Recoverable([]uint64{word}), mds.Recoverable([]uint64{word})
		// All data present and all parity lost is within both: m losses.
		if x && !d {
			t.Fatalf("pattern %b: XOR recovers what no code can", word)
		}
		if d && !x {
			weaker++
		}
	}
	if weaker == 0 {
		t.Fatal("XOR recovered every pattern that MDS does; it is not MDS")
	}
}

func TestBitsBeyondTheSubmessageDoNotCount(t *testing.T) {
	both(t, 4, 2, func(t *testing.T, c Coder) {
		if c.Recoverable([]uint64{^uint64(1<<6 - 1), ^uint64(0)}) {
			t.Fatal("recoverable from bits that belong to no chunk")
		}
		if !c.Recoverable([]uint64{0xF}) {
			t.Fatal("complete data is not recoverable")
		}
	})
}

// A tail obeys the rule of the whole code with the chunks it lacks taken as present.
func TestTailIsTheCodeWithTheAbsentChunksKnown(t *testing.T) {
	const k, m = 6, 3
	both(t, k, m, func(t *testing.T, whole Coder) {
		for short := 1; short <= k; short++ {
			tail, err := whole.Tail(short)
			if err != nil {
				t.Fatal(err)
			}
			if tail.DataChunks() != short || tail.ParityChunks() != m {
				t.Fatalf("tail is (%d,%d)", tail.DataChunks(), tail.ParityChunks())
			}
			chunks := encoded(t, tail, filled(3, short, 16, 5), 16)
			for word := uint64(0); word < 1<<(short+m); word++ {
				data, parity := word&(1<<short-1), word>>short
				full := data | (1<<k-1)&^(1<<short-1) | parity<<k
				if tail.Recoverable([]uint64{word}) != whole.Recoverable([]uint64{full}) {
					t.Fatalf("tail of %d, pattern %b: differs from the whole code", short, word)
				}
				checkRebuild(t, tail, chunks, []uint64{word})
			}
		}
	})
}

func TestXORTailHasTheParityOfZeroChunks(t *testing.T) {
	const k, m, short, size = 7, 3, 4, 24
	whole, _ := NewXOR(k, m)
	tail, _ := whole.Tail(short)
	data := filled(4, short, size, size)
	got := encoded(t, tail, data, size)[short:]
	for len(data) < k {
		data = append(data, make([]byte, size))
	}
	want := encoded(t, whole, data, size)[k:]
	for i := range want {
		if string(got[i]) != string(want[i]) {
			t.Fatalf("parity %d of the tail differs from that with zero chunks", i)
		}
	}
}
