package code

import (
	"fmt"
	"testing"

	"github.com/klauspost/reedsolomon"
)

// Throughput in bytes of data a second; the bare library call tells what the wrapping costs.

func benchmarkSizes(b *testing.B, f func(b *testing.B, chunks [][]byte, c Coder)) {
	mds, _ := NewMDS(32, 8)
	xor, _ := NewXOR(32, 8)
	for _, size := range []int{4 << 10, 64 << 10} {
		for _, c := range []Coder{mds, xor} {
			b.Run(fmt.Sprintf("code=%T/chunk=%d", c, size), func(b *testing.B) {
				chunks := encoded(b, c, filled(1, 32, size, size), size)
				b.SetBytes(int64(32 * size))
				b.ReportAllocs()
				f(b, chunks, c)
			})
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	benchmarkSizes(b, func(b *testing.B, chunks [][]byte, c Coder) {
		for b.Loop() {
			if err := c.Encode(chunks[:32], chunks[32:]); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkEncodeBareLibrary(b *testing.B) {
	for _, size := range []int{4 << 10, 64 << 10} {
		b.Run(fmt.Sprintf("chunk=%d", size), func(b *testing.B) {
			library, _ := reedsolomon.New(32, 8, reedsolomon.WithMaxGoroutines(8))
			shards := filled(1, 40, size, size)
			b.SetBytes(int64(32 * size))
			b.ReportAllocs()
			for b.Loop() {
				if err := library.Encode(shards); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// lost leaves out the first n data chunks: one from each XOR group for n to 8.
func lost(n int) []uint64 { return []uint64{^uint64(0) << n} }

func BenchmarkRebuild(b *testing.B) {
	for _, n := range []int{1, 8} {
		present := lost(n)
		b.Run(fmt.Sprintf("lost=%d", n), func(b *testing.B) {
			benchmarkSizes(b, func(b *testing.B, chunks [][]byte, c Coder) {
				for b.Loop() {
					if err := c.Reconstruct(chunks, present); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}

func BenchmarkRebuildBareLibrary(b *testing.B) {
	for _, n := range []int{1, 8} {
		for _, size := range []int{4 << 10, 64 << 10} {
			b.Run(fmt.Sprintf("lost=%d/chunk=%d", n, size), func(b *testing.B) {
				library, _ := reedsolomon.New(32, 8, reedsolomon.WithMaxGoroutines(8))
				shards := filled(1, 40, size, size)
				b.SetBytes(int64(32 * size))
				b.ReportAllocs()
				for b.Loop() {
					for i := range n {
						shards[i] = shards[i][:0]
					}
					if err := library.ReconstructData(shards); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkRecoverable(b *testing.B) {
	mds, _ := NewMDS(32, 8)
	xor, _ := NewXOR(32, 8)
	for _, c := range []Coder{mds, xor} {
		b.Run(fmt.Sprintf("%T", c), func(b *testing.B) {
			present := lost(4)
			b.ReportAllocs()
			for b.Loop() {
				if !c.Recoverable(present) {
					b.Fatal("not recoverable")
				}
			}
		})
	}
}
