package stats

import (
	"testing"

	"pgregory.net/rapid"
)

// Values that are all equal have their value as the mean, and no deviation, whatever the rounding.
func TestEqualValuesHaveNoDeviation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-1e12, 1e12).Draw(t, "x")
		xs := make([]float64, rapid.IntRange(2, 50).Draw(t, "n"))
		for i := range xs {
			xs[i] = x
		}
		if mean, dev := moments(xs); mean != x || dev != 0 {
			t.Fatalf("%d times %v: mean %v, deviation %v", len(xs), x, mean, dev)
		}
	})
}
