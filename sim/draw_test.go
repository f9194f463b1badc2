package sim

import (
	"math"
	"testing"
)

func TestExponentialDrawsAreThoseOfTheStandardGenerator(t *testing.T) {
	ours, standard := NewStream(1, "draw", 0), NewStream(1, "draw", 0)
	for i := range 5_000_000 {
		got, want := ours.ExpFloat64(), standard.Rand.ExpFloat64()
		if got != want {
			t.Fatalf("draw %d is %v, math/rand/v2 says %v", i, got, want)
		}
	}
}

func TestNormalDrawsHaveTheMomentsOfTheNormalDistribution(t *testing.T) {
	const n = 1_000_000
	s := NewStream(1, "normal", 0)
	var sum, squares, beyond float64
	for range n {
		x := s.NormFloat64()
		sum += x
		squares += x * x
		if math.Abs(x) > 1.959964 {
			beyond++
		}
	}
	for _, c := range []struct {
		name             string
		got, want, sigma float64
	}{
		{"mean", sum / n, 0, 1e-3},
		{"variance", squares / n, 1, math.Sqrt2 * 1e-3},
		{"share beyond 1.96", beyond / n, 0.05, math.Sqrt(0.05*0.95) * 1e-3},
	} {
		if math.Abs(c.got-c.want) > 4*c.sigma {
			t.Errorf("the %s is %v, want %v +- %v", c.name, c.got, c.want, c.sigma)
		}
	}
}
