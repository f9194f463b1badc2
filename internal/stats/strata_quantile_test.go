package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// lossyStrata is one case that is certain, at 1, and one of n samples.
func lossyStrata(share float64, lossy []float64) []Stratum {
	return []Stratum{{Share: 1 - share, Values: []float64{1}}, {Share: share, Values: lossy}}
}

func TestStrataQuantileBelowTheLossesIsExact(t *testing.T) {
	lossy := exponentials(rand.New(rand.NewPCG(5, 1)), 100)
	for i := range lossy {
		lossy[i] += 2
	}
	for _, q := range []float64{0.5, 0.9, 0.99, 0.995} {
		e := StrataQuantile(lossyStrata(0.005, lossy), q)
		wantEstimate(t, QuantileName(q), e, 1, 1, 1)
		if e.Warning != "" {
			t.Errorf("p%v: warning %q", 100*q, e.Warning)
		}
	}
	if e := StrataQuantile(lossyStrata(0.005, lossy), 0.9999); e.Value <= 2 || e.Hi == e.Lo {
		t.Errorf("p99.99 %+v, want that of the losses", e)
	}
}

// Of one uncertain case the q-quantile is the 1-(1-q)/share quantile of its samples, with the
// interval of order statistics.
func TestStrataQuantileIsThatOfTheUncertainCase(t *testing.T) {
	lossy := exponentials(rand.New(rand.NewPCG(5, 2)), 4000)
	for i := range lossy {
		lossy[i] += 2
	}
	sorted, _ := Sorted(lossy)
	for _, q := range []float64{0.95, 0.99, 0.999} {
		got := StrataQuantile(lossyStrata(0.1, lossy), q)
		want := Quantile(sorted, 1-(1-q)/0.1)
		if !near(got.Value, want.Value) || got.Lo > got.Value || got.Hi < got.Value {
			t.Errorf("q %v: %+v, want %+v", q, got, want)
		}
		if math.Abs(got.Lo-want.Lo) > 0.02*want.Lo || math.Abs(got.Hi-want.Hi) > 0.02*want.Hi {
			t.Errorf("q %v: %+v, want nearly %+v", q, got, want)
		}
	}
	e := StrataQuantile(lossyStrata(0.1, lossy[:50]), 0.999)
	if !math.IsNaN(e.Hi) ||
		!strings.HasPrefix(e.Warning, "p99.9: 0 of 50 samples with a loss beyond it, fewer than 10") {
		t.Errorf("50 samples: %+v", e)
	}
	if e := StrataQuantile([]Stratum{{Share: 1}}, 0.5); !math.IsNaN(e.Value) || e.Warning == "" {
		t.Errorf("no samples: %+v", e)
	}
}

// The interval holds the quantile about as often as it says, of one uncertain case and of two.
func TestIntervalsOfStrataQuantilesHoldTheTruth(t *testing.T) {
	const replications = 400
	random := rand.New(rand.NewPCG(5, 3))
	for _, cases := range []int{1, 2} {
		for _, q := range []float64{0.97, 0.99, 0.999} {
			// Beyond x >= 2 the probability is 0.1 exp(-(x-2)), however it is divided.
			truth := 2 - math.Log((1-q)/0.1)
			held := 0
			for range replications {
				strata := []Stratum{{Share: 0.9, Values: []float64{1}}}
				for range cases {
					lossy := exponentials(random, 600/cases)
					for i := range lossy {
						lossy[i] += 2
					}
					strata = append(strata, Stratum{Share: 0.1 / float64(cases), Values: lossy})
				}
				e := StrataQuantile(strata, q)
				if e.Lo <= truth && (truth <= e.Hi || math.IsNaN(e.Hi)) {
					held++
				}
			}
			if got := float64(held) / replications; got < 0.917 {
				t.Errorf("%d uncertain cases, q %v: holds %v, want 0.95", cases, q, got)
			}
		}
	}
}

// One stratum of everything is a plain sample: value and interval are its order statistics, also
// where values are few and far apart.
func TestStrataQuantileOfOneStratumIsThePlainOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(2505, 7))
	for range 200 {
		xs := make([]float64, 400+rng.IntN(4000))
		for i := range xs {
			xs[i] = float64(rng.IntN(4)) + float64(rng.IntN(2)*rng.IntN(1000))
		}
		sorted, _ := Sorted(xs)
		for _, q := range []float64{0.5, 0.9, 0.99} {
			got := StrataQuantile([]Stratum{{Share: 1, Values: xs}}, q)
			want := Quantile(sorted, q)
			if got.Value != want.Value || got.Lo != want.Lo || got.Hi != want.Hi {
				t.Fatalf("%d samples, %v: %v in [%v, %v], want %v in [%v, %v]", len(xs), q, got.Value, got.Lo,
					got.Hi, want.Value, want.Lo, want.Hi)
			}
		}
	}
}

// A case whose values have an end says nothing beyond it: where few of its samples leave room for
// more of what is rare, the end is known all the same.
func TestQuantilesBeyondTheEndOfACase(t *testing.T) {
	late := make([]float64, 700)
	for i := range late {
		late[i] = 60 + float64(i)/100
	}
	strata := []Stratum{
		{Share: 0.3, Values: []float64{10}},
		{Share: 0.66, Values: slices.Repeat([]float64{11, 12}, 100), Most: 12},
		{Share: 0.04, Values: late},
	}
	e := StrataQuantile(strata, 0.99)
	if e.Warning != "" || !(e.Lo > 60 && e.Lo < e.Value && e.Value < e.Hi && e.Hi < 67) {
		t.Errorf("%+v, want an interval within 60 and 67", e)
	}
	strata[1].Most = 0
	if e := StrataQuantile(strata, 0.99); !math.IsNaN(e.Hi) {
		t.Errorf("%+v: one more of 0.66/200 may be anywhere", e)
	}
}
