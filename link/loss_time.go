package link

import (
	"fmt"
	"math"

	"sdrsim/link/wire"
	"sdrsim/sim"
	"sdrsim/sim/units"
)

// startOf is when the first bit of a run is sent.
func startOf(r *wire.Run) units.Time { return r.Depart.Add(-r.Spacing) }

// begunBefore is how many leading packets of an endless run have their first bit sent before t.
func begunBefore(r *wire.Run, t units.Time) int64 {
	switch start := startOf(r); {
	case t <= start:
		return 0
	case r.Spacing == 0:
		return forever
	default:
		return min(int64((t.Sub(start)-1)/r.Spacing)+1, forever)
	}
}

// goneBy is how many leading packets of an endless run have left, last bit included, by t.
func goneBy(r *wire.Run, t units.Time) int64 {
	switch {
	case t < r.Depart:
		return 0
	case r.Spacing == 0:
		return forever
	}
	return min(int64(t.Sub(r.Depart)/r.Spacing)+1, forever)
}

// Fading is the chain of Gilbert and Elliott in continuous time: it changes state whether anybody
// sends or not, and stays in each for a time that is exponential. A packet is lost with the
// probability of the state in which its first bit finds the chain.
//
//	mean stay in bad = Bad,   in good = Bad * (1-Share)/Share
//
// The stays are drawn one after the other, so the state is a function of time alone. Which packets
// of a state are lost follows from their number in that state, and is drawn from a stream of its
// own. The chain starts in its stationary distribution.
type Fading struct {
	// Bad is the mean length of a stay in the bad state, Share the part of the time that is spent
	// there, below 1.
	Bad   units.Duration
	Share float64
	// LossGood and LossBad are the probabilities that a packet is lost in each state.
	LossGood, LossBad float64

	in     [2]IID     // what is lost in the good state, and in the bad
	bad    int        // the state, 1 for bad
	until  units.Time // when the stay ends
	stream *sim.Stream
	fates  sim.Stream
}

// Validate tells what is wrong with the parameters.
func (m *Fading) Validate() error {
	const name = "gilbert-elliott"
	if m.Bad <= 0 || !(m.Share >= 0 && m.Share < 1) {
		return fmt.Errorf("loss model %s: bursts of %v for %v of the time, want a time above 0 and "+
			"a share from 0 to below 1", name, m.Bad, m.Share)
	}
	if err := checkProbability(name, "loss_good", m.LossGood); err != nil {
		return err
	}
	return checkProbability(name, "loss_bad", m.LossBad)
}

// Reset implements LossModel.
func (m *Fading) Reset(s *sim.Stream) {
	m.stream = s
	m.fates.Seed(s.Uint64(), "fates", 0)
	m.in[0].P, m.in[1].P = m.LossGood, m.LossBad
	m.in[0].Reset(&m.fates)
	m.in[1].Reset(&m.fates)
	m.bad, m.until = 0, 0
	if s.Float64() < m.Share {
		m.bad = 1
	}
	m.stay()
}

// stay draws how long the state that has begun lasts. What is left of the first stay is distributed
// as any.
func (m *Fading) stay() {
	if m.Share == 0 {
		m.until = units.Never // good for ever
		return
	}
	mean := float64(m.Bad)
	if m.bad == 0 {
		mean = mean * (1 - m.Share) / m.Share
	}
	length := math.Round(m.stream.ExpFloat64() * mean)
	if length >= float64(units.Never-m.until) {
		m.until = units.Never
		return
	}
	m.until = m.until.Add(units.Duration(length))
}

// pass lets the time pass until now.
func (m *Fading) pass(now units.Time) {
	for m.until <= now {
		m.bad = 1 - m.bad
		m.stay()
	}
}

// Peek implements LossModel. The answer ends with the stay.
func (m *Fading) Peek(r *wire.Run) (pass, drop int64) {
	m.pass(startOf(r))
	n := begunBefore(r, m.until)
	pass, drop = m.in[m.bad].Peek(r)
	return within(n, pass, drop)
}

// Advance implements LossModel.
func (m *Fading) Advance(r *wire.Run, n int64) {
	m.pass(startOf(r))
	m.in[m.bad].Advance(r, n)
}

// within is an answer that ends after n packets at the latest.
func within(n, pass, drop int64) (int64, int64) {
	if pass >= n {
		return n, 0
	}
	return pass, min(drop, n-pass)
}
