package link

import (
	"errors"
	"math"
	"testing"

	"sdrsim/sim"
	"sdrsim/wire"
)

// lossesOf counts the losses among the next n units.
func lossesOf(m LossModel, n int64) (lost int64) {
	for n > 0 {
		r := wire.Run{Count: n}
		pass, drop := m.Peek(&r)
		took := min(n, pass+drop)
		lost += max(0, took-pass)
		m.Advance(&r, took)
		n -= took
	}
	return lost
}

// Weighted, the exaggerated losses have the distribution that was asked about.
func TestTiltedWeightsRestoreTheDistribution(t *testing.T) {
	const n, p, replications = 1000, 1e-3, 60000
	m, err := NewTilted(p, []float64{1, 4, 16})
	if err != nil {
		t.Fatal(err)
	}
	var stream sim.Stream
	weights, mean, six := 0.0, 0.0, 0.0
	for i := range replications {
		stream.Seed(1, "tilt", uint64(i))
		m.Choose(i)
		m.Reset(&stream)
		lost, w := lossesOf(m, n), 0.0
		if w = m.Weight(); w > 3.0000001 {
			t.Fatalf("weight %v, over the number of tilts", w)
		}
		weights += w / replications
		mean += w * float64(lost) / replications
		if lost >= 6 {
			six += w / replications
		}
	}
	// P(at least 6 of Bin(1000, 1e-3)) = 5.9e-4, summed term by term below.
	want, term := 1.0, math.Pow(1-p, n)
	for k := range 6 {
		want -= term
		term *= float64(n-k) / float64(k+1) * p / (1 - p)
	}
	if math.Abs(weights-1) > 0.02 || math.Abs(mean-n*p) > 0.02 {
		t.Errorf("weights average to %v, losses to %v; want 1 and 1", weights, mean)
	}
	if math.Abs(six/want-1) > 0.05 {
		t.Errorf("P(6 losses or more) = %v, want %v", six, want)
	}
}

func TestTiltsAreChecked(t *testing.T) {
	for _, c := range []struct {
		p     float64
		tilts []float64
	}{{1e-3, nil}, {1e-3, []float64{2}}, {1e-3, []float64{1, 0}}, {0, []float64{1}},
		{0.6, []float64{1}}, {1e-3, []float64{1, math.NaN()}}} {
		if _, err := NewTilted(c.p, c.tilts); !errors.Is(err, ErrTilts) {
			t.Errorf("p %v, tilts %v: %v", c.p, c.tilts, err)
		}
	}
}
