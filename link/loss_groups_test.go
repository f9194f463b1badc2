package link

import (
	"math"
	"testing"

	"sdrsim/sim"
)

// lostBelow are the losses among the first draws of a replication, as a set of bits.
func lostBelow(m LossModel, draws int) (set int) {
	for at := int64(0); ; {
		pass, drop := m.Peek(nil)
		if at += pass; at >= int64(draws) {
			return set
		}
		for range drop {
			set |= 1 << at
			at++
		}
		m.Advance(nil, pass+drop)
	}
}

// overlapping are the groups of two submessages of a code, one of them with chunks of two packets,
// and a draw that is of none.
var overlapping = []Group{
	{Bears: 1, Units: []Unit{{0, 1}, {2, 1}, {4, 1}}},
	{Bears: 1, Units: []Unit{{1, 1}, {5, 2}, {3, 1}}},
	{Bears: 2, Units: []Unit{{8, 1}, {9, 1}}}, // cannot fail
}

// bears reports whether no group has lost more units than it may.
func bears(list []Group, lost int) bool {
	for _, g := range list {
		n := 0
		for _, u := range g.Units {
			if lost>>u.First&(1<<u.Draws-1) != 0 {
				n++
			}
		}
		if n > g.Bears {
			return false
		}
	}
	return true
}

// Weighted by the shares, every pattern of losses comes as often as among independent ones: those
// that a group does not bear, those that all bear, with lost control packets and without, and those
// of draws that are beyond the first.
func TestLossesOfGroupsAreThoseOfIID(t *testing.T) {
	const n, first, seen = 400_000, 8, 9
	for _, r := range []float64{0, 0.2} {
		const p = 0.15
		s, err := NewStrata(Draws{P: p, First: first}, Draws{P: r, First: 2})
		if err != nil {
			t.Fatal(err)
		}
		if !s.Divide(overlapping, 1) {
			t.Fatal("not divided")
		}
		var counts [4]float64
		for i := range 4 {
			s.Choose(i + 1)
			counts[s.Stratum()] += n / 4
		}
		counts[StratumNone] = 1
		got := map[[2]int]float64{}
		for i := range n + 1 {
			s.Choose(i)
			s.Data().Reset(sim.NewStream(3, "data", uint64(i)))
			s.Control().Reset(sim.NewStream(3, "control", uint64(i)))
			lost, control := lostBelow(s.Data(), seen), lostBelow(s.Control(), 2)
			k := s.Stratum()
			early := lost & (1<<first - 1)
			if fails := !bears(overlapping, early); fails != (k == StratumFailing) ||
				!fails && (control != 0) != (k == StratumControl) || k == StratumData && early == 0 {
				t.Fatalf("replication %d of stratum %d loses %b and %b", i, k, lost, control)
			}
			if i > 0 {
				got[[2]int{lost, control}] += s.Shares()[k] / counts[k]
			}
		}
		chance := func(p float64, set, draws int) float64 {
			x := 1.0
			for i := range draws {
				if set>>i&1 == 1 {
					x *= p
				} else {
					x *= 1 - p
				}
			}
			return x
		}
		fails := 0.0
		for lost := range 1 << seen {
			for control := range 4 {
				want := chance(p, lost, seen) * chance(r, control, 2)
				if !bears(overlapping, lost&(1<<first-1)) {
					fails += want
				}
				if lost&(1<<first-1) == 0 && control == 0 {
					continue // of the stratum without loss
				}
				if x := got[[2]int{lost, control}]; math.Abs(x-want) > 5*math.Sqrt(want/n*4)+1e-9 {
					t.Errorf("r %v: losses %b and %b: %v, want %v", r, lost, control, x, want)
				}
			}
		}
		sum := 0.0
		for _, share := range s.Shares() {
			sum += share
		}
		if math.Abs(sum-1) > 1e-14 || math.Abs(s.Shares()[StratumFailing]/fails-1) > 1e-12 {
			t.Errorf("r %v: shares %v, %v fails", r, s.Shares(), fails)
		}
	}
}

// Where groups fail rarely their share is right to the last digits, and so are losses.
func TestSharesOfRareFailuresAreExact(t *testing.T) {
	const p = 1e-9
	s, err := NewStrata(Draws{P: p, First: 8}, Draws{})
	if err != nil {
		t.Fatal(err)
	}
	if !s.Divide(overlapping[:1], 1) {
		t.Fatal("not divided")
	}
	want := 3*p*p*(1-p) + p*p*p
	if got := s.Shares()[StratumFailing]; math.Abs(got/want-1) > 1e-12 {
		t.Errorf("share %v, want %v", got, want)
	}
	var at [8]int
	for i := range 3000 {
		s.Choose(4*i + 1)
		s.Data().Reset(sim.NewStream(3, "data", uint64(i)))
		for k := range at {
			at[k] += lostBelow(s.Data(), 8) >> k & 1
			s.Data().Reset(sim.NewStream(3, "data", uint64(i)))
		}
	}
	for _, k := range []int{0, 2, 4} {
		if math.Abs(float64(at[k])-2000) > 4*math.Sqrt(3000*2.0/9) {
			t.Errorf("draw %d is lost %d times of 3000, want 2000: %v", k, at[k], at)
		}
	}
}

// Groups that fail in most of the lossy replications, or cannot fail, need no stratum.
func TestGroupsAreLeftWhereTheySayNothing(t *testing.T) {
	for _, c := range []struct {
		p    float64
		list []Group
		want bool
	}{
		{0.1, overlapping, true},
		{0.9, overlapping, false},
		{0.1, overlapping[2:], false},
		{0.1, nil, false},
		{0, overlapping, false},
	} {
		s, err := NewStrata(Draws{P: c.p, First: 8}, Draws{P: 0.1, First: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Divide(c.list, 1); got != c.want || (len(s.Shares()) == 4) != c.want {
			t.Errorf("p %v, %d groups: %v, shares %v", c.p, len(c.list), got, s.Shares())
		}
	}
}
