package experiment

import (
	"math"
	"slices"

	"sdrsim/internal/spec"
	"sdrsim/sim"
	"sdrsim/units"
)

// traffic is what the application does in a sample: when it posts each message, and how large each
// is. It is drawn before the sample starts from streams that depend on the seed and the sample
// only: all schemes, and all points of a sweep over a load, face the same draws.
type traffic struct {
	message spec.Message
	// times are when messages are posted, in order; empty: all at the start.
	times []units.Time
	// sizes are theirs; empty: all are of message.Size.
	sizes  []units.Bytes
	stream sim.Stream
}

// begin draws the traffic of a sample.
func (t *traffic) begin(seed uint64, sample int) {
	n := t.message.Count
	if a := t.message.Arrival; a != nil {
		t.times = slices.Grow(t.times[:0], n)[:n]
		t.stream.Seed(seed, "arrivals", uint64(sample))
		t.drawTimes(a)
	}
	if s := t.message.Sizes; s != nil {
		t.sizes = slices.Grow(t.sizes[:0], n)[:n]
		t.stream.Seed(seed, "sizes", uint64(sample))
		for i := range t.sizes {
			t.sizes[i] = s.Of(t.stream.Float64())
		}
	}
}

// postAll has all messages posted at one time, unless they have times of their own.
func (t *traffic) postAll(at units.Time) {
	if t.message.Arrival != nil {
		for i := range t.times {
			t.times[i] = at.Add(t.times[i].Sub(0))
		}
		return
	}
	t.times = slices.Grow(t.times[:0], t.message.Count)[:t.message.Count]
	for i := range t.times {
		t.times[i] = at
	}
}

// drawTimes fills in when messages come. The first of a period comes at the start; those of a
// Poisson process come after gaps that are distributed exponentially, the first one too.
func (t *traffic) drawTimes(a *spec.Arrival) {
	if a.Model == spec.ArrivalTrace {
		copy(t.times, a.Times)
		return
	}
	at := units.Time(0)
	for i := range t.times {
		if a.Model == spec.ArrivalPeriodic {
			t.times[i] = at
			at = at.Add(a.Interval)
			continue
		}
		gap := t.stream.ExpFloat64() * float64(a.Interval)
		at = at.Add(units.Duration(math.Round(gap)))
		t.times[i] = at
	}
}

// postedAt is when the application posts a message.
func (t *traffic) postedAt(message int) units.Time {
	if len(t.times) == 0 {
		return 0
	}
	return t.times[message]
}

// sizeOf is the size of a message.
func (t *traffic) sizeOf(message int) units.Bytes {
	if len(t.sizes) == 0 {
		return t.message.Size
	}
	return t.sizes[message]
}
