package experiment

import (
	"fmt"

	"sdrsim/link"
	"sdrsim/scenarios"
)

// mostLossy is the probability of a loss from which on plain samples are as good as strata.
const mostLossy = 0.9

// Settle decides how the samples of a point meet losses, as its Sampling says: it fills in Strata
// or Tilts, or neither. All schemes of the point get the same, so that their samples have equal
// losses. To know how many losses a message draws it runs it once under every scheme, without loss.
func Settle(p *scenarios.Point) error {
	how := p.Sampling
	p.Sampling = ""
	switch how {
	case "", scenarios.SamplingNone:
		return nil
	}
	if !divisible(p) {
		return nil
	}
	data, control, err := drawsOf(p)
	if err != nil {
		return err
	}
	if how == scenarios.SamplingTilt {
		p.Tilts = usualTilts(p.Link.Loss.P, data.First)
		return nil
	}
	strata, err := link.NewStrata(data, control)
	if err != nil {
		return nil // nothing can be lost
	}
	shares := strata.Shares()
	if how == scenarios.SamplingAuto && 1-shares[link.StratumNone] >= mostLossy {
		return nil
	}
	p.Strata = &scenarios.Strata{Data: data.First, Control: control.First, Shares: shares}
	return nil
}

// divisible tells whether samples can be divided by what they lose: one message, and losses that do
// not depend on each other.
func divisible(p *scenarios.Point) bool {
	independent := func(l scenarios.Loss) bool {
		return l.Model == scenarios.LossIID || l.Model == scenarios.LossNone
	}
	return p.Message.Count == 1 && p.Collective.Kind == "" && independent(p.Link.Loss) &&
		independent(p.Link.AckLoss)
}

// drawsOf are the losses that the message of a point draws, the most under any of its schemes.
func drawsOf(p *scenarios.Point) (data, control link.Draws, err error) {
	data.P, control.P = p.Link.Loss.P, p.Link.AckLoss.P
	counting := *p
	counting.Strata = &scenarios.Strata{}
	counting.Payload = scenarios.PayloadVirtual
	for i := range p.Schemes {
		r, err := newRunner(&counting, &p.Schemes[i], nil)
		if err != nil {
			return data, control, err
		}
		var s Sample
		if err := r.Sample(0, &s); err != nil {
			return data, control, fmt.Errorf("without loss: %w", err)
		}
		drawn := r.hops[0].pair.drawn
		data.First = max(data.First, drawn[0].Sent)
		control.First = max(control.First, drawn[1].Sent)
	}
	return data, control, nil
}

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

// stratified are the models of a sample of one of the strata, or those that count the draws of one
// without loss.
func (t *pair) stratified(p *scenarios.Point) (data, acks link.LossModel, err error) {
	if p.Strata.Shares == nil {
		for i := range t.drawn {
			t.drawn[i] = &link.Counter{LossModel: link.None{}}
		}
		return t.drawn[0], t.drawn[1], nil
	}
	t.strata, err = link.NewStrata(link.Draws{P: p.Link.Loss.P, First: p.Strata.Data},
		link.Draws{P: p.Link.AckLoss.P, First: p.Strata.Control})
	if err != nil {
		return nil, nil, err
	}
	return t.strata.Data(), t.strata.Control(), nil
}

// stratum is the number of the stratum that the sample is of.
func (t *pair) stratum() int {
	if t.strata == nil {
		return 0
	}
	return int(t.strata.Stratum())
}
