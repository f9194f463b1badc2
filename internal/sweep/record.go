package sweep

import (
	"fmt"

	"sdrsim/internal/experiment"
	"sdrsim/scenarios"
	"sdrsim/sim/units"
)

// record keeps what the samples of a unit measured until they are reduced. Times stand at the
// number of their sample, so that workers write different elements and no order is lost; what can
// be added up exactly is added up.
type record struct {
	messages int // of a sample
	// completion and delivery hold the times of message j of sample i at i*messages+j, those that
	// were delivered first; delivered[i] of them are.
	completion, delivery []units.Duration
	delivered            []int32
	elapsed              []units.Duration // of each sample
	payload, wire        []int64          // bytes of each sample
	ideal                units.Duration   // the same for all samples
	tally                tally
}

// tally adds up what needs no order: integers.
type tally struct {
	experiment.Counters
	// failed samples are those of which at least one message was given up; lost counts those
	// messages.
	failed, lost int
	// failure is the reason of the first failed sample, whose number is failedAt.
	failure  string
	failedAt int
}

func newRecord(p *scenarios.Point) *record {
	samples, messages := p.Samples, p.Message.Count
	return &record{
		messages:   messages,
		completion: make([]units.Duration, samples*messages),
		delivery:   make([]units.Duration, samples*messages),
		delivered:  make([]int32, samples),
		elapsed:    make([]units.Duration, samples),
		payload:    make([]int64, samples),
		wire:       make([]int64, samples),
	}
}

// put stores the sample with the given number. It touches nothing that belongs to another sample.
// The error tells that the sample does not account for every message.
func (r *record) put(index int, s *experiment.Sample) error {
	if len(s.Completion)+s.Failed != r.messages || len(s.Delivery) != len(s.Completion) {
		return fmt.Errorf("BUG: %d messages completed, %d delivered and %d failed, of %d",
			len(s.Completion), len(s.Delivery), s.Failed, r.messages)
	}
	at := index * r.messages
	copy(r.completion[at:], s.Completion)
	copy(r.delivery[at:], s.Delivery)
	r.delivered[index] = int32(len(s.Completion))
	r.elapsed[index] = s.Elapsed
	r.payload[index] = s.PayloadBytes
	r.wire[index] = s.WireBytes
	if index == 0 {
		r.ideal = s.Ideal
	}
	return nil
}

// count adds the sample with the given number.
func (t *tally) count(index int, s *experiment.Sample) {
	one := tally{Counters: s.Counters}
	if s.Failed > 0 {
		one.failed, one.lost = 1, s.Failed
		one.failure, one.failedAt = s.Failure, index
	}
	t.add(one)
}

// add adds another tally; the outcome does not depend on the order.
func (t *tally) add(other tally) {
	if other.failed > 0 && (t.failed == 0 || other.failedAt < t.failedAt) {
		t.failure, t.failedAt = other.failure, other.failedAt
	}
	t.failed += other.failed
	t.lost += other.lost
	addCounters(&t.Counters, &other.Counters)
}

// addCounters adds every counter of c to those of sum.
func addCounters(sum, c *experiment.Counters) {
	sum.PayloadBytes += c.PayloadBytes
	sum.WireBytes += c.WireBytes
	sum.Packets += c.Packets
	sum.Lost += c.Lost
	sum.Retransmits += c.Retransmits
	sum.Spurious += c.Spurious
	sum.Acks += c.Acks
	sum.Nacks += c.Nacks
	sum.Timeouts += c.Timeouts
	sum.Fallbacks += c.Fallbacks
	sum.FellBack += c.FellBack
	sum.UsefulParity += c.UsefulParity
	sum.Events += c.Events
	sum.Discarded += c.Discarded
}

// seconds gathers the times of the delivered messages, in the order of samples and messages.
func (r *record) seconds(times []units.Duration) []float64 {
	gathered := make([]float64, 0, len(times))
	for i, n := range r.delivered {
		for _, d := range times[i*r.messages:][:n] {
			gathered = append(gathered, d.Seconds())
		}
	}
	return gathered
}

// perSample gathers, of the samples that delivered something, the sum of the times of their
// messages in seconds and how many those are.
func (r *record) perSample(times []units.Duration) (sums, counts []float64) {
	for i, n := range r.delivered {
		if n == 0 {
			continue
		}
		sum := 0.0
		for _, d := range times[i*r.messages:][:n] {
			sum += d.Seconds()
		}
		sums, counts = append(sums, sum), append(counts, float64(n))
	}
	return sums, counts
}

// MemoryEstimate is about what a worker needs for the samples of a unit of the point, beside what
// its runner takes: they are kept until the unit is complete, and once more while it is reduced.
func MemoryEstimate(p *scenarios.Point) units.Bytes {
	const perMessage, perSample = 6 * 8, 12 * 8
	samples := units.Bytes(p.Samples)
	return samples * (units.Bytes(p.Message.Count)*perMessage + perSample)
}
