package training

import "sdrsim/units"

// Orders in which the stages of a pipeline work.
const (
	// GPipe: all microbatches forward, then all backward.
	GPipe = "gpipe"
	// OneFOneB: as soon as a microbatch can go backward it does, so that few are under way.
	OneFOneB = "1f1b"
)

// Pipeline is a model whose layers are divided among stages, which microbatches pass in turn.
type Pipeline struct {
	Schedule             string
	Stages, Microbatches int
	// Forward and Backward are how long a microbatch takes on a stage.
	Forward, Backward units.Duration
	// Hop is the number of stages before the long way; 0: there is none.
	Hop int
	// Ahead is how many more microbatches each of those stages starts, in 1F1B, before it waits for
	// the first to come back.
	Ahead int
}

// Work is a pass of one microbatch through a stage.
type Work struct {
	Microbatch int
	Backward   bool
}

// Enough is how many microbatches more have to be started so that a way of some delay there and
// back does not hold up 1F1B: ceil(2 d / (f + w)).
func (p *Pipeline) Enough(delay units.Duration) int {
	return int(units.CeilDiv(int64(2*delay), int64(p.Forward+p.Backward)))
}

// Order is what a stage does, one after the other; stages count from 0.
func (p *Pipeline) Order(stage int) (list []Work) {
	ahead := p.Microbatches
	if p.Schedule == OneFOneB {
		if ahead = p.Stages - 1 - stage; stage < p.Hop {
			ahead += p.Ahead
		}
		ahead = min(ahead, p.Microbatches)
	}
	back := 0
	for i := range p.Microbatches {
		list = append(list, Work{Microbatch: i})
		if i >= ahead {
			list = append(list, Work{Microbatch: back, Backward: true})
			back++
		}
	}
	for ; back < p.Microbatches; back++ {
		list = append(list, Work{Microbatch: back, Backward: true})
	}
	return list
}

// Compute is how long the step takes where nothing has to be sent: (m + p - 1)(f + w).
func (p *Pipeline) Compute() units.Duration {
	return units.Duration(p.Microbatches+p.Stages-1) * (p.Forward + p.Backward)
}

// Lossless is how long the step takes over a long way of some delay, transfers taking no time:
//
//	(m + p - 1)(f + w) + 2 d
//
// exact for GPipe, and for 1F1B with Enough started ahead.
func (p *Pipeline) Lossless(delay units.Duration) units.Duration {
	if p.Hop == 0 {
		delay = 0
	}
	return p.Compute() + 2*delay
}
