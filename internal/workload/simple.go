package workload

import "sdrsim/units"

// broadcast is a schedule that hands the buffer of a root to all, or, the other way round, adds up
// all buffers at a root: over a chain in order of ranks, chunk by chunk, or over a binomial tree,
// as a whole.
type broadcast struct {
	n, root  int
	reduce   bool
	binomial bool
	chunk    units.Bytes // of a chain
	plan     plan
}

// threads implements schedule.
func (c *broadcast) threads() int { return c.plan.channels }

// step implements schedule.
func (c *broadcast) step(at Place, k int, s *step) bool {
	whole, _ := c.plan.loop(at.Thread, 0)
	rank := (at.Rank - c.root + c.n) % c.n // the root is 0
	if c.binomial {
		return c.tree(rank, k, whole, s)
	}
	if c.chunk*units.Bytes(k) >= whole.bytes {
		return false
	}
	p := primitive{region: whole.piece(k, c.chunk)}
	before, behind := rank > 0, rank < c.n-1
	if c.reduce {
		before, behind = behind, before
	}
	step := 1
	if c.reduce {
		step = c.n - 1
	}
	if before {
		p.from, p.reduce = only(c.rank(rank+c.n-step)), c.reduce
	}
	if behind {
		p.to = only(c.rank(rank + step))
	}
	s.add(p)
	return true
}

// rank is a rank by its distance from the root.
func (c *broadcast) rank(distance int) int { return (c.root + distance) % c.n }

// tree is step k over a binomial tree: in round j of a broadcast the ranks below 2^j send to those
// that are 2^j further.
func (c *broadcast) tree(rank, k int, whole region, s *step) bool {
	rounds := 0
	for 1<<rounds < c.n {
		rounds++
	}
	if c.reduce {
		s.region = whole
		return c.gather(rank, k, rounds, s)
	}
	had := 0 // rounds until the rank has it
	for 1<<had <= rank {
		had++
	}
	if k > 0 {
		return false
	}
	if rank > 0 {
		s.add(primitive{from: only(c.rank(rank - 1<<(had-1))), region: whole})
	}
	for j := had; j < rounds; j++ {
		if to := rank + 1<<j; to < c.n {
			s.add(primitive{to: only(c.rank(to)), region: whole})
		}
	}
	return len(s.list) > 0
}

// gather is step k of a reduction over a binomial tree, whose rounds are those of a broadcast
// backwards.
func (c *broadcast) gather(rank, k, rounds int, s *step) bool {
	whole := s.region
	for j := rounds - 1; j >= 0; j-- {
		from := rank + 1<<j
		switch {
		case rank >= 1<<j && rank < 2<<j:
			if k == 0 {
				s.add(primitive{to: only(c.rank(rank - 1<<j)), region: whole})
			}
			return k == 0
		case rank < 1<<j && from < c.n:
			if k == 0 {
				s.add(primitive{from: only(c.rank(from)), reduce: true, region: whole})
				return true
			}
			k--
		}
	}
	return false
}

// exchange is the schedule of an all-to-all: rank i sends part j of its buffer to rank j, which has
// it as part i of a second one behind the first. Rank i begins with rank i+1.
type exchange struct {
	n    int
	plan plan
	// paced has a rank send to the next only when it has received what is sent to it at the same time.
	paced bool
}

// threads implements schedule.
func (e *exchange) threads() int { return e.plan.channels }

// step implements schedule.
func (e *exchange) step(at Place, k int, s *step) bool {
	own, _ := e.plan.loop(at.Thread, 0)
	switch {
	case e.paced && k < e.n-1:
		e.send(at.Rank, k+1, own, s)
		e.receive(at, k+1, own, s)
		return true
	case e.paced || k > 0:
		return false
	}
	for distance := 1; distance < e.n; distance++ {
		e.send(at.Rank, distance, own, s)
	}
	for distance := 1; distance < e.n; distance++ {
		e.receive(at, distance, own, s)
	}
	return true
}

func (e *exchange) send(rank, distance int, own region, s *step) {
	to := (rank + distance) % e.n
	s.add(primitive{to: only(to), region: own.part(to, e.n)})
}

func (e *exchange) receive(at Place, distance int, own region, s *step) {
	from := (at.Rank + e.n - distance) % e.n
	s.add(primitive{from: only(from), region: e.second(at, from, own)})
}

// second is where a rank has what another one has sent to it. Parts are what those of the receiver
// are, so that together they may be a byte a rank more than its buffer.
func (e *exchange) second(at Place, from int, own region) region {
	size := own.part(at.Rank, e.n).bytes
	begin := e.plan.size + own.offset + units.Bytes(at.Thread*e.n)
	return region{begin + size*units.Bytes(from), size}
}

// buffer is how many bytes a rank has, both buffers together.
func (e *exchange) buffer() units.Bytes {
	return 2*e.plan.size + units.Bytes(e.n*e.plan.channels)
}

// transfer is the schedule of messages from the ranks of the first half to those of the second.
type transfer struct {
	n     int
	chunk units.Bytes
	plan  plan
}

// threads implements schedule.
func (t *transfer) threads() int { return t.plan.channels }

// step implements schedule.
func (t *transfer) step(at Place, k int, s *step) bool {
	own, _ := t.plan.loop(at.Thread, 0)
	if t.chunk*units.Bytes(k) >= own.bytes {
		return false
	}
	p := primitive{region: own.piece(k, t.chunk)}
	if half := t.n / 2; at.Rank < half {
		p.to = only(at.Rank + half)
	} else {
		p.from = only(at.Rank - half)
	}
	s.add(p)
	return true
}
