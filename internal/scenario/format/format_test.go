package format

import (
	"strings"
	"testing"
)

// Every fault has the place that is to blame.
func TestTextsThatAreNoScenarioAreRefusedAtTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "f.yaml:1:1: no scenario: the file is empty",
		"# only a comment\n":       "f.yaml:1:1: no scenario: the file is empty",
		"- a\n":                    "f.yaml:1:1: a scenario must be a mapping",
		"a: 1\n\tb: 2\n":           "f.yaml:2:1: a tab begins this line",
		"a: 1\nb: [1, 2\n":         "f.yaml:2:1: not YAML",
		"a: &x 1\nb: *x\n":         "f.yaml:1:4: anchors and aliases are not allowed",
		"a: 1\nb: !!str 2\n":       "f.yaml:2:4: tags are not allowed",
		"a: 1\n---\nb: 2\n":        "a second document",
		"a: 1\nb: \xff\n":          "f.yaml:2:4: not UTF-8",
		"a: 1\rb: 2\n":             "f.yaml:1:5: a line break U+000D",
		strings.Repeat("#", 1<<21): "f.yaml:1:1: a scenario has at most 1 MiB",
	} {
		f := NewFaults("f.yaml", nil)
		root := Parse([]byte(text), f)
		if err := f.Result(); err == nil || !strings.Contains(err.Error(), want) || root != nil {
			t.Errorf("%.20q: %v, want %q", text, err, want)
		}
	}
}

func TestKeysHaveTheirPlacesAndComeOnce(t *testing.T) {
	f := NewFaults("f.yaml", nil)
	root := Parse([]byte("a: 1\n  # a comment\nb: {c: 2}\na: 3\n"), f)
	list := Entries(root, "", f)
	if len(list) != 2 || list[0].Key != "a" || list[1].Key != "b" || list[1].At != (Pos{3, 1}) {
		t.Errorf("read %+v", list)
	}
	const want = `f.yaml:4:1: duplicate key "a", first at line 1`
	if err := f.Result(); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// What an override brings has the override for its place, and its faults come last.
func TestFaultsOfOverridesNameTheOverride(t *testing.T) {
	set := Override{Path: "a.b", Value: "!!str x"}
	f := NewFaults("f.yaml", []Override{set})
	if _, ok := ParseValue(set, -1, f); ok {
		t.Error("a tag is taken")
	}
	f.Add(Pos{7, 2}, "is wrong", Error{Key: "c"})
	const want = "f.yaml:7:2: c: is wrong\n" +
		"--set a.b=!!str x: anchors, aliases, tags and deep nesting are not allowed"
	if err := f.Result(); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestTheWordThatWasMeantIsNear(t *testing.T) {
	words := []string{"link.rtt", "link.loss.p", "message.size", "samples"}
	for word, want := range map[string]string{
		"link.rt": "link.rtt", "sampels": "samples", "mesage.size": "message.size",
		"xyz": "", "": "",
	} {
		if got := Nearest(word, words); got != want {
			t.Errorf("%q: meant %q, want %q", word, got, want)
		}
	}
	for word, want := range map[string]string{"rtt": "link.rtt", "sise": "message.size",
		"p": "link.loss.p"} {
		if got := NearestPath(word, words); got != want {
			t.Errorf("path %q: meant %q, want %q", word, got, want)
		}
	}
}

// A fault is laid to the setting that is most likely wrong, and comes once.
func TestFaultsAreLaidToTheLikeliestSettingOnce(t *testing.T) {
	f := NewFaults("f.yaml", nil)
	given := suspectAt{Source{Name: "given", Raw: "1", At: Pos{1, 1}, Weight: 3}}
	swept := suspectAt{Source{Name: "swept", Raw: "2", At: Pos{2, 1}, Weight: 4, Swept: true}}
	for range 3 {
		f.Blame("do not go together", nil, given, swept)
	}
	const want = `f.yaml:2:1: swept: "2": do not go together`
	if err := f.Result(); err == nil || err.Error() != want || f.Count() != 1 {
		t.Errorf("got %v, want %s", err, want)
	}
}

type suspectAt struct{ of Source }

func (s suspectAt) Source() Source { return s.of }
