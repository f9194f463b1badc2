package model

import (
	"errors"
	"math"
	"math/rand/v2"

	"sdrsim/internal/portable"
	"sdrsim/units"
)

// Sampler draws completion times from the model itself, as the paper's own simulation does: no
// packets, no acknowledgements, only the formula with random numbers in it. It judges the closed
// form, and gives the quantiles that have none. A sample costs what its losses cost.
//
// The parameters handed in must be valid; a Sampler is not safe for concurrent use.
type Sampler struct {
	random *rand.Rand
	stamps []int64 // per XOR group, the last submessage in which it lost a chunk, plus one
	lost   []int64 // positions in a submessage that were lost
	rows   [2][]units.Duration
}

// NewSampler draws from the given generator. Equal states give equal samples.
func NewSampler(source *rand.PCG) *Sampler { return &Sampler{random: rand.New(source)} }

// skip is how many chunks arrive before the next loss, given -log(1-P) > 0; beyond is returned for
// all that is not below it. The whole part of an exponential number is a geometric one.
func (s *Sampler) skip(rate float64, beyond int64) int64 {
	arrived := s.random.ExpFloat64() / rate
	if !(arrived < float64(beyond)) {
		return beyond
	}
	return int64(arrived)
}

// SR is a completion time of Selective Repeat.
func (s *Sampler) SR(m SR) units.Duration { return m.RTT + m.AckTime + s.lastSent(m) }

// lastSent is max_i X_i.
func (s *Sampler) lastSent(m SR) units.Duration {
	mustBeValid(m.Validate())
	last := m.injection()
	if m.P == 0 {
		return last
	}
	rate, round := -m.logArrived(m.P), m.RTO+m.ChunkTime
	for i := s.skip(rate, m.Chunks); i < m.Chunks; i += 1 + s.skip(rate, m.Chunks-i) {
		sent := units.Duration(i+1)*m.ChunkTime + units.Duration(s.repeats(m))*round
		last = max(last, sent)
	}
	return last
}

// repeats is Y - 1 for a chunk whose first attempt failed.
func (s *Sampler) repeats(m SR) int64 {
	if m.Packets <= 1 {
		n := int64(1)
		for s.random.Float64() < m.P {
			n++
		}
		return n
	}
	// By inversion of P(Y <= a) = (1 - P^a)^packets, given Y > 1.
	packets := float64(m.Packets)
	lose := ChunkLoss(m.P, m.Packets)
	uniform := 1 - s.random.Float64() // in (0, 1]
	missing := -portable.Expm1(portable.Log1p(-float64(lose*uniform)) / packets)
	return max(2, int64(math.Ceil(portable.Log(missing)/portable.Log(m.P)))) - 1
}

// EC is a completion time of erasure coding with fallback.
func (s *Sampler) EC(m EC) units.Duration {
	mustBeValid(m.Validate())
	if m.Ack == AckRecoverable {
		return s.spoken(m)
	}
	failed := s.failedChunks(m)
	if failed == 0 {
		return units.Duration(m.Chunks+m.ParityChunks())*m.ChunkTime + m.RTT + m.AckTime
	}
	return m.FTO() + m.RTT + s.SR(m.repeat(failed))
}

// failedChunks draws the losses of all submessages, and returns how many data chunks belong to
// those that are not recoverable.
func (s *Sampler) failedChunks(m EC) (failed int64) {
	if m.P == 0 {
		return 0
	}
	full, tail := m.submessages()
	size := m.K + m.M
	end := full * size
	if tail > 0 {
		end += tail + m.M
	}
	s.begin(m)
	rate := -portable.Log1p(-m.loss())
	current, lost, done := int64(-1), int64(0), false // of the submessage that lost last
	for i := s.skip(rate, end); i < end; i += 1 + s.skip(rate, end-i) {
		submessage, position := i/size, i%size
		data := m.K
		if submessage == full {
			data = tail
		}
		if submessage != current {
			current, lost, done = submessage, 0, false
		}
		lost++
		if done {
			continue
		}
		if m.Code == XOR && s.again(group(position, data, m.M), submessage) ||
			m.Code == MDS && lost > m.M {
			failed, done = failed+data, true
		}
	}
	return failed
}

// begin forgets which groups of XOR chunks lost one.
func (s *Sampler) begin(m EC) {
	if m.Code != XOR {
		return
	}
	if int64(cap(s.stamps)) < m.M {
		s.stamps = make([]int64, m.M)
	}
	s.stamps = s.stamps[:m.M]
	clear(s.stamps)
}

// group is the XOR group of a chunk of a submessage: data first, then one parity chunk a group.
func group(position, data, groups int64) int64 {
	if position < data {
		return position % groups
	}
	return position - data
}

// again notes a loss in a group, and reports whether it is not the first in this submessage.
func (s *Sampler) again(group, submessage int64) bool {
	seen := s.stamps[group] == submessage+1
	s.stamps[group] = submessage + 1
	return seen
}

// AllReduce is a completion time of a ring all-reduce over n datacenters whose rounds take what the
// function draws. It costs n(2n-2) draws.
func (s *Sampler) AllReduce(n int, round func() units.Duration) units.Duration {
	if n < 2 {
		mustBeValid(ErrDatacenters)
	}
	for i := range s.rows {
		if cap(s.rows[i]) < n {
			s.rows[i] = make([]units.Duration, n)
		}
		s.rows[i] = s.rows[i][:n]
		clear(s.rows[i])
	}
	before, now := s.rows[0], s.rows[1]
	for range Rounds(int64(n)) {
		for i := range n {
			now[i] = max(before[(i+n-1)%n], before[i]) + round()
		}
		before, now = now, before
	}
	last := units.Duration(0)
	for _, t := range before {
		last = max(last, t)
	}
	return last
}

// mustBeValid stops a caller that samples what the model has no value for.
func mustBeValid(err error) {
	if err != nil {
		panic(errors.Join(errors.New("BUG: model: sampling without a valid model"), err).Error())
	}
}
