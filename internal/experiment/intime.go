package experiment

import (
	"fmt"

	"sdrsim/internal/spec"
	"sdrsim/link"
	"sdrsim/units"
)

// phase is a loss model that takes over at some time.
type phase struct {
	at    units.Time
	model link.LossModel
}

// lossChanges builds the loss models that changes of the link bring for data and for control
// packets. Each has a stream of its own.
func (t *pair) lossChanges(p *spec.Point, perChunk int64, key string) (data, acks []phase,
	err error) {
	for i := range p.Link.Changes {
		c := &p.Link.Changes[i]
		for _, way := range []struct {
			loss   spec.Loss
			unit   int64
			name   string
			phases *[]phase
		}{{c.Loss, perChunk, "data", &data}, {c.AckLoss, 1, "control", &acks}} {
			if way.loss.Model == "" {
				continue
			}
			m, err := unitLoss(way.loss)
			if err != nil {
				return nil, nil, err
			}
			m = inUnits(m, way.loss, way.unit)
			*way.phases = append(*way.phases, phase{c.At, m})
			name := fmt.Sprintf("%s/%s after change %d", key, way.name, i)
			t.losses = append(t.losses, lossStream{model: m, name: name})
		}
	}
	return data, acks, nil
}

// inTime is a loss model with what the phases and outages of a link make of it.
func inTime(m link.LossModel, l *spec.Link, phases []phase) (link.LossModel, error) {
	if len(phases) > 0 {
		models, changes := []link.LossModel{m}, []units.Time(nil)
		for _, p := range phases {
			models, changes = append(models, p.model), append(changes, p.at)
		}
		m = link.NewPhases(models, changes)
	}
	if len(l.Outages) == 0 {
		return m, nil
	}
	outages := make([]link.Outage, len(l.Outages))
	for i, o := range l.Outages {
		outages[i] = link.Outage(o)
	}
	return link.NewOutages(m, outages)
}

// waysOf is what becomes of the bandwidth and the delay of a link, or of its way back.
func waysOf(l *spec.Link, back bool) []link.Change {
	list := make([]link.Change, len(l.Changes))
	for i, c := range l.Changes {
		list[i] = link.Change{At: c.At, Bandwidth: c.Bandwidth, Delay: c.Delay}
		if back {
			list[i].Bandwidth = c.ReverseBandwidth
		}
	}
	return list
}

// traced is the model of a file of losses.
func traced(t *spec.LossTrace) link.LossModel {
	if len(t.Times) > 0 {
		list := make([]link.Span, len(t.Times))
		for i, s := range t.Times {
			list[i] = link.Span(s)
		}
		return link.NewTimeTrace(list)
	}
	list := make([]link.Lost, len(t.Packets))
	for i, p := range t.Packets {
		list[i] = link.Lost(p)
	}
	return link.NewPacketTrace(list)
}
