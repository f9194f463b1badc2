package sweep

import (
	"math"
	"testing"

	"sdrsim/internal/experiment"
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// ring makes one unit of a collective of two rounds.
func ring(samples int) points {
	source := grid(1, 1, samples)
	source[0].Collective = spec.Collective{Kind: spec.AllReduce, Datacenters: 2}
	source[0].Axes = []spec.AxisValue{{Path: "link.loss.p", Text: "0.001", Number: 1e-3}}
	return source
}

// ringSamples completes sample i after 1 ms and then i ms; every third fails.
func ringSamples(_ *fake, index int, s *experiment.Sample) error {
	if index%3 == 2 {
		s.Completion, s.Delivery = s.Completion[:0], s.Delivery[:0]
		s.Failed, s.Failure = 1, "retry limit"
		return nil
	}
	s.Rounds = append(s.Rounds[:0], units.Millisecond, units.Duration(index)*units.Millisecond)
	return nil
}

// TestRoundsAreReducedByNumber checks the rows of rounds over samples 0, 1, 3, 4, 6 and 7.
func TestRoundsAreReducedByNumber(t *testing.T) {
	for _, jobs := range []int{1, 3} {
		rounds := sweepOf(t, ring(9), jobs, &fakes{change: ringSamples}).Rounds
		if len(rounds) != 2 {
			t.Fatalf("%d rows of rounds, want 2", len(rounds))
		}
		for i, r := range rounds {
			if r.Number != int64(i) || r.Samples != 6 || r.Scheme != "a" ||
				len(r.Axes) != 1 || r.Axes[0].Text != "0.001" {
				t.Errorf("row %d: %+v", i, r)
			}
		}
		near(t, "mean of the first", rounds[0].Mean, 1e-3)
		near(t, "p99.9 of the first", rounds[0].P999, 1e-3)
		near(t, "mean of the second", rounds[1].Mean, 21e-3/6)
		near(t, "median of the second", rounds[1].P50, 3e-3)
		near(t, "p99 of the second", rounds[1].P99, 7e-3)
		near(t, "p99.9 of the second", rounds[1].P999, 7e-3)
	}
}

func TestRoundsOfNothingAreUnknown(t *testing.T) {
	f := &fakes{change: func(f *fake, _ int, s *experiment.Sample) error {
		return ringSamples(f, 2, s)
	}}
	rounds := sweepOf(t, ring(4), 1, f).Rounds
	if len(rounds) != 2 || rounds[1].Samples != 0 || !math.IsNaN(rounds[1].Mean) ||
		!math.IsNaN(rounds[1].P999) {
		t.Errorf("got %+v", rounds)
	}
}

func TestMessagesHaveNoRounds(t *testing.T) {
	if rounds := sweepOf(t, grid(2, 2, 5), 1, new(fakes)).Rounds; len(rounds) != 0 {
		t.Errorf("got %+v", rounds)
	}
}
