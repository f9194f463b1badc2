package keys

import (
	"testing"

	"sdrsim/internal/metric"
)

func TestMetricsSayWhatTheyAre(t *testing.T) {
	for _, m := range metric.Checks() {
		found, ok := metric.FindCheck(m.Name)
		if !ok || found != m || m.Doc == "" || m.Better != metric.Lower && m.Better != metric.Higher {
			t.Errorf("metric %+v", m)
		}
		if k := BoundKey(m); k.Allowed() == "" {
			t.Errorf("%s: no way to write a bound", m.Name)
		}
	}
	if _, ok := metric.FindCheck("speed"); ok {
		t.Error("there is a metric that nobody listed")
	}
}
