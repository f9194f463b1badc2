package fabric

import (
	"sdrsim/sim"
	"sdrsim/units"
)

// ChooseBy is how a switch chooses one of several next stages for a packet.
type ChooseBy string

// Ways to choose.
const (
	// ChooseECMP takes one by a hash of flow and entropy value, the same for all packets.
	ChooseECMP ChooseBy = "ecmp"
	// ChooseRandom draws one for every packet.
	ChooseRandom ChooseBy = "random"
	// ChooseRound takes one after the other, packet by packet.
	ChooseRound ChooseBy = "round-robin"
	// ChooseFlowlet draws one for packets that follow each other without a gap.
	ChooseFlowlet ChooseBy = "flowlet"
)

// Choice is a stage at which the packets of one flow take one of several ways. Control messages
// take the first, or, with ECMP, that of the flow.
type Choice struct {
	By ChooseBy
	// Gap is the silence after which a flowlet ends.
	Gap units.Duration
	// Flow and Entropy are what ECMP hashes.
	Flow, Entropy uint64

	ways   []*Flow
	stream *sim.Stream
	at     int // the way that was taken last
	left   units.Time
	piece  Piece
}

// Add adds a way: the stages behind the choice. It is called before the first Reset.
func (c *Choice) Add(of *Flow, stages ...Taker) {
	c.ways = append(c.ways, &Flow{Route: stages, of: of.whole()})
}

// Ways is how many ways there are.
func (c *Choice) Ways() int { return len(c.ways) }

// Reset starts a new sample, whose draws come from the stream; the salt is what the switch hashes
// with, and may be the same for all choices of a switch.
func (c *Choice) Reset(stream *sim.Stream, salt uint64) {
	c.stream, c.at, c.left = stream, -1, 0
	if c.By == ChooseECMP {
		c.at = Hash(salt, c.Flow, c.Entropy, len(c.ways))
	}
}

// Hash is which of n ways a switch with a salt takes for a flow with an entropy value.
func Hash(salt, flow, entropy uint64, n int) int {
	h := uint64(0)
	for _, v := range [3]uint64{salt, flow, entropy} {
		// The finalizer of SplitMix64: every bit that goes in changes every bit that comes out half of
		// the time.
		h += v + 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return int(h >> 1 % uint64(n))
}

// Take implements Taker.
func (c *Choice) Take(p *Piece) {
	switch {
	case c.By == ChooseECMP:
		c.send(p, c.at)
	case p.Control:
		c.send(p, 0)
	case c.By == ChooseFlowlet && (p.Count == 1 || p.Spacing <= c.Gap):
		last := p.Last()
		if c.at < 0 || p.At.Sub(c.left) > c.Gap {
			c.at = c.draw()
		}
		c.left = last
		c.send(p, c.at)
	default:
		one := &c.piece
		for rest := *p; rest.Count > 0; rest.Skip(1) {
			*one = rest
			one.Count = 1
			if c.By == ChooseRound {
				c.at = (c.at + 1) % len(c.ways)
			} else {
				c.at = c.draw()
			}
			c.left = one.At
			c.send(one, c.at)
		}
	}
}

func (c *Choice) draw() int { return int(c.stream.Uint64N(uint64(len(c.ways)))) }

// send has packets go a way.
func (c *Choice) send(p *Piece, way int) {
	p.Flow, p.Hop = c.ways[way], 0
	Forward(p)
}
