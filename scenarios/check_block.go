package scenarios

import (
	"math"
	"slices"
	"strings"

	"sdrsim/internal/figure"
	"sdrsim/internal/metric"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
)

// CheckRule holds a metric to bounds.
type CheckRule struct {
	Metric string
	// Better is metric.Lower or metric.Higher: that of the metric, unless the user gave another.
	Better string
	// Scheme is the label of the only scheme that is meant; empty: every one.
	Scheme string
	// Where picks the points that are meant, by swept values; empty: every one.
	Where []figure.AxisMatch
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

// Applies reports whether the rule is about a metric of a scheme at a point.
func (r *CheckRule) Applies(axes []spec.AxisValue, scheme, metric string) bool {
	if r.Metric != metric || r.Scheme != "" && r.Scheme != scheme {
		return false
	}
	for _, want := range r.Where {
		if !slices.ContainsFunc(axes, func(a spec.AxisValue) bool {
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
			parts = append(parts, bound.name+" "+keys.FormatNumber(bound.value))
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
	if r.Better == metric.Higher {
		return "max_drop"
	}
	return "max_increase"
}
