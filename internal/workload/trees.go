package workload

import (
	"math/bits"

	"sdrsim/units"
)

// tree is a binary tree of ranks: a parent, -1 at the root, and up to two children.
type tree struct {
	parent   int
	children ranks
}

// treeOf is the place of a rank in the first tree of NVIDIA/nccl, trees.cc: inner ranks are even,
// the lowest set bit of a rank says how high it is.
func treeOf(rank, n int) (t tree) {
	t.parent = -1
	if rank == 0 {
		if n > 1 {
			t.children.add(1 << (bits.Len(uint(n-1)) - 1))
		}
		return t
	}
	bit := rank & -rank
	if t.parent = rank ^ bit | bit<<1; t.parent >= n {
		t.parent = rank ^ bit
	}
	if bit == 1 {
		return t
	}
	t.children.add(rank - bit/2)
	low := bit / 2
	for low > 0 && rank+low >= n {
		low /= 2
	}
	if low > 0 {
		t.children.add(rank + low)
	}
	return t
}

// secondTree is the place of a rank in the tree that is inner where the first has leaves: the first
// one of mirrored ranks where their number is even, of ranks shifted by one where it is odd.
func secondTree(rank, n int) tree {
	there, back := n-1-rank, func(r int) int { return n - 1 - r }
	if n%2 == 1 {
		there, back = (rank+n-1)%n, func(r int) int { return (r + 1) % n }
	}
	t := treeOf(there, n)
	if t.parent >= 0 {
		t.parent = back(t.parent)
	}
	for i, c := range t.children.all() {
		t.children.list[i] = int32(back(int(c)))
	}
	return t
}

// doubleTree is a schedule over two trees, each of which has half of what a channel has, in chunks:
// they are added up on their way to the root, and handed out from there. Up and down are two
// threads; the root turns chunks round as they come.
type doubleTree struct {
	n     int
	chunk units.Bytes
	plan  plan
}

// Threads of a tree.
const (
	upward = iota
	downward
	waysOfTree
)

// threads implements schedule.
func (d *doubleTree) threads() int { return d.plan.channels * 2 * waysOfTree }

// laneOf is the number of the tree of a thread, among those of all channels.
func laneOf(thread int) int32 { return int32(thread / waysOfTree) }

// step implements schedule.
func (d *doubleTree) step(at Place, k int, s *step) bool {
	number, way := at.Thread/waysOfTree, at.Thread%waysOfTree
	own, _ := d.plan.loop(number/2, 0)
	half := own.part(number%2, 2)
	t := treeOf(at.Rank, d.n)
	if number%2 == 1 {
		t = secondTree(at.Rank, d.n)
	}
	s.region = half
	return d.chunkOf(&t, way, k, s)
}

// chunkOf is what a rank does with chunk k of a half.
func (d *doubleTree) chunkOf(t *tree, way, k int, s *step) bool {
	half := s.region
	if d.chunk*units.Bytes(k) >= half.bytes {
		return false
	}
	p := primitive{region: half.piece(k, d.chunk)}
	root := t.parent < 0
	switch {
	case root && way == downward:
		return false
	case way == downward:
		p.from, p.to = only(t.parent), t.children
	default:
		p.from, p.reduce, p.to = t.children, t.children.n > 0, t.children
		if !root {
			p.to = only(t.parent)
		}
	}
	s.add(p)
	return true
}
