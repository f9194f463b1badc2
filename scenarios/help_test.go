package scenarios

import (
	"strings"
	"testing"
)

// load reads a scenario that must be right.
func load(t testing.TB, text string, overrides ...string) *Scenario {
	t.Helper()
	s, err := Load("f.yaml", []byte(text), set(t, overrides...))
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, text)
	}
	return s
}

// set reads overrides, as path=value.
func set(t testing.TB, overrides ...string) (list []Override) {
	t.Helper()
	for _, text := range overrides {
		o, err := ParseOverride(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, o)
	}
	return list
}

// with appends lines to the base scenario.
func with(lines ...string) string { return base + strings.Join(lines, "\n") + "\n" }

// schemesOf is the base scenario with other schemes.
func schemesOf(list string) string { return strings.Replace(base, "[sr-rto, ec-mds]", list, 1) }

// lossOf is the base scenario with another loss model.
func lossOf(loss string) string { return strings.Replace(base, "{model: iid, p: 1e-5}", loss, 1) }

// texts returns the values of an axis as tables show them.
func texts(a Axis) string { return strings.Join(a.Texts(), " ") }
