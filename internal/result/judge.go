package result

import (
	"math"
	"slices"

	"sdrsim/internal/metric"
	"sdrsim/internal/stats"
)

// Contest is what schemes are compared by: a column.
type Contest struct {
	Title  string
	Column *metric.Field
}

// Contests are those by which a winner is named: mean and p99.9 completion time, and goodput.
func Contests() []Contest {
	var list []Contest
	for _, of := range []struct{ title, metric, stat string }{
		{"mean completion", "completion", metric.Mean}, {"p99.9 completion", "completion", metric.P999},
		{"goodput", "goodput", metric.Mean},
	} {
		list = append(list, Contest{of.title, metric.Find(of.metric).Column(of.stat)})
	}
	return list
}

// bigWins tells that more is better.
func (c Contest) bigWins() bool { return c.Column.Better == metric.Higher }

// Verdict is who wins a contest at a point.
type Verdict struct {
	Best string // empty where no scheme has a value
	// Value is that of the best, Margin by what factor the next is behind; NaN without a next.
	Value, Margin float64
	// Rivals are the others whose interval overlaps that of the best: a tie.
	Rivals []string
	// GaveUp tells that the best has failed samples: no scheme delivered all of them.
	GaveUp bool
	// Doubtful tells that too few samples carry a value, or that an interval is not known.
	Doubtful bool
	// Failed tells that every sample of every scheme was given up.
	Failed bool
}

// Judge compares the schemes of a point.
func (c Contest) Judge(rows []*Row) Verdict {
	v := Verdict{Value: math.NaN(), Margin: math.NaN()}
	v.Failed = !slices.ContainsFunc(rows, func(r *Row) bool { return r.Failed < max(r.Samples, 1) })
	rows, v.GaveUp = c.ranked(rows)
	var best stats.Estimate
	better := func(a, b float64) bool { return (a < b) != c.bigWins() && a != b }
	for _, r := range rows {
		e, _ := r.Read(c.Column)
		if c.Valid(e.Value) && (v.Best == "" || better(e.Value, best.Value)) {
			v.Best, best = r.Scheme, e
		}
	}
	v.Value = best.Value
	for _, r := range rows {
		e, carried := r.Read(c.Column)
		if !c.Valid(e.Value) {
			continue
		}
		v.Doubtful = v.Doubtful || (!carried && r.Scheme == v.Best)
		if r.Scheme == v.Best {
			continue
		}
		factor := e.Value / best.Value
		if c.bigWins() {
			factor = best.Value / e.Value
		}
		if math.IsNaN(v.Margin) || factor < v.Margin {
			v.Margin = factor
			v.Doubtful = v.Doubtful || !carried || !bothBounded(best, e, factor)
		}
		if overlap(best, e) || factor < sameFactor {
			v.Rivals = append(v.Rivals, r.Scheme)
		}
	}
	return v
}

// ranked are the rows that compete: those of schemes that delivered every sample, which none that
// gave up beats or ties with; where there are none of them with a value, all.
func (c Contest) ranked(rows []*Row) (_ []*Row, gaveUp bool) {
	var delivered []*Row
	some := false
	for _, r := range rows {
		e, _ := r.Read(c.Column)
		if r.Failed == 0 && c.Valid(e.Value) {
			delivered = append(delivered, r)
		}
		some = some || c.Valid(e.Value)
	}
	if len(delivered) > 0 || !some {
		return delivered, false
	}
	return rows, true
}

// sameFactor is a margin that would be written as 1.000.
const sameFactor = 1.0005

// Valid reports whether a value can win: of nothing at all there is no more and less.
func (c Contest) Valid(v float64) bool { return Finite(v) && !(c.bigWins() && v <= 0) }

// Finite reports whether a number is one.
func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// overlap reports whether two intervals have a value in common; equal values always do.
func overlap(a, b stats.Estimate) bool {
	return a.Value == b.Value || (a.Lo <= b.Hi && b.Lo <= a.Hi)
}

// bothBounded reports whether both intervals are known, or the values are equal.
func bothBounded(a, b stats.Estimate, factor float64) bool {
	return factor == 1 || Finite(a.Lo+a.Hi+b.Lo+b.Hi)
}
