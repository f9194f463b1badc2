package sweep

import (
	"testing"

	"sdrsim/internal/experiment"
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// idle is a runner that does nothing, to see what the sweep itself costs.
type idle struct{}

func (idle) Sample(_ int, s *experiment.Sample) error {
	*s = experiment.Sample{
		Completion: append(s.Completion[:0], units.Millisecond),
		Delivery:   append(s.Delivery[:0], units.Millisecond),
		Elapsed:    units.Millisecond, Ideal: units.Millisecond,
	}
	return nil
}

func newIdle(*spec.Point, *spec.Scheme) (Runner, error) { return idle{}, nil }

func TestSamplesAllocateNothing(t *testing.T) {
	s := newSweep(Config{Source: grid(1, 1, 100), NewRunner: newIdle})
	w := &worker{sweep: s}
	b, _ := claimRun(s.schedule, nil)
	b.unit.record.grow(100)
	if err := w.prepare(b.unit); err != nil {
		t.Fatal(err)
	}
	allocs := testing.AllocsPerRun(50, func() {
		if err := w.runSample(3); err != nil {
			t.Fatal(err)
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations a sample", allocs)
	}
}

// BenchmarkOverhead runs sweeps of samples that cost nothing: time is per sample, with claiming,
// storing and reducing.
func BenchmarkOverhead(b *testing.B) {
	b.ReportAllocs()
	source := grid(10, 2, max(1, b.N/20))
	b.ResetTimer()
	_, err := Run(b.Context(), Config{Source: source, Jobs: 2, NewRunner: newIdle})
	if err != nil {
		b.Fatal(err)
	}
}
