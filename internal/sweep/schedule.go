package sweep

import (
	"sync"

	"sdrsim/internal/experiment"
	"sdrsim/internal/spec"
)

// blockCost is how much a block aims at, in events and losses simulated: some ten milliseconds, so
// that claiming costs nothing and no worker waits long for the last block. A loss counts beside the
// events, as parity makes up for losses without any: the receiver sees them all the same.
const blockCost = 1 << 18

// sampleCost is what a sample costs however little happens in it.
const sampleCost = 32

// group is a point with the units of its schemes.
type group struct {
	index int
	point *spec.Point
	units []reduced // by scheme; zero while a scheme is not complete
	left  int       // schemes that are not complete
}

// unit is one point under one scheme.
type unit struct {
	index  int // of all units, in the order of points and schemes
	group  *group
	scheme int         // its position among those of the point
	own    spec.Scheme // with the plan of its samples, once settled
	// Samples below next have been claimed, done of them are recorded, at a cost so far of cost.
	// When target are done the unit is judged: it is complete, or has a higher target.
	next, done, target int
	cost               int64
	block              int // size of the last block
	record             *Record
}

func (u *unit) point() *spec.Point { return u.group.point }

func (u *unit) spec() *spec.Scheme { return &u.own }

// remaining is how many samples nobody has claimed.
func (u *unit) remaining() int { return u.target - u.next }

// perSample estimates the cost of a sample from those that are done.
func (u *unit) perSample() int64 { return max(sampleCost, u.cost/int64(max(1, u.done))) }

// size is how many samples the next block holds: one at first, then at most twice the last and at
// most blockCost, at least one.
func (u *unit) size() int {
	size := max(1, min(2*u.block, int(blockCost/u.perSample())))
	return min(size, u.remaining())
}

// block is a range of the samples of a unit: from inclusive to exclusive. An empty one asks for the
// judgement of a unit that has just been opened.
type block struct {
	unit     *unit
	from, to int
}

func (b block) len() int { return b.to - b.from }

// tally adds up what the samples of a block have in common.
type tally struct {
	events, packets, lost int64
	failed                int
	failure               string // of the first failed sample, whose number is failedAt
	failedAt              int
}

// count adds the sample with the given number.
func (t *tally) count(index int, s *experiment.Sample) {
	t.events += s.Events
	t.packets += s.Packets
	t.lost += s.Lost
	if s.Failed > 0 {
		if t.failed == 0 {
			t.failure, t.failedAt = s.Failure, index
		}
		t.failed++
	}
}

// schedule deals blocks to workers. All its methods may be called by several at once.
type schedule struct {
	mu     sync.Mutex
	source Source
	// group is the one whose units are being opened; those of its schemes below scheme are open.
	group         *group
	groups        int // opened so far, group included
	scheme, index int
	// open units have samples that nobody has claimed, or that are under way, or are being judged.
	open []*unit
	// judging counts the units that may have more samples soon; idle workers wait for them.
	judging int
	judged  sync.Cond // of mu
}

func newSchedule(source Source) *schedule {
	s := &schedule{source: source}
	s.judged.L = &s.mu
	return s
}

// claim returns the next block for a worker that last worked on the given unit (nil: on none):
// more of that unit, or else a unit nobody has begun, or else part of the costliest. It waits while
// there is nothing to do but units are being judged.
func (s *schedule) claim(last *unit) (b block, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if last != nil && last.remaining() > 0 {
			return last.take(), true
		}
		if u := s.begin(); u != nil {
			return block{unit: u}, true
		}
		if u := s.costliest(); u != nil {
			return u.take(), true
		}
		if s.judging == 0 {
			return block{}, false
		}
		s.judged.Wait()
	}
}

// take claims the next block of the unit.
func (u *unit) take() block {
	u.block = u.size()
	b := block{unit: u, from: u.next, to: u.next + u.block}
	u.next = b.to
	return b
}

// begin opens the next unit, which its caller has to judge; nil when all are open.
func (s *schedule) begin() *unit {
	for s.group == nil || s.scheme == len(s.group.point.Schemes) {
		if s.groups == s.source.Len() {
			return nil
		}
		point := s.source.At(s.groups)
		n := len(point.Schemes)
		s.group = &group{index: s.groups, point: &point, units: make([]reduced, n), left: n}
		s.scheme = 0
		s.groups++
	}
	u := &unit{index: s.index, group: s.group, scheme: s.scheme,
		own: s.group.point.Schemes[s.scheme]}
	s.open = append(s.open, u)
	s.judging++
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

// add records that a block is done, and tells whether its unit is due to be judged, by the caller.
func (s *schedule) add(b block, t tally) (due bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := b.unit
	u.done += b.len()
	u.cost += t.events + t.lost
	if u.point().Payload == spec.PayloadReal {
		u.cost += t.packets // real bytes are copied packet by packet
	}
	u.record.fail(t.failedAt, t.failure)
	if u.done < u.target {
		return false
	}
	s.judging++
	return true
}

// extend gives a unit that was judged more samples to run, beyond those that its record holds. The
// record has room for them.
func (s *schedule) extend(u *unit, target int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u.next, u.done, u.target = u.record.samples, u.record.samples, target
	s.release()
}

// abandon ends a judgement that failed.
func (s *schedule) abandon() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.release()
}

// close ends a unit that was judged complete, and tells whether its whole group is; that is then
// the caller's alone.
func (s *schedule) close(u *unit, r reduced) (whole bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.open {
		if s.open[i] == u {
			s.open = append(s.open[:i], s.open[i+1:]...)
			break
		}
	}
	u.group.units[u.scheme] = r
	u.group.left--
	s.release()
	return u.group.left == 0
}

// release ends a judgement and wakes the workers that wait for it.
func (s *schedule) release() {
	s.judging--
	s.judged.Broadcast()
}
