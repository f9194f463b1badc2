package spec

import (
	"sdrsim/internal/training"
	"sdrsim/units"
)

// Ways of dividing a training step between datacenters.
const (
	ParallelData     = "data"     // each has all layers, and exchanges gradients with the others
	ParallelPipeline = "pipeline" // each has some of the layers
)

// Training is a training step, or some steps with one exchange; Parallel is empty where there is
// none.
type Training struct {
	Parallel    string
	Datacenters int
	Data        training.DataParallel
	Pipeline    training.Pipeline
	// Transfer is what a microbatch leaves behind on its way between stages.
	Transfer units.Bytes
}

// Steps is how many steps a sample has.
func (t *Training) Steps() int { return max(1, t.Data.Every) }

// Compute is how long they take without a network.
func (t *Training) Compute() units.Duration {
	if t.Parallel == ParallelPipeline {
		return t.Pipeline.Compute()
	}
	return t.Data.Compute()
}

// Largest is the size of the largest message.
func (t *Training) Largest() (most units.Bytes) {
	if t.Parallel == ParallelPipeline {
		return t.Transfer
	}
	for _, b := range t.Data.Buckets {
		most = max(most, units.CeilDiv(b.Bytes, units.Bytes(t.Datacenters)))
	}
	return most
}
