package link

import (
	"errors"
	"math"

	"sdrsim/internal/portable"
	"sdrsim/sim"
	"sdrsim/wire"
)

// ErrStrata are strata that do not exist: no draw is a loss.
var ErrStrata = errors.New("link: strata need losses: a probability above 0 and draws")

// Stratum numbers the strata that Strata divides replications into.
type Stratum int

// The strata: no draw of the first is a loss; one of data is; one of control packets is, none of
// data. With groups, StratumFailing has losses of data that make one fail; of the others all groups
// bear what is lost, and StratumData has no loss of a control packet, StratumControl has one.
const (
	StratumNone Stratum = iota
	StratumData
	StratumControl
	StratumFailing
)

// Draws are independent losses of packets, or of chunks, in one direction.
type Draws struct {
	P     float64 // the probability of each loss
	First int64   // how many draws the strata look at
}

// lossy is the probability that one of the first draws is a loss: 1 - (1-P)^First.
func (d Draws) lossy() float64 {
	if d.P <= 0 || d.First <= 0 {
		return 0
	}
	return -portable.Expm1(float64(float64(d.First) * portable.Log1p(-d.P)))
}

// Strata samples independent losses of data and of control packets stratum by stratum. Where a
// replication without loss draws no more often than First says, all replications of StratumNone
// are that one. The others meet losses, with the distribution that they have there:
//
//	share   none (1-f)(1-r)   data f   control (1-f) r        f, r = 1-(1-p)^First of each
//	data    StratumData: the first loss is truncated, at floor(log(1-v f) / log(1-p)) with v uniform
//	        StratumControl: the first loss is First draws late
//	control StratumControl: truncated; StratumData: as ever
//
// Whatever is drawn after the first loss is as ever. A mean over the strata by their shares is that
// over all losses. Replication 0 is the one without loss; the others take the lossy strata in turn,
// in quarters as near to the shares as a quarter for each allows.
//
// Where groups can fail, with F = 1 - prod(1-P(group)), which is at most half of f:
//
//	share   none (1-f)(1-r)   data (f-F)(1-r)   control (1-F) r   failing F
//
// and the first draws of data are drawn together: failing ones by importance, see groups.fail, and
// others as ever until all groups bear them.
type Strata struct {
	data, control conditional
	shares        []float64
	turns         [4]Stratum // of lossy replications
	stratum       Stratum
}

// NewStrata builds the strata of losses of data and of control packets.
func NewStrata(data, control Draws) (*Strata, error) {
	f, r := data.lossy(), control.lossy()
	if !(f > 0 || r > 0) || data.P >= 1 || control.P >= 1 {
		return nil, ErrStrata
	}
	only := float64((1 - f) * r)
	s := &Strata{shares: []float64{float64((1 - f) * (1 - r)), f, only}}
	s.data.init(data, f)
	s.control.init(control, r)
	quarters := 0
	switch {
	case f == 0:
		quarters = 4
	case r > 0:
		quarters = min(max(1, int(math.Round(float64(4*only)/(f+only)))), 3)
	}
	for i := range s.turns {
		s.turns[i] = StratumData
		if (i+1)*quarters/4 > i*quarters/4 {
			s.turns[i] = StratumControl
		}
	}
	return s, nil
}

// mostFailing is the share of lossy replications that fail a group from which on they need no
// stratum of their own.
const mostFailing = 0.5

// Divide gives losses of data that groups do not bear a stratum of their own, where they are not
// most of them anyway. Losses that all groups bear count for so much less: ease is what they cost
// over what others do. It reports whether it did.
func (s *Strata) Divide(list []Group, ease float64) bool {
	f, r := s.data.lossy, s.control.lossy
	g := newGroups(s.data.draws, list)
	if g == nil || g.fails > float64(mostFailing*f) {
		return false
	}
	s.data.groups = g
	s.shares = []float64{float64((1 - f) * (1 - r)), float64((f - g.fails) * (1 - r)),
		float64((1 - g.fails) * r), g.fails}
	// A quarter for each, and what is left for the one that counts most.
	most, worth := StratumFailing, g.fails
	if s.shares[StratumControl] > worth {
		most, worth = StratumControl, s.shares[StratumControl]
	}
	if float64(ease*s.shares[StratumData]) > worth {
		most = StratumData
	}
	s.turns = [4]Stratum{StratumFailing, StratumData, most, most}
	if r > 0 {
		s.turns[2] = StratumControl
	}
	return true
}

// Data and Control are the loss models of both directions.
func (s *Strata) Data() LossModel { return &s.data }

// Control is the loss model of control packets.
func (s *Strata) Control() LossModel { return &s.control }

// Shares is the probability of each stratum.
func (s *Strata) Shares() []float64 { return s.shares }

// Stratum is that of the replication.
func (s *Strata) Stratum() Stratum { return s.stratum }

// Choose sets the stratum of replication i, for the next Reset of both models.
func (s *Strata) Choose(i int) {
	s.stratum = StratumNone
	if i > 0 {
		s.stratum = s.turns[(i-1)%len(s.turns)]
	}
	data := [...]first{firstNever, firstWithin, firstBeyond, failing}
	control := [...]first{firstNever, firstAnywhere, firstWithin, firstAnywhere}
	if s.data.groups != nil {
		data[StratumControl], control[StratumData] = firstAnywhere, firstBeyond
	}
	s.data.first, s.control.first = data[s.stratum], control[s.stratum]
}

// first says where the first loss is.
type first uint8

const (
	firstAnywhere first = iota
	firstNever          // no draw is a loss
	firstWithin         // among the first draws
	firstBeyond         // not among them
	failing             // among them, and a group fails; of the others none does
)

// conditional is IID whose first loss is where it has to be.
type conditional struct {
	inner  IID
	draws  Draws
	lossy  float64
	first  first
	groups *groups // nil: none that can fail
	// listed are the losses among the first draws where groups have a say; those left are to come
	// before the draws of inner.
	listed Numbered
}

func (m *conditional) init(d Draws, lossy float64) {
	m.inner.P, m.draws, m.lossy = d.P, d, lossy
}

// Reset implements LossModel.
func (m *conditional) Reset(s *sim.Stream) {
	m.inner.Reset(s)
	m.listed.lost = nil
	if m.groups != nil && m.first != firstNever {
		m.list(s)
		return
	}
	switch m.first {
	case firstNever:
		m.inner.next = gap{pass: forever}
	case firstWithin:
		m.inner.next.pass = truncated(s.Float64(), m.lossy, m.inner.rate, m.draws.First)
	case firstBeyond:
		m.inner.next.pass = min(m.inner.next.pass+m.draws.First, forever)
	}
}

// list draws the first losses all together.
func (m *conditional) list(s *sim.Stream) {
	switch m.first {
	case failing:
		m.groups.fail(s)
	case firstWithin:
		m.groups.bear(s, m.lossy)
	default:
		m.groups.bear(s, 0)
	}
	m.listed.lost = m.groups.lost
	m.listed.Reset(s)
	m.inner.next = m.listed.next
	if len(m.listed.lost) == 0 {
		m.beyond()
	}
}

// beyond goes on where the list ends: what follows the first draws is as ever.
func (m *conditional) beyond() {
	m.inner.draw()
	m.inner.next.pass = min(m.inner.next.pass+m.draws.First-m.listed.from, forever)
}

// Peek implements LossModel.
func (m *conditional) Peek(r *wire.Run) (pass, drop int64) { return m.inner.Peek(r) }

// Advance implements LossModel.
func (m *conditional) Advance(r *wire.Run, n int64) {
	if len(m.listed.lost) == 0 {
		m.inner.Advance(r, n)
		return
	}
	if !m.inner.next.take(n) {
		return
	}
	if m.listed.draw() {
		m.inner.next = m.listed.next
		return
	}
	m.beyond()
	m.listed.lost = nil
}

// Counter counts the units that a loss model is told of.
type Counter struct {
	LossModel
	Sent int64 // since the reset
}

// Reset implements LossModel.
func (c *Counter) Reset(s *sim.Stream) {
	c.Sent = 0
	c.LossModel.Reset(s)
}

// Advance implements LossModel.
func (c *Counter) Advance(r *wire.Run, n int64) {
	c.Sent += n
	c.LossModel.Advance(r, n)
}
