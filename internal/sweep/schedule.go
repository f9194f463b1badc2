package sweep

import (
	"sync"

	"sdrsim/scenarios"
)

// blockCost is how many simulated events a block aims at: some ten milliseconds, so that claiming
// costs nothing and no worker waits long for the last block.
const blockCost = 1 << 18

// sampleCost is what a sample costs however little happens in it, in events.
const sampleCost = 32

// unit is one point under one scheme.
type unit struct {
	index  int
	point  *scenarios.Point
	scheme *scenarios.Scheme
	// Samples below next have been claimed; done of them are recorded, at a cost so far of cost.
	next, done int
	cost       int64
	block      int // size of the last block
	record     *record
}

// remaining is how many samples nobody has claimed.
func (u *unit) remaining() int { return u.point.Samples - u.next }

// perSample estimates the cost of a sample from those that are done.
func (u *unit) perSample() int64 { return max(sampleCost, u.cost/int64(max(1, u.done))) }

// size is how many samples the next block holds: one at first, then at most twice the last and at
// most blockCost, at least one.
func (u *unit) size() int {
	size := max(1, min(2*u.block, int(blockCost/u.perSample())))
	return min(size, u.remaining())
}

// block is a range of the samples of a unit: from inclusive to exclusive.
type block struct {
	unit     *unit
	from, to int
}

// schedule deals blocks to workers. All its methods may be called by several at once.
type schedule struct {
	mu     sync.Mutex
	source Source
	// point is the one whose units are being opened; its schemes below scheme are open already.
	point         *scenarios.Point
	points        int // opened so far, point included
	scheme, index int
	// open units have samples that nobody has claimed, or that are under way.
	open []*unit
}

// claim returns the next block for a worker that last worked on the given unit (nil: on none):
// more of that unit, or else a unit nobody has begun, or else part of the costliest.
func (s *schedule) claim(last *unit) (b block, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := last
	if u == nil || u.remaining() == 0 {
		if u = s.begin(); u == nil {
			u = s.costliest()
		}
	}
	if u == nil {
		return block{}, false
	}
	u.block = u.size()
	b = block{unit: u, from: u.next, to: u.next + u.block}
	u.next = b.to
	return b, true
}

// begin opens the next unit; nil when all are open.
func (s *schedule) begin() *unit {
	for s.point == nil || s.scheme == len(s.point.Schemes) {
		if s.points == s.source.Len() {
			return nil
		}
		point := s.source.At(s.points)
		s.point, s.scheme = &point, 0
		s.points++
	}
	u := &unit{
		index: s.index, point: s.point, scheme: &s.point.Schemes[s.scheme],
		record: newRecord(s.point),
	}
	s.open = append(s.open, u)
	s.scheme++
	s.index++
	return u
}

// costliest is the open unit with the most work that nobody has claimed; nil when there is none.
func (s *schedule) costliest() *unit {
	var best *unit
	var most int64
	for _, u := range s.open {
		if cost := int64(u.remaining()) * u.perSample(); cost > most {
			best, most = u, cost
		}
	}
	return best
}

// add records that a block is done, and tells whether its unit is complete; it is then the caller's
// alone.
func (s *schedule) add(b block, t tally) (complete bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := b.unit
	u.done += b.to - b.from
	u.cost += t.Events
	if u.point.Payload == scenarios.PayloadReal {
		u.cost += t.Packets // real bytes are copied packet by packet
	}
	u.record.tally.add(t)
	if u.done < u.point.Samples {
		return false
	}
	for i := range s.open {
		if s.open[i] == u {
			s.open = append(s.open[:i], s.open[i+1:]...)
			break
		}
	}
	return true
}
