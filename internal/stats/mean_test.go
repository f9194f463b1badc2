package stats

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// near tells whether got is want to nine digits; NaN equals NaN.
func near(got, want float64) bool {
	if math.IsNaN(want) {
		return math.IsNaN(got)
	}
	return got == want || math.Abs(got-want) <= 1e-9*math.Abs(want)
}

func wantEstimate(t *testing.T, what string, got Estimate, value, lo, hi float64) {
	t.Helper()
	if !near(got.Value, value) || !near(got.Lo, lo) || !near(got.Hi, hi) {
		t.Errorf("%s = %v [%v, %v], want %v [%v, %v]",
			what, got.Value, got.Lo, got.Hi, value, lo, hi)
	}
}

func TestMeanHasStudentsInterval(t *testing.T) {
	nan := math.NaN()
	t.Log("# t(2) = 4.302652730, s = 1, so the half width is 4.302652730/√3")
	half := 4.302652730 / math.Sqrt(3)
	wantEstimate(t, "mean of 1, 2, 3", Mean([]float64{1, 2, 3}), 2, 2-half, 2+half)
	t.Log("# all equal: the interval is the value")
	wantEstimate(t, "mean of equals", Mean([]float64{.1, .1, .1}), .1, .1, .1)
	t.Log("# too few samples")
	wantEstimate(t, "mean of one", Mean([]float64{7}), 7, nan, nan)
	wantEstimate(t, "mean of none", Mean(nil), nan, nan, nan)
	if w := Mean([]float64{7}).Warning; w != "mean: one sample, no interval" {
		t.Errorf("warning for one sample is %q", w)
	}
}

func TestMeanLeavesOutWhatIsNotFiniteAndSaysSo(t *testing.T) {
	got := Mean([]float64{1, math.NaN(), 2, math.Inf(1), 3})
	want := Mean([]float64{1, 2, 3})
	wantEstimate(t, "mean", got, want.Value, want.Lo, want.Hi)
	if !strings.Contains(got.Warning, "2 of 5 samples") {
		t.Errorf("warning is %q", got.Warning)
	}
}

func TestMeanOfHugeSamplesDoesNotOverflow(t *testing.T) {
	got := Mean([]float64{math.MaxFloat64, math.MaxFloat64})
	wantEstimate(t, "mean", got, math.MaxFloat64, math.MaxFloat64, math.MaxFloat64)
	got = Mean([]float64{math.MaxFloat64, -math.MaxFloat64})
	wantEstimate(t, "mean of opposites", got, 0, math.NaN(), math.NaN())
}

func TestStudentNarrowsToNormal(t *testing.T) {
	for _, c := range []struct {
		freedom int
		want    float64 // tables of the t distribution
	}{{1, 12.706204736}, {9, 2.262157163}, {30, 2.042272456}, {1000, 1.962339081}} {
		if got := student(c.freedom); !near(got, c.want) {
			t.Errorf("t(%d) = %.10f, want %.10f", c.freedom, got, c.want)
		}
	}
	for _, freedom := range []int{1e5, 1e5 + 1, 1e6, 1e7, 1e9} {
		series := z + (z*z*z+z)/(4*float64(freedom))
		if got := student(freedom); math.Abs(got-series) > 2e-9 {
			t.Errorf("t(%d) = %.10f, want %.10f", freedom, got, series)
		}
	}
}

func TestWilsonStaysInsideZeroAndOne(t *testing.T) {
	t.Log("# 10 of 100: (0.055229, 0.174366), Wilson 1927 as tabulated by R's prop.test")
	got := Wilson(10, 100)
	if math.Abs(got.Lo-0.0552291) > 1e-6 || math.Abs(got.Hi-0.1743657) > 1e-6 {
		t.Errorf("Wilson(10,100) = [%v, %v]", got.Lo, got.Hi)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1e6).Draw(t, "n")
		hits := rapid.IntRange(0, n).Draw(t, "hits")
		e := Wilson(hits, n)
		if !(0 <= e.Lo && e.Lo <= e.Value && e.Value <= e.Hi && e.Hi <= 1 && e.Lo < e.Hi) {
			t.Fatalf("Wilson(%d,%d) = %+v", hits, n, e)
		}
	})
	if e := Wilson(0, 0); !math.IsNaN(e.Value) || e.Warning == "" {
		t.Errorf("Wilson(0,0) = %+v", e)
	}
}

func TestRatioOfProportionalSamplesIsExact(t *testing.T) {
	a, b := []float64{2, 4, 8}, []float64{1, 2, 4}
	wantEstimate(t, "ratio", Ratio(a, b), 2, 2, 2)
	wantEstimate(t, "ratio of none", Ratio(nil, nil), math.NaN(), math.NaN(), math.NaN())
	wantEstimate(t, "ratio of one", Ratio([]float64{3}, []float64{2}), 1.5, math.NaN(), math.NaN())
	if e := Ratio([]float64{1, 2}, []float64{0, 0}); !math.IsNaN(e.Value) || e.Warning == "" {
		t.Errorf("ratio to zero = %+v", e)
	}
	if e := Ratio([]float64{2, math.NaN(), 4}, []float64{1, 1, 2}); e.Value != 2 || e.Warning == "" {
		t.Errorf("ratio with NaN = %+v", e)
	}
}

func TestRatioOfEstimatesHoldsBothIntervals(t *testing.T) {
	a := Estimate{Value: 6, Lo: 5, Hi: 8}
	exact := func(v float64) Estimate { return Estimate{Value: v, Lo: v, Hi: v} }
	t.Log("# an exact denominator only scales")
	wantEstimate(t, "a/2", RatioOf(a, exact(2)), 3, 2.5, 4)
	t.Log("# an exact numerator turns the ends around")
	wantEstimate(t, "2/a", RatioOf(exact(2), a), 1.0/3, 0.25, 0.4)
	t.Log("# an end that is unknown stays unknown, the other does not")
	wantEstimate(t, "a/b", RatioOf(a, Estimate{Value: 2, Lo: 2, Hi: math.NaN()}), 3, math.NaN(), 4)
	if e := RatioOf(a, exact(0)); !math.IsNaN(e.Value) || e.Warning == "" {
		t.Errorf("a/0 = %+v", e)
	}
}
