package metric

import (
	"cmp"
	"slices"
	"strings"
)

// SI units of values. Numbers, fractions and ratios have None.
const (
	None    = ""
	Seconds = "s"
	Bits    = "bit/s"
	Bytes   = "B"
	Packets = "packets/s"
	// Operations are messages, or operations of storage.
	Operations = "operations/s"
)

// suffixes are what names of columns tell a unit by.
var suffixes = map[string]string{Seconds: "_s", Bits: "_bps", Operations: "_per_s"}

// Directions in which a metric gets better; some have none.
const (
	Lower  = "lower"
	Higher = "higher"
)

// Statistics of a metric.
const (
	Mean = "mean"
	P50  = "p50"
	P99  = "p99"
	P999 = "p99.9"
	Max  = "max"
)

// statWords name statistics, at the start of a title and in a sentence.
var statWords = map[string][2]string{
	Mean: {"Mean", "mean"}, P50: {"Median", "median"}, P99: {"p99", "99th percentile"},
	P999: {"p99.9", "99.9th percentile"}, Max: {"Largest", "largest"},
}

// StatWord starts a title: "Mean", "Median", "p99.9".
func StatWord(stat string) string { return statWords[stat][0] }

// Metric is something that is measured of a scheme at a point.
type Metric struct {
	// Name is that of counters, of figures and of the checks of a metric with one number.
	Name string
	// Title names it on an axis, behind the word for a statistic where it has those.
	Title  string
	Unit   string
	Better string
	Doc    string // one line: what it is
	// A Share is the fraction of what Doc says; of a Ratio, 1 means no difference.
	Share, Ratio bool
	// Drawn: figures of scenarios can show it. Measured: only those of measurements can.
	Drawn, Measured bool
	// Rare: only some points have it, and files have its columns where a row does.
	Rare bool
	// Checked: checks hold it under its name; for what is counted, or follows from others.
	Checked bool
	// Stats are the statistics that figures can show where columns do not say.
	Stats []string
	// Count is a counter of samples, by the name of Counter, or its own; mean is where its mean is,
	// which has a column then.
	Count   func(*Counters) *int64
	Counter string
	mean    func(*Values) *float64
	// Columns are all others.
	Columns []Column
}

// Column is a number of a metric in points.csv, with the interval around it.
type Column struct {
	Name string
	// Stat is the statistic of the metric; empty where there is only one number.
	Stat string
	// Check is the name by which checks hold it; empty: they do not.
	Check string
	// Stem names the ends of the interval where the name of the column does not: fallback_lo.
	Stem string
	of   func(*Values) ends
}

// ends are where a value and its interval stand; nil where there are none.
type ends [3]*float64

// Table has every metric, in the order in which figures and checks list them.
func Table() []Metric { return table }

// title is what a column is called on an axis.
func (m *Metric) title(stat string) string {
	if stat == "" {
		return m.Title
	}
	return StatWord(stat) + " " + m.Title
}

// doc is one line about a statistic.
func (m *Metric) doc(stat string) string {
	switch {
	case stat != "":
		return statWords[stat][1] + ": " + m.Doc
	case m.Share:
		return "fraction of " + m.Doc
	}
	return m.Doc
}

// columns are those of the table, and that of the mean of what is counted.
func (m *Metric) columns() []Column {
	if m.mean == nil {
		return m.Columns
	}
	c := Column{Name: m.Name + "_mean", Stat: Mean,
		of: func(v *Values) ends { return ends{m.mean(v)} }}
	if m.Checked {
		c.Check = m.Name
	}
	return append([]Column{c}, m.Columns...)
}

// Shows lists the statistics of the metric.
func (m *Metric) Shows() (list []string) {
	for _, stat := range []string{Mean, P50, P99, P999, Max} {
		if m.Column(stat) != nil || slices.Contains(m.Stats, stat) {
			list = append(list, stat)
		}
	}
	if list == nil {
		return []string{Mean}
	}
	return list
}

// Column finds the column of a statistic; nil where there is none.
func (m *Metric) Column(stat string) *Field {
	for _, c := range m.columns() {
		if cmp.Or(c.Stat, Mean) == stat {
			return byName[c.Name]
		}
	}
	return nil
}

// Find returns the metric of a name; nil where there is none.
func Find(name string) *Metric {
	if i := slices.IndexFunc(table, func(m Metric) bool { return m.Name == name }); i >= 0 {
		return &table[i]
	}
	return nil
}

// Times reports whether values are times, or of times, which differ between samples.
func (m *Metric) Times() bool { return !m.Measured && (m.Unit == Seconds || m.Ratio) }

// Drawn lists the metrics that figures of scenarios show.
func Drawn() (names []string) {
	for i := range table {
		if table[i].Drawn {
			names = append(names, table[i].Name)
		}
	}
	return names
}

// Counter is a counter as samples have it.
type Counter struct {
	Name, Doc string
	Unit      string
	Count     func(*Counters) *int64
	// Mean is where its mean stands in a row; nil where a row has none.
	Mean func(*Values) *float64
}

// Counted lists every counter, in the order of Table.
func Counted() []Counter { return counted }

var counted = counters()

func counters() (list []Counter) {
	for i := range table {
		m := &table[i]
		if m.Count == nil {
			continue
		}
		list = append(list, Counter{cmp.Or(m.Counter, m.Name), m.Doc, m.Unit, m.Count, m.mean})
	}
	return list
}

// Check is a metric that checks compare with a baseline and hold to bounds.
type Check struct {
	Name, Better, Unit, Doc string
	Of                      *Metric
	// Field holds it; nil where it is computed from others.
	Field *Field
}

// Checks lists what checks hold, in the order in which reports show it.
func Checks() []Check { return checks }

var checks = checked()

func checked() (list []Check) {
	for i := range table {
		m := &table[i]
		if m.Checked && m.mean == nil {
			list = append(list, Check{m.Name, m.Better, m.Unit, m.doc(""), m, nil})
		}
		for _, c := range m.columns() {
			if c.Check != "" {
				list = append(list,
					Check{c.Check, m.Better, m.Unit, m.doc(c.Stat), m, byName[c.Name]})
			}
		}
	}
	return list
}

// FindCheck finds what checks hold by name.
func FindCheck(name string) (Check, bool) {
	i := slices.IndexFunc(checks, func(c Check) bool { return c.Name == name })
	if i < 0 {
		return Check{}, false
	}
	return checks[i], true
}

// bound is the name of an end of the interval: "lo" or "hi", before the suffix of the unit.
func (c Column) bound(end string, unit string) string {
	stem, suffix := c.Stem, ""
	if stem == "" {
		suffix = suffixes[unit]
		stem = strings.TrimSuffix(c.Name, suffix)
	}
	return stem + "_" + end + suffix
}
