package check

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"sdrsim/internal/metric"
	"sdrsim/internal/portable"
	"sdrsim/internal/spec"
	"sdrsim/scenarios"
)

// Verdict is how a case stands to its baseline and to the rules.
type Verdict string

// Verdicts.
const (
	Unchanged    Verdict = "unchanged"
	Within       Verdict = "within"       // changed by no more than its tolerance
	Improved     Verdict = "improved"     // for the better, and no noise
	Regressed    Verdict = "regressed"    // for the worse, and no noise, or beyond a bound
	Inconclusive Verdict = "inconclusive" // beyond the tolerance or a bound, and may be noise
	Missing      Verdict = "missing"      // not in the baseline
)

// verdicts in the order in which summaries count them.
var verdicts = []Verdict{Unchanged, Within, Improved, Inconclusive, Regressed, Missing}

// Tolerance is how much a value may change in a statistical comparison, as a fraction of its
// baseline, where neither a rule nor the user says.
const Tolerance = 0.02

// Finding is a case that was judged.
type Finding struct {
	Case
	Verdict Verdict `json:"verdict"`
	// Base is the baseline; unknown for a case that is missing there.
	Base Value `json:"base"`
	// Change is relative to the baseline; unknown where that is zero.
	Change Number `json:"change"`
	// Tolerance is how much change for the worse would pass.
	Tolerance Number `json:"tolerance"`
	// Rule is the rule that was broken, Line its line in the scenario.
	Rule string `json:"rule,omitempty"`
	Line int    `json:"line,omitempty"`
}

// Comparison says what to compare with what.
type Comparison struct {
	Source
	// Base is nil where there is no baseline.
	Base *Baseline
	// Tolerance overrides what is granted where no rule speaks, as a fraction; NaN: nothing in an
	// exact comparison, Tolerance in a statistical one.
	Tolerance float64
}

// Compare judges every case. The suite it returns has neither file nor baseline named.
func Compare(c Comparison) Suite {
	s := c.Scenario
	suite := Suite{Scenario: s.Name, Seed: s.Seed, Notes: s.Notes}
	base := c.Base
	if base == nil {
		base = &Baseline{}
		suite.Incomplete = "there is no baseline; --update --reason TEXT makes one"
	} else if base.ScenarioSHA256 != s.Hash {
		suite.Notes = append(suite.Notes, "the scenario is not the one of the baseline, as a hash "+
			"over its text and the overrides tells")
	}
	j := judge{Comparison: c, points: pointsOf(s), z: stretch(len(c.Cases))}
	before := base.byID()
	missing := 0
	for i := range c.Cases {
		was := before[c.Cases[i].id()]
		if was == nil {
			missing++
		}
		f := j.judge(&c.Cases[i], was)
		delete(before, f.id())
		suite.Findings = append(suite.Findings, f)
		suite.Exact = suite.Exact || j.exact(f.Value, f.Base)
	}
	if n := suite.Count(Improved); n > 0 && suite.Exact {
		suite.Notes = append(suite.Notes, fmt.Sprintf("%d cases improved; --update --reason TEXT "+
			"makes that the baseline", n))
	}
	if c.Base != nil {
		suite.account(missing, len(before), len(s.Overrides) > 0)
	}
	return suite
}

// account says which cases only one side has.
func (s *Suite) account(missing, gone int, overridden bool) {
	switch {
	case missing > 0:
		s.Incomplete = fmt.Sprintf("%d cases are not in the baseline; --update --reason TEXT adds them",
			missing)
	case gone > 0 && !overridden:
		s.Incomplete = fmt.Sprintf("%d cases of the baseline are not in the scenario; "+
			"--update --reason TEXT removes them", gone)
	case gone > 0:
		s.Notes = append(s.Notes, fmt.Sprintf("%d cases of the baseline are left out, for overrides "+
			"have taken them away", gone))
	}
}

// pointsOf returns the swept values of points by key, which rules ask for.
func pointsOf(s *scenarios.Scenario) map[string][]spec.AxisValue {
	points := make(map[string][]spec.AxisValue, s.Len())
	for i := range s.Len() {
		p := s.At(i)
		points[p.Key] = p.Axes
	}
	return points
}

// stretch is by how much a 95 % interval widens where one of n may be wrong by chance in 5 % of all
// comparisons.
func stretch(n int) float64 {
	const tail = 0.025
	normal := distuv.UnitNormal
	return normal.Quantile(1-tail/float64(max(n, 1))) / normal.Quantile(1-tail)
}

// judge judges the cases of one scenario.
type judge struct {
	Comparison
	points map[string][]spec.AxisValue
	z      float64
}

// exact reports whether two values differ by no noise: equal seeds, and as many samples.
func (j *judge) exact(now, base Value) bool {
	return j.Base != nil && j.Base.Seed == j.Scenario.Seed && now.N == base.N
}

// judge compares a case with its baseline, nil where there is none, and holds it to the rules.
func (j *judge) judge(c *Case, base *Case) Finding {
	nan := Number(math.NaN())
	f := Finding{Case: *c, Verdict: Missing, Base: Value{nan, nan, nan, 0}, Change: nan,
		Tolerance: nan}
	of, ok := metric.FindCheck(c.Metric)
	if !ok {
		panic("BUG: check: no metric " + c.Metric)
	}
	better := of.Better
	rules := j.rules(c)
	for _, r := range rules {
		better = r.Better
	}
	if base != nil {
		f.Base = base.Value
		f.Tolerance = Number(j.tolerance(rules, j.exact(c.Value, base.Value)))
		f.Change = c.Value.Value/base.Value.Value - 1
		f.Verdict = j.change(&f, better)
		j.blame(&f, rules)
	}
	for _, r := range rules {
		j.bound(&f, r)
	}
	return f
}

// rules are those about a case, in the order of the file.
func (j *judge) rules(c *Case) []*scenarios.CheckRule {
	var list []*scenarios.CheckRule
	for i := range j.Scenario.Checks {
		r := &j.Scenario.Checks[i]
		if r.Applies(j.points[c.Point], c.Scheme, c.Metric) {
			list = append(list, r)
		}
	}
	return list
}

// tolerance is what the last rule that grants one does: rules go from the general to the
// particular.
func (j *judge) tolerance(rules []*scenarios.CheckRule, exact bool) float64 {
	tolerance := j.Tolerance
	if math.IsNaN(tolerance) {
		tolerance = Tolerance
		if exact {
			tolerance = 0
		}
	}
	for _, r := range rules {
		if !math.IsNaN(r.Tolerance) {
			tolerance = r.Tolerance
		}
	}
	return tolerance
}

// blame names the rule whose tolerance a regression exceeds.
func (j *judge) blame(f *Finding, rules []*scenarios.CheckRule) {
	if f.Verdict != Regressed {
		return
	}
	for _, r := range rules {
		if !math.IsNaN(r.Tolerance) {
			f.Rule, f.Line = r.String(), r.Line
		}
	}
}

// change judges a change against the baseline.
func (j *judge) change(f *Finding, better string) Verdict {
	now, base := f.Value, f.Base
	worse := now.Value > base.Value
	if better == metric.Higher {
		worse = now.Value < base.Value
	}
	size := math.Abs(float64(now.Value - base.Value))
	switch {
	case equal(now.Value, base.Value):
		return Unchanged
	case !now.Value.Known(): // nothing is delivered any more
		return Regressed
	case !base.Value.Known():
		return Improved
	case size <= float64(f.Tolerance*(1+1e-9))*math.Abs(float64(base.Value)):
		return Within // up to the rounding of the fraction
	case !j.exact(now, base) && !significant(base, now, j.z):
		return Inconclusive
	case worse:
		return Regressed
	}
	return Improved
}

// significant reports whether two values differ by more than their intervals, stretched by z,
// explain; never where an end is unknown.
func significant(a, b Value, z float64) bool {
	if a.Value > b.Value {
		a, b = b, a
	}
	margin := z * portable.Hypot(float64(a.Hi-a.Value), float64(b.Value-b.Lo))
	return float64(b.Value-a.Value) > margin // false for NaN
}

// bound holds a value to the bounds of a rule.
func (j *judge) bound(f *Finding, r *scenarios.CheckRule) {
	breach := j.breach(f, r)
	graver := breach == Regressed || breach == Inconclusive && f.Verdict != Missing
	if breach == Unchanged || !graver || f.Verdict == Regressed && f.Rule != "" {
		return
	}
	if f.Verdict != Regressed {
		f.Verdict = breach
	}
	f.Rule, f.Line = r.String(), r.Line
}

// breach is Regressed for a value outside the bounds of a rule; Inconclusive where the comparison
// is statistical and the interval reaches the bound; Unchanged otherwise. An unknown value is
// outside of every bound.
func (j *judge) breach(f *Finding, r *scenarios.CheckRule) Verdict {
	v, low, high := f.Value, Number(r.Min), Number(r.Max)
	below, above := v.Value < low, v.Value > high
	switch {
	case !v.Value.Known():
		if low.Known() || high.Known() {
			return Regressed
		}
		return Unchanged
	case !below && !above:
		return Unchanged
	case !j.exact(v, f.Base) && (below && v.Hi >= low || above && v.Lo <= high):
		return Inconclusive
	}
	return Regressed
}
