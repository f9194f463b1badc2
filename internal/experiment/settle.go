package experiment

import (
	"fmt"

	"sdrsim/internal/spec"
	"sdrsim/link"
)

// mostLossy is the probability of a loss from which on plain samples are as good as strata.
const mostLossy = 0.9

// Settle decides how the samples of a scheme at a point meet losses, as the point says. To know how
// many losses a message draws it runs it once without loss.
//
// Schemes that draw as many have the same strata, and their samples the same losses; others have
// strata of their own, so that none depends on what it is compared with, and a sample is not spent
// on losses that come after the end of its message.
func Settle(p *spec.Point, s *spec.Scheme) (*spec.Plan, error) {
	plan := &spec.Plan{Tilts: p.Tilts}
	if len(p.Tilts) > 0 || p.Sampling == "" || p.Sampling == spec.SamplingNone ||
		!divisible(p) {
		return plan, nil
	}
	clean, err := drawsOf(p, s, link.None{})
	if err != nil {
		return nil, fmt.Errorf("without loss: %w", err)
	}
	if p.Sampling == spec.SamplingTilt {
		plan.Tilts = usualTilts(p.Link.Loss.P, clean.data.First)
		return plan, nil
	}
	strata, err := link.NewStrata(clean.data, clean.control)
	if err != nil {
		return plan, nil // nothing can be lost
	}
	by, err := groupsOf(p, s, clean)
	if err != nil {
		return nil, err
	}
	if by == nil {
		by = &spec.Strata{Data: clean.data.First, Control: clean.control.First,
			Shares: strata.Shares()}
	}
	if p.Sampling != spec.SamplingAuto || helps(by.Shares) {
		plan.Strata = by
	}
	return plan, nil
}

// mostFailing is the probability of losses that a code does not bear from which on plain samples
// find enough of them, where nearly every message loses something.
const mostFailing = 0.1

// helps reports whether samples of strata with these shares are better than plain ones.
func helps(shares []float64) bool {
	if 1-shares[link.StratumNone] < mostLossy {
		return true
	}
	return len(shares) > int(link.StratumFailing) && shares[link.StratumFailing] < mostFailing
}

// divisible tells whether samples can be divided by what they lose: one message of one size, and
// losses that do not depend on each other.
func divisible(p *spec.Point) bool {
	independent := func(l spec.Loss) bool {
		return l.Model == spec.LossIID || l.Model == spec.LossNone
	}
	return p.Link.Steady() && p.Link.Even() && p.Messages() == 1 && p.Message.Sizes == nil &&
		p.Plain() && !p.Submits() && p.Message.Deadline == 0 &&
		independent(p.Link.Loss) && independent(p.Link.AckLoss)
}

// drawn is what a message draws under a scheme, and what comes of it.
type drawn struct {
	data, control link.Draws
	sample        Sample
}

// drawsOf counts what a message draws that loses this data and no control packet.
func drawsOf(p *spec.Point, s *spec.Scheme, loss link.LossModel) (*drawn, error) {
	virtual := *p
	virtual.Payload = spec.PayloadVirtual
	counting := *s
	counting.Plan = &countDraws
	r, err := newRunner(&virtual, &counting, nil)
	if err != nil {
		return nil, err
	}
	counters := &r.hops[0].pair.drawn
	counters[0].LossModel = loss
	d := &drawn{}
	if err := r.Sample(0, &d.sample); err != nil {
		return nil, err
	}
	d.data = link.Draws{P: p.Link.Loss.P, First: counters[0].Sent}
	d.control = link.Draws{P: p.Link.AckLoss.P, First: counters[1].Sent}
	return d, nil
}

// countDraws is the plan of samples that lose nothing and count what they would draw.
var countDraws spec.Plan

// usualTilts are the exaggerations of a message that draws so many losses: to one loss on average
// and to three, where that is more than half as many again as there are.
func usualTilts(p float64, draws int64) []float64 {
	tilts := []float64{1}
	usual := float64(p * float64(draws))
	for _, wanted := range []float64{1, 3} {
		if tilt := wanted / usual; tilt >= 1.5 && float64(tilt*p) <= 0.5 {
			tilts = append(tilts, tilt)
		}
	}
	if len(tilts) == 1 {
		return nil
	}
	return tilts
}

// stratified are the models of samples of strata.
func (t *pair) stratified(
	p *spec.Point, by *spec.Strata,
) (data, acks link.LossModel, err error) {
	t.strata, err = link.NewStrata(link.Draws{P: p.Link.Loss.P, First: by.Data},
		link.Draws{P: p.Link.AckLoss.P, First: by.Control})
	if err != nil {
		return nil, nil, err
	}
	if by.Groups != nil {
		t.strata.Divide(drawsOfGroups(by.Groups, p), by.Ease)
	}
	return t.strata.Data(), t.strata.Control(), nil
}

// counted are the models that lose nothing and count.
func (t *pair) counted() (data, acks link.LossModel, err error) {
	for i := range t.drawn {
		t.drawn[i] = &link.Counter{LossModel: link.None{}}
	}
	return t.drawn[0], t.drawn[1], nil
}

// stratum is the number of the stratum that the sample is of.
func (t *pair) stratum() int {
	if t.strata == nil {
		return 0
	}
	return int(t.strata.Stratum())
}
