package experiment

import (
	"slices"

	"sdrsim/internal/spec"
	"sdrsim/schemes"
	"sdrsim/schemes/catalog"
	"sdrsim/units"
)

// Penalty is about what one more of the rare events that make samples differ adds to the completion
// of a message, as the scheme declares it; 0 where nobody knows: of streams, collectives and
// workloads, whose messages wait for each other, of networks, where queues are shared, and of
// schemes that do not tell.
func Penalty(p *spec.Point, s *spec.Scheme) units.Duration {
	if p.Messages() > 1 || !p.Plain() {
		return 0
	}
	factory, err := catalog.Build(s.Name, s.Params)
	if err != nil || factory.Penalty == nil {
		return 0
	}
	return factory.Penalty(SettingOf(p))
}

// SettingOf is the message of a point on its link, as the entries of schemes know it.
func SettingOf(p *spec.Point) schemes.Setting {
	return schemes.Setting{
		Bandwidth: p.Link.Bandwidth, RTT: p.Link.RTT(),
		Size: p.Message.Size, Chunk: p.Message.Chunk,
		MTU: p.Link.MTU, Overhead: p.Link.Overhead, AckTime: AckTime(p),
		Loss: lossOf(&p.Link.Loss), AckLoss: lossOf(&p.Link.AckLoss),
	}
}

func lossOf(l *spec.Loss) schemes.Loss {
	return schemes.Loss{
		Any: l.Model != spec.LossNone, P: l.Mean(), PerPacket: l.Per == spec.PerPacket,
		Bursts: l.Model == spec.LossGilbertElliott,
	}
}

// Random tells whether chance has a part in what the links of a point lose, and in what its queues
// hold and mark. Without it equal samples are no surprise, and say all that there is.
func Random(p *spec.Point) bool {
	return !p.Even() || randomLoss(&p.Link.Loss) || randomLoss(&p.Link.AckLoss) || randomQueues(p)
}

// randomQueues reports whether cross traffic comes at random, or marks between two thresholds.
func randomQueues(p *spec.Point) bool {
	if p.Network.Kind == "" {
		return false
	}
	ecn := p.Network.Queue.ECN
	return ecn.KMax > ecn.KMin && ecn.PMax > 0 ||
		slices.ContainsFunc(p.Traffic, func(t spec.Traffic) bool {
			return t.Model != spec.TrafficConstant
		})
}

func randomLoss(l *spec.Loss) bool {
	switch l.Model {
	case "", spec.LossNone, spec.LossScript:
		return false
	case spec.LossIID:
		return l.P > 0
	}
	return true
}
