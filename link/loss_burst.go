package link

import (
	"fmt"

	"sdrsim/sim"
	"sdrsim/wire"
)

// GilbertElliott is a Markov chain of two states, stepped once a packet, with a probability of loss
// in each: the usual model of losses that come in bursts (Gilbert 1960, Elliott 1963).
//
//	        GoodBad
//	 good ----------> bad        Pr(bad) = GoodBad / (GoodBad + BadGood)
//	      <----------            mean stay in bad = 1/BadGood packets
//	        BadGood
//	LossGood          LossBad
//
// The chain starts in its stationary distribution, so that the first packet is lost as often as any
// other. It is stepped from stay to stay, not from packet to packet: stays are geometric.
type GilbertElliott struct {
	// GoodBad and BadGood are the probabilities to change state after a packet.
	GoodBad, BadGood float64
	// LossGood and LossBad are the probabilities that a packet is lost in each state.
	LossGood, LossBad float64

	next   gap
	bad    bool
	left   int64 // packets of the stay that next does not cover yet
	stream *sim.Stream
}

// Validate tells what is wrong with the parameters. A chain that never leaves the state it happens
// to start in has no stationary distribution and is refused.
func (m *GilbertElliott) Validate() error {
	for _, p := range []struct {
		name  string
		value float64
	}{
		{"good_bad", m.GoodBad}, {"bad_good", m.BadGood},
		{"loss_good", m.LossGood}, {"loss_bad", m.LossBad},
	} {
		if err := checkProbability("gilbert-elliott", p.name, p.value); err != nil {
			return err
		}
	}
	if m.GoodBad == 0 && m.BadGood == 0 {
		return fmt.Errorf("loss model gilbert-elliott: good_bad and bad_good are both 0, " +
			"want at least one above 0")
	}
	return nil
}

// Reset implements LossModel.
func (m *GilbertElliott) Reset(s *sim.Stream) {
	m.stream = s
	// A stay is memoryless: what is left of the first one is distributed as any.
	m.enter(s.Float64() < m.GoodBad/(m.GoodBad+m.BadGood))
	m.draw()
}

// enter begins a stay in a state.
func (m *GilbertElliott) enter(bad bool) {
	leave := m.GoodBad
	if m.bad = bad; bad {
		leave = m.BadGood
	}
	m.left = min(1+geometric(m.stream, leave), forever)
}

// draw finds the next loss, through as many stays as it takes.
func (m *GilbertElliott) draw() {
	m.next = gap{}
	for m.next.pass < forever {
		loss := m.LossGood
		if m.bad {
			loss = m.LossBad
		}
		pass := geometric(m.stream, loss)
		if pass < m.left {
			m.next.pass += pass
			m.next.drop = 1
			if loss == 1 {
				m.next.drop = m.left
			}
			m.spend(pass + m.next.drop)
			return
		}
		m.next.pass += m.left
		if m.LossGood == 0 && m.LossBad == 0 {
			m.next.pass = forever
		}
		m.spend(m.left)
	}
}

// spend uses up n packets of the stay and enters the other state where it ends.
func (m *GilbertElliott) spend(n int64) {
	if m.left -= n; m.left == 0 {
		m.enter(!m.bad)
	}
}

// Peek implements LossModel.
func (m *GilbertElliott) Peek(*wire.Run) (pass, drop int64) { return m.next.pass, m.next.drop }

// Advance implements LossModel.
func (m *GilbertElliott) Advance(_ *wire.Run, n int64) {
	if m.next.take(n) {
		m.draw()
	}
}
