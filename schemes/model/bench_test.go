package model

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func BenchmarkSRMean(b *testing.B) {
	for _, chunks := range []int64{32, chunksOf128MiB, 1 << 31} {
		for _, p := range []float64{1e-12, 1e-5, 1e-2, 0.5} {
			b.Run(fmt.Sprintf("chunks=%d/p=%g", chunks, p), func(b *testing.B) {
				s := planetSR(chunks, 3, p)
				b.ReportAllocs()
				for b.Loop() {
					s.Mean()
				}
			})
		}
	}
}

func BenchmarkSRQuantile(b *testing.B) {
	for _, p := range []float64{1e-5, 1e-2, 0.5} {
		b.Run(fmt.Sprintf("p=%g", p), func(b *testing.B) {
			s := planetSR(1<<31, 3, p)
			b.ReportAllocs()
			for b.Loop() {
				s.Quantile(0.999)
			}
		})
	}
}

func BenchmarkECMean(b *testing.B) {
	for _, code := range []Code{MDS, XOR} {
		for _, p := range []float64{1e-5, 1e-2, 0.5} {
			b.Run(fmt.Sprintf("code=%s/p=%g", code, p), func(b *testing.B) {
				e := planetEC(chunksOf1GiB, code, p)
				b.ReportAllocs()
				for b.Loop() {
					e.Mean()
				}
			})
		}
	}
}

// The yardstick for the speed of the simulator: what a sample of the model costs.
func BenchmarkSample(b *testing.B) {
	s := NewSampler(rand.NewPCG(1, 1))
	for _, p := range []float64{0, 1e-5, 1e-3, 1e-2} {
		b.Run(fmt.Sprintf("sr/p=%g", p), func(b *testing.B) {
			m := planetSR(chunksOf128MiB, 3, p)
			b.ReportAllocs()
			for b.Loop() {
				s.SR(m)
			}
		})
		for _, code := range []Code{MDS, XOR} {
			b.Run(fmt.Sprintf("ec-%s/p=%g", code, p), func(b *testing.B) {
				m := planetEC(chunksOf128MiB, code, p)
				b.ReportAllocs()
				for b.Loop() {
					s.EC(m)
				}
			})
		}
	}
}
