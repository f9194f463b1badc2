package stats

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"pgregory.net/rapid"
)

func within(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

// The counts 0, 1 and 30 have the exact interval of a Poisson mean; sums of unequal events one that
// was computed apart.
func TestGammaIntervalOfSums(t *testing.T) {
	for _, c := range []struct{ sum, variance, unseen, lo, hi float64 }{
		{0, 0, 1, 0, 3.688879},
		{1, 1, 1, .025318, 5.571643},
		{30, 30, 1, 20.240874, 42.826865},
		{10, 40, 5, 1.662423, 34.437224},
		{3, 0, 1, 3, 6.185055},
	} {
		lo, hi := weighing{c.sum, math.Sqrt(c.variance), c.unseen}.ends()
		if !within(lo, c.lo, 1e-6) || !within(hi, c.hi, 1e-6) {
			t.Errorf("%+v: [%v, %v]", c, lo, hi)
		}
	}
	if lo, hi := (weighing{}).ends(); lo != 0 || !math.IsNaN(hi) {
		t.Errorf("nothing seen and nothing known: [%v, %v], want no upper end", lo, hi)
	}
}

// The quantile is judged by the distribution function, and goes over into its expansion.
func TestGammaQuantileInvertsTheDistribution(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := math.Pow(10, rapid.Float64Range(-0.3, 7.9).Draw(t, "log shape"))
		for _, p := range []float64{tail, 1 - tail} {
			x := gammaOverMean(a, p) * a
			// A change of x in its ninth digit changes the probability by up to a density.
			if got := mathext.GammaIncReg(a, x); !within(got, p, 1e-9+4e-9*math.Sqrt(a)) {
				t.Fatalf("shape %v: P(x) = %v, want %v", a, got, p)
			}
		}
	})
	for _, p := range []float64{tail, 1 - tail} {
		below, above := gammaOverMean(0.9999e8, p), gammaOverMean(1.0001e8, p)
		if !within(below, above, 1e-7) {
			t.Errorf("at %v: %v below the limit, %v above", p, below, above)
		}
	}
	for _, a := range []float64{math.NaN(), math.Inf(1), 0, -1} {
		if x := gammaOverMean(a, tail); !math.IsNaN(x) {
			t.Errorf("shape %v has the quantile %v", a, x)
		}
	}
}

func TestShareIsClopperAndPearsons(t *testing.T) {
	e := Share(3, 500)
	if !within(e.Lo, .001239, 1e-6) || !within(e.Hi, .017434, 1e-6) || e.Value != 3.0/500 {
		t.Errorf("3 of 500: %+v", e)
	}
	t.Log("# none of n has the upper end 1 - 0.025^(1/n), about 3.69/n; all of n its mirror image")
	for _, n := range []int{1, 20, 500, 1e6} {
		want := -math.Expm1(math.Log(tail) / float64(n))
		none, all := Share(0, n), Share(n, n)
		if none.Lo != 0 || !within(none.Hi/want, 1, 1e-8) {
			t.Errorf("0 of %d: %+v, want up to %v", n, none, want)
		}
		if all.Hi != 1 || !within(1-all.Lo, want, 1e-8) {
			t.Errorf("%d of %d: %+v, want from 1-%v", n, n, all, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1e6).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "hits")
		e := Share(k, n)
		if !(0 <= e.Lo && e.Lo <= e.Value && e.Value <= e.Hi && e.Hi <= 1 && e.Lo < e.Hi) {
			t.Fatalf("%d of %d: %+v", k, n, e)
		}
		if k > 0 { // P(Bin(n, lo) >= k) = 2.5 %, and a mirror image of the upper end
			if m := Share(n-k, n); !within(m.Hi, 1-e.Lo, 1e-9) {
				t.Fatalf("%d of %d: %+v, and of the others %+v", k, n, e, m)
			}
			p := mathext.RegIncBeta(float64(k), float64(n-k+1), e.Lo)
			if !within(p, tail, 1e-6) {
				t.Fatalf("%d of %d: the lower end leaves %v", k, n, p)
			}
		}
	})
	if e := Share(0, 0); !math.IsNaN(e.Value) || e.Warning == "" {
		t.Errorf("0 of 0: %+v", e)
	}
}
