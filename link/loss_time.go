package link

import (
	"fmt"
	"math"

	"sdrsim/sim"
	"sdrsim/units"
	"sdrsim/wire"
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
// The state is a function of time alone, and starts in the stationary distribution. So that a long
// silence costs no more than a short one, time is divided into epochs. Each has a chain of its own,
// which starts with it, stationary; the chain of the epoch before is followed until both are in one
// state. Two chains that meet cannot be told apart from then on, so what is followed is one chain;
// and of what was in epochs before the last there is no trace, as they are many times longer than
// it takes to meet.
//
// Which packets of a state are lost follows from their number in that state, and is drawn from a
// stream of its own.
type Fading struct {
	// Bad is the mean length of a stay in the bad state, Share the part of the time that is spent
	// there, below 1.
	Bad   units.Duration
	Share float64
	// LossGood and LossBad are the probabilities that a packet is lost in each state.
	LossGood, LossBad float64

	in    [2]IID // what is lost in the good state, and in the bad
	fates sim.Stream
	seed  uint64
	// chains are those of epoch (at its number, modulo two) and of the one before, which is followed
	// until they have met.
	chains [2]stays
	epoch  int64
	met    bool
	length units.Duration // of an epoch
}

// stays is a chain: its state, 1 for bad, and when that ends.
type stays struct {
	stream sim.Stream
	bad    int
	until  units.Time
	mean   [2]float64 // length of a stay, in picoseconds
}

// cycles is how many times an epoch is longer than a stay in good and one in bad: the chance that
// chains have not met by then is exp(-4*cycles) at most.
const cycles = 32

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
	m.seed = s.Uint64()
	m.fates.Seed(m.seed, "fates", 0)
	m.in[0].P, m.in[1].P = m.LossGood, m.LossBad
	m.in[0].Reset(&m.fates)
	m.in[1].Reset(&m.fates)
	bad := float64(m.Bad)
	good, length := math.Inf(1), math.Inf(1)
	if m.Share > 0 {
		good = bad * (1 - m.Share) / m.Share
		length = cycles * (bad + good)
	}
	m.chains[0].mean, m.chains[1].mean = [2]float64{good, bad}, [2]float64{good, bad}
	if m.length = units.Duration(units.Never); length < float64(units.Never)/4 {
		m.length = max(1, units.Duration(length))
	}
	m.epoch, m.met = 0, true
	m.begin(0)
}

// begin starts the chain of an epoch.
func (m *Fading) begin(epoch int64) {
	c := &m.chains[epoch&1]
	c.stream.Seed(m.seed, "stays", uint64(epoch))
	c.bad, c.until = 0, m.startOf(epoch)
	if c.stream.Float64() < m.Share {
		c.bad = 1
	}
	c.stay()
}

// startOf is when an epoch starts; Never for what comes after the only one.
func (m *Fading) startOf(epoch int64) units.Time {
	if epoch > 0 && m.length == units.Duration(units.Never) {
		return units.Never
	}
	return units.Time(epoch * int64(m.length))
}

// stay draws how long the state that has begun lasts. What is left of the first stay is distributed
// as any.
func (c *stays) stay() {
	length := math.Round(c.stream.ExpFloat64() * c.mean[c.bad])
	if !(length < float64(units.Never-c.until)) {
		c.until = units.Never
		return
	}
	c.until = c.until.Add(units.Duration(length))
}

// change ends the stay.
func (c *stays) change() {
	c.bad = 1 - c.bad
	c.stay()
}

// pass lets the time pass until now.
func (m *Fading) pass(now units.Time) {
	epoch := int64(now) / int64(m.length)
	if epoch > m.epoch+1 {
		m.epoch, m.met = epoch-1, true
		m.begin(m.epoch)
	}
	for m.epoch < epoch {
		m.follow(m.startOf(m.epoch + 1))
		m.epoch++
		m.begin(m.epoch)
		m.met = m.chains[0].bad == m.chains[1].bad
	}
	m.follow(now)
}

// follow lets the time pass in an epoch.
func (m *Fading) follow(now units.Time) {
	c, old := &m.chains[m.epoch&1], &m.chains[m.epoch&1^1]
	for !m.met && min(c.until, old.until) <= now {
		if c.until <= old.until {
			c.change()
		} else {
			old.change()
		}
		m.met = c.bad == old.bad
	}
	for m.met && c.until <= now {
		c.change()
	}
}

// state is the state by now, 1 for bad, and until when that is known.
func (m *Fading) state() (bad int, until units.Time) {
	c, old := &m.chains[m.epoch&1], &m.chains[m.epoch&1^1]
	end := m.startOf(m.epoch + 1)
	if m.met {
		return c.bad, min(c.until, end)
	}
	return old.bad, min(c.until, old.until, end)
}

// Peek implements LossModel. The answer ends with the stay.
func (m *Fading) Peek(r *wire.Run) (pass, drop int64) {
	m.pass(startOf(r))
	bad, until := m.state()
	pass, drop = m.in[bad].Peek(r)
	return within(begunBefore(r, until), pass, drop)
}

// Advance implements LossModel.
func (m *Fading) Advance(r *wire.Run, n int64) {
	m.pass(startOf(r))
	bad, _ := m.state()
	m.in[bad].Advance(r, n)
}

// within is an answer that ends after n packets at the latest.
func within(n, pass, drop int64) (int64, int64) {
	if pass >= n {
		return n, 0
	}
	return pass, min(drop, n-pass)
}
