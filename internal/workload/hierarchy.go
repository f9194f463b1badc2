package workload

// hierarchy is an all-reduce over datacenters of equally many ranks, which follow each other: a
// reduce-scatter over the ring of each datacenter, an all-reduce of what a rank then has among the
// ranks of its number in all datacenters, over a ring or a tree, and an all-gather inside. What
// crosses a border is no more than has to, one buffer a direction and datacenter.
type hierarchy struct {
	datacenters, each int
	tree              bool // between datacenters
	plan              plan
}

// threads implements schedule.
func (h *hierarchy) threads() int { return h.plan.channels }

// step implements schedule.
func (h *hierarchy) step(at Place, k int, s *step) bool {
	whole, _ := h.plan.loop(at.Thread, 0)
	place, number := at.Rank/h.each, at.Rank%h.each
	inside := func(i int) int { return place*h.each + i }
	scatter, gather := cycle{n: h.each, scatter: true}, cycle{n: h.each, gather: true}
	if k < scatter.steps() {
		scatter.round(number, k, whole, s)
		s.rename(inside)
		return true
	}
	k -= scatter.steps()
	own := whole
	if h.each > 1 {
		own = whole.part(number, h.each)
	}
	if between := h.between(at.Thread, place); k < between {
		s.region = own
		h.across(at.Thread, place, k, s)
		s.rename(func(i int) int { return i*h.each + number })
		return true
	} else if k -= between; k >= gather.steps() {
		return false
	}
	gather.round(number, k, whole, s)
	s.rename(inside)
	return true
}

// between is how many steps the stage between datacenters takes at one of them.
func (h *hierarchy) between(thread, place int) int {
	if !h.tree {
		return h.ring().steps()
	}
	if t := h.treeAt(thread, place); t.parent >= 0 && t.children.n > 0 {
		return 2
	}
	return min(1, h.datacenters-1)
}

func (h *hierarchy) ring() *cycle {
	return &cycle{n: h.datacenters, scatter: true, gather: true}
}

// treeAt is the place of a datacenter in the tree of a thread: one of both, in turn.
func (h *hierarchy) treeAt(thread, place int) tree {
	if thread%2 == 1 {
		return secondTree(place, h.datacenters)
	}
	return treeOf(place, h.datacenters)
}

// across is step k between datacenters, of the region of the step.
func (h *hierarchy) across(thread, place, k int, s *step) {
	own := s.region
	if !h.tree {
		h.ring().round(place, k, own, s)
		return
	}
	t := h.treeAt(thread, place)
	up := primitive{from: t.children, reduce: t.children.n > 0, region: own}
	switch {
	case t.parent < 0:
		up.to = t.children
		s.add(up)
		return
	case k == 0:
		up.to = only(t.parent)
		s.add(up)
	}
	if k > 0 || t.children.n == 0 {
		s.add(primitive{from: only(t.parent), to: t.children, region: own})
	}
}

// rename gives the ranks of a step the numbers that they have among all.
func (s *step) rename(of func(i int) int) {
	for i := range s.list {
		for _, r := range []*ranks{&s.list[i].from, &s.list[i].to} {
			for j, rank := range r.all() {
				r.list[j] = int32(of(int(rank)))
			}
		}
	}
}
