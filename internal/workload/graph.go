package workload

import "sdrsim/units"

// Graph is a source whose operations are written out, one block for each rank.
type Graph struct {
	ranks []rankOps
}

// rankOps are the operations of a rank and their dependencies.
type rankOps struct {
	ops  []Op
	deps []Dep
}

// NewGraph returns a graph of ranks without operations.
func NewGraph(ranks int) *Graph { return &Graph{ranks: make([]rankOps, ranks)} }

// Ranks implements Source.
func (g *Graph) Ranks() int { return len(g.ranks) }

// Threads implements Source.
func (g *Graph) Threads() int { return 1 }

// Block implements Source.
func (g *Graph) Block(at Place, k int, b *Block) bool {
	if k > 0 {
		return false
	}
	r := &g.ranks[at.Rank]
	b.Ops = append(b.Ops, r.ops...)
	b.Deps = append(b.Deps, r.deps...)
	return true
}

// Len is how many operations a rank has.
func (g *Graph) Len(rank int) int { return len(g.ranks[rank].ops) }

// Add appends an operation to a rank, which begins when those given have ended, and returns its
// number among those of the rank.
func (g *Graph) Add(rank int, op Op, requires ...int) int {
	r := &g.ranks[rank]
	r.ops = append(r.ops, op)
	number := len(r.ops) - 1
	for _, on := range requires {
		g.Require(rank, number, on)
	}
	return number
}

// Require has an operation of a rank begin when another has ended.
func (g *Graph) Require(rank, op, on int) {
	r := &g.ranks[rank]
	r.deps = append(r.deps, Dep{Op: int64(op), On: int64(on)})
}

// RequireStart has an operation of a rank begin when another has begun.
func (g *Graph) RequireStart(rank, op, on int) {
	r := &g.ranks[rank]
	r.deps = append(r.deps, Dep{Op: int64(op), On: int64(on), Started: true})
}

// Part is a source that becomes part of a graph.
type Part struct {
	Source Source
	// Ranks are those of the graph that stand for the ranks of the source; nil: the same.
	Ranks []int
	// After are operations of the graph, one for each rank of the source, that have to end before the
	// rank begins; Any: none. Nil: none at all.
	After []int
	// Tag is added to every tag, and Channel to every channel, which keeps the messages of parts apart
	// that run at a time.
	Tag, Channel int32
}

// Append writes out a source, and returns, for each of its ranks, an operation that ends when all
// of the rank have.
func (g *Graph) Append(p Part) []int {
	ends := make([]int, p.Source.Ranks())
	var b Block
	for r := range ends {
		rank := p.rank(r)
		var last []int
		for thread := range p.Source.Threads() {
			last = append(last, g.appendThread(p, r, thread, &b)...)
		}
		if p.After != nil && p.After[r] != Any {
			last = append(last, p.After[r]) // the rank may have no operations
		}
		ends[r] = g.Add(rank, Op{Kind: Wait}, last...)
	}
	return ends
}

// rank is the rank of the graph that stands for one of the source.
func (p *Part) rank(r int) int {
	if p.Ranks == nil {
		return r
	}
	return p.Ranks[r]
}

// appendThread writes out a thread of a rank, and returns the operations that no other requires.
func (g *Graph) appendThread(p Part, rank, thread int, b *Block) (last []int) {
	to := p.rank(rank)
	base, next := int64(g.Len(to)), int64(0)
	var deps []Dep
	for k := 0; ; k++ {
		if b.Begin(next); !p.Source.Block(Place{rank, thread}, k, b) {
			break
		}
		next += int64(len(b.Ops))
		for _, op := range b.Ops {
			if (op.Kind == Send || op.Kind == Receive) && op.Peer != Any {
				op.Peer = int32(p.rank(int(op.Peer)))
			}
			if op.Tag != Any {
				op.Tag += p.Tag
			}
			op.Channel += p.Channel
			g.Add(to, op)
		}
		deps = append(deps, b.Deps...)
	}
	waited, bound := make([]bool, next), make([]bool, next) // for others, and by others
	for _, d := range deps {
		waited[d.Op], bound[d.On] = true, bound[d.On] || !d.Started
		d.Op, d.On = d.Op+base, d.On+base
		g.ranks[to].deps = append(g.ranks[to].deps, d)
	}
	for i := range waited {
		if !waited[i] && p.After != nil && p.After[rank] != Any {
			g.Require(to, int(base)+i, p.After[rank])
		}
		if !bound[i] {
			last = append(last, int(base)+i)
		}
	}
	return last
}

// Wild reports whether some receive takes messages of any rank or tag.
func (g *Graph) Wild() bool {
	for i := range g.ranks {
		for _, op := range g.ranks[i].ops {
			if op.Kind == Receive && (op.Peer == Any || op.Tag == Any) {
				return true
			}
		}
	}
	return false
}

// Bytes are those of all messages together.
func (g *Graph) Bytes() (sum units.Bytes) {
	for i := range g.ranks {
		for _, op := range g.ranks[i].ops {
			if op.Kind == Send {
				sum += op.Bytes
			}
		}
	}
	return sum
}
