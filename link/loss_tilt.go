package link

import (
	"errors"
	"math"

	"sdrsim/internal/portable"
	"sdrsim/sim"
	"sdrsim/wire"
)

// ErrTilts is a list of tilts that is empty, holds one that is not above 0, or lacks a 1.
var ErrTilts = errors.New("link: tilts are factors above 0, one of them 1")

// Tilted samples the loss model IID{P} with exaggerated probabilities, so that rare losses are seen
// often, and tells how much each replication counts for. Replication i loses with P times tilt
// i mod len(tilts), at most one half. With sent units and lost ones among them,
//
//	weight = p(losses) / mean over k of q_k(losses)
//	q_k/p  = (P_k/P)^lost * ((1-P_k)/(1-P))^(sent-lost)
//
// the balance heuristic over the mixture of all tilts: weights average to one, and with 1 among the
// tilts none exceeds their number.
type Tilted struct {
	probability float64
	tilts       []float64
	inner       IID
	// logLoss and logPass are what a unit lost, or passed, adds to log(q_k/p).
	logLoss, logPass []float64
	sent, lost       int64
	next             int
}

// NewTilted builds the model for losses with probability p, above 0 and at most one half.
func NewTilted(p float64, tilts []float64) (*Tilted, error) {
	m := &Tilted{probability: p, tilts: tilts}
	plain := false
	for _, t := range tilts {
		if !(t > 0) || math.IsInf(t, 1) {
			return nil, ErrTilts
		}
		plain = plain || t == 1
		q := m.tilted(t)
		m.logLoss = append(m.logLoss, portable.Log(q/p))
		m.logPass = append(m.logPass, portable.Log1p(-q)-portable.Log1p(-p))
	}
	if !plain || !(p > 0 && p <= 0.5) {
		return nil, ErrTilts
	}
	return m, nil
}

func (m *Tilted) tilted(tilt float64) float64 { return min(m.probability*tilt, 0.5) }

// Choose sets the tilt of replication i, for the next Reset.
func (m *Tilted) Choose(i int) { m.next = i % len(m.tilts) }

// Strata is the number of tilts.
func (m *Tilted) Strata() int { return len(m.tilts) }

// Reset implements LossModel.
func (m *Tilted) Reset(s *sim.Stream) {
	m.sent, m.lost = 0, 0
	m.inner.P = m.tilted(m.tilts[m.next])
	m.inner.Reset(s)
}

// Peek implements LossModel.
func (m *Tilted) Peek(r *wire.Run) (pass, drop int64) { return m.inner.Peek(r) }

// Advance implements LossModel.
func (m *Tilted) Advance(r *wire.Run, n int64) {
	pass, _ := m.inner.Peek(r)
	m.sent += n
	m.lost += max(0, n-pass)
	m.inner.Advance(r, n)
}

// Weight is how much the replication so far counts for.
func (m *Tilted) Weight() float64 {
	sum := 0.0
	for k := range m.tilts {
		sum += portable.Exp(float64(float64(m.lost)*m.logLoss[k]) +
			float64(float64(m.sent-m.lost)*m.logPass[k]))
	}
	return float64(len(m.tilts)) / sum
}
