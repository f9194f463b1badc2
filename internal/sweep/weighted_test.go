package sweep

import (
	"strings"
	"testing"

	"sdrsim/internal/result"
)

// What the exaggeration of losses changes is undone by the weights: with weights of one the row is
// that of plain samples, and with weights of zero for half of the samples only the others count.
func TestWeightsAreTheOnesOfTheRow(t *testing.T) {
	r := &Record{samples: 4, messages: 1, ideal: 1e12}
	r.grow(4)
	r.weight = []float64{2, 0, 2, 0}
	for i := range 4 {
		r.completion[i] = 1e12
		r.delivery[i] = 1e12
		r.delivered[i] = 1
		r.elapsed[i] = 1e12
		r.counters[i].Lost = 7
		r.counters[i].PayloadBytes = 125
		if i%2 == 1 {
			r.completion[i], r.elapsed[i] = 5e12, 5e12
			r.counters[i].Lost = 100
		}
	}
	r.tilts = []float64{1, 4}
	row := result.NewRow(nil, "s")
	addWeighted(&row, r)
	addRates(&row, r)
	addCounts(&row, r)
	if row.CompletionMean != 1 || row.CompletionP50 != 1 || row.LostMean != 7 {
		t.Errorf("mean %v, median %v, lost %v; want 1, 1, 7", row.CompletionMean,
			row.CompletionP50, row.LostMean)
	}
	if row.Goodput != 1000 || row.CompletionMax != 5 {
		t.Errorf("goodput %v, greatest %v; want 1000, 5", row.Goodput, row.CompletionMax)
	}
	if !strings.Contains(strings.Join(row.Warnings, "; "), "tilted by 1, 4") {
		t.Errorf("the row does not say so: %v", row.Warnings)
	}
}
