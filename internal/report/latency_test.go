package report

import (
	"testing"

	"sdrsim/internal/figure"
	"sdrsim/internal/metric"
	"sdrsim/internal/result"
)

// Figures of latencies have their own values, intervals and doubts; slowdowns have the interval of
// their columns.
func TestFiguresOfLatenciesAndSlowdowns(t *testing.T) {
	r := result.NewRow(nil, "s")
	r.CompletionP99, r.CompletionP99Lo, r.CompletionP99Hi = 1, 0.9, 1.1
	r.CompletionMean, r.CompletionMeanLo, r.CompletionMeanHi = 1, 0.5, 2
	r.LatencyP99, r.LatencyP99Lo, r.LatencyP99Hi = 5, 4, 7
	r.SlowdownMean = 3
	read := func(y, stat string) (value, lo, hi float64, carried bool) {
		m, err := measureOf(figure.Figure{Kind: "line", Y: y, Value: y, Stat: stat})
		if err != nil {
			t.Fatal(err)
		}
		e, ok := m.get(nil, &r)
		return e.Value, e.Lo, e.Hi, ok
	}
	if v, lo, hi, ok := read("latency", metric.P99); v != 5 || lo != 4 || hi != 7 || !ok {
		t.Errorf("latency %v in %v..%v, carried %v", v, lo, hi, ok)
	}
	r.Warnings = []string{result.LatencyPrefix + "p99: few"}
	if _, _, _, ok := read("latency", metric.P99); ok {
		t.Error("a latency in doubt is carried")
	}
	if _, _, _, ok := read("completion", metric.P99); !ok {
		t.Error("completion is in doubt where latency is")
	}
	if _, _, _, ok := read("latency_p99_s", metric.Mean); ok {
		t.Error("a column of latencies in doubt is carried")
	}
	if _, lo, hi, _ := read("slowdown", metric.Mean); lo != 1.5 || hi != 6 {
		t.Errorf("slowdown of earlier results in %v..%v; want that of completion", lo, hi)
	}
	r.SlowdownMeanLo, r.SlowdownMeanHi = 2, 4
	if _, lo, hi, _ := read("slowdown", metric.Mean); lo != 2 || hi != 4 {
		t.Errorf("slowdown in %v..%v; want 2..4", lo, hi)
	}
	largest := figure.Figure{Kind: "line", Y: "latency", Value: "latency", Stat: metric.Max}
	if _, err := measureOf(largest); err == nil {
		t.Error("latencies have no largest")
	}
}
