package experiment

import (
	"testing"

	"pgregory.net/rapid"

	"sdrsim/internal/spec"
	"sdrsim/scenarios"
)

// points loads a scenario and returns its points, whose samples meet losses as they come unless the
// scenario says otherwise.
func points(t testing.TB, yaml string) []spec.Point {
	t.Helper()
	s, err := scenarios.Load("test.yaml", []byte(yaml), nil)
	if err != nil {
		t.Fatal(err)
	}
	ps := s.Points()
	for i := range ps {
		if ps[i].Sampling == spec.SamplingAuto {
			ps[i].Sampling = ""
		}
	}
	return ps
}

// runOne replays samples of the first point under the scheme with the given label.
func newTestRunner(t rapid.TB, p *spec.Point, label string) *Runner {
	t.Helper()
	for i := range p.Schemes {
		if p.Schemes[i].Label == label {
			r, err := NewRunner(p, &p.Schemes[i])
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
	}
	t.Fatalf("no scheme %q among %d", label, len(p.Schemes))
	return nil
}
