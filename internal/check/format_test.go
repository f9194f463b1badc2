package check

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"golang.org/x/perf/benchfmt"
)

// sampleReport has a case of every verdict, an incomplete suite, and names that every format has to
// escape.
func sampleReport() *Report {
	nan := Number(math.NaN())
	finding := func(metric string, base, now float64, v Verdict) Finding {
		return Finding{Case: Case{Point: "link.loss.p=1e-5,schemes.a|b.k=4", Scheme: "ec_mds(32,8)-8 <x>",
			Metric: metric, Value: value(now, .001)}, Base: value(base, .001), Verdict: v,
			Change: Number(now/base - 1), Tolerance: .02}
	}
	bound := finding("efficiency", .8, .7, Regressed)
	bound.Rule, bound.Line = "efficiency, min 0.78", 12
	lost := finding("completion_p999", 1, 0, Regressed)
	lost.Value, lost.Change = Value{nan, nan, nan, 100}, nan
	return &Report{Version: "1", Suites: []Suite{
		{Scenario: "first", File: "scenarios/first,1.yaml", Baseline: "results/first/baseline.json",
			Seed: 1, Exact: true, Notes: []string{"a note: 100 % of it"}, Findings: []Finding{
				finding("completion_mean", .0277, .0277, Unchanged),
				finding("completion_p50", .0277, .0278, Within),
				finding("completion_p99", .03, .02, Improved),
				lost, finding("acks", 4, 5, Inconclusive), bound,
			}},
		{Scenario: "second", File: "second.yaml", Seed: 2, Incomplete: "interrupted",
			Findings: []Finding{{Case: caseOf("goodput", value(4e11, 1e9)), Verdict: Missing,
				Base: Value{nan, nan, nan, 0}, Change: nan, Tolerance: nan}}},
	}}
}

// in writes the sample report in a format.
func in(t *testing.T, format string) string {
	t.Helper()
	var out bytes.Buffer
	if err := sampleReport().Write(&out, format); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTextEndsWithTheCount(t *testing.T) {
	got := in(t, "text")
	if !strings.HasSuffix(got, "\n4 passed, 2 failed\n") {
		t.Errorf("ends otherwise:\n%s", got)
	}
	for _, want := range []string{
		"first (scenarios/first,1.yaml): exact comparison, seed 1",
		"30 ms -> 20 ms", "-33.3 %", "1 s -> -", "rule: efficiency, min 0.78",
		"incomplete: interrupted", "note: a note: 100 % of it",
		"1 unchanged, 1 within, 1 improved, 1 inconclusive, 2 regressed",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("without %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "completion_p50") {
		t.Errorf("shows what is within its tolerance:\n%s", got)
	}
}

func TestJSONHoldsEverything(t *testing.T) {
	var back struct {
		Version, Outcome string
		Passed, Failed   int
		Suites           []struct {
			Scenario, File, Baseline, Incomplete string
			Exact                                bool
			Findings                             []struct {
				Point, Scheme, Metric, Verdict, Rule string
				Line                                 int
				Value, Lo, Hi, Change                *float64
				N                                    int64
				Base                                 struct{ Value *float64 }
			}
		}
	}
	decoder := json.NewDecoder(strings.NewReader(in(t, "json")))
	if err := decoder.Decode(&back); err != nil {
		t.Fatal(err)
	}
	if back.Outcome != "regression" || back.Passed != 4 || back.Failed != 2 || len(back.Suites) != 2 {
		t.Fatalf("read back %+v", back)
	}
	for i, s := range sampleReport().Suites {
		for k, want := range s.Findings {
			got := back.Suites[i].Findings[k]
			if got.Point != want.Point || got.Scheme != want.Scheme || got.Metric != want.Metric ||
				got.Verdict != string(want.Verdict) || got.Rule != want.Rule || got.Line != want.Line ||
				got.N != want.N {
				t.Errorf("read back %+v of %+v", got, want)
			}
			if known := got.Value != nil; known != want.Value.Value.Known() ||
				known && *got.Value != float64(want.Value.Value) {
				t.Errorf("%s: value %v of %v", want.Metric, got.Value, want.Value.Value)
			}
		}
	}
	if back.Suites[1].Incomplete != "interrupted" || back.Suites[1].Findings[0].Base.Value != nil {
		t.Errorf("read back %+v", back.Suites[1])
	}
}

func TestJUnitHoldsACaseForEachMetric(t *testing.T) {
	var back struct {
		XMLName  xml.Name `xml:"testsuites"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Tests int    `xml:"tests,attr"`
			Cases []struct {
				Class   string `xml:"classname,attr"`
				Name    string `xml:"name,attr"`
				Failure *struct {
					Message string `xml:"message,attr"`
					Text    string `xml:",chardata"`
				} `xml:"failure"`
				Error *struct {
					Message string `xml:"message,attr"`
				} `xml:"error"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(in(t, "junit")), &back); err != nil {
		t.Fatal(err)
	}
	if back.Tests != 7 || back.Failures != 2 || back.Errors != 1 || len(back.Suites) != 2 {
		t.Fatalf("read back %+v", back)
	}
	first := back.Suites[0]
	if first.Name != "first" || first.Tests != 6 || len(first.Cases) != 6 {
		t.Fatalf("read back %+v", first)
	}
	const name = "link.loss.p=1e-5,schemes.a|b.k=4 ec_mds(32,8)-8 <x> efficiency"
	bound := first.Cases[5]
	if bound.Name != name || bound.Class != "first" || bound.Failure == nil ||
		!strings.Contains(bound.Failure.Text, "0.8 -> 0.7") ||
		!strings.Contains(bound.Failure.Text, "min 0.78") {
		t.Errorf("read back %+v", bound)
	}
	for _, c := range first.Cases[:3] {
		if c.Failure != nil || c.Error != nil {
			t.Errorf("%s fails", c.Name)
		}
	}
	if e := back.Suites[1].Cases[0].Error; e == nil || e.Message != "interrupted" {
		t.Errorf("read back %+v", back.Suites[1])
	}
}

func TestMarkdownHoldsATable(t *testing.T) {
	source := []byte(in(t, "markdown"))
	root := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().
		Parse(text.NewReader(source))
	var rows [][]string
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if row, ok := n.(*east.TableRow); ok && entering {
			var cells []string
			for c := row.FirstChild(); c != nil; c = c.NextSibling() {
				cells = append(cells, plainText(c, source))
			}
			rows = append(rows, cells)
		}
		return ast.WalkContinue, nil
	})
	if err != nil || len(rows) != 4 {
		t.Fatalf("%d rows, want 4 that changed: %v\n%s", len(rows), err, source)
	}
	want := []string{"improved", "link.loss.p=1e-5,schemes.a|b.k=4", "ec_mds(32,8)-8 <x>",
		"completion_p99", "30 ms", "20 ms", "-33.3 %", "allowed 2 %"}
	for i := range want {
		if rows[0][i] != want[i] {
			t.Errorf("cell %d is %q; want %q", i, rows[0][i], want[i])
		}
	}
	if !strings.Contains(string(source), "4 passed, 2 failed") {
		t.Errorf("does not count:\n%s", source)
	}
}

// plainText is what a reader of the page sees of a node.
func plainText(n ast.Node, source []byte) string {
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if leaf, ok := n.(*ast.Text); ok && entering {
			out.Write(leaf.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return regexp.MustCompile(`\\([\\|_<*\[`+"`])").ReplaceAllString(out.String(), "$1")
}

// command is a workflow command: ::name key=value,key=value::message.
var command = regexp.MustCompile(`^::(error|warning|notice) ([^:]*)::(.*)$`)

func TestGitHubCommandsNameFileAndLine(t *testing.T) {
	escapes := regexp.MustCompile(`%(25|3A|2C|0A|0D)`)
	unescape := strings.NewReplacer("%25", "%", "%3A", ":", "%2C", ",", "%0A", "\n").Replace
	var got []string
	lines := strings.Split(strings.TrimSpace(in(t, "github")), "\n")
	for _, line := range lines[:len(lines)-1] {
		m := command.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("no command: %s", line)
		}
		if strings.Contains(escapes.ReplaceAllString(line, ""), "%") {
			t.Errorf("an unescaped %%: %s", line)
		}
		properties := map[string]string{}
		for _, pair := range strings.Split(m[2], ",") {
			key, value, _ := strings.Cut(pair, "=")
			properties[key] = unescape(value)
		}
		got = append(got, strings.Join([]string{m[1], properties["file"], properties["line"],
			properties["title"], unescape(m[3])}, "; "))
	}
	const scheme, point = "ec_mds(32,8)-8 <x>", "link.loss.p=1e-5,schemes.a|b.k=4"
	for _, want := range []string{
		"error; scenarios/first,1.yaml; 12; efficiency of " + scheme + " regressed; efficiency of " +
			scheme + " regressed; " + point + ": 0.8 -> 0.7, -12.5 % (rule: efficiency, min 0.78)",
		"notice; scenarios/first,1.yaml; ; ; a note: 100 % of it",
		"error; second.yaml; ; second is incomplete; interrupted",
	} {
		if !strings.Contains(strings.Join(got, "\n")+"\n", want+"\n") {
			t.Errorf("without\n%s\ngot\n%s", want, strings.Join(got, "\n"))
		}
	}
	if last := lines[len(lines)-1]; last != "4 passed, 2 failed" {
		t.Errorf("ends with %q", last)
	}
}

func TestGoBenchmarkFormatIsRead(t *testing.T) {
	reader := benchfmt.NewReader(strings.NewReader(in(t, "gobench")), "check")
	var results []*benchfmt.Result
	for reader.Scan() {
		switch r := reader.Result().(type) {
		case *benchfmt.Result:
			results = append(results, r.Clone())
		case *benchfmt.SyntaxError:
			t.Error(r)
		}
	}
	if err := reader.Err(); err != nil || len(results) != 2 {
		t.Fatalf("%d results: %v", len(results), err)
	}
	first, second := results[0], results[1]
	const name = "Check/link.loss.p=1e-5/schemes.a|b.k=4/scheme=ec_mds(32,8)-8_<x>"
	if string(first.Name) != name || first.Iters != 100 || first.GetConfig("scenario") != "first" {
		t.Errorf("%s of %s, %d iterations", first.Name, first.GetConfig("scenario"), first.Iters)
	}
	if v, ok := first.Value("completion_mean-sec"); !ok || v != .0277 {
		t.Errorf("completion %v, %v", v, ok)
	}
	if _, ok := first.Value("completion_p999-sec"); ok {
		t.Error("an unknown value has a number")
	}
	if v, ok := second.Value("goodput-bit/s"); !ok || v != 4e11 {
		t.Errorf("goodput %v, %v", v, ok)
	}
	units := reader.Units()
	if m := units.Get("efficiency", "better"); m == nil || m.Value != "higher" {
		t.Errorf("efficiency is better when %+v", m)
	}
}

func TestNumberAtTheEndOfASchemeIsNoNumberOfProcessors(t *testing.T) {
	f := Finding{Case: Case{Scheme: "mds-8", Metric: "acks"}}
	if _, parts := benchfmt.Name(benchName(&f)[len("Benchmark"):]).Parts(); len(parts) != 1 ||
		string(parts[0]) != "/scheme=mds_8" {
		t.Errorf("%s has the parts %q", benchName(&f), parts)
	}
}

// full fails after so many bytes.
type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

func TestEveryFormatReportsAFullDisk(t *testing.T) {
	for _, format := range Formats() {
		for _, room := range []int{0, 200} {
			if err := sampleReport().Write(&full{room}, format); err == nil {
				t.Errorf("%s: no error after %d bytes", format, room)
			}
		}
	}
	if err := sampleReport().Write(io.Discard, "yaml"); err == nil ||
		!strings.Contains(err.Error(), "text, json, junit, markdown, github, gobench") {
		t.Errorf("an unknown format: %v", err)
	}
}
