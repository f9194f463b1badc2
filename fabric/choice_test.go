package fabric

import (
	"math"
	"testing"

	"sdrsim/sim"
	"sdrsim/units"
)

// choose has packets of a flow, a spacing apart in groups with a gap between them, take one of the
// ways, and returns what comes out of each.
func choose(c *Choice, ways int, pieces []Piece) []*sink {
	flow := &Flow{Route: []Taker{c}}
	var ends []*sink
	for i := range ways {
		ends = append(ends, &sink{last: units.Duration(i) * units.Microsecond})
		c.Add(flow, ends[i])
	}
	c.Reset(sim.NewStream(3, "choice", 0), 5)
	for _, p := range pieces {
		p.Flow, p.Hop = flow, 0
		Forward(&p)
	}
	return ends
}

// Flows that are hashed to ways are balls in bins: of m ways m(1-1/m)^n stay empty.
func TestECMPCollidesAsBallsInBins(t *testing.T) {
	for _, n := range []int{4, 8, 32} {
		const m, rounds = 8, 20000
		total, squares := 0.0, 0.0
		for salt := range uint64(rounds) {
			var used [m]bool
			empty := float64(m)
			for flow := range uint64(n) {
				if w := Hash(salt, flow, 0, m); !used[w] {
					used[w] = true
					empty--
				}
			}
			total += empty
			squares += empty * empty
		}
		mean := total / rounds
		half := 3.3 * math.Sqrt((squares/rounds-mean*mean)/rounds)
		if want := m * math.Pow(1-1.0/m, float64(n)); math.Abs(mean-want) > half {
			t.Errorf("%d flows leave %.4f of %d ways empty, want %.4f +- %.4f", n, mean, m, want, half)
		}
	}
}

// Sprayed in turn over two ways, of which the second is d longer, packets that are sent a spacing
// apart are overtaken by those of the first way that are sent within d: floor((d/spacing+1)/2).
func TestRoundRobinReordersByTheDifferenceOfDelays(t *testing.T) {
	for _, spacing := range []units.Duration{90001, 300001, 999999, 1000001} {
		ends := choose(&Choice{By: ChooseRound}, 2, []Piece{
			{At: 1, Spacing: spacing, Count: 100}, {At: 1e12, Spacing: spacing, First: 100, Count: 100}})
		late := ends[1].taken[10]
		overtook := int64(0)
		for _, a := range ends[0].taken {
			if a.number > late.number && a.at < late.at {
				overtook++
			}
		}
		if want := (int64(units.Microsecond/spacing) + 1) / 2; overtook != want {
			t.Errorf("spacing %v: %d packets overtake one, want %d", spacing, overtook, want)
		}
	}
}

// A flowlet stays together, and every packet comes out once, by whatever choice.
func TestChoicesLoseNothingAndKeepFlowletsTogether(t *testing.T) {
	for _, by := range []ChooseBy{ChooseECMP, ChooseRandom, ChooseRound, ChooseFlowlet} {
		var pieces []Piece
		for i := range int64(100) {
			pieces = append(pieces, Piece{At: units.Time(1000 * i), Spacing: 10, First: 10 * i, Count: 10})
		}
		ends := choose(&Choice{By: by, Gap: 500}, 4, pieces)
		way, used := map[int64]int{}, map[int]int{}
		for w, end := range ends {
			for _, a := range end.taken {
				if _, twice := way[a.number]; twice {
					t.Errorf("%s: packet %d comes twice", by, a.number)
				}
				way[a.number] = w
				used[w]++
			}
		}
		if len(way) != 1000 {
			t.Errorf("%s: %d packets come out, want 1000", by, len(way))
		}
		if want := map[ChooseBy]int{ChooseECMP: 1}[by]; want == 0 && len(used) != 4 ||
			want > 0 && len(used) != want {
			t.Errorf("%s: ways used: %v", by, used)
		}
		for n, w := range way {
			if by == ChooseFlowlet && w != way[n/10*10] {
				t.Errorf("packet %d leaves its flowlet", n)
			}
		}
	}
}
