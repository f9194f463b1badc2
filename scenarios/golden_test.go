package scenarios

import (
	"flag"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// base is a whole scenario without mistakes; golden cases change it.
const base = `name: base
link:
  bandwidth: 400Gbps
  rtt: 25ms
  loss: {model: iid, p: 1e-5}
message: {size: 1MiB}
schemes: [sr-rto, ec-mds]
`

// TestFaultsOfBadScenarios compares every message with testdata/bad.golden. The cases are in
// testdata/bad.txt: "== name", then lines "--set path=value", "-old" and "+new" that change the
// base scenario, or a whole scenario after a line "text:".
func TestFaultsOfBadScenarios(t *testing.T) {
	var got strings.Builder
	for name, body := range badCases(t) {
		text, overrides := badCase(t, name, body)
		_, err := Load("f.yaml", []byte(text), overrides)
		if err == nil {
			t.Errorf("%s: loads; want a fault", name)
			continue
		}
		checkPlaces(t, name, text, err)
		got.WriteString("== " + name + "\n" + err.Error() + "\n")
	}
	golden := filepath.Join("testdata", "bad.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	compareLines(t, got.String(), string(want))
}

// badCases yields the cases by name, in order.
func badCases(t testing.TB) iter.Seq2[string, string] {
	t.Helper()
	cases, err := os.ReadFile(filepath.Join("testdata", "bad.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(string, string) bool) {
		for _, c := range strings.Split(string(cases), "\n== ")[1:] {
			name, body, _ := strings.Cut(c, "\n")
			if !yield(name, body) {
				return
			}
		}
	}
}

// badCase builds the text and the overrides of a case.
func badCase(t testing.TB, name, body string) (string, []Override) {
	t.Helper()
	if _, text, whole := strings.Cut("\n"+body+"\n", "\ntext:\n"); whole {
		return unquoted.Replace(text), nil
	}
	text, old, overrides := base, "", []Override(nil)
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "":
		case strings.HasPrefix(line, "--set "):
			o, err := ParseOverride(strings.TrimPrefix(line, "--set "))
			if err != nil {
				t.Fatal(err)
			}
			overrides = append(overrides, o)
		case line[0] == '-':
			old = line[1:]
			if strings.Count(text, old) != 1 {
				t.Fatalf("%s: the base has %q %d times", name, old, strings.Count(text, old))
			}
			text = strings.Replace(text, old, "\x00", 1)
		case line[0] == '+' && old != "":
			text, old = strings.Replace(text, "\x00", line[1:], 1), ""
		case line[0] == '+':
			text += line[1:] + "\n"
		default:
			t.Fatalf("%s: cannot read %q", name, line)
		}
	}
	return unquoted.Replace(strings.Replace(text, "\x00", "", 1)), overrides
}

// unquoted turns what editors would hide into what it stands for.
var unquoted = strings.NewReplacer("<TAB>", "\t", "<FF>", "\xff", "<CR>", "\r", "<LS>", "\u2028")

// checkPlaces wants every position to be one of the file.
func checkPlaces(t *testing.T, name, text string, err error) {
	t.Helper()
	lines := strings.Split(text, "\n")
	for _, e := range err.(Errors) {
		override := strings.HasPrefix(e.File, "--set ")
		inside := e.Line >= 1 && e.Line <= len(lines) && e.Column >= 1 &&
			e.Column <= len(lines[e.Line-1])+1
		if !override && !inside || override && (e.Line != 0 || e.Column != 0) {
			t.Errorf("%s: %q is at no place of a file of %d lines", name, e, len(lines))
		}
	}
}

// compareLines reports the first line that differs.
func compareLines(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		have, expect := "(nothing)", "(nothing)"
		if i < len(g) {
			have = g[i]
		}
		if i < len(w) {
			expect = w[i]
		}
		if have != expect {
			t.Fatalf("line %d:\n got %s\nwant %s\nRun with -update after a look at the change.",
				i+1, have, expect)
		}
	}
}
