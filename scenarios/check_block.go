package scenarios

import (
	"math"
	"slices"
	"strings"

	"sdrsim/schemes"
)

// KindShare is a number that may be given in percent: 0.02, 2%.
const KindShare schemes.Kind = "share"

// Directions in which a metric gets better.
const (
	BetterLower  = "lower"
	BetterHigher = "higher"
)

// Units of metrics.
const (
	UnitSeconds = "s"
	UnitRate    = "bit/s"
)

// CheckMetric is a number that a check compares with a baseline and holds to bounds.
type CheckMetric struct {
	Name string
	// Better is BetterLower or BetterHigher.
	Better string
	// Unit of the values is UnitSeconds, UnitRate, or empty for plain numbers.
	Unit string
	Doc  string // one line: what it is
}

// CheckMetrics lists the metrics in the order in which reports show them.
func CheckMetrics() []CheckMetric { return checkMetrics }

var checkMetrics = []CheckMetric{
	{"completion_mean", BetterLower, UnitSeconds,
		"completion time of a message at the sender, mean"},
	{"completion_p50", BetterLower, UnitSeconds, "the same, median"},
	{"completion_p99", BetterLower, UnitSeconds, "the same, 99th percentile"},
	{"completion_p999", BetterLower, UnitSeconds, "the same, 99.9th percentile"},
	{"latency_mean", BetterLower, UnitSeconds,
		"time from the posting of a message to its completion, mean"},
	{"latency_p99", BetterLower, UnitSeconds, "the same, 99th percentile"},
	{"latency_p999", BetterLower, UnitSeconds, "the same, 99.9th percentile"},
	{"slowdown", BetterLower, "",
		"mean completion time over that of the message alone, without loss and parity"},
	{"goodput", BetterHigher, UnitRate, "message bits delivered over the time that took"},
	{"efficiency", BetterHigher, "",
		"goodput over link.bandwidth: the part of the data rate that becomes messages"},
	{"overhead", BetterLower, "",
		"bytes on the wire over message bytes, minus one: parity, headers and repeats"},
	{"retransmits", BetterLower, "", "chunks sent again in a sample, mean"},
	{"spurious_retransmits", BetterLower, "",
		"chunks sent again though they had arrived, in a sample, mean"},
	{"acks", BetterLower, "", "acknowledgements sent in a sample, mean"},
	{"nacks", BetterLower, "", "negative acknowledgements sent in a sample, mean"},
	{"timeouts", BetterLower, "", "timeouts that expired in a sample, mean"},
	{"fallback_fraction", BetterLower, "",
		"messages of which a submessage fell back to Selective Repeat, as a fraction"},
	{"failed_fraction", BetterLower, "", "samples of which a message was given up, as a fraction"},
}

func metricNames() []string {
	names := make([]string, len(checkMetrics))
	for i, m := range checkMetrics {
		names[i] = m.Name
	}
	return names
}

// LookupMetric finds a metric by name.
func LookupMetric(name string) (CheckMetric, bool) {
	i := slices.Index(metricNames(), name)
	if i < 0 {
		return CheckMetric{}, false
	}
	return checkMetrics[i], true
}

// CheckRule holds a metric to bounds.
type CheckRule struct {
	Metric string
	// Better is the direction of the metric, unless the user gave another.
	Better string
	// Scheme is the label of the only scheme that is meant; empty: every one.
	Scheme string
	// Where picks the points that are meant, by swept values; empty: every one.
	Where []AxisMatch
	// Min and Max bound the value itself, in SI base units; NaN where there is no bound.
	Min, Max float64
	// Tolerance is how much worse the value may be than its baseline, as a fraction of it; NaN where
	// the rule does not say. For a metric that is better when lower it is an increase, else a drop.
	Tolerance float64
	// written are Min, Max and Tolerance as the file has them; empty where it has none.
	written [3]string
	// Line of the file; 0 for a rule of an override.
	Line int
}

// Applies tells whether the rule is about a metric of a scheme at a point.
func (r *CheckRule) Applies(axes []AxisValue, scheme, metric string) bool {
	if r.Metric != metric || r.Scheme != "" && r.Scheme != scheme {
		return false
	}
	for _, want := range r.Where {
		if !slices.ContainsFunc(axes, func(a AxisValue) bool {
			return a.Path == want.Path && a.Text == want.Text
		}) {
			return false
		}
	}
	return true
}

// String says what the rule demands: its bounds as they are written, and where it applies.
func (r *CheckRule) String() string {
	parts := []string{r.Metric}
	for i, bound := range []struct {
		name  string
		value float64
	}{{"min", r.Min}, {"max", r.Max}, {r.toleranceKey(), r.Tolerance}} {
		switch {
		case r.written[i] != "":
			parts = append(parts, bound.name+" "+r.written[i])
		case !math.IsNaN(bound.value):
			parts = append(parts, bound.name+" "+formatNumber(bound.value))
		}
	}
	if r.Scheme != "" {
		parts = append(parts, "scheme "+r.Scheme)
	}
	for _, w := range r.Where {
		parts = append(parts, w.Path+"="+w.Text)
	}
	return strings.Join(parts, ", ")
}

func (r *CheckRule) toleranceKey() string {
	if r.Better == BetterHigher {
		return "max_drop"
	}
	return "max_increase"
}
