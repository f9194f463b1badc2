package stats

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestStepsOfFewSamplesAreAllOfThem(t *testing.T) {
	got := Steps([]float64{1, 1, 2, 5}, 200)
	want := []Step{{1, 0.5}, {2, 0.25}, {5, 0}}
	if !slices.Equal(got, want) {
		t.Errorf("steps are %v, want %v", got, want)
	}
	if got := Steps(nil, 200); len(got) != 0 {
		t.Errorf("steps of no samples are %v", got)
	}
	if got := Steps([]float64{3}, 200); !slices.Equal(got, []Step{{3, 0}}) {
		t.Errorf("steps of one sample are %v", got)
	}
}

func TestStepsLieOnTheDistribution(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs, _ := Sorted(rapid.SliceOfN(rapid.Float64Range(0, 3), 1, 300).Draw(t, "xs"))
		limit := rapid.IntRange(4, 40).Draw(t, "limit")
		steps := Steps(xs, limit)
		if len(steps) > limit {
			t.Fatalf("%d steps, limit %d", len(steps), limit)
		}
		for _, s := range steps {
			above := 0
			for _, x := range xs {
				if x > s.X {
					above++
				}
			}
			if s.Exceed != float64(above)/float64(len(xs)) {
				t.Fatalf("P(X>%v) = %v, want %d/%d", s.X, s.Exceed, above, len(xs))
			}
		}
		first, last := steps[0], steps[len(steps)-1]
		if first.X != xs[0] || last.X != xs[len(xs)-1] || last.Exceed != 0 {
			t.Fatalf("ends are %v and %v", first, last)
		}
	})
}

func TestStepsKeepTheTail(t *testing.T) {
	xs, _ := Sorted(exponentials(rand.New(rand.NewPCG(3, 4)), 100_000))
	steps := Steps(xs, 200)
	if len(steps) < 150 {
		t.Errorf("only %d steps", len(steps))
	}
	inTail := 0
	for _, s := range steps {
		if s.Exceed > 0 && s.Exceed <= 1e-3 {
			inTail++
		}
	}
	t.Logf("# %d steps, %d of them beyond p99.9", len(steps), inTail)
	if inTail < 20 {
		t.Errorf("%d steps beyond p99.9", inTail)
	}
}
