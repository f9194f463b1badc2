package sweep

import (
	"bytes"
	"math"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/internal/experiment"
	"sdrsim/internal/metric"
	"sdrsim/internal/spec"
	"sdrsim/internal/stats"
	"sdrsim/units"
)

func TestTotalAddsUpEveryCounter(t *testing.T) {
	r := &Record{samples: 3, counters: make([]experiment.Counters, 4)}
	for i := range r.counters { // the last is beyond the samples
		for k, f := range metric.Counted() {
			*f.Count(&r.counters[i]) = int64(i+1) << (4 * k)
		}
	}
	total := r.total()
	for k, f := range metric.Counted() {
		if got, want := *f.Count(&total), int64(1+2+3)<<(4*k); got != want {
			t.Errorf("%s is %#x in all, want %#x", f.Name, got, want)
		}
	}
}

// A record in memory that another unit has used holds what a new one does.
func TestRecordsInUsedMemoryAreLikeNewOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		used := drawRecord(t)
		p := spec.Point{Key: "i=1"}
		p.Message.Count = rapid.IntRange(1, 3).Draw(t, "messages of the next")
		if rapid.Bool().Draw(t, "next is weighted") {
			p.Tilts = []float64{1, 5}
		}
		n := rapid.IntRange(0, 20).Draw(t, "samples of the next")
		scheme := &spec.Scheme{Label: "ec"}
		var encoded [2][]byte
		for i, r := range []*Record{newRecord(&p, scheme), used.renew(&p, scheme)} {
			r.grow(n)
			for k := range n { // the first was not delivered
				s := experiment.Sample{Failed: p.Message.Count, Weight: 1}
				for range min(k, 1) * p.Message.Count {
					s.Completion = append(s.Completion, units.Duration(k))
					s.Delivery = append(s.Delivery, units.Duration(k))
					s.Wait = append(s.Wait, units.Duration(k))
					s.Failed--
				}
				if err := r.put(k, &s); err != nil {
					t.Fatal(err)
				}
			}
			r.samples = n
			encoded[i] = r.Append(nil)
		}
		if !bytes.Equal(encoded[0], encoded[1]) {
			t.Fatalf("in used memory\n %q\nin new\n %q", encoded[1], encoded[0])
		}
	})
}

// Where no interval is shown none is computed; the value is that of the estimate, to the last bit.
func TestMeansWithoutIntervalsAreThoseOfTheEstimates(t *testing.T) {
	same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
	rapid.Check(t, func(t *rapid.T) {
		r := drawRecord(t)
		if got, want := meanOnly(r, r.completion), r.estimates(nil).mean().Value; !same(got, want) {
			t.Fatalf("mean %v, that of the estimate %v", got, want)
		}
		n := rapid.IntRange(0, 20).Draw(t, "n")
		above := rapid.SliceOfN(rapid.Float64Range(-1e18, 1e18), n, n).Draw(t, "above")
		below := rapid.SliceOfN(rapid.Float64Range(0, 1e9), n, n).Draw(t, "below")
		if got, want := ratioOnly(above, below), stats.Ratio(above, below).Value; !same(got, want) {
			t.Fatalf("ratio %v, that of the estimate %v", got, want)
		}
	})
}
