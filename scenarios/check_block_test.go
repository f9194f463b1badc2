package scenarios

import (
	"math"
	"strings"
	"testing"

	"sdrsim/internal/metric"
)

const sweptCheck = `sweep: {link.loss.p: [1e-4, 1e-3], message.size: [1MiB, 2MiB]}
check:
  - {metric: efficiency, scheme: ec-mds, where: {message.size: 2MiB, link.loss.p: 1e-3}, min: 0.78}
  - {metric: completion_p99, max: 30ms, max_increase: 2%}
  - {metric: goodput, min: 1.5Gbps, max_drop: 0.05}
  - {metric: acks, better: higher, max_drop: 50%}
`

func TestRulesOfChecksAreRead(t *testing.T) {
	s := load(t, base+sweptCheck)
	want := []string{
		"efficiency, min 0.78, scheme ec-mds, link.loss.p=0.001, message.size=2097152",
		"completion_p99, max 30ms, max_increase 2%",
		"goodput, min 1.5Gbps, max_drop 0.05",
		"acks, max_drop 50%",
	}
	if len(s.Checks) != len(want) {
		t.Fatalf("%d rules; want %d", len(s.Checks), len(want))
	}
	for i := range want {
		if got := s.Checks[i].String(); got != want[i] {
			t.Errorf("rule %d is %s; want %s", i, got, want[i])
		}
		if line := strings.Count(base, "\n") + 3 + i; s.Checks[i].Line != line {
			t.Errorf("rule %d is of line %d; want %d", i, s.Checks[i].Line, line)
		}
	}
	if b := s.Checks[3].Better; b != metric.Higher {
		t.Errorf("acks are better when %s; the rule says higher", b)
	}
	if !math.IsNaN(s.Checks[0].Tolerance) || !math.IsNaN(s.Checks[0].Max) {
		t.Errorf("rule 0 has bounds that nobody gave: %+v", s.Checks[0])
	}
}

func TestRulesApplyWhereTheySay(t *testing.T) {
	s := load(t, base+sweptCheck)
	applied := map[int]int{}
	for i := range s.Len() {
		p := s.At(i)
		for _, scheme := range p.Schemes {
			for _, m := range metric.Checks() {
				for r := range s.Checks {
					if s.Checks[r].Applies(p.Axes, scheme.Label, m.Name) {
						applied[r]++
					}
				}
			}
		}
	}
	// The first is of one point and scheme; the others are of two schemes at four points.
	if applied[0] != 1 || applied[1] != 8 || applied[2] != 8 || applied[3] != 8 {
		t.Errorf("rules apply to %v cases; want 1, 8, 8 and 8", applied)
	}
}

func TestRuleOfAValueOutOfTheSweepIsLeftOut(t *testing.T) {
	s := load(t, base+sweptCheck, "link.loss.p=1e-4")
	if len(s.Checks) != 3 || len(s.Notes) != 1 ||
		!strings.Contains(s.Notes[0], "check of efficiency is left out") {
		t.Errorf("%d rules, notes %q; want 3 and one note", len(s.Checks), s.Notes)
	}
}

func TestChecksCanBeGivenByAnOverride(t *testing.T) {
	s := load(t, base, "check=[{metric: overhead, max: 1%}]")
	if len(s.Checks) != 1 || s.Checks[0].Max != 0.01 || s.Checks[0].Line != 0 {
		t.Errorf("rules %+v", s.Checks)
	}
}
