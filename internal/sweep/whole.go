package sweep

import (
	"sdrsim/internal/stats"
	"sdrsim/units"
)

// whole is the record that estimates are made from: that of the samples all of whose messages were
// delivered. It is r itself where none failed. In a stream a failed sample has messages that were
// delivered, those before the loss that the scheme did not survive; they would tell of luck only.
//
// Of samples that count for more or less than one, all keep their places, since the number of a
// sample tells its tilt. Failed ones count for nothing, and the others for so much more that the
// weights average to one: estimates are then of the messages that are delivered.
//
// Samples of strata get the weights that their shares give them.
func (r *Record) whole() *Record {
	if r.shares != nil {
		return r.wholeStrata()
	}
	failed, _ := r.failed()
	if failed == 0 {
		return r
	}
	w := *r
	if r.weight != nil {
		w.weight = r.wholeWeights()
		return &w
	}
	w.keepWhole(r, failed)
	return &w
}

// keepWhole copies the samples of a record that did not fail.
func (w *Record) keepWhole(r *Record, failed int) {
	w.samples = r.samples - failed
	w.completion, w.delivery, w.round, w.flows, w.queues = nil, nil, nil, nil, nil
	if r.wait != nil {
		w.wait = []units.Duration{}
	}
	if r.ideals != nil {
		w.ideals = []units.Duration{}
	}
	w.delivered, w.elapsed, w.counters, w.stratum = nil, nil, nil, nil
	w.grow(w.samples)
	at := 0
	for i, n := range r.delivered[:r.samples] {
		if int(n) < r.messages {
			continue
		}
		copy(w.completion[at*r.messages:], r.completion[i*r.messages:][:r.messages])
		copy(w.delivery[at*r.messages:], r.delivery[i*r.messages:][:r.messages])
		if r.wait != nil {
			copy(w.wait[at*r.messages:], r.wait[i*r.messages:][:r.messages])
		}
		if r.ideals != nil {
			copy(w.ideals[at*r.messages:], r.ideals[i*r.messages:][:r.messages])
		}
		copy(w.round[at*r.rounds:], r.round[i*r.rounds:][:r.rounds])
		copy(w.flows[at*r.numFlows:], r.flows[i*r.numFlows:][:r.numFlows])
		copy(w.queues[at*r.numQueues:], r.queues[i*r.numQueues:][:r.numQueues])
		w.delivered[at], w.elapsed[at], w.counters[at] = n, r.elapsed[i], r.counters[i]
		if r.shares != nil {
			w.stratum[at] = r.stratum[i]
		}
		at++
	}
}

// wholeWeights are the weights with those of failed samples zero; all zero where every one failed.
func (r *Record) wholeWeights() []float64 {
	weights := make([]float64, r.samples)
	for i, n := range r.delivered[:r.samples] {
		if int(n) == r.messages {
			weights[i] = r.weight[i]
		}
	}
	mean := stats.Sum(weights) / float64(r.samples)
	if mean == 0 {
		return weights
	}
	for i := range weights {
		weights[i] /= mean
	}
	return weights
}
