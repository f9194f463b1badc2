package sweep

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"sdrsim/internal/result"
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// divided is a record of so many samples of one message: one without loss that takes 1 s, and in
// turn of the strata of shares 0.3 and 0.1, 3 and 5 s.
func divided(samples int) *Record {
	plan := &spec.Plan{Strata: &spec.Strata{Shares: []float64{0.6, 0.3, 0.1}}}
	p := &spec.Point{}
	p.Message.Count = 1
	r := newRecord(p, &spec.Scheme{Plan: plan})
	r.ideal, r.samples = units.Second, samples
	r.about.penalty, r.about.random = 2, true
	r.grow(samples)
	for i := range samples {
		k := uint8(0)
		if i > 0 {
			k = uint8(1 + i%2)
		}
		r.stratum[i], r.delivered[i] = k, 1
		r.completion[i] = []units.Duration{1, 3, 5}[k] * units.Second
		r.delivery[i], r.elapsed[i] = r.completion[i], r.completion[i]
		r.counters[i].PayloadBytes, r.counters[i].Lost = 1000, int64(k)
	}
	return r
}

func dividedRow(r *Record) result.Row {
	row, whole := result.NewRow(nil, "s"), r.whole()
	addStrata(&row, whole)
	addCounts(&row, whole)
	return row
}

// Strata count by their shares, however many samples each has.
func TestStrataCountByTheirShares(t *testing.T) {
	for _, samples := range []int{5, 40, 41} {
		row := dividedRow(divided(samples))
		near(t, "mean", row.CompletionMean, 0.6+0.9+0.5)
		near(t, "lost", row.LostMean, 0.3+0.2)
		near(t, "goodput", row.Goodput, 8000/2.0)
		if row.CompletionP50 != 1 || row.CompletionP99 != 5 || row.CompletionMax != 5 {
			t.Errorf("%d samples: quantiles %v, %v, max %v", samples, row.CompletionP50,
				row.CompletionP99, row.CompletionMax)
		}
		if !(row.CompletionMeanLo <= 2 && row.CompletionMeanHi > 2 && row.GoodputHi > row.Goodput) {
			t.Errorf("%d samples: [%v, %v]", samples, row.CompletionMeanLo, row.CompletionMeanHi)
		}
		sum := 0.0
		for _, w := range divided(samples).weights() {
			sum += w
		}
		near(t, "weights", sum, float64(samples))
	}
}

// A stratum of which half fails counts for half, and all that is delivered for one.
func TestFailedSamplesTakeTheirPartOfAStratum(t *testing.T) {
	r := divided(41)
	for i := 1; i < 41; i++ {
		if i%4 == 1 { // half of the second stratum of losses
			r.delivered[i], r.completion[i], r.elapsed[i] = 0, 0, 9e15
			r.counters[i].PayloadBytes = 0
		}
	}
	row := dividedRow(r)
	near(t, "mean", row.CompletionMean, (0.6+0.9+0.25)/0.95)
	near(t, "lost", row.LostMean, (0.3+0.1)/0.95)
	near(t, "failed", r.failedShare(), 0.05)
}

// Without samples of every stratum there is a mean of the others, and no interval.
func TestTooFewSamplesOfStrataHaveNoInterval(t *testing.T) {
	for _, samples := range []int{1, 2, 3} {
		row := dividedRow(divided(samples))
		warned := strings.Join(row.Warnings, "; ")
		if math.IsNaN(row.CompletionMean) || !math.IsNaN(row.CompletionMeanHi) ||
			!strings.Contains(warned, "mean: no interval") {
			t.Errorf("%d samples: %v up to %v, %q", samples, row.CompletionMean,
				row.CompletionMeanHi, warned)
		}
	}
}

func TestRecordOfStrataReadsBack(t *testing.T) {
	r := divided(9)
	got, err := DecodeRecord(r.Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.shares, r.shares) || !reflect.DeepEqual(got.stratum, r.stratum) ||
		!reflect.DeepEqual(got.completion, r.completion) {
		t.Errorf("got %+v\nwant %+v", got, r)
	}
	r.stratum[3] = 3
	if _, err := DecodeRecord(r.Append(nil)); err == nil {
		t.Error("a stratum without a share is read")
	}
}

// Samples of equal strata are paired; others make a speed-up of two independent means.
func TestSpeedupsOfStrataArePairedWhereTheyMetTheSameLosses(t *testing.T) {
	unit := func(r *Record, slower units.Duration) *reduced {
		for i := range r.samples {
			r.completion[i] += slower + units.Duration(i%7)*units.Second/10
		}
		return &reduced{row: dividedRow(r), times: r.sampleTimes(), drawn: r.drawnBy()}
	}
	a, b := unit(divided(201), 0), unit(divided(201), units.Second)
	paired := speedup(a, b)
	near(t, "speed-up", paired.Value, a.row.CompletionMean/b.row.CompletionMean)
	b.drawn.shares = []float64{0.6, 0.3, 0.0999}
	apart := speedup(a, b)
	near(t, "speed-up", apart.Value, paired.Value)
	if !(paired.Hi-paired.Lo < apart.Hi-apart.Lo) {
		t.Errorf("paired [%v, %v], apart [%v, %v]", paired.Lo, paired.Hi, apart.Lo, apart.Hi)
	}
}
