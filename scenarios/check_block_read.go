package scenarios

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sdrsim/internal/metric"
	"sdrsim/schemes"

	"gopkg.in/yaml.v3"
)

// checkKeys are the keys of a rule. Min and max take the unit of their metric.
var checkKeys = []Key{
	{Path: "check.metric", Kind: schemes.KindChoice, Choices: metricNames(), Fixed: true,
		Doc: "what is judged; required"},
	{Path: "check.better", Kind: schemes.KindChoice, Choices: []string{metric.Lower, metric.Higher},
		Fixed: true, Doc: "default: as the metric has it"},
	{Path: "check.scheme", Kind: KindText, Fixed: true,
		Doc: "label of the scheme that is meant; default: every one"},
	{Path: "check.where", Kind: KindMapping, Fixed: true,
		Doc: "values of the swept paths that are meant; default: every point"},
	{Path: "check.min", Kind: KindText, Fixed: true,
		Doc: "least value: a duration, a rate or a number, as the metric is"},
	{Path: "check.max", Kind: KindText, Fixed: true,
		Doc: "greatest value: a duration, a rate or a number, as the metric is"},
	{Path: "check.max_drop", Kind: KindShare, Max: 1, Fixed: true,
		Doc: "how much lower than its baseline a metric may be that is better when higher"},
	{Path: "check.max_increase", Kind: KindShare, Max: 1000, Fixed: true,
		Doc: "how much higher than its baseline a metric may be that is better when lower"},
}

var checkSet = func() *keySet {
	keys := slices.Clone(checkKeys)
	for i := range keys {
		keys[i].Path = strings.TrimPrefix(keys[i].Path, "check.")
	}
	return newKeySet(keys)
}()

// boundKey is how a bound of the metric is written.
func boundKey(m metric.Check) *Key {
	switch m.Unit {
	case metric.Seconds:
		return &Key{Kind: KindDuration, Max: maxSendSeconds}
	case metric.Bits:
		return &Key{Kind: schemes.KindRate, Max: maxRate}
	}
	return &Key{Kind: KindShare}
}

// ruleReader reads one rule of the check block.
type ruleReader struct {
	selector
	block
	node    *yaml.Node
	rule    CheckRule
	skipped string // why the rule does not fit an overridden sweep
}

// readChecks reads the rules. One about a value which an override has taken out of the sweep is
// left out, with a note.
func readChecks(d *decoder, s *Sweep) (rules []CheckRule, notes []string) {
	for _, n := range d.checks {
		if !d.f.want(n, yaml.MappingNode, "check", "a mapping {metric, min, ...}") {
			continue
		}
		r := ruleReader{selector: selector{decoder: d, sweep: s, section: "check"}, node: n}
		r.block = newBlock(checkSet, "check.", place(n))
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
	before := r.f.count()
	list := entries(r.node, "check", r.f)
	for _, e := range list {
		if s := r.lookup(e.key); s == nil {
			addUnknown(r.f, e, "check", checkSet.names())
		} else if e.key == "metric" {
			r.scalar(s, r.key("metric"), e.val)
		}
	}
	name := r.get("metric")
	if name.state == absent {
		r.f.add(place(r.node), "missing; must be "+r.key("metric").Allowed(),
			Error{Key: name.name})
	}
	of, known := metric.FindCheck(name.text)
	if !known || !name.has() {
		return false
	}
	for _, e := range list {
		r.value(e, of)
	}
	if r.f.count() == before {
		r.settle(of)
	}
	return r.f.count() == before
}

// value reads a key of a rule about the metric.
func (r *ruleReader) value(e entry, of metric.Check) {
	s := r.lookup(e.key)
	switch e.key {
	case "min", "max":
		r.scalar(s, boundKey(of), e.val)
	case "where":
		if r.f.want(e.val, yaml.MappingNode, s.name, "a mapping of swept paths to values") &&
			!r.sweep.broken {
			r.rule.Where, r.skipped = r.where(e.val)
		}
	case "scheme":
		r.scalar(s, r.key("scheme"), e.val)
		if s.has() && r.scheme("scheme", s.text, s.at) {
			r.rule.Scheme = s.text
		}
	case "better", "max_drop", "max_increase":
		r.scalar(s, r.key(e.key), e.val)
	}
}

// settle puts the rule together and wants its bounds to make sense.
func (r *ruleReader) settle(of metric.Check) {
	low, high := r.get("min"), r.get("max")
	drop, increase := r.get("max_drop"), r.get("max_increase")
	r.rule.Metric, r.rule.Better = of.Name, of.Better
	if better := r.get("better"); better.has() {
		r.rule.Better = better.text
	}
	r.rule.Line = max(0, r.node.Line)
	r.rule.Min, r.rule.Max = bound(low), bound(high)
	tolerance, wrong, right := increase, drop, "max_increase"
	if r.rule.Better == metric.Higher {
		tolerance, wrong, right = drop, increase, "max_drop"
	}
	r.rule.Tolerance = bound(tolerance)
	for i, s := range []*setting{low, high, tolerance} {
		if s.wrote() {
			r.rule.written[i] = s.raw
		}
	}
	switch {
	case of.Of.Rare && !r.draft.networked():
		r.f.add(place(r.node), fmt.Sprintf("metric %s is of a network, which the scenario does not "+
			"have", of.Name), Error{Key: "check"})
	case wrong.wrote():
		r.f.blame("must be %s, for %s is better when %s",
			[]any{right, of.Name, r.rule.Better}, wrong)
	case low.state == absent && high.state == absent && tolerance.state == absent:
		r.f.add(place(r.node), fmt.Sprintf("a rule needs a bound: min, max or %s", right),
			Error{Key: "check"})
	case usable(low, high) && low.number > high.number:
		r.f.blame("min %v must not be above max %v", []any{low.raw, high.raw}, low, high)
	}
}

// bound is the number of a setting, NaN where there is none.
func bound(s *setting) float64 {
	if !s.has() {
		return math.NaN()
	}
	return s.number
}
