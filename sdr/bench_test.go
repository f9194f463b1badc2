package sdr

import (
	"fmt"
	"testing"

	"sdrsim/units"
	"sdrsim/wire"
)

// BenchmarkBitmapLossless is what a message without loss asks of its bitmap.
func BenchmarkBitmapLossless(b *testing.B) {
	for shift := 8; shift <= 21; shift++ {
		n := int64(1) << shift
		b.Run(fmt.Sprintf("bits=2^%d", shift), func(b *testing.B) {
			m := NewBitmap(n)
			b.ReportAllocs()
			for b.Loop() {
				m.Reset(n)
				if m.SetRange(0, n) != n || !m.Full() {
					b.Fatal("not full")
				}
			}
		})
	}
}

// BenchmarkBitmapSetRandom sets single bits in an order that jumps about.
func BenchmarkBitmapSetRandom(b *testing.B) {
	for _, shift := range []int{8, 18, 21} {
		n := int64(1) << shift
		b.Run(fmt.Sprintf("bits=2^%d", shift), func(b *testing.B) {
			m := NewBitmap(n)
			b.ReportAllocs()
			i := int64(0)
			for b.Loop() {
				if i = (i + 0x9E3779B1) & (n - 1); !m.Set(i) {
					m.Reset(n)
				}
			}
		})
	}
}

// BenchmarkBitmapNextClear scans for the holes of a bitmap with one hole in so many bits.
func BenchmarkBitmapNextClear(b *testing.B) {
	const n = 1 << 18
	for _, every := range []int64{100, 10_000, n} {
		b.Run(fmt.Sprintf("hole-every=%d", every), func(b *testing.B) {
			m := NewBitmap(n)
			m.SetRange(0, n)
			for i := every - 1; i < n; i += every {
				m.ClearRange(i, 1)
			}
			b.ReportAllocs()
			for b.Loop() {
				for i := m.NextClear(0); i < n; i = m.NextClear(i + 1) {
				}
			}
		})
	}
}

// BenchmarkMessage is a whole message without loss, both ends: the cost of the happy path.
func BenchmarkMessage(b *testing.B) {
	for _, perChunk := range []units.Bytes{1, 16} {
		for _, chunks := range []units.Bytes{32, 32768} {
			cfg := testConfig()
			cfg.Chunk = perChunk * cfg.MTU
			if chunks*perChunk > units.Bytes(cfg.Split.Packets()) {
				cfg.Split = wire.Split{ID: 8, Offset: 22, User: 2}
			}
			b.Run(fmt.Sprintf("chunks=%d/packets=%d", chunks, chunks*perChunk), func(b *testing.B) {
				p := newPair(cfg, chunks*cfg.Chunk)
				b.ReportAllocs()
				for b.Loop() {
					p.lossless()
				}
			})
		}
	}
}
