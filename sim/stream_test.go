package sim

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"
)

func draw(s *Stream, n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = s.Uint64()
	}
	return out
}

func TestStreamsDifferBySeedNameAndIndex(t *testing.T) {
	seen := map[uint64]string{}
	for seed := range uint64(8) {
		for _, name := range []string{"", "a", "b", "loss/data", "loss/ack"} {
			for index := range uint64(8) {
				what := fmt.Sprint(seed, name, index)
				first := NewStream(seed, name, index).Uint64()
				if other, ok := seen[first]; ok {
					t.Errorf("streams %s and %s begin alike", what, other)
				}
				seen[first] = what
			}
		}
	}
}

func TestNeighbouringStreamsAreUncorrelated(t *testing.T) {
	const n = 20000
	a := NewStream(1, "loss", 0)
	for _, b := range []*Stream{
		NewStream(2, "loss", 0), NewStream(1, "losr", 0), NewStream(1, "loss", 1),
	} {
		a.Seed(1, "loss", 0)
		differ := 0
		for range n {
			differ += bits.OnesCount64(a.Uint64() ^ b.Uint64())
		}
		mean, sigma := 32.0*n, 4*math.Sqrt(n)
		if math.Abs(float64(differ)-mean) > 4*sigma {
			t.Errorf("%d of %d bits differ, want %.0f +- %.0f", differ, 64*n, mean, 4*sigma)
		}
	}
}

// The first draws across indices are themselves uniform: replications are independent.
func TestFirstDrawsAcrossReplicationsAreUniform(t *testing.T) {
	const n, bins = 64000, 64
	var count [bins]float64
	var s Stream
	for i := range uint64(n) {
		s.Seed(7, "loss", i)
		count[s.Uint64()>>58]++
	}
	chi := 0.0
	for _, c := range count {
		chi += (c - n/bins) * (c - n/bins) / (n / bins)
	}
	if chi < 30 || chi > 110 { // 63 degrees of freedom: within 1e-4 on either side
		t.Errorf("chi-squared of first draws is %.1f", chi)
	}
}

func TestStreamGolden(t *testing.T) {
	s := NewStream(1, "loss", 0)
	want := []uint64{
		0xd5d90932fdd49105, 0x7bb065cdc72a0c98, 0x76b0ce5123678388, 0x64b4021e0a050aa5,
	}
	if got := draw(s, 4); !slices.Equal(got, want) {
		t.Errorf("draws %#x, want %#x: every recorded result changes with them", got, want)
	}
	s.Seed(1, "loss", 0)
	floats := fmt.Sprintf("%.12f %.12f", s.ExpFloat64(), s.Float64())
	if floats != "0.792283977234 0.525185174131" {
		t.Errorf("exponential and uniform draw %s", floats)
	}
}

func TestReseedingRestartsWithoutAllocation(t *testing.T) {
	s := NewStream(3, "x", 9)
	first := draw(s, 5)
	if n := testing.AllocsPerRun(10, func() { s.Seed(3, "x", 9) }); n != 0 {
		t.Errorf("Seed allocates %v times", n)
	}
	if again := draw(s, 5); !slices.Equal(first, again) {
		t.Errorf("after Seed %x, at first %x", again, first)
	}
}

func BenchmarkStreamSeed(b *testing.B) {
	var s Stream
	b.ReportAllocs()
	for i := range b.N {
		s.Seed(1, "loss", uint64(i))
	}
}
