package stats

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// near reports whether got is want to about nine digits; NaN equals NaN.
func near(got, want float64) bool {
	if math.IsNaN(want) {
		return math.IsNaN(got)
	}
	return got == want || math.Abs(got-want) <= 4e-9*math.Abs(want)
}

func wantEstimate(t *testing.T, what string, got Estimate, value, lo, hi float64) {
	t.Helper()
	if !near(got.Value, value) || !near(got.Lo, lo) || !near(got.Hi, hi) {
		t.Errorf("%s = %v [%v, %v], want %v [%v, %v]",
			what, got.Value, got.Lo, got.Hi, value, lo, hi)
	}
}

func TestMeanAllowsForAnEventThatWasNotSeen(t *testing.T) {
	nan := math.NaN()
	same := slices.Repeat([]float64{2}, 100)
	t.Log("# nobody saw a loss, which costs 50: the interval has 3.69 of them")
	got := MeanWith(same, Assumed{Penalty: 50, Floor: 2, Unseen: "loss"})
	wantEstimate(t, "mean", got, 2, 2, 2+3.68887945*50/100)
	want := "mean: no loss seen in 100 samples; 3.6 % may have one, at 5e+04 ms each"
	if got.Warning != want {
		t.Errorf("warning %q, want %q", got.Warning, want)
	}
	t.Log("# nobody knows what it costs: no upper end")
	got = MeanWith(same, Assumed{Floor: 2, Unseen: "loss"})
	wantEstimate(t, "mean", got, 2, 2, nan)
	want = "mean: no loss seen in 100 samples, its cost is not known: no upper end"
	if got.Warning != want {
		t.Errorf("warning %q, want %q", got.Warning, want)
	}
	t.Log("# every sample met one: some may be as fast as without")
	got = MeanWith(same, Assumed{Penalty: 1, Floor: 1})
	wantEstimate(t, "mean", got, 2, 2-3.68887945/100, 2+3.68887945/100)
	t.Log("# chance has no part")
	got = MeanWith(same, Assumed{Certain: true})
	wantEstimate(t, "mean", got, 2, 2, 2)
	if got.Warning != "" {
		t.Errorf("warning %q", got.Warning)
	}
	t.Log("# too few samples")
	wantEstimate(t, "mean of one", Mean([]float64{7}), 7, nan, nan)
	wantEstimate(t, "mean of none", Mean(nil), nan, nan, nan)
	if w := Mean([]float64{7}).Warning; w != "mean: one sample, no interval" {
		t.Errorf("warning for one sample is %q", w)
	}
}

func TestMeanSaysHowManySamplesCarryIt(t *testing.T) {
	for _, c := range []struct {
		lossy int
		want  string
	}{
		{0, "mean: 0 of 1000 samples carry it, fewer than 20"},
		{3, "mean: 3 of 1000 samples carry it, fewer than 20"},
		{15, "mean: 15 of 1000 samples carry it, fewer than 20"},
		{20, ""},
		{500, ""},
		{990, "mean: 10 of 1000 samples carry it, fewer than 20"},
	} {
		xs := slices.Repeat([]float64{1}, 1000)
		for i := range c.lossy {
			xs[i] = 301
		}
		if got := MeanWith(xs, Assumed{Penalty: 300}).Warning; got != c.want {
			t.Errorf("%d lossy: %q, want %q", c.lossy, got, c.want)
		}
	}
}

func TestMeanLiesInItsInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(0, 1e3), 2, 40).Draw(t, "xs")
		known := Assumed{
			Penalty: rapid.Float64Range(0, 1e4).Draw(t, "penalty"),
			Floor:   rapid.Float64Range(0, 1).Draw(t, "floor"),
		}
		e := MeanWith(xs, known)
		if !(e.Lo <= e.Value && !(e.Hi < e.Value) && e.Lo >= min(known.Floor, slices.Min(xs))) {
			t.Fatalf("%+v", e)
		}
		if o := MeanWith(shuffled(xs, 5), known); o.Lo != e.Lo || !near(o.Hi, e.Hi) {
			t.Fatalf("in another order %+v, not %+v", o, e)
		}
	})
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
	wantEstimate(t, "mean", got, math.MaxFloat64, math.MaxFloat64, math.NaN())
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

func TestStreamsThatAreAllAlikeAreExactWhereNothingIsLost(t *testing.T) {
	same := [][]float64{{3, 1, 2}, {3, 1, 2}}
	e := NewMessages(same, nil).Quantile(0.5)
	wantEstimate(t, "median", e, 2, 2, 2)
	t.Log("# where losses may come, they say little")
	e = NewMessages(same, func(int, []float64) bool { return false }).Quantile(0.5)
	if !math.IsNaN(e.Lo) || e.Warning != "p50: 2 samples, fewer than 10: no interval" {
		t.Errorf("%+v", e)
	}
}

func TestOneLongSampleIsCutIntoParts(t *testing.T) {
	times := make([]float64, 2000)
	for i := range times {
		times[i] = float64(i % 10)
	}
	lossy := func(_ int, part []float64) bool { return slices.Max(part) > 8 }
	e := NewMessages([][]float64{times}, lossy).Quantile(0.5)
	if e.Warning != "" || !(e.Lo <= 4 && 4 <= e.Hi) || e.Value != 4 {
		t.Errorf("%+v, want 4 inside of an interval", e)
	}
	rare := func(number int, _ []float64) bool { return number < 2 }
	e = NewMessages([][]float64{times}, rare).Quantile(0.5)
	want := "p50: losses in 2 of 20 parts of one sample, fewer than 10: no interval"
	if e.Warning != want || !math.IsNaN(e.Hi) {
		t.Errorf("%+v, want no interval", e)
	}
}
