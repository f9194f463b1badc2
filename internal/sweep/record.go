package sweep

import (
	"fmt"

	"sdrsim/internal/experiment"
	"sdrsim/internal/metric"
	"sdrsim/internal/result"
	"sdrsim/internal/spec"
	"sdrsim/internal/stats"
	"sdrsim/units"
)

// Record is what the samples of one unit measured: a point under a scheme. Every value stands at
// the number of its sample, so that workers write different elements and no order is lost. A Record
// is all that results are computed from; Store keeps it beyond the life of the process.
type Record struct {
	// Point is the key of the point, Scheme the label of the scheme.
	Point, Scheme string

	samples  int // measured: all those below
	messages int // of a sample
	rounds   int // of a sample that was delivered; 0 without a collective
	// completion and delivery hold the times of message j of sample i at i*messages+j, those that
	// were delivered first; delivered[i] of them are. A sample with fewer has failed.
	completion, delivery []units.Duration
	delivered            []int32
	// wait is from the posting of a message to its first injection, ideals its time alone; at the same
	// places. Nil where no message can wait, and where all are of one size.
	wait, ideals []units.Duration
	// round holds the time of round j of sample i at i*rounds+j.
	round []units.Duration
	// flows and queues hold what connections and queues of a network counted in sample i, from
	// i*numFlows and i*numQueues.
	numFlows, numQueues int
	flows               []experiment.FlowSample
	queues              []experiment.QueueSample

	elapsed  []units.Duration
	counters []experiment.Counters
	weight   []float64 // nil where every sample counts for one
	// tilts are the factors that the samples took in turn. Where samples are divided into strata,
	// shares are the probabilities of those, and stratum[i] is the one of sample i.
	tilts, shares []float64
	stratum       []uint8
	borne         units.Duration // the most that losses add that a code repairs
	scratch       [3][]float64   // what estimates are made from
	ideal         units.Duration // of the largest message
	about         about          // what is known besides
	// failure is the reason of the first failed sample, whose number is failedAt.
	failure  string
	failedAt int
}

func newRecord(p *spec.Point, s *spec.Scheme) *Record {
	return new(Record).renew(p, s)
}

// renew makes this the empty record of another unit, in the same memory.
func (r *Record) renew(p *spec.Point, s *spec.Scheme) *Record {
	*r = Record{
		Point: p.Key, Scheme: s.Label, messages: p.Messages(),
		completion: r.completion[:0], delivery: r.delivery[:0], delivered: r.delivered[:0],
		round: r.round[:0], flows: r.flows[:0], queues: r.queues[:0], elapsed: r.elapsed[:0],
		counters: r.counters[:0], scratch: r.scratch, about: aboutOf(p, s),
	}
	if p.Collective.Kind != "" {
		r.messages, r.rounds = 1, p.Collective.Rounds()
	}
	if p.Network.Kind != "" {
		r.numFlows, r.numQueues = len(p.Flows), len(experiment.QueueNames(p))
	}
	if p.Waits() {
		r.wait = []units.Duration{}
	}
	if p.Message.Sizes != nil || p.Network.Kind != "" {
		r.ideals = []units.Duration{}
	}
	if s.Plan == nil {
		return r
	}
	if r.tilts = s.Plan.Tilts; len(r.tilts) > 0 {
		r.weight = []float64{}
	}
	if by := s.Plan.Strata; by != nil {
		r.shares, r.stratum, r.borne = by.Shares, []uint8{}, by.Borne
	}
	return r
}

// sampling says how the samples met losses.
func (r *Record) sampling() string {
	switch {
	case r.shares != nil:
		return result.SamplingStrata
	case len(r.tilts) > 0:
		return result.SamplingTilt
	}
	return result.SamplingPlain
}

// Samples is how many samples were measured: those with the numbers below.
func (r *Record) Samples() int { return r.samples }

// capacity is how many samples there is room for.
func (r *Record) capacity() int { return len(r.delivered) }

// grow makes room for so many samples. No other method may be called meanwhile.
func (r *Record) grow(samples int) {
	resize(&r.completion, samples*r.messages)
	resize(&r.delivery, samples*r.messages)
	if r.wait != nil {
		resize(&r.wait, samples*r.messages)
	}
	if r.ideals != nil {
		resize(&r.ideals, samples*r.messages)
	}
	resize(&r.delivered, samples)
	resize(&r.round, samples*r.rounds)
	resize(&r.flows, samples*r.numFlows)
	resize(&r.queues, samples*r.numQueues)
	resize(&r.elapsed, samples)
	resize(&r.counters, samples)
	if r.weight != nil {
		resize(&r.weight, samples)
	}
	if r.shares != nil {
		resize(&r.stratum, samples)
	}
}

// resize keeps what is there and makes the rest zero; it allocates exactly, as most records grow
// once.
func resize[T any](s *[]T, n int) {
	if had := len(*s); n <= cap(*s) {
		*s = (*s)[:n]
		clear((*s)[min(had, n):])
		return
	}
	larger := make([]T, n)
	copy(larger, *s)
	*s = larger
}

// put stores the sample with the given number. It touches nothing that belongs to another sample.
// The error tells that the sample does not account for every message.
func (r *Record) put(index int, s *experiment.Sample) error {
	n := len(s.Completion)
	if n+s.Failed != r.messages || len(s.Delivery) != n {
		return fmt.Errorf("BUG: %d messages completed, %d delivered and %d failed, of %d",
			n, len(s.Delivery), s.Failed, r.messages)
	}
	if r.wait != nil && len(s.Wait) != n || r.ideals != nil && len(s.Ideals) != n {
		return fmt.Errorf("BUG: %d messages completed, %d waits and %d ideal times", n, len(s.Wait),
			len(s.Ideals))
	}
	if rounds := len(s.Rounds); rounds != r.rounds && !(rounds == 0 && s.Failed > 0) {
		return fmt.Errorf("BUG: %d rounds, want %d", rounds, r.rounds)
	}
	if len(s.Flows) != r.numFlows || len(s.Queues) != r.numQueues {
		return fmt.Errorf("BUG: %d flows and %d queues, want %d and %d", len(s.Flows), len(s.Queues),
			r.numFlows, r.numQueues)
	}
	at := index * r.messages
	copy(r.completion[at:], s.Completion)
	copy(r.delivery[at:], s.Delivery)
	if r.wait != nil {
		copy(r.wait[at:], s.Wait)
	}
	if r.ideals != nil {
		copy(r.ideals[at:], s.Ideals)
	}
	copy(r.round[index*r.rounds:], s.Rounds)
	copy(r.flows[index*r.numFlows:], s.Flows)
	copy(r.queues[index*r.numQueues:], s.Queues)
	r.delivered[index] = int32(n)
	r.elapsed[index] = s.Elapsed
	r.counters[index] = s.Counters
	if r.weight != nil {
		r.weight[index] = s.Weight
	}
	if r.shares != nil {
		r.stratum[index] = uint8(s.Stratum)
	}
	if index == 0 {
		r.ideal = s.Ideal
	}
	return nil
}

// fail notes why a sample failed; of several the first counts.
func (r *Record) fail(index int, why string) {
	if why != "" && (r.failure == "" || index < r.failedAt) {
		r.failure, r.failedAt = why, index
	}
}

// Failed is how many samples have a message that their scheme gave up.
func (r *Record) Failed() int {
	samples, _ := r.failed()
	return samples
}

// failed counts the samples of which at least one message was given up, and those messages.
func (r *Record) failed() (samples, messages int) {
	for _, n := range r.delivered[:r.samples] {
		if lost := r.messages - int(n); lost > 0 {
			samples++
			messages += lost
		}
	}
	return samples, messages
}

// failedShare is the probability that a sample fails: the part that those that did count for.
func (r *Record) failedShare() float64 {
	var failed []float64
	weights := r.weights()
	for i, n := range r.delivered[:r.samples] {
		if int(n) < r.messages {
			failed = append(failed, weights[i])
		}
	}
	return stats.Sum(failed) / stats.Sum(weights[:r.samples])
}

// total adds up every counter.
func (r *Record) total() experiment.Counters { return metric.Sum(r.counters[:r.samples]) }

// numbers is a part of the scratch memory: n numbers, whatever they are, valid until the next call
// for the same part.
func (r *Record) numbers(part, n int) []float64 {
	if cap(r.scratch[part]) < n {
		r.scratch[part] = make([]float64, n)
	}
	return r.scratch[part][:n]
}

// seconds gathers the times of the delivered messages, in the order of samples and messages, in
// scratch memory.
func (r *Record) seconds(times []units.Duration) []float64 {
	gathered := r.numbers(0, r.samples*r.messages)[:0]
	for i, n := range r.delivered[:r.samples] {
		for _, d := range times[i*r.messages:][:n] {
			gathered = append(gathered, d.Seconds())
		}
	}
	return gathered
}

// sampleTime is the sum of the times of the delivered messages of a sample, in seconds.
func (r *Record) sampleTime(times []units.Duration, index int) float64 {
	sum := 0.0
	for _, d := range times[index*r.messages:][:r.delivered[index]] {
		sum += d.Seconds()
	}
	return sum
}

// perSample gathers, of the samples that delivered something, the sum of the times of their
// messages in seconds and how many those are, in scratch memory.
func (r *Record) perSample(times []units.Duration) (sums, counts []float64) {
	sums, counts = r.numbers(1, r.samples)[:0], r.numbers(2, r.samples)[:0]
	for i, n := range r.delivered[:r.samples] {
		if n == 0 {
			continue
		}
		sums, counts = append(sums, r.sampleTime(times, i)), append(counts, float64(n))
	}
	return sums, counts
}

// MemoryEstimate is about what a worker needs for the samples of a unit of the point, beside what
// its runner takes: they are kept until the unit is complete, and once more while it is reduced.
// The completion times stay until every scheme of the point is complete, to be compared.
func MemoryEstimate(p *spec.Point) units.Bytes {
	const perMessage, perSample, perRound, perScheme = 6 * 8, 24 * 8, 2 * 8, 8
	const perFlow, perQueue = 2 * 7 * 8, 2 * 9 * 8
	each := units.Bytes(perMessage)
	if p.Waits() {
		each += perMessage / 2 // waits, and latencies
	}
	if p.Message.Sizes != nil || p.Network.Kind != "" {
		each += perMessage / 2 // ideal times, and slowdowns
	}
	messages := p.Messages()
	if p.Collective.Kind != "" {
		messages = 1
	}
	kept := units.Bytes(messages)*each + perSample +
		units.Bytes(len(p.Schemes))*perScheme +
		units.Bytes(len(p.Flows))*perFlow + units.Bytes(len(experiment.QueueNames(p)))*perQueue
	if p.Collective.Kind != "" {
		kept += units.Bytes(p.Collective.Rounds()) * perRound
	}
	return units.Bytes(max(p.Samples, p.SamplesMax)) * kept
}
