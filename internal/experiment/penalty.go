package experiment

import (
	"sdrsim/scenarios"
	"sdrsim/schemes/catalog"
	"sdrsim/units"
)

// Penalty is about what one more of the rare events that make samples differ adds to the completion
// of a message, as the scheme declares it; 0 where nobody knows: of streams and collectives, whose
// messages wait for each other, and of schemes that do not tell.
func Penalty(p *scenarios.Point, s *scenarios.Scheme) units.Duration {
	if p.Message.Count > 1 || p.Collective.Kind != "" {
		return 0
	}
	factory, err := catalog.Build(s.Name, s.Params)
	if err != nil || factory.Penalty == nil {
		return 0
	}
	packets := units.Duration((p.Message.Chunk + p.Link.MTU - 1) / p.Link.MTU)
	return factory.Penalty(catalog.Setting{
		RTT:       p.Link.RTT(),
		ChunkTime: packets * p.Link.Bandwidth.TransmitTime(p.Link.MTU+p.Link.Overhead),
		Chunks:    p.Message.Chunks(),
	})
}

// Random tells whether chance has a part in what the links of a point do. Without it equal samples
// are no surprise, and say all that there is.
func Random(p *scenarios.Point) bool {
	return !p.Even() || randomLoss(&p.Link.Loss) || randomLoss(&p.Link.AckLoss)
}

func randomLoss(l *scenarios.Loss) bool {
	switch l.Model {
	case "", scenarios.LossNone, scenarios.LossScript:
		return false
	case scenarios.LossIID:
		return l.P > 0
	}
	return true
}
