package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestOneStratumIsThePlainMean(t *testing.T) {
	xs := exponentials(rand.New(rand.NewPCG(3, 3)), 50)
	xs[7] = 0
	plain := MeanWith(xs, Assumed{Penalty: 9, Floor: 0})
	one := StrataMean(0, []Stratum{{Share: 1, Values: xs, Penalty: 9}})
	wantEstimate(t, "one stratum", one, plain.Value, plain.Lo, plain.Hi)
}

func TestStrataMeanCountsByShare(t *testing.T) {
	t.Log("# 1 at 0.9, 11 at 0.1 whenever there is a loss; a second loss would cost 10")
	lossy := []float64{11, 11, 11, 11}
	e := StrataMean(1, []Stratum{
		{Share: 0.9, Values: []float64{1}}, {Share: 0.1, Values: lossy, Penalty: 10},
	})
	if e.Warning != "" || !near(e.Value, 2) {
		t.Errorf("%+v, want 2 without a warning", e)
	}
	t.Log("# S = 1, V = 0, w = 0.025 * 10")
	_, hi := weighing{sum: 1, unseen: 0.25}.ends()
	if !near(e.Hi, 1+hi) || !near(e.Lo, max(1, 2-3.68887945*0.25)) {
		t.Errorf("[%v, %v], want up to %v", e.Lo, e.Hi, 1+hi)
	}
	t.Log("# without a penalty few carriers are a warning")
	e = StrataMean(1, []Stratum{{Share: 0.9, Values: []float64{1}}, {Share: 0.1, Values: lossy}})
	if e.Warning != "mean: 0 of 4 samples carry it, fewer than 20" {
		t.Errorf("warning %q", e.Warning)
	}
	t.Log("# certain cases are exact")
	e = StrataMean(1, []Stratum{
		{Share: 0.5, Values: []float64{1}}, {Share: 0.5, Values: []float64{3}},
	})
	wantEstimate(t, "certain", e, 2, 2, 2)
	for _, bad := range [][]Stratum{
		nil, {{Share: 1}}, {{Share: 1, Values: []float64{1, math.NaN()}}},
	} {
		if e := StrataMean(0, bad); !math.IsNaN(e.Value) || e.Warning == "" {
			t.Errorf("%v: %+v", bad, e)
		}
	}
}
