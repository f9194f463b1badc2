package link

import (
	"slices"
	"sort"

	"sdrsim/internal/portable"
	"sdrsim/sim"
	"sdrsim/wire"
)

// Group are units of draws of which so many may be lost: the chunks that repair each other. It
// fails where more are. A unit is lost with any of its draws, and groups have no draw in common.
type Group struct {
	Units []Unit
	Bears int
}

// Unit is a number of consecutive draws.
type Unit struct{ First, Draws int64 }

// groups draws losses by whether they make a group fail, among the first draws of a message.
type groups struct {
	draws Draws
	rate  float64 // -log(1-P)
	list  []group
	units []member // of all groups, in the order of draws
	// until[i] is the sum of the probabilities that a group up to i fails; fails that of any.
	until []float64
	fails float64
	// of the sample: the draws that are lost, in order, and by group how many units are.
	lost    []int64
	count   []int
	touched []int
}

type group struct {
	Group
	*tails
}

// member is a unit with the number of its group.
type member struct {
	Unit
	group int
}

// tails are the chances of a group from each of its units on: most[i][c] is the probability that at
// least c of the units from i on are lost, lose[i] that unit i is.
type tails struct {
	draws []int64
	bears int
	most  [][]float64
	lose  []float64
}

// maxTails bounds the cells of a table of tails.
const maxTails = 1 << 20

// newGroups is nil where there are none that can fail, or where they are too large.
func newGroups(d Draws, list []Group) *groups {
	g := &groups{draws: d, rate: -portable.Log1p(-d.P)}
	if !(d.P > 0) {
		return nil
	}
	var shapes []*tails
	sum, none := 0.0, 0.0
	for _, l := range list {
		if len(l.Units) <= l.Bears {
			continue
		}
		if len(l.Units)*(l.Bears+2) > maxTails {
			return nil
		}
		t := tailsOf(&shapes, g.rate, l)
		chance := t.most[0][l.Bears+1]
		sum += chance
		none += portable.Log1p(-chance)
		for _, u := range l.Units {
			g.units = append(g.units, member{u, len(g.list)})
		}
		g.list, g.until = append(g.list, group{l, t}), append(g.until, sum)
	}
	g.fails = -portable.Expm1(none)
	if !(g.fails > 0) {
		return nil
	}
	slices.SortFunc(g.units, func(a, b member) int { return int(a.First - b.First) })
	g.count = make([]int, len(g.list))
	return g
}

// tailsOf are the tails of a group, those of another of the same shape where there is one.
func tailsOf(shapes *[]*tails, rate float64, l Group) *tails {
	same := func(t *tails) bool {
		if t.bears != l.Bears || len(t.draws) != len(l.Units) {
			return false
		}
		for i, u := range l.Units {
			if t.draws[i] != u.Draws {
				return false
			}
		}
		return true
	}
	if i := slices.IndexFunc(*shapes, same); i >= 0 {
		return (*shapes)[i]
	}
	t := &tails{bears: l.Bears, lose: make([]float64, len(l.Units))}
	for _, u := range l.Units {
		t.draws = append(t.draws, u.Draws)
	}
	t.most = make([][]float64, len(l.Units)+1)
	for i := len(l.Units); i >= 0; i-- {
		t.most[i] = make([]float64, l.Bears+2)
		t.most[i][0] = 1
		if i == len(l.Units) {
			continue
		}
		q := -portable.Expm1(-float64(float64(t.draws[i]) * rate))
		t.lose[i] = q
		for c := 1; c < len(t.most[i]); c++ {
			t.most[i][c] = float64(q*t.most[i+1][c-1]) + float64((1-q)*t.most[i+1][c])
		}
	}
	*shapes = append(*shapes, t)
	return t
}

// bear draws losses that all groups bear, at least one where the first loss has to be there: lossy
// is the probability of one.
func (g *groups) bear(s *sim.Stream, lossy float64) {
	for {
		first := geometricOf(s, g.rate)
		if lossy > 0 {
			first = truncated(s.Float64(), lossy, g.rate, g.draws.First)
		}
		g.lost = g.lost[:0]
		g.scatter(s, first, -1)
		if g.failing() == 0 {
			return
		}
	}
}

// fail draws losses that some group does not bear. It picks a group by its chance to fail, and then
// all losses; where several groups fail, such losses would come up once for each of them, so that
// one in so many is taken.
func (g *groups) fail(s *sim.Stream) {
	for {
		u := float64(s.Float64() * g.until[len(g.until)-1])
		picked := min(sort.SearchFloat64s(g.until, u), len(g.list)-1)
		g.lost = g.lost[:0]
		g.overload(s, picked)
		g.scatter(s, geometricOf(s, g.rate), picked)
		slices.Sort(g.lost)
		if n := g.failing(); n <= 1 || float64(s.Float64()*float64(n)) < 1 {
			return
		}
	}
}

// overload draws the losses of a group that fails: unit by unit, each lost with the chance that it
// has where as many as are yet to come have to.
func (g *groups) overload(s *sim.Stream, picked int) {
	l := &g.list[picked]
	missing := l.Bears + 1
	for i, u := range l.Units {
		lose := l.lose[i]
		if missing > 0 {
			lose = float64(lose*l.most[i+1][missing-1]) / l.most[i][missing]
		}
		if s.Float64() >= lose {
			continue
		}
		missing = max(missing-1, 0)
		at := truncated(s.Float64(), l.lose[i], g.rate, u.Draws)
		for at < u.Draws {
			g.lost = append(g.lost, u.First+at)
			at += 1 + geometricOf(s, g.rate)
		}
	}
}

// scatter draws independent losses among the first draws, from the first of them on, but for those
// of the group that has been drawn.
func (g *groups) scatter(s *sim.Stream, first int64, drawn int) {
	for at := first; at < g.draws.First; at += 1 + min(geometricOf(s, g.rate), forever) {
		if drawn < 0 || g.groupOf(at) != drawn {
			g.lost = append(g.lost, at)
		}
	}
}

// unitOf is the number of the unit of a draw, -1 if it is of none.
func (g *groups) unitOf(draw int64) int {
	i := sort.Search(len(g.units), func(i int) bool { return g.units[i].First > draw }) - 1
	if i < 0 || draw >= g.units[i].First+g.units[i].Draws {
		return -1
	}
	return i
}

func (g *groups) groupOf(draw int64) int {
	if i := g.unitOf(draw); i >= 0 {
		return g.units[i].group
	}
	return -1
}

// failing counts the groups that the losses make fail.
func (g *groups) failing() (n int) {
	last := -1
	for _, draw := range g.lost {
		i := g.unitOf(draw)
		if i < 0 || i == last {
			continue
		}
		last = i
		k := g.units[i].group
		if g.count[k]++; g.count[k] == 1 {
			g.touched = append(g.touched, k)
		}
		if g.count[k] == g.list[k].Bears+1 {
			n++
		}
	}
	for _, k := range g.touched {
		g.count[k] = 0
	}
	g.touched = g.touched[:0]
	return n
}

// truncated is the first gap at the uniform number v, truncated to so many draws, of which one is
// lost with that probability.
func truncated(v, lossy, rate float64, draws int64) int64 {
	n := portable.Log1p(-float64(v*lossy)) / -rate
	return min(int64(n), draws-1)
}

// Burden loses what every group just bears: of each the first units.
func Burden(list []Group) *Numbered {
	m := &Numbered{}
	for _, g := range list {
		for _, u := range g.Units[:min(g.Bears, len(g.Units))] {
			m.lost = append(m.lost, u.First)
		}
	}
	slices.Sort(m.lost)
	return m
}

// Numbered loses the draws with certain numbers, which ascend, and no other.
type Numbered struct {
	lost []int64
	at   int   // the next of them
	from int64 // the draw that comes next
	next gap
}

// Reset implements LossModel.
func (m *Numbered) Reset(*sim.Stream) {
	m.at, m.from = 0, 0
	m.draw()
}

// draw finds the next loss; it reports whether there is one.
func (m *Numbered) draw() bool {
	if m.at == len(m.lost) {
		m.next = gap{pass: forever}
		return false
	}
	m.next = gap{pass: m.lost[m.at] - m.from, drop: 1}
	m.from = m.lost[m.at] + 1
	m.at++
	return true
}

// Peek implements LossModel.
func (m *Numbered) Peek(*wire.Run) (pass, drop int64) { return m.next.pass, m.next.drop }

// Advance implements LossModel.
func (m *Numbered) Advance(_ *wire.Run, n int64) {
	if m.next.take(n) {
		m.draw()
	}
}
