package code

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/klauspost/reedsolomon"
)

// BenchmarkOverLibrary calls the code and the bare library in turn, on the same memory, and reports
// the ratio of their median times: what checking, padding and patterns cost. The two are measured
// within a few microseconds of each other, so that the ratio holds on a busy machine too.
func BenchmarkOverLibrary(b *testing.B) {
	for _, size := range []int{4 << 10, 64 << 10} {
		mds, err := NewMDS(32, 8)
		if err != nil {
			b.Fatal(err)
		}
		library, err := reedsolomon.New(32, 8, reedsolomon.WithMaxGoroutines(8))
		if err != nil {
			b.Fatal(err)
		}
		chunks := encoded(b, mds, filled(1, 32, size, size), size)
		b.Run(fmt.Sprintf("encode/chunk=%d", size), func(b *testing.B) {
			inTurn(b, func() error { return mds.Encode(chunks[:32], chunks[32:]) },
				func() error { return library.Encode(chunks) })
		})
		for _, n := range []int{1, 8} {
			present := lost(n)
			shards := make([][]byte, len(chunks))
			b.Run(fmt.Sprintf("rebuild/lost=%d/chunk=%d", n, size), func(b *testing.B) {
				inTurn(b, func() error { return mds.Reconstruct(chunks, present) }, func() error {
					copy(shards, chunks)
					for i := range n {
						shards[i] = shards[i][:0]
					}
					return library.ReconstructData(shards)
				})
			})
		}
	}
}

// inTurn reports the median time of one function over that of the other.
func inTurn(b *testing.B, ours, theirs func() error) {
	var times [2][]time.Duration
	for i := 0; b.Loop(); i++ {
		for k := range times {
			which := (i + k) % 2 // each goes first every other time
			f := [...]func() error{ours, theirs}[which]
			started := time.Now()
			if err := f(); err != nil {
				b.Fatal(err)
			}
			times[which] = append(times[which], time.Since(started))
		}
	}
	var median [2]float64
	for k := range times {
		slices.Sort(times[k])
		median[k] = float64(times[k][len(times[k])/2])
	}
	b.ReportMetric(median[0]/median[1], "ours/library")
}
