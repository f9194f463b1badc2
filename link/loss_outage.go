package link

import (
	"fmt"

	"sdrsim/sim"
	"sdrsim/units"
	"sdrsim/wire"
)

// Outage is a time in which a link is down: from At, For so long, and again Every so often; Every
// 0: once. Every packet is lost of which any bit is sent while the link is down. What had left
// before is on its way and arrives.
type Outage struct {
	At         units.Time
	For, Every units.Duration
}

// next is the first outage that ends after now.
func (o *Outage) next(now units.Time) Span {
	from := o.At
	if over := now.Sub(from.Add(o.For)); o.Every > 0 && over >= 0 {
		from = from.Add((over/o.Every + 1) * o.Every)
	}
	return Span{from, from.Add(o.For)}
}

// Outages loses what is sent while a link is down, and else what another model loses. That model
// goes on during an outage, as if its packets were sent.
type Outages struct {
	inner LossModel
	list  []Outage
	// part is what the other model is asked about, kept here as it would move to the heap.
	part wire.Run
}

// NewOutages adds outages to a model. They may overlap.
func NewOutages(inner LossModel, list []Outage) (*Outages, error) {
	for _, o := range list {
		if o.At < 0 || o.For <= 0 || o.Every != 0 && o.Every <= o.For {
			return nil, fmt.Errorf("link: an outage at %v for %v every %v; want a time from 0 on, "+
				"a duration above 0, and a period above that or none", o.At, o.For, o.Every)
		}
	}
	return &Outages{inner: inner, list: list}, nil
}

// Reset implements LossModel.
func (m *Outages) Reset(s *sim.Stream) { m.inner.Reset(s) }

// Peek implements LossModel.
func (m *Outages) Peek(r *wire.Run) (pass, drop int64) {
	pass, drop = forever, 0
	for i := range m.list {
		if s := m.list[i].next(startOf(r)); s.To > startOf(r) {
			p, d := s.fate(r)
			if p < pass || p == pass && d > drop {
				pass, drop = p, d
			}
		}
	}
	if pass == 0 {
		return pass, drop
	}
	if p, d := m.inner.Peek(r); p < pass {
		return within(pass, p, d)
	}
	return pass, drop
}

// Advance implements LossModel.
func (m *Outages) Advance(r *wire.Run, n int64) {
	m.part = *r
	m.part.Data = nil
	for n > 0 {
		pass, drop := m.inner.Peek(&m.part)
		step := min(n, pass+drop)
		m.inner.Advance(&m.part, step)
		m.part.Skip(step)
		n -= step
	}
}

// Phases loses packets by one model after another: by models[0] until the first of the changes,
// then by models[1], and so on. A packet is lost by the model in whose time its first bit is sent.
// Each model has a stream of its own: Reset resets the first, and whoever has built the others
// resets these.
type Phases struct {
	models  []LossModel
	changes []units.Time
	now     int
}

// NewPhases returns the models one after another, with the rising times at which all but the first
// begin.
func NewPhases(models []LossModel, changes []units.Time) *Phases {
	if len(models) != len(changes)+1 {
		panic(fmt.Sprintf("BUG: link: %d loss models and %d changes", len(models), len(changes)))
	}
	return &Phases{models: models, changes: changes}
}

// Reset implements LossModel.
func (m *Phases) Reset(s *sim.Stream) {
	m.now = 0
	m.models[0].Reset(s)
}

// Peek implements LossModel. The answer ends with the phase.
func (m *Phases) Peek(r *wire.Run) (pass, drop int64) {
	for m.now < len(m.changes) && m.changes[m.now] <= startOf(r) {
		m.now++
	}
	pass, drop = m.models[m.now].Peek(r)
	if m.now == len(m.changes) {
		return pass, drop
	}
	return within(begunBefore(r, m.changes[m.now]), pass, drop)
}

// Advance implements LossModel.
func (m *Phases) Advance(r *wire.Run, n int64) { m.models[m.now].Advance(r, n) }
