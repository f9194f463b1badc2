package closedform

import (
	"fmt"
	"math/rand/v2"

	"sdrsim/internal/experiment"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
	"sdrsim/schemes/model"
)

// bare draws from the formula of a point, which has neither packets nor acknowledgements nor a
// bitmap, only random numbers for losses.
type bare struct {
	sampler *model.Sampler
	formula model.Formula
}

// NewSampler is the yardstick for the speed of the simulation: a sampler of the formula of a point
// under a scheme. The error tells why the point has none.
func NewSampler(p *spec.Point, s *spec.Scheme) (sweep.Runner, error) {
	f := Of(p, s)
	switch {
	case f.ring > 0:
		return nil, fmt.Errorf("%s under %s: the yardstick is of single messages", p.Key, s.Label)
	case f.form.Formula == nil:
		return nil, fmt.Errorf("%s under %s has no formula to compare with: %s",
			p.Key, s.Label, f.form.Why)
	}
	return &bare{model.NewSampler(rand.NewPCG(p.Seed, 0)), f.form.Formula}, f.form.Validate()
}

// Sample draws a completion time; its number does not matter, as times are measured and not
// results.
func (b *bare) Sample(_ int, s *experiment.Sample) error {
	s.Completion = append(s.Completion[:0], b.formula.Draw(b.sampler))
	return nil
}
