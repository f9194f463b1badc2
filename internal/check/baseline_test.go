package check

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/internal/metric"
)

// written is the text of a baseline.
func written(t testing.TB, b *Baseline) string {
	t.Helper()
	var out bytes.Buffer
	if n, err := b.WriteTo(&out); err != nil || n == 0 {
		t.Fatalf("wrote %d bytes: %v", n, err)
	}
	return out.String()
}

func TestBaselineReadsBackAsItWasWritten(t *testing.T) {
	number := rapid.Custom(func(t *rapid.T) Number {
		return Number(rapid.OneOf(rapid.Float64(), rapid.Just(math.NaN()), rapid.Just(0.0)).
			Filter(func(x float64) bool { return !math.IsInf(x, 0) }).Draw(t, "x"))
	})
	rapid.Check(t, func(t *rapid.T) {
		b := &Baseline{Format: Format, Scenario: rapid.String().Draw(t, "name"),
			Seed: rapid.Uint64().Draw(t, "seed"), History: []Update{{Reason: "<&> \"quoted\""}},
			Cases: []Case{}}
		for _, m := range metric.Checks()[:rapid.IntRange(0, 5).Draw(t, "cases")] {
			b.Cases = append(b.Cases, Case{Point: "a=1,b=<2>", Scheme: "ec-mds(32,8)", Metric: m.Name,
				Value: Value{number.Draw(t, "value"), number.Draw(t, "lo"), number.Draw(t, "hi"), 7}})
		}
		var text bytes.Buffer
		if _, err := b.WriteTo(&text); err != nil {
			t.Fatal(err)
		}
		var plain map[string]any
		if err := json.Unmarshal(text.Bytes(), &plain); err != nil {
			t.Fatalf("not JSON: %v\n%s", err, text.String())
		}
		back, err := ReadBaseline(&text)
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Cases {
			if !same(b.Cases[i].Value, back.Cases[i].Value) {
				t.Fatalf("case %d: %+v comes back as %+v", i, b.Cases[i], back.Cases[i])
			}
			back.Cases[i].Value, b.Cases[i].Value = Value{}, Value{}
		}
		if !reflect.DeepEqual(b, back) && len(b.Cases) > 0 {
			t.Fatalf("%+v comes back as %+v", b, back)
		}
	})
}

func TestBaselineHasALineForEachCase(t *testing.T) {
	b := Renew(nil, Source{Scenario: single(t, "1", "[]"), Cases: []Case{
		caseOf("goodput", value(1, .5)), caseOf("acks", unbounded(2)),
	}}, "first")
	text := written(t, b)
	for _, line := range []string{
		`    {"point":"","scheme":"sr-rto","metric":"goodput","value":1,"lo":0.5,"hi":1.5,"n":100},`,
		`    {"point":"","scheme":"sr-rto","metric":"acks","value":2,"lo":null,"hi":null,"n":100}`,
	} {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("got\n%swithout the line\n%s", text, line)
		}
	}
}

func TestForeignBaselinesAreRefused(t *testing.T) {
	const one = `{"point":"","scheme":"a","metric":"goodput","value":1,"lo":1,"hi":1,"n":1}`
	for text, want := range map[string]string{
		`{`:                              "unexpected end",
		`{"format": 2}`:                  "format 2, this program reads format 1",
		`{"format": 1, "colour": "red"}`: `unknown field "colour"`,
		`{"format": 1, "cases": [` + one + `,` + one + `]}`:                "comes twice",
		`{"format": 1, "cases": [{"metric": "speed"}]}`:                    `no metric "speed"`,
		`{"format": 1, "cases": [{"metric": "goodput", "value": "much"}]}`: "no string there",
	} {
		if _, err := ReadBaseline(strings.NewReader(text)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
}

func TestBaselineRecordsWhyItChanges(t *testing.T) {
	source := Source{Scenario: single(t, "1", "[]"), Version: "1",
		Cases: []Case{caseOf("goodput", value(1, 0)), caseOf("acks", value(1, 0))}}
	first := Renew(nil, source, "first")
	if same := Renew(first, source, "again"); same != first {
		t.Errorf("changed though nothing has: %+v", same.History)
	}
	source.Cases = []Case{caseOf("goodput", value(2, 0)), caseOf("nacks", value(1, 0))}
	second := Renew(first, source, "twice as fast")
	want := []Update{
		{Reason: "first", Version: "1", ScenarioSHA256: source.Scenario.Hash, Added: 2},
		{Reason: "twice as fast", Version: "1", ScenarioSHA256: source.Scenario.Hash,
			Added: 1, Changed: 1, Removed: 1},
	}
	if !reflect.DeepEqual(second.History, want) {
		t.Errorf("history %+v; want %+v", second.History, want)
	}
	source.Scenario = single(t, "2", "[]")
	if third := Renew(second, source, "other seed"); third == second || third.Seed != 2 {
		t.Errorf("a new seed does not reach the baseline: %+v", third)
	}
	if len(first.History) != 1 {
		t.Errorf("the history of the old baseline has changed: %+v", first.History)
	}
}

// TestCommittedBaselinesAreComplete compares names only; whether the values hold is for sdrsim
// check to say, which is part of the checks of a commit.
func TestCommittedBaselinesAreComplete(t *testing.T) {
	files, err := filepath.Glob("../../scenarios/regression/*.yaml")
	if err != nil || len(files) < 4 {
		t.Fatalf("found %v: %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := load(t, string(text))
		if s.Question == "" || s.Name+".yaml" != filepath.Base(file) || len(s.Checks) == 0 {
			t.Errorf("%s: asks %q, is named %s, has %d rules", file, s.Question, s.Name, len(s.Checks))
		}
		f, err := os.Open(filepath.Join("../../results/regression", s.Name, "baseline.json"))
		if err != nil {
			t.Error(err)
			continue
		}
		defer f.Close()
		b, err := ReadBaseline(f)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		have := b.byID()
		for _, p := range s.Points() {
			for _, scheme := range p.Schemes {
				for _, m := range metric.Checks() {
					if have[id{p.Key, scheme.Label, m.Name}] == nil {
						t.Errorf("%s: no %s of %s at %s", file, m.Name, scheme.Label, p.Key)
					}
				}
			}
		}
	}
}
