package experiment

import (
	"slices"
	"testing"

	"sdrsim/units"
)

// Whichever of several streams ends first, the sample has them in order, and takes no memory anew.
func TestRecordsAreInOrderOfStreams(t *testing.T) {
	var s Sample
	streams := []*stream{{sample: &s}, {number: 1, sample: &s}}
	for range 2 {
		for i, w := range streams {
			w.beginRecords()
			w.records.completion = append(w.records.completion, units.Duration(i), 7)
		}
		for _, w := range streams {
			w.endRecords()
		}
		if want := []units.Duration{0, 7, 1, 7}; !slices.Equal(s.Completion, want) {
			t.Errorf("completions %v, want %v", s.Completion, want)
		}
		s.Completion = s.Completion[:0]
	}
}
