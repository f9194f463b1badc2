package check

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/perf/benchmath"
	"pgregory.net/rapid"

	"sdrsim/internal/metric"
	"sdrsim/internal/stats"
	"sdrsim/scenarios"
)

func TestVerdicts(t *testing.T) {
	nan := unbounded(math.NaN())
	const none = "[]"
	for _, test := range []struct {
		name, seed, rules, metric string
		base, now                 Value
		want                      Verdict
	}{
		{"equal", "1", none, "completion_mean", value(1, .1), value(1, .1), Unchanged},
		{"exact: worse by a hair", "1", none, "completion_mean", value(1, .1), value(1.0001, .1),
			Regressed},
		{"exact: better by a hair", "1", none, "completion_mean", value(1, .1), value(.9999, .1),
			Improved},
		{"exact: higher is better", "1", none, "goodput", value(1, .1), value(1.0001, .1), Improved},
		{"exact: lower is worse", "1", none, "goodput", value(1, .1), value(.9999, .1), Regressed},
		{"exact: from zero", "1", none, "retransmits", value(0, 0), value(.1, .1), Regressed},
		{"exact: within a rule", "1", "[{metric: completion_mean, max_increase: 2%}]",
			"completion_mean", value(1, .1), value(1.02, .1), Within},
		{"exact: beyond a rule", "1", "[{metric: completion_mean, max_increase: 2%}]",
			"completion_mean", value(1, .1), value(1.021, .1), Regressed},
		{"exact: the last rule counts", "1", "[{metric: goodput, max_drop: 50%}, " +
			"{metric: goodput, max_drop: 1%, scheme: sr-rto}]", "goodput", value(1, .1), value(.9, .1),
			Regressed},
		{"exact: a rule that says otherwise what is better", "1",
			"[{metric: acks, better: higher, max_drop: 0}]", "acks", value(4, 0), value(3, 0), Regressed},
		{"noise within the tolerance", "2", none, "completion_mean", value(1, 0), value(1.02, 0), Within},
		{"noise beyond it", "2", none, "completion_mean", value(1, .1), value(1.1, .1), Inconclusive},
		{"no noise: worse", "2", none, "completion_mean", value(1, .01), value(1.1, .01), Regressed},
		{"no noise: better", "2", none, "completion_mean", value(1, .01), value(.9, .01), Improved},
		{"no interval", "2", none, "completion_p999", unbounded(1), unbounded(9), Inconclusive},
		{"nothing is delivered any more", "1", none, "completion_mean", value(1, .1), nan, Regressed},
		{"something is delivered at last", "1", none, "completion_mean", nan, value(1, .1), Improved},
		{"still nothing", "2", none, "completion_mean", nan, nan, Unchanged},

		{"inside a bound", "1", "[{metric: efficiency, min: 0.78}]", "efficiency",
			value(.78, .01), value(.78, .01), Unchanged},
		{"below a bound", "1", "[{metric: efficiency, min: 0.78}]", "efficiency",
			value(.77, .1), value(.77, .1), Regressed},
		{"improved, and still below", "1", "[{metric: efficiency, min: 0.78}]", "efficiency",
			value(.7, .1), value(.77, .1), Regressed},
		{"noise at a bound", "2", "[{metric: efficiency, min: 0.78}]", "efficiency",
			value(.775, .01), value(.775, .01), Inconclusive},
		{"no noise at a bound", "2", "[{metric: efficiency, min: 0.78}]", "efficiency",
			value(.775, .001), value(.775, .001), Regressed},
		{"above a bound", "1", "[{metric: completion_p99, max: 30ms}]", "completion_p99",
			value(.031, 0), value(.031, 0), Regressed},
		{"a bound of what is unknown", "1", "[{metric: completion_p99, max: 30ms}]", "completion_p99",
			nan, nan, Regressed},
		{"a bound of another scheme's", "1", "[{metric: completion_p99, max: 30ms}]", "completion_p50",
			value(.031, 0), value(.031, 0), Unchanged},
	} {
		f := judged(t, test.seed, test.rules, caseOf(test.metric, test.base), caseOf(test.metric,
			test.now))
		if f.Verdict != test.want {
			t.Errorf("%s: %s; want %s", test.name, f.Verdict, test.want)
		}
		if ruled := f.Verdict == Regressed && test.rules != none; ruled && f.Rule == "" {
			t.Errorf("%s: no rule is named", test.name)
		}
	}
}

func TestOtherSampleCountIsNoExactComparison(t *testing.T) {
	fewer := value(1, .1)
	fewer.N = 50
	f := judged(t, "1", "[]", caseOf("goodput", value(1.05, .1)), caseOf("goodput", fewer))
	if f.Verdict != Inconclusive {
		t.Errorf("%s; want inconclusive", f.Verdict)
	}
}

func TestToleranceOfTheUserCountsWhereNoRuleSpeaks(t *testing.T) {
	cases := []Case{caseOf("goodput", value(.95, 0)), caseOf("completion_mean", value(1.05, 0))}
	base := []Case{caseOf("goodput", value(1, 0)), caseOf("completion_mean", value(1, 0))}
	suite := Compare(Comparison{
		Source: Source{Scenario: single(t, "1", "[{metric: goodput, max_drop: 1%}]"), Cases: cases},
		Base:   &Baseline{Seed: 1, Cases: base}, Tolerance: 0.1,
	})
	if a, b := suite.Findings[0].Verdict, suite.Findings[1].Verdict; a != Regressed || b != Within {
		t.Errorf("goodput %s, completion %s; want regressed by the rule, within the tolerance", a, b)
	}
}

// TestBetterIsWorseSeenFromTheOtherSide swaps baseline and run.
func TestBetterIsWorseSeenFromTheOtherSide(t *testing.T) {
	opposite := map[Verdict]Verdict{Improved: Regressed, Regressed: Improved}
	j := judge{Comparison: Comparison{Base: &Baseline{Seed: 1}, Source: Source{
		Scenario: &scenarios.Scenario{Seed: 1}}}, z: 1.5}
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) Value {
			v := value(rapid.Float64Range(0, 10).Draw(t, label), rapid.Float64Range(0, 3).Draw(t, label))
			v.N = rapid.Int64Range(1, 2).Draw(t, label)
			return v
		}
		a, b := draw("a"), draw("b")
		there := j.change(&Finding{Case: Case{Value: b}, Base: a}, metric.Lower)
		back := j.change(&Finding{Case: Case{Value: a}, Base: b}, metric.Lower)
		if want, turns := opposite[there]; turns && back != want || !turns && back != there {
			t.Fatalf("%v to %v is %s, and back %s", a, b, there, back)
		}
	})
}

// TestSignificanceIsNoLaxerThanWelch compares with the two-sample test of golang.org/x/perf, which
// has the samples themselves and takes them as normal. Intervals that have room for rare events are
// wider, so that a difference has to be a little plainer.
func TestSignificanceIsNoLaxerThanWelch(t *testing.T) {
	rng := rand.New(rand.NewPCG(2505, 5366))
	thresholds := benchmath.DefaultThresholds
	found, z := 0, stretch(1)
	const trials = 400
	for range trials {
		a, b := normals(rng, 40, 0), normals(rng, 60, rng.Float64())
		ours := significant(welch(a), welch(b), z)
		p := benchmath.AssumeNormal.Compare(benchmath.NewSample(a, &thresholds),
			benchmath.NewSample(b, &thresholds)).P
		if ours {
			found++
		}
		if ours && p > 0.05 || !ours && p < 1e-4 {
			t.Errorf("significant is %v where p is %v", ours, p)
		}
	}
	if found < trials/6 || found > trials*4/5 {
		t.Errorf("%d of %d differences are significant", found, trials)
	}
}

func normals(rng *rand.Rand, n int, mean float64) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = mean + rng.NormFloat64()
	}
	return xs
}

func welch(xs []float64) Value {
	e := stats.Mean(xs)
	return Value{Number(e.Value), Number(e.Lo), Number(e.Hi), int64(len(xs))}
}

// TestNoiseAloneSeldomFailsAScenario draws scenarios of 200 cases in which nothing changed. One in
// twenty may fail; the bound has three standard errors more.
func TestNoiseAloneSeldomFailsAScenario(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const trials, cases, n = 400, 200, 100
	const t99 = 1.9842 // two-sided 95 % quantile of Student's t with 99 degrees of freedom
	// The mean of n normal samples is normal, and their variance is chi-square; for n = 100 the
	// spread of the variance is that of a normal, closely enough.
	drawn := func() Value {
		dev := math.Sqrt(1 + rng.NormFloat64()*math.Sqrt(2.0/(n-1)))
		return value(rng.NormFloat64()/math.Sqrt(n), t99*dev/math.Sqrt(n))
	}
	failed, z := 0, stretch(cases)
	for range trials {
		for range cases {
			if significant(drawn(), drawn(), z) {
				failed++
				break
			}
		}
	}
	if limit := trials/20 + 3*math.Sqrt(trials*.05*.95); float64(failed) > limit {
		t.Errorf("%d of %d scenarios fail by chance; want at most %.0f", failed, trials, limit)
	}
}

func TestCasesOfOneSideMakeASuiteIncomplete(t *testing.T) {
	a, b := caseOf("goodput", value(1, 0)), caseOf("acks", value(1, 0))
	base := &Baseline{Seed: 1, Cases: []Case{a}}
	for _, test := range []struct {
		name  string
		base  *Baseline
		cases []Case
		set   []string
		want  string
		told  string
	}{
		{"no baseline", nil, []Case{a}, nil, "there is no baseline", ""},
		{"more in the run", base, []Case{a, b}, nil, "1 cases are not in the baseline", ""},
		{"more in the baseline", base, nil, nil, "1 cases of the baseline are not", ""},
		{"less by an override", base, nil, []string{"seed=1"}, "", "overrides have taken them away"},
		{"all there", base, []Case{a}, nil, "", ""},
	} {
		s := load(t, strings.Replace(small, "name: small", "name: other", 1), test.set...)
		suite := Compare(Comparison{Source: Source{Scenario: s, Cases: test.cases}, Base: test.base,
			Tolerance: math.NaN()})
		complete := suite.Incomplete == ""
		if !strings.Contains(suite.Incomplete, test.want) || complete != (test.want == "") {
			t.Errorf("%s: incomplete %q; want %q", test.name, suite.Incomplete, test.want)
		}
		if notes := strings.Join(suite.Notes, "\n"); !strings.Contains(notes, test.told) {
			t.Errorf("%s: notes %q; want %q", test.name, notes, test.told)
		}
	}
}

func TestOutcomeIsThatOfTheWorstSuite(t *testing.T) {
	pass := Suite{Findings: []Finding{{Verdict: Unchanged}, {Verdict: Inconclusive}}}
	fail := Suite{Findings: []Finding{{Verdict: Regressed}, {Verdict: Improved}}}
	open := Suite{Incomplete: "interrupted", Findings: []Finding{{Verdict: Missing}}}
	for _, test := range []struct {
		suites         []Suite
		want           Outcome
		passed, failed int
	}{
		{nil, Pass, 0, 0}, {[]Suite{pass}, Pass, 2, 0}, {[]Suite{pass, open}, Incomplete, 2, 0},
		{[]Suite{open, fail, pass}, Regression, 3, 1}, {[]Suite{fail, open}, Regression, 1, 1},
	} {
		r := Report{Suites: test.suites}
		passed, failed := r.Counts()
		if r.Outcome() != test.want || passed != test.passed || failed != test.failed {
			t.Errorf("%v, %d passed, %d failed; want %v, %d, %d", r.Outcome(), passed, failed, test.want,
				test.passed, test.failed)
		}
	}
}
