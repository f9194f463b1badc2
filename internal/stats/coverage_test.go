package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func exponentials(rng *rand.Rand, n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = rng.ExpFloat64()
	}
	return xs
}

func normals(rng *rand.Rand, n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = 10 + rng.NormFloat64()
	}
	return xs
}

// coverage is how often the interval of a fresh set of samples holds the true value.
func coverage(trials int, truth float64, estimate func(*rand.Rand) Estimate) float64 {
	rng := rand.New(rand.NewPCG(2505, 5366))
	hits := 0
	for range trials {
		if e := estimate(rng); e.Lo <= truth && truth <= e.Hi {
			hits++
		}
	}
	return float64(hits) / float64(trials)
}

// TestIntervalsHoldTheTruthAsOftenAsTheySay simulates the coverage of every interval. The bounds
// are 95 % with four standard errors of the simulation on the side that should be tight; intervals
// over discrete ranks may cover more.
func TestIntervalsHoldTheTruthAsOftenAsTheySay(t *testing.T) {
	const trials = 4000 // standard error 0.35 %
	quantile := func(n int, q float64) func(*rand.Rand) Estimate {
		return func(rng *rand.Rand) Estimate {
			sorted, _ := Sorted(exponentials(rng, n))
			return Quantile(sorted, q)
		}
	}
	for _, c := range []struct {
		name     string
		truth    float64
		estimate func(*rand.Rand) Estimate
		lo, hi   float64
	}{
		{"mean of 5 normals", 10, func(r *rand.Rand) Estimate { return Mean(normals(r, 5)) }, .936, .964},
		{"mean of 200 exponentials", 1,
			func(r *rand.Rand) Estimate { return Mean(exponentials(r, 200)) }, .93, .964},
		{"median of 101", math.Ln2, quantile(101, 0.5), .936, .98},
		{"p99 of 1000", math.Log(100), quantile(1000, 0.99), .936, .98},
		{"fraction 0.05 of 80", 0.05, fraction(80, 0.05), .935, .985},
		{"fraction 0.4 of 50", 0.4, fraction(50, 0.4), .935, .985},
		{"ratio of pairs", 2, pairedRatio, .936, .964},
		{"ratio of estimates", 2, func(r *rand.Rand) Estimate {
			a, b := normals(r, 60), normals(r, 60)
			for i := range a {
				a[i] *= 2
			}
			return RatioOf(Mean(a), Mean(b))
		}, .936, 1},
	} {
		if got := coverage(trials, c.truth, c.estimate); got < c.lo || got > c.hi {
			t.Errorf("%s: covered in %.1f %%, want %.1f..%.1f %%",
				c.name, 100*got, 100*c.lo, 100*c.hi)
		}
	}
}

func TestQuantileIntervalOfP999CoversAtTheSmallestSize(t *testing.T) {
	got := coverage(600, math.Log(1000), func(rng *rand.Rand) Estimate {
		sorted, _ := Sorted(exponentials(rng, 3688))
		return Quantile(sorted, 0.999)
	})
	if got < 0.925 { // standard error 0.9 %
		t.Errorf("covered in %.1f %%", 100*got)
	}
}

func fraction(n int, p float64) func(*rand.Rand) Estimate {
	return func(rng *rand.Rand) Estimate {
		hits := 0
		for range n {
			if rng.Float64() < p {
				hits++
			}
		}
		return Share(hits, n)
	}
}

// pairedRatio draws pairs that share most of their variation, as schemes on the same losses do.
func pairedRatio(rng *rand.Rand) Estimate {
	common := exponentials(rng, 150)
	a, b := make([]float64, len(common)), make([]float64, len(common))
	for i, c := range common {
		a[i] = 4 + 2*c + 0.2*(rng.ExpFloat64()-1)
		b[i] = 2 + c + 0.2*(rng.ExpFloat64()-1)
	}
	return Ratio(a, b)
}

func TestPairingNarrowsTheRatio(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	common := exponentials(rng, 400)
	a, b := make([]float64, len(common)), make([]float64, len(common))
	for i, c := range common {
		a[i], b[i] = 2+2*c+0.1*rng.Float64(), 1+c+0.1*rng.Float64()
	}
	paired, apart := Ratio(a, b), RatioOf(Mean(a), Mean(b))
	if wide, narrow := apart.Hi-apart.Lo, paired.Hi-paired.Lo; narrow > wide/5 {
		t.Errorf("paired width %v, independent width %v", narrow, wide)
	}
}
