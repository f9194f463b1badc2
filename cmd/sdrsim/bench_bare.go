package main

import (
	"fmt"
	"math/rand/v2"

	"sdrsim/internal/experiment"
	"sdrsim/internal/sweep"
	"sdrsim/scenarios"
	"sdrsim/schemes/model"
	"sdrsim/units"
)

// bareModel is the yardstick for the speed of the simulation: a sampler of the formula of
// arXiv:2505.05366 §4.2, which has neither packets nor acknowledgements nor a bitmap, only random
// numbers for losses.
type bareModel struct {
	sampler *model.Sampler
	draw    func(*model.Sampler) units.Duration
}

// newBareModel makes the sampler of a point under a scheme. The error tells why the point has no
// formula.
func newBareModel(p *scenarios.Point, s *scenarios.Scheme) (sweep.Runner, error) {
	f := formOf(p, s)
	b := &bareModel{sampler: model.NewSampler(rand.NewPCG(p.Seed, 0))}
	switch {
	case f.ring > 0:
		return nil, fmt.Errorf("%s under %s: the yardstick is of single messages", p.Key, s.Label)
	case f.sr != nil:
		if err := f.sr.Validate(); err != nil {
			return nil, err
		}
		b.draw = func(m *model.Sampler) units.Duration { return m.SR(*f.sr) }
	case f.ec != nil:
		if err := f.ec.Validate(); err != nil {
			return nil, err
		}
		b.draw = func(m *model.Sampler) units.Duration { return m.EC(*f.ec) }
	default:
		return nil, fmt.Errorf("%s under %s has no formula to compare with: %s",
			p.Key, s.Label, f.why)
	}
	return b, nil
}

// Sample draws a completion time; its number does not matter, as times are measured and not
// results.
func (b *bareModel) Sample(_ int, s *experiment.Sample) error {
	s.Completion = append(s.Completion[:0], b.draw(b.sampler))
	return nil
}
