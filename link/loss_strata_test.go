package link

import (
	"errors"
	"math"
	"testing"

	"sdrsim/sim"
)

// firstLosses is where the first loss of data and of control packets is in a replication.
func firstLosses(s *Strata, i int) (data, control int64) {
	s.Choose(i)
	s.Data().Reset(sim.NewStream(3, "data", uint64(i)))
	s.Control().Reset(sim.NewStream(3, "control", uint64(i)))
	data, _ = s.Data().Peek(nil)
	control, _ = s.Control().Peek(nil)
	return data, control
}

// Weighted by the shares of the strata, the first losses of both directions are where independent
// ones are: the joint distribution over the first draws, and beyond.
func TestConditionalLossesAreThoseOfIID(t *testing.T) {
	const n, p, q = 60_000, 0.1, 0.2
	s, err := NewStrata(Draws{P: p, First: 5}, Draws{P: q, First: 3})
	if err != nil {
		t.Fatal(err)
	}
	counts := [3]float64{}
	for i := range n {
		s.Choose(i)
		counts[s.Stratum()]++
	}
	const data, control = 7, 5 // first losses are told apart up to there
	var got [data][control]float64
	for i := range n {
		a, b := firstLosses(s, i)
		k := s.Stratum()
		switch {
		case k == StratumNone && (a < forever || b < forever),
			k == StratumData && a >= 5, k == StratumControl && (a < 5 || b >= 3):
			t.Fatalf("replication %d of stratum %d loses %d and %d first", i, k, a, b)
		case k > StratumNone:
			got[min(a, data-1)][min(b, control-1)] += s.Shares()[k] / counts[k]
		}
	}
	at := func(p float64, i, last int) float64 {
		if i == last {
			return math.Pow(1-p, float64(last))
		}
		return p * math.Pow(1-p, float64(i))
	}
	for a := range got {
		for b := range got[a] {
			want := at(p, a, data-1) * at(q, b, control-1)
			if a >= 5 && b >= 3 {
				want = 0 // of the stratum without loss
			}
			if math.Abs(got[a][b]-want) > 4*math.Sqrt(want/n*4)+1e-9 {
				t.Errorf("first losses %d and %d: %v, want %v", a, b, got[a][b], want)
			}
		}
	}
	total := s.Shares()[0] + s.Shares()[1] + s.Shares()[2]
	if math.Abs(total-1) > 1e-15 {
		t.Errorf("shares add up to %v", total)
	}
}

// The strata of a tiny probability are exact, and the first loss is anywhere alike.
func TestStrataOfTinyProbabilities(t *testing.T) {
	s, err := NewStrata(Draws{P: 1e-15, First: 1000}, Draws{})
	if err != nil {
		t.Fatal(err)
	}
	if f := s.Shares()[StratumData]; math.Abs(f/1e-12-1) > 1e-9 {
		t.Errorf("share %v, want 1e-12", f)
	}
	mean := 0.0
	for i := 1; i <= 2000; i++ {
		first, _ := firstLosses(s, i)
		mean += float64(first) / 2000
	}
	if math.Abs(mean-499.5) > 4*289/math.Sqrt(2000) {
		t.Errorf("first losses are at %v on average, want 499.5", mean)
	}
}

func TestStrataNeedLosses(t *testing.T) {
	for _, c := range [][2]Draws{
		{}, {{P: 0, First: 9}, {P: 0, First: 9}}, {{P: 0.1}, {P: 0.1}}, {{P: 1, First: 1}, {}},
	} {
		if _, err := NewStrata(c[0], c[1]); !errors.Is(err, ErrStrata) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Replications of acknowledgements alone are as many quarters as they are of the lossy ones, and at
// least one.
func TestLossyStrataTakeTurns(t *testing.T) {
	for _, c := range []struct {
		data, control Draws
		want          int // of 400
	}{
		{Draws{0.1, 100}, Draws{0.1, 1}, 100},
		{Draws{1e-4, 1}, Draws{1e-4, 1}, 200},
		{Draws{1e-4, 1}, Draws{1e-1, 9}, 300},
		{Draws{1e-4, 1}, Draws{}, 0},
		{Draws{}, Draws{1e-4, 1}, 400},
	} {
		s, err := NewStrata(c.data, c.control)
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		for i := 1; i <= 400; i++ {
			if s.Choose(i); s.Stratum() == StratumControl {
				got++
			}
		}
		if got != c.want {
			t.Errorf("%+v: %d of 400, want %d", c, got, c.want)
		}
	}
}
