package check

import (
	"slices"
	"sync"

	"sdrsim/internal/experiment"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
)

// NewRunner makes the runner of a point under a scheme.
type NewRunner func(*spec.Point, *spec.Scheme) (sweep.Runner, error)

// Recorder keeps of every sample what the rows of a sweep do not tell: how the counters and the
// completion times spread. The zero Recorder is ready for one sweep.
type Recorder struct {
	mu    sync.Mutex
	units map[unitID]*unit
}

// unitID names a scheme at a point, by the index of the point.
type unitID struct {
	point  int
	scheme string
}

// unit is what the samples of a scheme at a point were, by number. Workers share it.
type unit struct {
	mu      sync.Mutex
	samples []sample
	plan    spec.Plan // of the samples
}

// sample is what is kept of one.
type sample struct {
	experiment.Counters
	seconds []float64 // completion times of the messages delivered
	weight  float64
	stratum int
	failed  int // messages given up
}

// Wrap returns a maker of runners whose samples are recorded.
func (r *Recorder) Wrap(make NewRunner) NewRunner {
	return func(p *spec.Point, s *spec.Scheme) (sweep.Runner, error) {
		runner, err := make(p, s)
		u := r.unit(p.Index, s.Label)
		if s.Plan != nil {
			u.drawn(s.Plan)
		}
		return &recording{Runner: runner, unit: u}, err
	}
}

// unit returns the unit of a scheme at a point.
func (r *Recorder) unit(point int, scheme string) *unit {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.units == nil {
		r.units = map[unitID]*unit{}
	}
	key := unitID{point, scheme}
	if r.units[key] == nil {
		r.units[key] = &unit{}
	}
	return r.units[key]
}

// recording is a runner whose samples are recorded.
type recording struct {
	sweep.Runner
	unit *unit
}

// Sample runs the sample and keeps a copy of what it measured.
func (r *recording) Sample(index int, s *experiment.Sample) error {
	if err := r.Runner.Sample(index, s); err != nil {
		return err
	}
	kept := sample{Counters: s.Counters, weight: s.Weight, stratum: s.Stratum,
		failed: s.Failed}
	kept.seconds = make([]float64, len(s.Completion))
	for i, d := range s.Completion {
		kept.seconds[i] = d.Seconds()
	}
	r.unit.put(index, kept)
	return nil
}

// drawn notes how the samples meet losses.
func (u *unit) drawn(by *spec.Plan) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.plan = *by
}

// put stores a sample at its number.
func (u *unit) put(index int, s sample) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if missing := index + 1 - len(u.samples); missing > 0 {
		u.samples = slices.Grow(u.samples, missing)[:index+1]
	}
	u.samples[index] = s
}
