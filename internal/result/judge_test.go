package result

import (
	"math"
	"slices"
	"testing"
)

// row has a mean completion time with an interval.
func row(scheme string, value, lo, hi float64) *Row {
	r := NewRow(nil, scheme)
	r.Samples = 100
	r.CompletionMean, r.CompletionMeanLo, r.CompletionMeanHi = value, lo, hi
	return &r
}

func TestJudgeOfAPoint(t *testing.T) {
	failed, few := row("a", 1, 0.9, 1.1), row("a", 1, 0.9, 1.1)
	failed.Failed = 3
	few.Warnings = []string{"mean: 2 of 100 samples"}
	all := row("a", math.NaN(), math.NaN(), math.NaN())
	all.Failed = 100
	for _, c := range []struct {
		name string
		rows []*Row
		want Verdict
	}{
		{"apart", []*Row{row("a", 1, 0.9, 1.1), row("b", 3, 2.9, 3.1)},
			Verdict{Best: "a", Value: 1, Margin: 3}},
		{"intervals that overlap", []*Row{row("a", 1, 0.9, 1.1), row("b", 1.15, 1.05, 1.2)},
			Verdict{Best: "a", Value: 1, Margin: 1.15, Rivals: []string{"b"}}},
		{"one that gave up samples never beats one that did not",
			[]*Row{failed, row("b", 3, 2.9, 3.1)},
			Verdict{Best: "b", Value: 3, Margin: math.NaN()}},
		{"too few samples", []*Row{few, row("b", 3, 2.9, 3.1)},
			Verdict{Best: "a", Value: 1, Margin: 3, Doubtful: true}},
		{"an end that is not known", []*Row{row("a", 1, 0.9, 1.1), row("b", 3, 2.9, math.NaN())},
			Verdict{Best: "a", Value: 1, Margin: 3, Doubtful: true}},
		{"nothing delivered", []*Row{all}, Verdict{Margin: math.NaN(), Failed: true}},
	} {
		got := Contests()[0].Judge(c.rows)
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if got.Best != c.want.Best || !same(got.Value, c.want.Value) ||
			!same(got.Margin, c.want.Margin) || !slices.Equal(got.Rivals, c.want.Rivals) ||
			got.Doubtful != c.want.Doubtful || got.Failed != c.want.Failed {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
