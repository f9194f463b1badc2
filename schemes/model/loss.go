package model

import "sdrsim/internal/portable"

// ChunkLoss is the probability that a chunk of so many packets loses at least one of them, where
// each is lost with probability p: P_chunk = 1 - (1-p)^packets. arXiv:2505.05366 §5.4.
func ChunkLoss(p float64, packets int64) float64 {
	return -portable.Expm1(float64(packets) * portable.Log1p(-p))
}

// Transmissions is the mean number of times a chunk is sent when each attempt must bring all its
// packets anew: 1/(1-P), P the loss probability of the chunk. This is the paper's model.
func Transmissions(p float64, packets int64) float64 {
	return portable.Exp(-float64(packets) * portable.Log1p(-p))
}

// AccumulatedTransmissions is the mean number of times a chunk is sent when packets that arrived
// stay arrived, as in a packet bitmap. It is the mean of the greatest of so many geometric numbers
// Y, P(Y <= a) = (1 - p^a)^packets; p must be below 1.
func AccumulatedTransmissions(p float64, packets int64) float64 {
	mean, power := 1.0, p
	for power > 0 {
		missing := ChunkLoss(power, packets)
		mean += missing
		// What is left is at most a geometric series of ratio p.
		if missing*p <= relativeRest*(1-p)*mean {
			break
		}
		power *= p
	}
	return mean
}

// relativeRest is the part of a sum that may be left out: below half a unit in the last place.
const relativeRest = 1e-17
