package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// exponentialMixture draws from Exp(1) and from Exp(1/4) in turn, with the weights that make the
// mixture stand for Exp(1).
func exponentialMixture(n int, seed uint64) Weighted {
	r := rand.New(rand.NewPCG(seed, 1))
	w := Weighted{Strata: 2}
	for i := range n {
		scale := 1.0
		if i%2 == 1 {
			scale = 4
		}
		x := r.ExpFloat64() * scale
		p, q := math.Exp(-x), math.Exp(-x/4)/4
		w.Values = append(w.Values, x)
		w.Weights = append(w.Weights, p/((p+q)/2))
	}
	return w
}

// The intervals of mean, p99 and p99.9 hold the true value in about 95 of 100 repetitions.
func TestWeightedIntervalsCoverTheTruth(t *testing.T) {
	const repetitions = 400
	hits := map[string]int{}
	mean := 0.0
	for seed := range uint64(repetitions) {
		w := exponentialMixture(4000, seed)
		m := w.Mean()
		mean += m.Value / repetitions
		for name, c := range map[string]struct {
			e     Estimate
			truth float64
		}{
			"mean":  {m, 1},
			"p99":   {w.Quantile(0.99), math.Log(100)},
			"p99.9": {w.Quantile(0.999), math.Log(1000)},
		} {
			if c.e.Lo <= c.truth && c.truth <= c.e.Hi {
				hits[name]++
			}
		}
	}
	for _, name := range []string{"mean", "p99", "p99.9"} {
		if share := float64(hits[name]) / repetitions; share < 0.91 || share > 0.985 {
			t.Errorf("%s: covered in %.3f of the repetitions, want about 0.95", name, share)
		}
	}
	if math.Abs(mean-1) > 0.005 {
		t.Errorf("mean of the means %v, want 1", mean)
	}
}

// Tilted sampling narrows the interval of p99.9 against as many plain samples.
func TestTiltNarrowsTheTail(t *testing.T) {
	narrower := 0
	for seed := range uint64(50) {
		tilted := exponentialMixture(8000, seed).Quantile(0.999)
		r := rand.New(rand.NewPCG(seed, 2))
		plain := make([]float64, 8000)
		for i := range plain {
			plain[i] = r.ExpFloat64()
		}
		sorted, _ := Sorted(plain)
		e := Quantile(sorted, 0.999)
		if tilted.Hi-tilted.Lo < e.Hi-e.Lo {
			narrower++
		}
	}
	if narrower < 45 {
		t.Errorf("narrower in %d of 50 repetitions", narrower)
	}
}

// With all weights one, the weighted estimates are the plain ones.
func TestWeightsOfOneChangeNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	w := Weighted{Strata: 1}
	for range 20000 {
		w.Values = append(w.Values, math.Floor(r.ExpFloat64()*50))
		w.Weights = append(w.Weights, 1)
	}
	sorted, _ := Sorted(w.Values)
	for _, q := range []float64{0.5, 0.99, 0.999} {
		if got, want := w.Quantile(q), Quantile(sorted, q); got.Value != want.Value {
			t.Errorf("%s: %v, want %v", QuantileName(q), got.Value, want.Value)
		}
	}
	if got, want := w.Mean(), Mean(sorted); math.Abs(got.Value-want.Value) > 1e-9 ||
		math.Abs(got.Lo-want.Lo) > 1e-2 {
		t.Errorf("mean %+v, want %+v", got, want)
	}
}

func TestFewEffectiveSamplesAreWarnedOf(t *testing.T) {
	w := exponentialMixture(40, 3)
	if e := w.Quantile(0.9999); e.Warning == "" {
		t.Errorf("%+v carries no warning", e)
	}
	if e := (Weighted{Strata: 1}).Quantile(0.5); e.Warning == "" || !math.IsNaN(e.Value) {
		t.Errorf("no samples: %+v", e)
	}
}

// The distribution at any of its steps is that of Exp(1), within what chance allows.
func TestWeightedStepsDescendAlongTheDistribution(t *testing.T) {
	steps := exponentialMixture(20000, 5).Steps(50)
	for i, s := range steps {
		if i > 0 && (s.X <= steps[i-1].X || s.Exceed >= steps[i-1].Exceed) {
			t.Fatalf("step %d: %+v after %+v", i, s, steps[i-1])
		}
		if want := math.Exp(-s.X); math.Abs(s.Exceed-want) > 0.02 {
			t.Errorf("P(X > %v) = %v, want %v", s.X, s.Exceed, want)
		}
	}
	if len(steps) < 30 || len(steps) > 50 {
		t.Errorf("%d steps, want at most 50 and not many fewer", len(steps))
	}
}

// However little the smallest value counts for, no step is beyond a probability of one.
func TestWeightedStepsAreProbabilities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "n")
		w := Weighted{Strata: 1}
		for i := range n {
			w.Values = append(w.Values, float64(i))
			w.Weights = append(w.Weights, rapid.Float64Range(0.01, 3).Draw(t, "weight"))
		}
		w.Weights[0] = 1e-200
		for _, s := range w.Steps(50) {
			if s.Exceed < 0 || s.Exceed > 1 {
				t.Fatalf("P(X > %v) = %v", s.X, s.Exceed)
			}
		}
	})
}
