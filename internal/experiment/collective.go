package experiment

import (
	"sdrsim/internal/spec"
	"sdrsim/schemes/catalog"
	"sdrsim/units"
)

// allReduce is a collective of several datacenters. Hop i carries the parts that datacenter i sends
// to the next; its message r is the part of round r. The part that a datacenter sends in a round is
// made from the one that it has received in the round before, so
//
//	start(i, r) = max( delivery(i-1, r-1), completion(i, r-1) )
//
// arXiv:2505.05366 §4.2 has the completion of hop i-1 in place of its delivery: a datacenter need
// not wait for the acknowledgement of what it has received to arrive at its peer.
type allReduce struct {
	hops   []*stream
	buffer units.Bytes
	rounds int
	// doneAt is when a round was acknowledged on its slowest hop.
	doneAt    []units.Time
	delivered units.Time
}

// buildRing builds a hop from each datacenter to the next.
func (r *Runner) buildRing(p *spec.Point, entry catalog.Entry, f catalog.Factory) error {
	c := p.Collective
	g := &allReduce{rounds: c.Rounds(), buffer: p.Message.Size}
	for i := range c.Datacenters {
		hop := *p
		hop.Link = c.Hops[i]
		// One round after the other: in flight is one part, and receives are posted ahead.
		hop.Message.Size = c.Part(p.Message.Size)
		hop.Message.Count, hop.Message.InFlight = g.rounds, 1
		if err := r.addHop(&hop, entry, f); err != nil {
			return err
		}
		w := r.hops[i]
		w.released = 1
		w.onDelivery = func(now units.Time, round int) { g.deliveredRound(now, i, round) }
		w.onCompletion = g.completedRound
	}
	g.hops = r.hops
	g.doneAt = make([]units.Time, g.rounds)
	r.ring = g
	// Without loss start(i, r) is at most r times the completion time C of the slowest hop, by
	// induction; that hop starts its next round no earlier than C after the last.
	r.ideal = units.Duration(g.rounds) * r.longestIdeal(p)
	return nil
}

func (g *allReduce) begin(*Sample) {
	clear(g.doneAt)
	g.delivered = 0
	for _, w := range g.hops {
		w.released = 1
	}
}

// deliveredRound lets the next datacenter send what it has received, in the round that follows.
func (g *allReduce) deliveredRound(now units.Time, hop, round int) {
	g.delivered = max(g.delivered, now)
	if round+1 < g.rounds {
		next := g.hops[(hop+1)%len(g.hops)]
		next.released = max(next.released, round+2)
		next.postSends(now)
	}
}

func (g *allReduce) completedRound(now units.Time, round int) {
	g.doneAt[round] = now // the last hop to end it counts
}

// finish makes one operation of the messages: it is complete when its slowest member is, and the
// bytes that it delivers are those of the buffer. Links and endpoints have counted every part.
func (g *allReduce) finish(into *Sample) {
	into.Completion, into.Delivery = into.Completion[:0], into.Delivery[:0]
	into.Wait = into.Wait[:0]
	into.PayloadBytes, into.FellBack = 0, min(into.FellBack, 1)
	if into.Failed > 0 {
		into.Failed = 1
		return
	}
	into.PayloadBytes = int64(g.buffer)
	into.Completion = append(into.Completion, g.doneAt[g.rounds-1].Sub(0))
	into.Delivery = append(into.Delivery, g.delivered.Sub(0))
	last := units.Time(0)
	for _, at := range g.doneAt {
		into.Rounds = append(into.Rounds, at.Sub(last))
		last = at
	}
}
