package sweep

import (
	"hash/fnv"
	"strconv"
	"sync"
	"testing"

	"sdrsim/internal/experiment"
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// fakes makes runners whose samples are made up from the point, the scheme and the number of the
// sample, and counts what is asked of them.
type fakes struct {
	mu      sync.Mutex
	runners int
	samples map[string]int // by point, scheme and number: how often it was run
	// change alters a sample, or fails it; nil: leaves all as they are.
	change func(f *fake, index int, s *experiment.Sample) error
}

type fake struct {
	owner  *fakes
	point  *spec.Point
	scheme *spec.Scheme
}

func (f *fakes) make(p *spec.Point, s *spec.Scheme) (Runner, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.runners++
	return &fake{f, p, s}, nil
}

func (f *fake) Sample(index int, s *experiment.Sample) error {
	key := strconv.Itoa(f.point.Index) + f.scheme.Label + strconv.Itoa(index)
	f.owner.mu.Lock()
	if f.owner.samples == nil {
		f.owner.samples = map[string]int{}
	}
	f.owner.samples[key]++
	f.owner.mu.Unlock()

	h := fnv.New64a()
	h.Write([]byte(key))
	ideal := 100 * units.Microsecond
	*s = experiment.Sample{Completion: s.Completion[:0], Delivery: s.Delivery[:0], Ideal: ideal}
	for i := range f.point.Message.Count {
		late := units.Duration((h.Sum64()+uint64(i)*977)%1e6) * units.Nanosecond
		s.Completion = append(s.Completion, ideal+late)
		s.Delivery = append(s.Delivery, (ideal+late)/2)
		s.Elapsed += ideal + late
	}
	s.PayloadBytes = int64(f.point.Message.Size) * int64(f.point.Message.Count)
	s.WireBytes = 2 * s.PayloadBytes
	s.Packets = 3
	s.Events = int64(h.Sum64() % blockCost)
	var err error
	if f.owner.change != nil {
		err = f.owner.change(f, index, s)
	}
	if f.point.Message.Count > 1 && f.point.Collective.Kind == "" {
		s.Wait = make([]units.Duration, len(s.Completion)) // nobody waits
	}
	return err
}

// sweepOf runs source under fakes with the given number of workers.
func sweepOf(t *testing.T, source Source, jobs int, f *fakes) *Result {
	t.Helper()
	result, err := Run(t.Context(), Config{Source: source, Jobs: jobs, NewRunner: f.make})
	if err != nil {
		t.Fatal(err)
	}
	return result
}
