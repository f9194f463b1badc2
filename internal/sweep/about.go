package sweep

import (
	"math"
	"math/bits"

	"sdrsim/internal/experiment"
	"sdrsim/internal/spec"
	"sdrsim/internal/stats"
	"sdrsim/schemes/catalog"
	"sdrsim/units"
)

// about is what is known of a unit besides its samples.
type about struct {
	// penalty is what one more rare event costs, in seconds; 0: unknown.
	penalty float64
	// random tells that chance has a part in losses; bursts that they may come together, so that an
	// event may cost several penalties; falls that messages can fall back.
	random, bursts, falls bool
	// uneven tells that packets may arrive out of order.
	uneven bool
	// varied tells that chance has a part in arrivals or sizes, sized that it has in sizes.
	varied, sized bool
	// losses is a number of losses that a message meets at least, in expectation; 0: unknown.
	losses float64
	// slow is by how much more a message takes that met a loss.
	slow units.Duration
	// counts tells that operations a second are asked for; deadline is that of messages, 0: none.
	counts   bool
	deadline units.Duration
	// compute is what the steps of a sample take without a network; 0: there are none.
	compute units.Duration
	steps   int
	// served tells that service times are drawn: nobody knows how fast a sample may be.
	served bool
	// hostCPU is how long an operation of storage takes a core.
	hostCPU units.Duration
	// busy is how long a sample takes the link at least.
	busy units.Duration
}

func aboutOf(p *spec.Point, s *spec.Scheme) about {
	scheme, _ := catalog.Lookup(s.Name)
	a := about{
		penalty: experiment.Penalty(p, s).Seconds(), random: experiment.Random(p), falls: scheme.Falls,
		bursts: !independent(&p.Link.Loss) || !independent(&p.Link.AckLoss) || !p.Even(),
		uneven: !p.Even(),
		losses: expectedLosses(p), slow: p.Link.RTT() / 2,
	}
	arrival := p.Message.Arrival
	a.sized = p.Message.Sizes != nil
	a.varied = a.sized || p.Submission.MTT.MissShare() > 0 ||
		arrival != nil && arrival.Model == spec.ArrivalPoisson
	a.counts, a.deadline = p.Submits(), p.Message.Deadline
	if p.Training.Parallel != "" {
		a.compute, a.steps, a.losses = p.Training.Compute(), p.Training.Steps(), 0
		return a
	}
	if p.Storage.Operation != "" { // service times are drawn
		a.counts, a.varied, a.served, a.losses = true, true, true, 0
		a.hostCPU = p.Storage.HostCPU
		return a
	}
	if p.Collective.Kind == "" && p.Workload.Ranks == 0 && !a.sized && p.Link.Bandwidth > 0 {
		a.busy = busyTime(p)
	}
	return a
}

// busyTime is what the messages of a sample take on the link, without headers: those of all flows
// in a network, which share it.
func busyTime(p *spec.Point) (sum units.Duration) {
	count := units.Duration(p.Message.Count * max(1, p.NIC.QPs))
	if p.Network.Kind == "" {
		return count * p.Link.Bandwidth.TransmitTime(p.Message.Size)
	}
	for i := range p.Flows {
		sum += count * p.Link.Bandwidth.TransmitTime(p.Flows[i].Size)
	}
	return sum
}

func independent(l *spec.Loss) bool {
	return l.Model == "" || l.Model == spec.LossNone || l.Model == spec.LossIID
}

// expectedLosses is how many losses a sample has at least in expectation, where that is known: the
// chance of none is then at most exp(-losses).
func expectedLosses(p *spec.Point) (n float64) {
	if p.Network.Kind == "" {
		return float64(max(1, p.NIC.QPs)) * expectedLossesOf(p, p.Message.Size)
	}
	for i := range p.Flows {
		n += expectedLossesOf(p, p.Flows[i].Size)
	}
	return n
}

// expectedLossesOf is the same of messages of a size.
func expectedLossesOf(p *spec.Point, size units.Bytes) float64 {
	l, unit := p.Link.Loss, p.Link.MTU
	if l.Per == spec.PerChunk {
		unit = p.Message.Chunk
	}
	if unit <= 0 {
		return 0
	}
	n := float64((size+unit-1)/unit) * float64(p.Message.Count)
	if p.Message.Sizes != nil {
		mean, _ := p.Message.Sizes.Mean(unit, 0)
		n = mean / float64(unit) * float64(p.Message.Count)
	}
	if p.Collective.Kind != "" {
		n = float64(p.Collective.Rounds()*p.Collective.Datacenters) *
			float64(p.Collective.Part(p.Message.Size)/unit)
	}
	switch l.Model {
	case spec.LossIID:
		return float64(n * l.P)
	case spec.LossGilbertElliott: // whatever the state, the next unit is lost that often
		return float64(max(n-1, 0) * float64(min(l.GoodBad, 1-l.BadGood)*l.LossBad))
	}
	return 0
}

// known is what the interval of a mean time may assume; floor is the least that it can be.
func (r *Record) known(floor units.Duration) stats.Assumed {
	k := stats.Assumed{
		Penalty: r.about.penalty, Floor: floor.Seconds(), Certain: !r.about.random,
		Unseen: r.unseen(),
	}
	if r.about.served || k.Unseen == unseenLoss || hopeless(r.about.losses, r.samples) {
		k.Floor = math.NaN() // none is faster, or none would be seen
	}
	return k
}

// certain tells that nothing of a sample is left to chance: all samples are alike.
func (r *Record) certain() bool { return !r.about.random && !r.about.varied }

// hopeless tells that of n samples hardly one in a hundred sweeps has one without a loss: the time
// without losses says nothing of them. It is at least as strict as n exp(-losses) < 0.01.
func hopeless(losses float64, n int) bool {
	return losses > float64(bits.Len(uint(100*n))) // log2, which is above ln
}

// unseen names what no sample met, though it may have: empty where one did, or none can. Where the
// cost of the next event is not known, losses that cost nothing tell nothing about it.
func (r *Record) unseen() string {
	if !r.about.random || r.samples == 0 {
		return ""
	}
	lost := false
	for i := range r.samples {
		if r.costly(i) || (r.about.penalty > 0 && r.counters[i].Lost > 0) {
			return ""
		}
		lost = lost || r.counters[i].Lost > 0
	}
	if lost {
		return "repeat"
	}
	return unseenLoss
}

// unseenLoss is what no sample met where nothing was lost at all.
const unseenLoss = "loss"

// costly reports whether a sample has waited for a repeat.
func (r *Record) costly(i int) bool {
	c := &r.counters[i]
	return c.Retransmits > 0 || c.Timeouts > 0 || c.Fallbacks > 0
}

// messagesOf are the completion times of a stream, sample by sample.
func (r *Record) messagesOf(times []units.Duration) stats.Messages {
	all := r.seconds(times)
	samples := make([][]float64, r.samples)
	at := 0
	for i, n := range r.delivered[:r.samples] {
		samples[i] = all[at:][:n]
		at += int(n)
	}
	if !r.about.random {
		return stats.NewMessages(samples, nil)
	}
	return stats.NewMessages(samples, func(number int, part []float64) bool {
		if len(samples) > 1 {
			return r.costly(number) || r.counters[number].Lost > 0
		}
		return exceeds(part, all, r.about.slow.Seconds())
	})
}

// exceeds tells whether one of some times is longer than the least of all by more than a time.
func exceeds(some, all []float64, by float64) bool {
	longest, least := 0.0, 0.0
	for _, x := range some {
		longest = max(longest, x)
	}
	for i, x := range all {
		if i == 0 || x < least {
			least = x
		}
	}
	return longest > least+by
}
