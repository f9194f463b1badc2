package sweep

import (
	"context"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"sdrsim/internal/experiment"
	"sdrsim/internal/result"
	"sdrsim/internal/spec"
)

// TestResultDoesNotDependOnWorkers compares every number of every row.
func TestResultDoesNotDependOnWorkers(t *testing.T) {
	source := grid(3, 2, 100)
	for i := range source {
		source[i].Axes = []spec.AxisValue{{Path: "seed", Text: strconv.Itoa(i)}}
	}
	keep := func(point []result.AxisValue, _ string) bool { return point[0].Text == "1" }
	var want *Result
	for _, jobs := range []int{1, 2, 7} {
		config := Config{
			Source: source, Jobs: jobs, NewRunner: new(fakes).make, Distribution: keep,
		}
		got, err := Run(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if !sameResult(got, want) {
			t.Errorf("%d workers give other rows than one:\n%+v\n%+v", jobs, got, want)
		}
	}
	if len(want.Rows) != 6 || len(want.Distributions) != 2 {
		t.Errorf("%d rows and %d distributions, want 6 and 2",
			len(want.Rows), len(want.Distributions))
	}
}

func TestEverySampleRunsOnce(t *testing.T) {
	f := new(fakes)
	swept := sweepOf(t, grid(3, 2, 50), 3, f)
	if len(f.samples) != 3*2*50 || swept.Samples != 3*2*50 {
		t.Errorf("ran %d samples and counted %d, want 300", len(f.samples), swept.Samples)
	}
	for key, times := range f.samples {
		if times != 1 {
			t.Errorf("sample %s ran %d times", key, times)
		}
	}
}

// TestRunnersAreReused shows that one worker makes one runner a unit.
func TestRunnersAreReused(t *testing.T) {
	f := new(fakes)
	sweepOf(t, grid(3, 2, 50), 1, f)
	if f.runners != 6 {
		t.Errorf("made %d runners for 6 units", f.runners)
	}
}

func TestRowsKeepTheOrderOfPointsAndSchemes(t *testing.T) {
	swept := sweepOf(t, grid(4, 2, 9), 4, new(fakes))
	for i, row := range swept.Rows {
		if want := string(rune('a' + i%2)); row.Scheme != want {
			t.Errorf("row %d is of scheme %s, want %s", i, row.Scheme, want)
		}
	}
}

func TestErrorNamesPointSchemeAndSample(t *testing.T) {
	source := grid(2, 2, 20)
	source[1].Key = "link.loss.p=1e-3"
	f := &fakes{change: func(f *fake, index int, _ *experiment.Sample) error {
		if f.point.Index == 1 && f.scheme.Label == "b" && index == 7 {
			return errors.New("no progress")
		}
		return nil
	}}
	_, err := Run(t.Context(), Config{Source: source, Jobs: 2, NewRunner: f.make})
	const want = "point link.loss.p=1e-3, scheme b, sample 7: no progress"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}

func TestFirstOfSeveralErrorsIsReported(t *testing.T) {
	f := &fakes{change: func(*fake, int, *experiment.Sample) error { return errors.New("no") }}
	_, err := Run(t.Context(), Config{Source: grid(3, 1, 20), Jobs: 1, NewRunner: f.make})
	var failure *SampleError
	if !errors.As(err, &failure) || failure.unit != 0 || failure.Sample != 0 {
		t.Errorf("error %v, want that of the first sample", err)
	}
	if len(f.samples) != 1 {
		t.Errorf("ran %d samples, want to stop at the first", len(f.samples))
	}
}

func TestPanicBecomesAnErrorThatNamesTheSample(t *testing.T) {
	f := &fakes{change: func(_ *fake, index int, _ *experiment.Sample) error {
		if index == 3 {
			panic("BUG: broken")
		}
		return nil
	}}
	_, err := Run(t.Context(), Config{Source: grid(1, 1, 5), Jobs: 2, NewRunner: f.make})
	if err == nil || !strings.Contains(err.Error(), "scheme a, sample 3: BUG: broken") {
		t.Errorf("error %v", err)
	}
}

func TestRunnerThatCannotBeMadeIsAnError(t *testing.T) {
	fail := func(*spec.Point, *spec.Scheme) (Runner, error) {
		return nil, errors.New("too large")
	}
	_, err := Run(t.Context(), Config{Source: grid(1, 1, 5), Jobs: 2, NewRunner: fail})
	if err == nil || err.Error() != "scheme a: too large" {
		t.Errorf("error %v", err)
	}
}

func TestSampleThatLosesAMessageIsAnError(t *testing.T) {
	f := &fakes{change: func(_ *fake, _ int, s *experiment.Sample) error {
		s.Completion, s.Delivery = s.Completion[:0], s.Delivery[:0]
		return nil
	}}
	_, err := Run(t.Context(), Config{Source: grid(1, 1, 5), Jobs: 1, NewRunner: f.make})
	if err == nil || !strings.Contains(err.Error(), "0 messages completed") {
		t.Errorf("error %v", err)
	}
}

func TestCancelledSweepEndsWithTheContextsError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := &fakes{change: func(_ *fake, index int, _ *experiment.Sample) error {
		if index == 5 {
			cancel()
		}
		return nil
	}}
	swept, err := Run(ctx, Config{Source: grid(2, 2, 1000), Jobs: 2, NewRunner: f.make})
	if !errors.Is(err, context.Canceled) || swept != nil {
		t.Errorf("result %v, error %v", swept, err)
	}
	if len(f.samples) > 100 {
		t.Errorf("%d samples ran though the sweep was cancelled", len(f.samples))
	}
}

func TestProgressReachesTheTotal(t *testing.T) {
	var seen []int64
	config := Config{
		Source: grid(2, 2, 30), Jobs: 3, NewRunner: new(fakes).make,
		Progress: func(p Progress) { seen = append(seen, p.Samples) },
	}
	if _, err := Run(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(seen); i++ {
		if seen[i] < seen[i-1] {
			t.Fatalf("progress %v goes back", seen)
		}
	}
	if seen[len(seen)-1] != 120 {
		t.Errorf("progress ends at %d of 120", seen[len(seen)-1])
	}
}

func TestEmptySweepHasNoRows(t *testing.T) {
	if swept := sweepOf(t, points{}, 2, new(fakes)); len(swept.Rows) != 0 {
		t.Errorf("%d rows without points", len(swept.Rows))
	}
}

// sameResult compares rows as printed, where unknown numbers equal each other.
func sameResult(a, b *Result) bool {
	return reflect.DeepEqual(csvOf(a), csvOf(b)) &&
		reflect.DeepEqual(a.Distributions, b.Distributions) && a.Progress == b.Progress
}
