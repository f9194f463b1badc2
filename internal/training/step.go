package training

import (
	"math"
	"slices"

	"sdrsim/units"
)

// Step is what GPUs compute between two updates of all parameters.
type Step struct {
	Shape Shape
	// Tokens are those of the step, of all GPUs. Sequence is how many of them attend to each other; 0
	// leaves the flop of attention itself out.
	Tokens, Sequence int64
	// Flops is how many flop all GPUs get done in a second.
	Flops float64
	// GradientBytes is the size of a gradient, as it is sent.
	GradientBytes units.Bytes
}

// Flop of a token, as multiples of parameters: a multiplication and an addition each forward, and
// twice as many backward, for what passes the layer and for its parameters. Attention itself takes
// 4 L h s a token forward and 8 backward, half of it where a token attends to those before it.
const (
	forwardFlop, backwardFlop           = 2, 4
	forwardAttention, backwardAttention = 4.0 / 2, 8.0 / 2
)

// Bucket is gradients that are sent together.
type Bucket struct {
	Bytes units.Bytes
	// Ready is when the last of them is computed, from the start of the backward pass.
	Ready units.Duration
}

// Forward is how long the forward pass takes.
func (s *Step) Forward() units.Duration {
	return s.time(float64(forwardFlop*s.parameters()) +
		float64(float64(s.Shape.Layers)*s.attention(forwardAttention)))
}

// Backward is how long the backward pass takes.
func (s *Step) Backward() units.Duration {
	return s.time(float64(backwardFlop*s.parameters()) +
		float64(float64(s.Shape.Layers)*s.attention(backwardAttention)))
}

// Compute is how long a step takes without a network: 6 P t over the rate, and attention.
func (s *Step) Compute() units.Duration { return s.Forward() + s.Backward() }

func (s *Step) parameters() float64 { return float64(s.Shape.Parameters()) }

// attention is the flop of a token in the attention of one layer.
func (s *Step) attention(flop float64) float64 {
	return flop * float64(s.Shape.Hidden) * float64(s.Sequence)
}

// time is how long so many flop a token take.
func (s *Step) time(flop float64) units.Duration {
	return units.Duration(math.Round(flop * float64(s.Tokens) / s.Flops * float64(units.Second)))
}

// Caps of the buckets of PyTorch's DistributedDataParallel, in bytes of gradients.
const (
	FirstBucket units.Bytes = 1 * units.MiB
	NextBucket  units.Bytes = 25 * units.MiB
)

// Buckets divides the gradients as DistributedDataParallel does: in the reverse order of
// registration, which is about that in which they are computed; a bucket is closed when it has
// reached its cap, and no parameter is divided. A cap of 0 is none: there is one bucket.
// PyTorch, reducer.hpp: the first bucket has a cap of its own, to begin early.
func (s *Step) Buckets(first, next units.Bytes) (list []Bucket) {
	tensors := s.Shape.Tensors()
	slices.Reverse(tensors)
	flop, open, limit := 0.0, Bucket{}, first
	if s.Shape.Tied {
		// The head comes first, and adds to the gradient of the embedding, which comes last.
		flop = float64(backwardFlop * float64(s.Shape.Embedding()))
	}
	for i, t := range tensors {
		if !s.Shape.Tied || i < len(tensors)-1 {
			flop += float64(backwardFlop * float64(t.Parameters))
		}
		if t.Attention {
			flop += s.attention(backwardAttention)
		}
		open.Bytes += units.Bytes(t.Parameters) * s.GradientBytes
		open.Ready = s.time(flop)
		if next > 0 && open.Bytes >= limit {
			list, open, limit = append(list, open), Bucket{}, next
		}
	}
	if open.Bytes > 0 {
		list = append(list, open)
	}
	return list
}

// LocalEfficiency is the part of the time that steps compute where every so many of them are
// followed by an exchange of all parameters that nothing overlaps: H t / (H t + T).
func LocalEfficiency(every int64, step, exchange units.Duration) float64 {
	compute := float64(every) * float64(step)
	return compute / (compute + float64(exchange))
}

// Exposed is how much longer communication goes on than the backward pass, which ends at end, where
// buckets are sent one after the other and bucket i takes took[i]:
//
//	e(i) = max(e(i-1), ready(i)) + took(i)
func Exposed(buckets []Bucket, took []units.Duration, end units.Duration) units.Duration {
	var at units.Duration
	for i, b := range buckets {
		at = max(at, b.Ready) + took[i]
	}
	return max(0, at-end)
}
