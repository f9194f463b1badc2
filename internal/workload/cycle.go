package workload

import "sdrsim/units"

// cycle is a schedule over ranks in a ring, each of which sends to the next: parts of the buffer
// are added up on their way round, so that rank i has the sum of part i, and handed out on another.
//
//	reduce-scatter   N-1 steps; in step k rank i receives part i-k-2
//	all-gather       N-1 steps; in step k rank i receives part i-k-1
//
// NVIDIA/nccl, all_reduce.h.
type cycle struct {
	n       int
	scatter bool // reduce-scatter comes
	gather  bool // all-gather comes, after it
	plan    plan
}

// threads implements schedule.
func (r *cycle) threads() int { return r.plan.channels }

// step implements schedule. The first step of a round also has what is sent of one's own.
func (r *cycle) step(at Place, k int, s *step) bool {
	each := r.steps()
	whole, ok := r.plan.loop(at.Thread, k/each)
	if !ok {
		return false
	}
	r.round(at.Rank, k%each, whole, s)
	return true
}

// steps is how many a round has.
func (r *cycle) steps() int {
	n := 0
	for _, has := range []bool{r.scatter, r.gather} {
		if has {
			n += r.n - 1
		}
	}
	return n
}

// round is step k of a rank in a round over a region.
func (r *cycle) round(rank, k int, whole region, s *step) {
	next, prev := only((rank+1)%r.n), only((rank+r.n-1)%r.n)
	scatter := r.scatter && k < r.n-1
	if k == 0 {
		own := rank // of an all-gather
		if scatter {
			own += r.n - 1
		}
		s.add(primitive{to: next, region: whole.part(own%r.n, r.n)})
	}
	last := k == r.steps()-1
	p := primitive{from: prev, reduce: scatter}
	if !last {
		p.to = next
	}
	part := 2*r.n - 2 - k + rank // of the reduce-scatter
	switch {
	case !r.scatter:
		part = r.n - 1 - k + rank
	case !scatter:
		part = r.n - 1 - (k - r.n + 1) + rank
	}
	p.region = whole.part(part%r.n, r.n)
	s.add(p)
}

// plan is how a buffer is divided among channels, and what of the part of one is worked on at a
// time.
type plan struct {
	size     units.Bytes
	channels int
	// round is how much of it a channel works on at a time; 0: all of its part.
	round units.Bytes
}

// loop is what a channel works on in its i-th round; false: there are fewer.
func (p *plan) loop(channel, i int) (region, bool) {
	own := region{bytes: p.size}.part(channel, p.channels)
	if p.round == 0 {
		return own, i == 0
	}
	from := p.round * units.Bytes(i)
	if from >= own.bytes {
		return region{}, false
	}
	return region{own.offset + from, min(p.round, own.bytes-from)}, true
}
