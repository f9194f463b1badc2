package sweep

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"sdrsim/internal/experiment"
	"sdrsim/internal/result"
	"sdrsim/internal/spec"
	"sdrsim/internal/stats"
	"sdrsim/units"
)

// csvOf prints the rows of a result as they are written.
func csvOf(r *Result) string {
	var b bytes.Buffer
	if err := result.WriteCSV(&b, r.Rows); err != nil {
		panic(err)
	}
	return b.String()
}

// scripted runs one unit whose samples complete at the given milliseconds, one message each.
func scripted(t *testing.T, ms ...int) result.Row {
	t.Helper()
	f := &fakes{change: func(_ *fake, index int, s *experiment.Sample) error {
		took := units.Duration(ms[index]) * units.Millisecond
		s.Completion = append(s.Completion[:0], took)
		s.Delivery = append(s.Delivery[:0], took/2)
		s.Elapsed, s.Ideal = took, 2*units.Millisecond
		return nil
	}}
	return sweepOf(t, grid(1, 1, len(ms)), 2, f).Rows[0]
}

func near(t *testing.T, name string, got, want float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > 1e-9*math.Abs(want) {
		t.Errorf("%s is %v, want %v", name, got, want)
	}
}

func TestRowSummarisesItsSamples(t *testing.T) {
	row := scripted(t, 4, 2, 6, 8)
	near(t, "mean", row.CompletionMean, 5e-3)
	near(t, "median", row.CompletionP50, 4e-3)
	near(t, "max", row.CompletionMax, 8e-3)
	near(t, "delivery", row.DeliveryMean, 2.5e-3)
	near(t, "slowdown", row.SlowdownMean, 2.5)
	near(t, "slowdown of p99.9", row.SlowdownP999, 4)
	known := stats.Assumed{Floor: 2e-3, Certain: true}
	want := stats.MeanWith([]float64{4e-3, 2e-3, 6e-3, 8e-3}, known)
	near(t, "lower end", row.CompletionMeanLo, want.Lo)
	near(t, "upper end", row.CompletionMeanHi, want.Hi)
	if !strings.Contains(strings.Join(row.Warnings, "; "), "p99.9:") {
		t.Errorf("warnings %q do not tell that four samples carry no p99.9", row.Warnings)
	}
}

// TestGoodputWeighsSlowSamples checks the ratio of sums: 2 x 8000 bit in 1 ms and 3 ms.
func TestGoodputWeighsSlowSamples(t *testing.T) {
	row := scripted(t, 1, 3)
	near(t, "goodput", row.Goodput, 16000/4e-3)
	near(t, "throughput", row.Throughput, 2*16000/4e-3)
}

// TestStreamCountsAllItsMessages checks a stream of four messages, one after the other.
func TestStreamCountsAllItsMessages(t *testing.T) {
	source := grid(1, 1, 10)
	source[0].Message.Count = 4
	f := &fakes{change: func(_ *fake, index int, s *experiment.Sample) error {
		s.Elapsed = 4 * units.Millisecond
		for i := range s.Completion {
			s.Completion[i] = units.Duration(1+index%2) * units.Millisecond
		}
		s.Counters = experiment.Counters{PayloadBytes: 4000, FellBack: 1, Packets: 8}
		return nil
	}}
	row := sweepOf(t, source, 1, f).Rows[0]
	near(t, "mean", row.CompletionMean, 1.5e-3)
	near(t, "goodput", row.Goodput, 32000/4e-3)
	near(t, "fallback fraction", row.FallbackFraction, 0.25)
	near(t, "packets", row.PacketsMean, 8)
	// Half the samples differ from the other half as a whole: ten observations, not forty.
	means := []float64{1e-3, 2e-3, 1e-3, 2e-3, 1e-3, 2e-3, 1e-3, 2e-3, 1e-3, 2e-3}
	want := stats.MeanWith(means, stats.Assumed{Floor: 1e-4, Certain: true})
	near(t, "lower end", row.CompletionMeanLo, want.Lo)
	near(t, "upper end", row.CompletionMeanHi, want.Hi)
}

// TestFailedSamplesAreCountedAndNamed lets every fourth sample give up.
func TestFailedSamplesAreCountedAndNamed(t *testing.T) {
	f := &fakes{change: func(_ *fake, index int, s *experiment.Sample) error {
		s.Completion[0], s.Elapsed = 5*units.Millisecond, 5*units.Millisecond
		if index%4 == 2 {
			s.Completion, s.Delivery = s.Completion[:0], s.Delivery[:0]
			s.Failed, s.Failure, s.PayloadBytes = 1, "retry limit", 0
		}
		return nil
	}}
	swept := sweepOf(t, grid(1, 1, 20), 3, f)
	row := swept.Rows[0]
	if row.Failed != 5 || row.Samples != 20 || swept.Failed != 5 {
		t.Errorf("%d of %d failed, %d in all, want 5 of 20", row.Failed, row.Samples, swept.Failed)
	}
	near(t, "mean of those delivered", row.CompletionMean, 5e-3)
	near(t, "goodput", row.Goodput, 15*8000/75e-3)
	const want = "5 of 20 samples failed, 25 %, first sample 2: retry limit"
	if got := row.Warnings[len(row.Warnings)-1]; got != want {
		t.Errorf("warning %q, want %q", got, want)
	}
}

func TestRowWithoutDeliveryHasNoTimes(t *testing.T) {
	f := &fakes{change: func(_ *fake, _ int, s *experiment.Sample) error {
		s.Completion, s.Delivery = s.Completion[:0], s.Delivery[:0]
		s.Failed, s.Failure, s.Elapsed, s.PayloadBytes = 1, "retry limit", 0, 0
		return nil
	}}
	config := Config{
		Source: grid(1, 1, 6), Jobs: 2, NewRunner: f.make,
		Distribution: func([]result.AxisValue, string) bool { return true },
	}
	swept, err := Run(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	row := swept.Rows[0]
	if !math.IsNaN(row.CompletionMean) || !math.IsNaN(row.CompletionMax) || row.Failed != 6 {
		t.Errorf("mean %v, max %v, %d failed", row.CompletionMean, row.CompletionMax, row.Failed)
	}
	if got := row.Warnings[len(row.Warnings)-1]; got != "nothing was delivered" {
		t.Errorf("last warning %q", got)
	}
}

func TestModelStandsBesideItsRow(t *testing.T) {
	config := Config{
		Source: grid(1, 2, 5), Jobs: 1, NewRunner: new(fakes).make,
		Model: func(_ *spec.Point, s *spec.Scheme) Form {
			return Form{Seconds: 0.25, Known: s.Label == "b"}
		},
	}
	swept, err := Run(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "model", swept.Rows[1].ModelCompletionMean, 0.25)
	if !math.IsNaN(swept.Rows[0].ModelCompletionMean) {
		t.Error("a scheme that the closed form does not cover has a value")
	}
}

// An exact expectation outside of the interval is a warning; one inside, or a bound, is none.
func TestExactFormOutsideOfTheIntervalIsAWarning(t *testing.T) {
	const inside = 0.0006 // samples are between 0.1 and 1.1 ms
	for _, c := range []struct {
		form Form
		want bool
	}{
		{Form{Seconds: 0.25, Known: true, Exact: true}, true},
		{Form{Seconds: 1e-4, Known: true, Exact: true}, true},
		{Form{Seconds: inside, Known: true, Exact: true}, false},
		{Form{Seconds: 0.25, Known: true}, false},
		{Form{Seconds: 0.25, Exact: true}, false},
	} {
		swept, err := Run(t.Context(), Config{
			Source: grid(1, 1, 400), Jobs: 1, NewRunner: new(fakes).make,
			Model: func(*spec.Point, *spec.Scheme) Form { return c.form },
		})
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(swept.Rows[0].Warnings, "; ")
		if got := strings.Contains(text, "mean: the exact closed form"); got != c.want {
			t.Errorf("%+v: warnings %q", c.form, text)
		}
	}
}

func TestAxesAreCarriedOver(t *testing.T) {
	source := grid(1, 1, 5)
	source[0].Axes = []spec.AxisValue{{Path: "link.loss.p", Text: "0.001", Number: 1e-3}}
	got := sweepOf(t, source, 1, new(fakes)).Rows[0].Axes
	want := result.AxisValue{Path: "link.loss.p", Text: "0.001", Number: 1e-3}
	if len(got) != 1 || got[0] != want {
		t.Errorf("axes %v, want %v", got, want)
	}
}
