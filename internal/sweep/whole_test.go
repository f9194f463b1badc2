package sweep

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sdrsim/internal/experiment"
	"sdrsim/internal/result"
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// giveUp makes the samples that it picks lose their last message, after all others were slow, and
// gives them counters that would show in every mean.
func giveUp(picked func(index int) bool) *fakes {
	return &fakes{change: func(_ *fake, index int, s *experiment.Sample) error {
		if !picked(index) {
			return nil
		}
		last := len(s.Completion) - 1
		for i := range last {
			s.Completion[i], s.Delivery[i] = units.Second, units.Second
		}
		s.Completion, s.Delivery = s.Completion[:last], s.Delivery[:last]
		s.Failed, s.Failure, s.Elapsed = 1, "retry limit", 100*units.Second
		s.Counters = experiment.Counters{PayloadBytes: 1e9, WireBytes: 1e9, Packets: 1e9, Lost: 1e9,
			Retransmits: 1e9, Spurious: 1e9, Acks: 1e9, Nacks: 1e9, Timeouts: 1e9, Fallbacks: 1e9,
			FellBack: 3, UsefulParity: 1e9, Events: 1e9, Discarded: 1e9, Reordered: 1e9, ReorderExtent: 1e9}
		return nil
	}}
}

// stream is one unit of three messages a sample.
func stream(samples int) points {
	source := grid(1, 1, samples)
	source[0].Message.Count = 3
	return source
}

// numbers are the fields of the only row without those of failures and warnings.
func numbers(t *testing.T, r *Result) string {
	t.Helper()
	row := r.Rows[0]
	row.Samples, row.Failed, row.GiveUpMean, row.Warnings = 0, 0, math.NaN(), nil
	row.Sampling = ""
	return csvOf(&Result{Rows: []result.Row{row}})
}

// Failed samples are those behind the first twenty, which have the same numbers in either sweep.
func TestNothingOfFailedSamplesIsInANumber(t *testing.T) {
	for _, source := range []func(int) points{
		stream, func(n int) points { return grid(1, 1, n) },
	} {
		want := numbers(t, sweepOf(t, source(20), 1, giveUp(func(int) bool { return false })))
		swept := sweepOf(t, source(30), 2, giveUp(func(i int) bool { return i >= 20 }))
		if got := numbers(t, swept); got != want {
			t.Errorf("with failed samples:\n%s\nwithout:\n%s", got, want)
		}
		near(t, "time to give up", swept.Rows[0].GiveUpMean, 100)
		if swept.Rows[0].Failed != 10 {
			t.Errorf("%d failed, want 10", swept.Rows[0].Failed)
		}
	}
}

func TestRowOfFailedSamplesOnlyIsEmpty(t *testing.T) {
	config := Config{
		Source: stream(8), Jobs: 1, NewRunner: giveUp(func(int) bool { return true }).make,
		Distribution: func([]result.AxisValue, string) bool { return true },
	}
	swept, err := Run(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	empty := result.NewRow(nil, swept.Rows[0].Scheme)
	want := numbers(t, &Result{Rows: []result.Row{empty}})
	if got := numbers(t, swept); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if steps := swept.Distributions[0].Steps; len(steps) > 0 {
		t.Errorf("a distribution of %d steps", len(steps))
	}
	warnings := strings.Join(swept.Rows[0].Warnings, "; ")
	if !strings.HasSuffix(warnings, "no sample delivered all its messages") {
		t.Errorf("warnings %q", warnings)
	}
}

// tilted is a record of so many single messages that count for less and less, all alike but for
// their losses.
func tilted(samples int) *Record {
	r := &Record{messages: 1, ideal: 1e12, weight: []float64{}, samples: samples,
		tilts: []float64{1, 4}}
	r.grow(samples)
	for i := range samples {
		r.weight[i] = 1.7 / float64(1+i)
		r.completion[i], r.delivery[i], r.elapsed[i] = 3e12, 2e12, 3e12
		r.delivered[i] = 1
		r.counters[i] = experiment.Counters{Packets: 2048, WireBytes: 4096, PayloadBytes: 4000,
			Lost: int64(i)}
	}
	return r
}

// reducedRow is the row of a tilted record.
func reducedRow(r *Record) result.Row {
	row := result.NewRow(nil, "s")
	whole := r.whole()
	addWeighted(&row, whole)
	addRates(&row, whole)
	addCounts(&row, whole)
	return row
}

// What all samples have in common is no estimate, whatever they count for, and the columns of a row
// agree: bytes on the wire over those of the message are throughput over goodput.
func TestWeightedCountersKeepWhatSamplesHaveInCommon(t *testing.T) {
	row := reducedRow(tilted(7))
	if row.PacketsMean != 2048 || row.WireBytesMean != 4096 || row.CompletionMean != 3 {
		t.Errorf("packets %v, bytes %v, mean %v; want 2048, 4096, 3", row.PacketsMean,
			row.WireBytesMean, row.CompletionMean)
	}
	near(t, "overhead", row.Throughput/row.Goodput, 4096.0/4000)
	sum, weights := 0.0, 0.0
	for i := range 7 {
		sum, weights = sum+float64(i)/float64(1+i), weights+1/float64(1+i)
	}
	near(t, "lost", row.LostMean, sum/weights)
}

func TestFailedSamplesCountForNothingAmongWeightedOnes(t *testing.T) {
	r := tilted(9)
	for _, i := range []int{0, 5} {
		r.delivered[i], r.completion[i], r.delivery[i], r.elapsed[i] = 0, 0, 0, 9e15
		r.counters[i] = experiment.Counters{Packets: 1e9, WireBytes: 1e9, Lost: 1e9}
	}
	for i := range 9 {
		if i%2 == 1 {
			r.completion[i] = 5e12
		}
	}
	r.completion[5] = 0
	row := reducedRow(r)
	even, odd := 1.0/3+1.0/5+1.0/7+1.0/9, 1.0/2+1.0/4+1.0/8
	near(t, "mean", row.CompletionMean, (3*even+5*odd)/(even+odd))
	near(t, "packets", row.PacketsMean, 2048)
	near(t, "goodput", row.Goodput, 32000.0/3)
	if row.CompletionMax != 5 {
		t.Errorf("greatest %v, want 5", row.CompletionMax)
	}
	for i := range r.delivered {
		r.delivered[i] = 0
	}
	row = reducedRow(r)
	for name, v := range map[string]float64{"mean": row.CompletionMean, "p50": row.CompletionP50,
		"lost": row.LostMean, "goodput": row.Goodput, "delivery": row.DeliveryMean} {
		if !math.IsNaN(v) {
			t.Errorf("%s of failed samples is %v", name, v)
		}
	}
}

// Samples of 4 and 6 ms in turn: at 40 the mean is 5 ms within t(39) 1.0127 / sqrt(40) ms.
func TestRowTellsOfAPrecisionThatItMissed(t *testing.T) {
	source := grid(1, 1, 20)
	source[0].Precision = []spec.Precision{
		{Quantity: spec.PrecisionMean, Relative: 0.02},
		{Quantity: spec.PrecisionP999, Relative: 0.5},
		{Quantity: spec.PrecisionGoodput, Relative: 0.5},
	}
	source[0].SamplesMax = 40
	f := &fakes{change: func(_ *fake, index int, s *experiment.Sample) error {
		s.Completion[0] = units.Duration(4+2*(index%2)) * units.Millisecond
		s.Elapsed = s.Completion[0]
		return nil
	}}
	var missed []string
	for _, w := range sweepOf(t, source, 1, f).Rows[0].Warnings {
		if strings.HasPrefix(w, "precision: ") {
			missed = append(missed, w)
		}
	}
	want := []string{
		"precision: completion_mean within 12.4 %, asked for 2 %, at samples_max 40",
		"precision: completion_p999 not carried by the samples, asked for 50 %, at samples_max 40",
	}
	if !slices.Equal(missed, want) {
		t.Errorf("got %q, want %q", missed, want)
	}
	source[0].Precision = source[0].Precision[2:]
	row := sweepOf(t, source, 1, f).Rows[0]
	if row.Samples != 20 || strings.Contains(strings.Join(row.Warnings, "; "), "precision") {
		t.Errorf("%d samples, warnings %q; its precision was met", row.Samples, row.Warnings)
	}
}
