package stats

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func upTo(n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = float64(i + 1)
	}
	return xs
}

func TestQuantileIsTheSmallestSampleThatReachesIt(t *testing.T) {
	for _, c := range []struct {
		n    int
		q    float64
		want float64
	}{
		{1, 0.5, 1}, {2, 0.5, 1}, {3, 0.5, 2}, {100, 0.99, 99}, {101, 0.99, 100},
		{1000, 0.999, 999}, {10000, 0.999, 9990}, {1000000, 0.999, 999000}, {5, 0.999, 5},
		{1000, 0.001, 1},
	} {
		if got := Quantile(upTo(c.n), c.q).Value; got != c.want {
			t.Errorf("rank of %v in %d is %v, want %v", c.q, c.n, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		xs, _ := Sorted(rapid.SliceOfN(rapid.Float64Range(0, 10), 1, 60).Draw(t, "xs"))
		q := rapid.Float64Range(0.001, 0.999).Draw(t, "q")
		v := Quantile(xs, q).Value
		atMost, below := 0, 0
		for _, x := range xs {
			if x <= v {
				atMost++
			}
			if x < v {
				below++
			}
		}
		n := float64(len(xs))
		if float64(atMost)/n < q-1e-9 || float64(below)/n >= q+1e-9 {
			t.Fatalf("F(%v) = %d/%v, F(before) = %d/%v, q = %v", v, atMost, n, below, n, q)
		}
	})
}

// exactBinomialCDF sums the terms of the distribution without rounding.
func exactBinomialCDF(n, k int, q float64) float64 {
	sum, p := new(big.Float).SetPrec(400), new(big.Float).SetPrec(400).SetFloat64(q)
	r := new(big.Float).SetPrec(400).Sub(big.NewFloat(1).SetPrec(400), p)
	for i := range k + 1 {
		term := new(big.Float).SetPrec(400).SetInt(new(big.Int).Binomial(int64(n), int64(i)))
		for range i {
			term.Mul(term, p)
		}
		for range n - i {
			term.Mul(term, r)
		}
		sum.Add(sum, term)
	}
	f, _ := sum.Float64()
	return f
}

func TestIntervalRanksAgreeWithExactBinomialSums(t *testing.T) {
	for _, q := range []float64{0.1, 0.5, 0.9, 0.99} {
		for n := 1; n <= 60; n += 7 {
			wantLo, wantHi := 0, 0
			for l := 1; l <= n; l++ {
				if exactBinomialCDF(n, l-1, q) <= 0.025 {
					wantLo = l
				}
			}
			for u := n; u >= 1; u-- {
				if 1-exactBinomialCDF(n, u-1, q) <= 0.025 {
					wantHi = u
				}
			}
			if lo, hi := intervalRanks(n, q); lo != wantLo || hi != wantHi {
				t.Errorf("n=%d q=%v: ranks %d..%d, want %d..%d", n, q, lo, hi, wantLo, wantHi)
			}
		}
	}
}

func TestQuantileWarnsWhereSamplesCannotCarryIt(t *testing.T) {
	t.Log("# p99.9 has an upper end from 3688 samples on, and ten samples beyond it from 10000")
	if n := SamplesForInterval(0.999); n != 3688 {
		t.Errorf("p99.9 needs %d samples, want 3688", n)
	}
	for _, c := range []struct {
		n       int
		bounded bool
		warning string
	}{
		{1000, false, "p99.9: 1 of 1000 samples beyond it, fewer than 10, " +
			"and a two-sided interval needs 3688 samples"},
		{3687, false, "p99.9: 3 of 3687 samples beyond it, fewer than 10, " +
			"and a two-sided interval needs 3688 samples"},
		{3688, true, "p99.9: 3 of 3688 samples beyond it, fewer than 10"},
		{9999, true, "p99.9: 9 of 9999 samples beyond it, fewer than 10"},
		{10000, true, ""},
	} {
		e := Quantile(upTo(c.n), 0.999)
		if e.Warning != c.warning {
			t.Errorf("n=%d: warning %q, want %q", c.n, e.Warning, c.warning)
		}
		if bounded := !math.IsNaN(e.Hi); bounded != c.bounded {
			t.Errorf("n=%d: upper end known is %v, want %v", c.n, bounded, c.bounded)
		}
		if math.IsNaN(e.Lo) || e.Lo > e.Value {
			t.Errorf("n=%d: lower end %v of %v", c.n, e.Lo, e.Value)
		}
	}
	if n := SamplesForInterval(0.5); n != 6 {
		t.Errorf("the median needs %d samples, want 6", n)
	}
}

func TestQuantileOfFewSamples(t *testing.T) {
	if e := Quantile(nil, 0.5); !math.IsNaN(e.Value) || e.Warning != "p50: no samples" {
		t.Errorf("median of none = %+v", e)
	}
	e := Quantile([]float64{4}, 0.5)
	if e.Value != 4 || !math.IsNaN(e.Lo) || !math.IsNaN(e.Hi) || e.Warning == "" {
		t.Errorf("median of one = %+v", e)
	}
	same := slices.Repeat([]float64{4}, 50)
	wantEstimate(t, "median of equals", Quantile(same, 0.5), 4, 4, 4)
}

func TestSortedHasOneZero(t *testing.T) {
	sorted, _ := Sorted([]float64{0, math.Copysign(0, -1)})
	for i, x := range sorted {
		if math.Signbit(x) {
			t.Errorf("value %d of %v is a negative zero", i, sorted)
		}
	}
}
