package code

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// shapes that cross what is special inside: words of the pattern, fields, group sizes.
var shapes = [][2]int{
	{32, 8}, {16, 4}, {8, 2}, {4, 1}, {60, 10}, {64, 64}, {130, 7}, {200, 56}, {200, 57}, {300, 40},
}

func TestRandomLossesRebuildWhereTheRuleSaysSo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := rapid.SampledFrom(shapes).Draw(t, "shape")
		size := rapid.SampledFrom([]int{1, 7, 64, 100, 128, 1000}).Draw(t, "size")
		short := rapid.IntRange(1, shape[0]).Draw(t, "data chunks")
		last := rapid.IntRange(1, size).Draw(t, "bytes of the last chunk")
		loss := rapid.Float64Range(0, 0.5).Draw(t, "loss")
		seed := rapid.Uint64().Draw(t, "seed")

		var whole Coder
		if rapid.Bool().Draw(t, "xor") {
			whole, _ = NewXOR(shape[0], shape[1])
		} else {
			whole, _ = NewMDS(shape[0], shape[1])
		}
		c, err := whole.Tail(short)
		if err != nil {
			t.Fatal(err)
		}
		if _, mds := c.(*MDS); mds && short+shape[1] > SmallField {
			size = (size + LargeMultiple - 1) / LargeMultiple * LargeMultiple
		}
		data := filled(seed, short, size, last)
		chunks := encoded(t, c, data, size)
		random := rand.New(rand.NewPCG(seed, 1))
		bits := make([]bool, short+shape[1])
		for i := range bits {
			bits[i] = random.Float64() >= loss
		}
		checkRebuild(t, c, chunks, pattern(bits))
	})
}

func TestMDSRecoversAnyMLosses(t *testing.T) {
	for _, shape := range shapes {
		k, m := shape[0], shape[1]
		c, _ := NewMDS(k, m)
		chunks := encoded(t, c, filled(5, k, 128, 128), 128)
		random := rand.New(rand.NewPCG(6, 0))
		for range 20 {
			bits := make([]bool, k+m)
			for i, at := range random.Perm(k + m) {
				bits[at] = i >= m
			}
			if !c.Recoverable(pattern(bits)) {
				t.Fatalf("(%d,%d): m losses are not recoverable", k, m)
			}
			checkRebuild(t, c, chunks, pattern(bits))
		}
	}
}

func TestShapesBeyondTheLimitsAreNamedErrors(t *testing.T) {
	for _, test := range []struct {
		k, m     int
		mds, xor error
	}{
		{0, 1, ErrDataChunks, ErrDataChunks},
		{-1, 1, ErrDataChunks, ErrDataChunks},
		{1, 0, ErrParityChunks, ErrParityChunks},
		{1, -5, ErrParityChunks, ErrParityChunks},
		{2, 3, nil, ErrEmptyGroup},
		{32768, 32768, nil, nil},
		{32769, 32767, ErrTooManyChunks, nil},
		{65535, 1, nil, nil},
		{65535, 2, ErrTooManyChunks, nil},
		{math.MaxInt32, 1, ErrTooManyChunks, nil},
		{1, math.MaxInt, ErrTooManyChunks, ErrEmptyGroup},
	} {
		if _, err := NewMDS(test.k, test.m); !errors.Is(err, test.mds) {
			t.Errorf("NewMDS(%d, %d) = %v, want %v", test.k, test.m, err, test.mds)
		}
		if _, err := NewXOR(test.k, test.m); !errors.Is(err, test.xor) {
			t.Errorf("NewXOR(%d, %d) = %v, want %v", test.k, test.m, err, test.xor)
		}
	}
}

// What NewMDS accepts, the library must accept: the limits here are a copy of its own.
func TestGreatestShapesReachTheLibrary(t *testing.T) {
	for _, shape := range [][2]int{{255, 1}, {1, 255}, {65535, 1}, {32768, 32768}, {49152, 16384}} {
		if _, err := NewMDS(shape[0], shape[1]); err != nil {
			t.Fatal(err)
		}
		encoderFor(shape[0], shape[1])
	}
}

func TestWrongBuffersAreNamedErrors(t *testing.T) {
	chunk, short, long := make([]byte, 8), make([]byte, 7), make([]byte, 9)
	both(t, 2, 2, func(t *testing.T, c Coder) {
		for _, test := range []struct {
			name         string
			data, parity [][]byte
			want         error
		}{
			{"too few data", [][]byte{chunk}, [][]byte{chunk, chunk}, ErrChunkCount},
			{"too much parity", [][]byte{chunk, chunk}, [][]byte{chunk, chunk, chunk}, ErrChunkCount},
			{"long data", [][]byte{chunk, long}, [][]byte{chunk, chunk}, ErrChunkLength},
			{"unequal parity", [][]byte{chunk, chunk}, [][]byte{chunk, short}, ErrChunkLength},
			{"empty parity", [][]byte{chunk, chunk}, [][]byte{chunk, nil}, ErrChunkLength},
		} {
			if err := c.Encode(test.data, test.parity); !errors.Is(err, test.want) {
				t.Errorf("encode, %s: %v, want %v", test.name, err, test.want)
			}
		}
		rebuild := [][]byte{chunk, long, chunk, chunk}
		if err := c.Reconstruct(rebuild, []uint64{0b1110}); !errors.Is(err, ErrChunkLength) {
			t.Errorf("reconstruct, long data: %v", err)
		}
		if err := c.Reconstruct(rebuild[:3], []uint64{0b1110}); !errors.Is(err, ErrChunkCount) {
			t.Errorf("reconstruct, too few chunks: %v", err)
		}
		for _, tail := range []int{-1, 0, 3} {
			if _, err := c.Tail(tail); !errors.Is(err, ErrTailChunks) {
				t.Errorf("tail of %d: %v", tail, err)
			}
		}
	})
}

// Scratch memory remembers longer chunks; a shorter one after them is padded with zeros all the
// same.
func TestShortChunksArePaddedWithZerosEveryTime(t *testing.T) {
	const k, m, size = 4, 2, 16
	both(t, k, m, func(t *testing.T, c Coder) {
		for _, last := range []int{15, 3, 9, 1} {
			data := filled(10, k, size, last)
			got := encoded(t, c, data, size)
			whole := append(slices.Clone(data[:k-1]), make([]byte, size))
			copy(whole[k-1], data[k-1])
			want := encoded(t, c, whole, size)
			for i := k; i < k+m; i++ {
				if !slices.Equal(got[i], want[i]) {
					t.Fatalf("last chunk of %d bytes: parity %d is not that of zeros", last, i-k)
				}
			}
			checkRebuild(t, c, got, []uint64{0b110111})
		}
	})
}

func TestLargeFieldRefusesOddChunks(t *testing.T) {
	c, _ := NewMDS(255, 40)
	data, parity := filled(8, 255, 64, 1), filled(9, 40, 100, 100)
	if err := c.Encode(data, parity); !errors.Is(err, ErrChunkMultiple) {
		t.Fatalf("encode: %v, want ErrChunkMultiple", err)
	}
	present := pattern(slices.Repeat([]bool{true}, 295))
	present[0]--
	err := c.Reconstruct(append(data, parity...), present)
	if !errors.Is(err, ErrChunkMultiple) {
		t.Fatalf("reconstruct: %v, want ErrChunkMultiple", err)
	}
}

func TestShortPatternIsABug(t *testing.T) {
	c, _ := NewXOR(64, 8)
	defer func() {
		if recover() == nil {
			t.Fatal("a pattern of 64 bits was taken for a code of 72 chunks")
		}
	}()
	c.Recoverable([]uint64{^uint64(0)})
}

func TestRuleAllocatesNothing(t *testing.T) {
	present := []uint64{^uint64(0) &^ (1<<3 | 1<<20)}
	both(t, 32, 8, func(t *testing.T, c Coder) {
		n := testing.AllocsPerRun(100, func() {
			if !c.Recoverable(present) {
				t.Fatal("rule is wrong")
			}
		})
		if n != 0 {
			t.Fatalf("%v allocations", n)
		}
	})
}

func TestCodingReusesItsBuffers(t *testing.T) {
	present := []uint64{^uint64(0) &^ (1<<3 | 1<<31)}
	// The library allocates its own bookkeeping on each call; a chunk of data it must not.
	const chunk = 64 << 10
	both(t, 32, 8, func(t *testing.T, c Coder) {
		chunks := encoded(t, c, filled(7, 32, chunk, chunk-9), chunk)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		const rounds = 50
		for range rounds {
			if err := c.Encode(chunks[:32], chunks[32:]); err != nil {
				t.Fatal(err)
			}
			if err := c.Reconstruct(chunks, present); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		if got := (after.TotalAlloc - before.TotalAlloc) / rounds; got > chunk/4 {
			t.Fatalf("%d bytes allocated for each submessage", got)
		}
	})
}

func FuzzReconstruct(f *testing.F) {
	f.Add(uint8(4), uint8(2), uint8(16), uint8(3), []byte{0b101101})
	f.Add(uint8(32), uint8(8), uint8(64), uint8(64), []byte{0xFF, 0xFE, 0xFF, 0x7F, 0x0F})
	f.Add(uint8(255), uint8(40), uint8(10), uint8(1), []byte{})
	f.Fuzz(func(t *testing.T, k, m, size, last uint8, losses []byte) {
		if k == 0 || m == 0 || size == 0 || last == 0 || last > size {
			t.Skip()
		}
		// Bits of the input are losses, so that a short input is a pattern with little lost.
		present := make([]uint64, (int(k)+int(m)+63)/64)
		for i := range present {
			present[i] = ^uint64(0)
		}
		for i, b := range losses {
			if i/8 < len(present) {
				present[i/8] &^= uint64(b) << (i % 8 * 8)
			}
		}
		both(t, int(k), int(m), func(t *testing.T, c Coder) {
			length := int(size)
			if int(k)+int(m) > SmallField {
				length *= LargeMultiple
			}
			data := filled(uint64(len(losses)), int(k), length, int(last))
			checkRebuild(t, c, encoded(t, c, data, length), present)
		})
	})
}
