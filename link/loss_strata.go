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
// data.
const (
	StratumNone Stratum = iota
	StratumData
	StratumControl
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
type Strata struct {
	data, control conditional
	shares        []float64
	quarters      int // of lossy replications that are of StratumControl
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
	switch {
	case f == 0:
		s.quarters = 4
	case r > 0:
		s.quarters = min(max(1, int(math.Round(float64(4*only)/(f+only)))), 3)
	}
	return s, nil
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
	s.stratum = StratumData
	switch {
	case i == 0:
		s.stratum = StratumNone
	case i*s.quarters/4 > (i-1)*s.quarters/4:
		s.stratum = StratumControl
	}
	s.data.first = [...]first{firstNever, firstWithin, firstBeyond}[s.stratum]
	s.control.first = [...]first{firstNever, firstAnywhere, firstWithin}[s.stratum]
}

// first says where the first loss is.
type first uint8

const (
	firstAnywhere first = iota
	firstNever          // no draw is a loss
	firstWithin         // among the first draws
	firstBeyond         // not among them
)

// conditional is IID whose first loss is where it has to be.
type conditional struct {
	inner IID
	draws Draws
	lossy float64
	first first
}

func (m *conditional) init(d Draws, lossy float64) {
	m.inner.P, m.draws, m.lossy = d.P, d, lossy
}

// Reset implements LossModel.
func (m *conditional) Reset(s *sim.Stream) {
	m.inner.Reset(s)
	switch m.first {
	case firstNever:
		m.inner.next = gap{pass: forever}
	case firstWithin:
		m.inner.next.pass = m.within(s.Float64())
	case firstBeyond:
		m.inner.next.pass = min(m.inner.next.pass+m.draws.First, forever)
	}
}

// within is the truncated first gap at the uniform number v.
func (m *conditional) within(v float64) int64 {
	n := portable.Log1p(-float64(v*m.lossy)) / -m.inner.rate
	return min(int64(n), m.draws.First-1)
}

// Peek implements LossModel.
func (m *conditional) Peek(r *wire.Run) (pass, drop int64) { return m.inner.Peek(r) }

// Advance implements LossModel.
func (m *conditional) Advance(r *wire.Run, n int64) { m.inner.Advance(r, n) }

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
