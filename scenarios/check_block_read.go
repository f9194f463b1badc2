package scenarios

import (
	"fmt"
	"math"

	"sdrsim/internal/metric"
	"sdrsim/internal/scenario/axes"
	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"

	"gopkg.in/yaml.v3"
)

// ruleReader reads one rule of the check block.
type ruleReader struct {
	axes.Selector
	keys.Block
	node    *yaml.Node
	rule    CheckRule
	skipped string // why the rule does not fit an overridden sweep
}

// readChecks reads the rules. One about a value which an override has taken out of the sweep is
// left out, with a note.
func readChecks(d *draft.Decoder, s *axes.Sweep) (rules []CheckRule, notes []string) {
	for _, n := range d.Checks {
		if !d.Faults.Want(n, yaml.MappingNode, "check", "a mapping {metric, min, ...}") {
			continue
		}
		r := ruleReader{Selector: axes.Selector{Decoder: d, Sweep: s, Section: "check"}, node: n}
		r.Block = keys.NewBlock(keys.CheckSet, "check.", format.Place(n))
		switch {
		case !r.read():
		case r.skipped != "":
			notes = append(notes, "check of "+r.rule.Metric+" is left out: "+r.skipped)
		default:
			rules = append(rules, r.rule)
		}
	}
	return rules, notes
}

// read fills in the rule; ok is false after a fault.
func (r *ruleReader) read() (ok bool) {
	before := r.Faults.Count()
	list := format.Entries(r.node, "check", r.Faults)
	for _, e := range list {
		if s := r.Lookup(e.Key); s == nil {
			format.AddUnknown(r.Faults, e, "check", keys.CheckSet.Names())
		} else if e.Key == "metric" {
			r.Scalar(s, r.Key("metric"), e.Val)
		}
	}
	name := r.Get("metric")
	if name.State == keys.Absent {
		r.Faults.Add(format.Place(r.node), "missing; must be "+r.Key("metric").Allowed(),
			format.Error{Key: name.Name})
	}
	of, known := metric.FindCheck(name.Text)
	if !known || !name.Has() {
		return false
	}
	for _, e := range list {
		r.value(e, of)
	}
	if r.Faults.Count() == before {
		r.settle(of)
	}
	return r.Faults.Count() == before
}

// value reads a key of a rule about the metric.
func (r *ruleReader) value(e format.Entry, of metric.Check) {
	s := r.Lookup(e.Key)
	switch e.Key {
	case "min", "max":
		r.Scalar(s, keys.BoundKey(of), e.Val)
	case "where":
		if r.Faults.Want(e.Val, yaml.MappingNode, s.Name, "a mapping of swept paths to values") &&
			!r.Sweep.Broken {
			r.rule.Where, r.skipped = r.Where(e.Val)
		}
	case "scheme":
		r.Scalar(s, r.Key("scheme"), e.Val)
		if s.Has() && r.Scheme("scheme", s.Text, s.At) {
			r.rule.Scheme = s.Text
		}
	case "better", "max_drop", "max_increase":
		r.Scalar(s, r.Key(e.Key), e.Val)
	}
}

// settle puts the rule together and wants its bounds to make sense.
func (r *ruleReader) settle(of metric.Check) {
	low, high := r.Get("min"), r.Get("max")
	drop, increase := r.Get("max_drop"), r.Get("max_increase")
	r.rule.Metric, r.rule.Better = of.Name, of.Better
	if better := r.Get("better"); better.Has() {
		r.rule.Better = better.Text
	}
	r.rule.Line = max(0, r.node.Line)
	r.rule.Min, r.rule.Max = bound(low), bound(high)
	tolerance, wrong, right := increase, drop, "max_increase"
	if r.rule.Better == metric.Higher {
		tolerance, wrong, right = drop, increase, "max_drop"
	}
	r.rule.Tolerance = bound(tolerance)
	for i, s := range []*keys.Setting{low, high, tolerance} {
		if s.Wrote() {
			r.rule.written[i] = s.Raw
		}
	}
	switch {
	case of.Of.Rare && !r.Draft.Networked():
		r.Faults.Add(format.Place(r.node),
			fmt.Sprintf("metric %s is of a network, which the scenario does not "+
				"have", of.Name), format.Error{Key: "check"})
	case wrong.Wrote():
		r.Faults.Blame("must be %s, for %s is better when %s",
			[]any{right, of.Name, r.rule.Better}, wrong)
	case low.State == keys.Absent && high.State == keys.Absent && tolerance.State == keys.Absent:
		r.Faults.Add(format.Place(r.node), fmt.Sprintf("a rule needs a bound: min, max or %s", right),
			format.Error{Key: "check"})
	case keys.Usable(low, high) && low.Number > high.Number:
		r.Faults.Blame("min %v must not be above max %v", []any{low.Raw, high.Raw}, low, high)
	}
}

// bound is the number of a setting, NaN where there is none.
func bound(s *keys.Setting) float64 {
	if !s.Has() {
		return math.NaN()
	}
	return s.Number
}
