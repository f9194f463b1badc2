package scenarios

import (
	"strings"
	"testing"
)

// An unknown key of an entry is one mistake: it may be meant for the one that is missing.
func TestUnknownKeysOfEventsAreOneError(t *testing.T) {
	for _, events := range []string{
		"changes: [{at: 1ms, los: 1e-3}]", "outages: [{at: 1ms, fro: 2ms}]",
	} {
		text := strings.Replace(base, "link:\n", "link:\n  "+events+"\n", 1)
		_, err := Load("f.yaml", []byte(text), nil)
		if err == nil || strings.Count(err.Error(), "f.yaml:") != 1 ||
			!strings.Contains(err.Error(), "unknown key") {
			t.Errorf("%s: %v", events, err)
		}
	}
}
