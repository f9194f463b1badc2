package result

import (
	"math"
	"slices"
	"strings"

	"sdrsim/internal/metric"
	"sdrsim/internal/stats"
)

// AxisValue is one swept value of a point.
type AxisValue struct {
	Path string // as in the scenario, such as link.loss.p
	Text string // as in the table: a plain SI number, or a word
	// Number is the value in SI base units (bytes, bit/s, seconds, metres); NaN for words.
	Number float64
}

// Row is what one scheme did at one point. A number that is not known is NaN; start from NewRow.
type Row struct {
	// Axes are the swept values of the point; every row of a table has the same paths.
	Axes   []AxisValue
	Scheme string
	metric.Values
	// Warnings tell what to doubt. One that starts with "p99.9:" (or "p99:", "p50:", "mean:") says
	// that too few samples carry that statistic, and figures show it.
	Warnings []string
}

// Ways for samples to meet losses.
const (
	SamplingPlain  = "plain"  // as they come
	SamplingStrata = "strata" // the sample without loss once, all others where losses are
	SamplingTilt   = "tilt"   // exaggerated, and weighted
)

// NewRow returns a row whose numbers are all unknown.
func NewRow(axes []AxisValue, scheme string) Row {
	return Row{Axes: axes, Scheme: scheme, Values: metric.Unknown()}
}

// Table is the content of a result directory that figures are drawn from.
type Table struct {
	Paths         []string // the swept paths, in the order of the scenario
	Rows          []Row
	Distributions []Distribution
	Rounds        []Round // of collectives, by point, scheme and number
	Flows         []Flow  // of networks, by point and scheme
	Queues        []Queue
}

// LatencyPrefix starts a warning about a statistic of latencies, before that of its name.
const LatencyPrefix = "latency "

// Columns of words, and what is between warnings in a field.
const (
	SchemeColumn   = "scheme"
	WarningsColumn = "warnings"
	WarningSep     = "; "
)

// ColumnsOf are the columns of a file with these rows.
func ColumnsOf(rows []Row) []*metric.Field {
	return slices.DeleteFunc(slices.Clone(metric.Fields()), func(c *metric.Field) bool {
		return c.Optional && !slices.ContainsFunc(rows, func(r Row) bool { return c.Known(&r.Values) })
	})
}

// Value returns the number in the column of points.csv with that name, NaN where it is unknown;
// false where there is no such column, or one of words.
func (r *Row) Value(column string) (value float64, ok bool) {
	f := metric.Lookup(column)
	if f == nil || f.Type == metric.Text {
		return math.NaN(), false
	}
	return f.Value(&r.Values), true
}

// Estimate is the number in a column, with its interval.
func (r *Row) Estimate(f *metric.Field) stats.Estimate {
	v, lo, hi := f.Interval(&r.Values)
	return stats.Estimate{Value: v, Lo: lo, Hi: hi}
}

// Axis returns the value of the row on a path; the scheme counts as an axis of words.
func (r *Row) Axis(path string) (AxisValue, bool) {
	if path == SchemeColumn {
		return AxisValue{Path: path, Text: r.Scheme, Number: math.NaN()}, true
	}
	return FindAxis(r.Axes, path)
}

// FindAxis is the value on a path among those of a point.
func FindAxis(axes []AxisValue, path string) (AxisValue, bool) {
	for _, a := range axes {
		if a.Path == path {
			return a, true
		}
	}
	return AxisValue{}, false
}

// PointKey names the point of a row among the rows of a table.
func PointKey(axes []AxisValue) string {
	var b strings.Builder
	for _, a := range axes {
		b.WriteString(a.Path + "=" + a.Text + ",")
	}
	return strings.TrimSuffix(b.String(), ",")
}

// Carries tells whether the samples carry a statistic of the row, a quantile ("p99.9") or the mean.
func (r *Row) Carries(stat string) bool {
	for _, w := range r.Warnings {
		if stat != "" && strings.HasPrefix(w, stat+":") {
			return false
		}
	}
	return true
}

// carriesOf reports whether the samples carry a statistic of a metric. What they do not carry of
// completion times they do not of others.
func (r *Row) carriesOf(name, stat string) bool {
	return r.Carries(stat) && (stat == "" || r.Carries(name+" "+stat))
}

// Lone tells that the values of the row are those of a single sample, which has no spread.
// Measurements count rounds as samples, and their values are medians.
func (r *Row) Lone() bool { return r.Samples-r.Failed == 1 && !Usable(r.SampleWall) }

// Usable reports whether a number can be on an axis: it is finite, and so are its neighbours.
func Usable(v float64) bool { return math.Abs(v) <= 1e200 }

// Find returns the row of a scheme at a point; nil where there is none.
func (t *Table) Find(axes []AxisValue, scheme string) *Row {
	want := RowKey(axes, scheme)
	for i := range t.Rows {
		if r := &t.Rows[i]; RowKey(r.Axes, r.Scheme) == want {
			return r
		}
	}
	return nil
}

// RowKey names the row of a scheme at a point among those of a table.
func RowKey(axes []AxisValue, scheme string) string { return PointKey(axes) + " " + scheme }
