package link

import (
	"fmt"
	"math"

	"sdrsim/internal/portable"
	"sdrsim/sim"
	"sdrsim/wire"
)

// LossModel decides which packets a link loses. It answers how many packets go until the next
// loss, so that the work follows the losses and not the packets, and it draws random numbers for
// losses only. Which packets are lost depends on the sequence of packets and on when they go:
// neither on how they are grouped into runs nor on how often Peek is called. Time does not go back:
// no packet is shown that begins before one that was shown before.
//
// A model must be Reset before use. It belongs to one direction of one link.
type LossModel interface {
	// Reset starts a new replication. The model draws from the stream from now on.
	Reset(s *sim.Stream)
	// Peek tells the fate of the packets of r if they were offered to the link next: pass of them
	// get through, the drop that follow are lost. pass + drop is at least one; it may exceed r.Count
	// or fall short of it, and drop may be zero. Peek changes no answer.
	Peek(r *wire.Run) (pass, drop int64)
	// Advance tells that the first n packets of r have been sent; n is at most r.Count and at most
	// pass + drop.
	Advance(r *wire.Run, n int64)
}

// forever is a number of packets that no simulation sends. Sums of two do not overflow.
const forever = math.MaxInt64 / 4

// None loses nothing.
type None struct{}

// Reset implements LossModel.
func (None) Reset(*sim.Stream) {}

// Peek implements LossModel.
func (None) Peek(*wire.Run) (pass, drop int64) { return forever, 0 }

// Advance implements LossModel.
func (None) Advance(*wire.Run, int64) {}

// IID loses every packet with probability P, independently of all others. The number of packets
// before a loss is geometric: Pr(gap >= n) = (1-P)^n.
type IID struct {
	P float64

	next   gap
	rate   float64 // -log(1-P), since the reset
	stream *sim.Stream
}

// Validate tells what is wrong with the parameter.
func (m *IID) Validate() error { return checkProbability("iid", "p", m.P) }

// Reset implements LossModel.
func (m *IID) Reset(s *sim.Stream) {
	m.stream, m.rate = s, -portable.Log1p(-m.P)
	m.draw()
}

// draw finds the next loss.
func (m *IID) draw() {
	if m.P >= 1 {
		m.next = gap{drop: forever}
		return
	}
	m.next = gap{pass: geometricOf(m.stream, m.rate), drop: 1}
}

// Peek implements LossModel.
func (m *IID) Peek(*wire.Run) (pass, drop int64) { return m.next.pass, m.next.drop }

// Advance implements LossModel.
func (m *IID) Advance(_ *wire.Run, n int64) {
	if m.next.take(n) {
		m.draw()
	}
}

// gap is what is left of a stretch of packets that pass and the losses that end it.
type gap struct{ pass, drop int64 }

// take removes n packets and reports whether nothing is left.
func (g *gap) take(n int64) bool {
	left := g.pass + g.drop - n
	if uint64(left) > uint64(left+n) {
		g.refuse(n)
	}
	if g.pass -= n; g.pass < 0 {
		g.pass, g.drop = 0, left
	}
	return left == 0
}

func (g *gap) refuse(n int64) {
	panic(fmt.Sprintf("BUG: link: loss model advanced by %d packets, %d pass and %d drop",
		n, g.pass, g.drop))
}

// geometric draws how many trials fail before the first that succeeds with probability p, as
// floor(E / -log(1-p)) with E exponential of mean one: exact for every p, however small, because
// Pr(E/lambda >= n) = exp(-lambda n) = (1-p)^n. Where p is zero or one it draws nothing.
func geometric(s *sim.Stream, p float64) int64 {
	switch {
	case p <= 0:
		return forever
	case p >= 1:
		return 0
	}
	return geometricOf(s, -portable.Log1p(-p))
}

// geometricOf is geometric for a probability given as -log(1-p), above zero; zero draws nothing.
func geometricOf(s *sim.Stream, rate float64) int64 {
	if rate == 0 {
		return forever
	}
	n := s.ExpFloat64() / rate
	if n >= forever {
		return forever
	}
	return int64(n)
}

// checkProbability names the loss model and parameter whose value is no probability.
func checkProbability(model, name string, p float64) error {
	if !(p >= 0 && p <= 1) {
		return fmt.Errorf("loss model %s: %s is %v, want a probability between 0 and 1",
			model, name, p)
	}
	return nil
}
