package sweep

import (
	"slices"

	"sdrsim/internal/stats"
	"sdrsim/units"
)

// estimates are those of completion times; sorted are all of them in ascending order.
func (r *Record) estimates(sorted []float64) timesOf {
	return r.estimatesOf(r.completion, r.floor(), sorted)
}

// estimatesOf are those of some times of the messages, the least of which is known.
func (r *Record) estimatesOf(
	times []units.Duration, floor units.Duration, sorted []float64,
) timesOf {
	t := timesOf{record: r, times: times, floor: floor, sorted: sorted}
	if r.messages > 1 {
		m := r.messagesOf(times)
		t.messages = &m
	}
	return t
}

// timesOf are times of the messages of a record: of their completion, or what follows from it.
type timesOf struct {
	record   *Record
	times    []units.Duration
	floor    units.Duration
	sorted   []float64
	messages *stats.Messages // of streams, whose messages are not independent
	// waits tells that what others do has a part in them, even if it did not show in any sample.
	waits bool
}

// mean is the mean over messages, with the interval over samples.
func (t timesOf) mean() stats.Estimate {
	known := t.record.known(t.floor)
	known.Certain = known.Certain && (!t.waits || t.record.certain())
	if t.messages == nil {
		return t.settled(stats.MeanWith(t.record.seconds(t.times), known))
	}
	e := t.messages.Mean(known)
	e.Value = meanOnly(t.record, t.times)
	return t.settled(e)
}

// of is the q-quantile of all messages.
func (t timesOf) of(q float64) stats.Estimate {
	if t.messages == nil {
		return t.settled(stats.Quantile(t.sorted, q))
	}
	return t.settled(t.messages.Quantile(q))
}

// summary is of all of them.
func (t timesOf) summary() summary {
	return summary{t.mean(), t.of(0.5), t.of(0.99), t.of(0.999)}
}

// settled is the estimate where nothing is left to chance: the messages of a stream may differ, but
// every sample has the same ones, and another would tell nothing more.
func (t timesOf) settled(e stats.Estimate) stats.Estimate {
	if !t.record.certain() || !t.alike() {
		return e
	}
	return stats.Estimate{Value: e.Value, Lo: e.Value, Hi: e.Value}
}

// alike reports whether all samples have the times of the first.
func (t timesOf) alike() bool {
	n := t.record.messages
	for i := range t.record.samples {
		if !slices.Equal(t.times[i*n:][:n], t.times[:n]) {
			return false
		}
	}
	return t.record.samples > 0
}
