package check

import (
	"math"
	"testing"

	"sdrsim/internal/experiment"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
	"sdrsim/scenarios"
)

// small has two points, two schemes and few samples of short messages with many losses.
const small = `name: small
link: {bandwidth: 100Gbps, rtt: 1ms, loss: {model: iid, per: packet, p: 1e-3}}
message: {size: 1MiB, chunk: 16KiB}
schemes: [sr-rto, {name: ec-mds, k: 8, m: 2}]
sweep: {link.loss.p: [1e-3, 1e-2]}
samples: 60
`

// load reads a scenario that must be right.
func load(t testing.TB, text string, set ...string) *scenarios.Scenario {
	t.Helper()
	var overrides []scenarios.Override
	for _, o := range set {
		parsed, err := scenarios.ParseOverride(o)
		if err != nil {
			t.Fatal(err)
		}
		overrides = append(overrides, parsed)
	}
	s, err := scenarios.Load("f.yaml", []byte(text), overrides)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// measured runs a scenario and returns its cases.
func measured(t testing.TB, s *scenarios.Scenario, jobs int) ([]Case, *sweep.Result) {
	t.Helper()
	var r Recorder
	simulation := func(p *spec.Point, s *spec.Scheme) (sweep.Runner, error) {
		return experiment.NewRunner(p, s)
	}
	swept, err := sweep.Run(t.Context(), sweep.Config{Source: s, Jobs: jobs,
		NewRunner: r.Wrap(simulation)})
	if err != nil {
		t.Fatal(err)
	}
	return Measure(s, swept.Rows, &r), swept
}

// value is a value of a hundred samples with an interval of a width on both sides.
func value(x, width float64) Value {
	return Value{Number(x), Number(x - width), Number(x + width), 100}
}

// unbounded is a value whose interval too few samples carry.
func unbounded(x float64) Value {
	nan := Number(math.NaN())
	return Value{Number(x), nan, nan, 100}
}

// caseOf is a case of the only point.
func caseOf(metric string, v Value) Case { return Case{Scheme: "sr-rto", Metric: metric, Value: v} }

// single has one point and one scheme, and the rules given.
func single(t testing.TB, seed string, rules string) *scenarios.Scenario {
	return load(t, `name: single
link: {bandwidth: 100Gbps, rtt: 1ms}
message: {size: 1MiB}
schemes: [sr-rto]
check: `+rules+"\n", "seed="+seed)
}

// judged compares one value with its baseline, of seed 1, in a run of the seed and the rules given.
func judged(t testing.TB, seed, rules string, base, now Case) Finding {
	t.Helper()
	suite := Compare(Comparison{
		Source: Source{Scenario: single(t, seed, rules), Cases: []Case{now}},
		Base:   &Baseline{Seed: 1, Cases: []Case{base}}, Tolerance: math.NaN(),
	})
	return suite.Findings[0]
}
