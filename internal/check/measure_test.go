package check

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"sdrsim/internal/metric"
	"sdrsim/internal/result"
	"sdrsim/internal/spec"
)

// TestMetricsAreThoseOfTheResults holds every metric to the columns of points.csv.
func TestMetricsAreThoseOfTheResults(t *testing.T) {
	s := load(t, small)
	cases, swept := measured(t, s, 2)
	published := map[string]func(*result.Row) float64{
		"completion_mean": func(r *result.Row) float64 { return r.CompletionMean },
		"completion_p50":  func(r *result.Row) float64 { return r.CompletionP50 },
		"completion_p99":  func(r *result.Row) float64 { return r.CompletionP99 },
		"completion_p999": func(r *result.Row) float64 { return r.CompletionP999 },
		"latency_mean":    func(r *result.Row) float64 { return r.LatencyMean },
		"latency_p99":     func(r *result.Row) float64 { return r.LatencyP99 },
		"latency_p999":    func(r *result.Row) float64 { return r.LatencyP999 },
		"slowdown":        func(r *result.Row) float64 { return r.SlowdownMean },
		"goodput":         func(r *result.Row) float64 { return r.Goodput },
		"efficiency":      func(r *result.Row) float64 { return r.Goodput / 100e9 },
		"overhead":        func(r *result.Row) float64 { return r.Throughput/r.Goodput - 1 },
		"retransmits":     func(r *result.Row) float64 { return r.RetransmitsMean },
		"spurious_retransmits": func(r *result.Row) float64 {
			return r.SpuriousRetransmitsMean
		},
		"acks":              func(r *result.Row) float64 { return r.AcksMean },
		"nacks":             func(r *result.Row) float64 { return r.NacksMean },
		"timeouts":          func(r *result.Row) float64 { return r.TimeoutsMean },
		"fallback_fraction": func(r *result.Row) float64 { return r.FallbackFraction },
		"failed_fraction": func(r *result.Row) float64 {
			return float64(r.Failed) / float64(r.Samples)
		},
	}
	metrics := slices.DeleteFunc(slices.Clone(metric.Checks()),
		func(c metric.Check) bool { return c.Of.Rare }) // there is no network
	if len(cases) != len(swept.Rows)*len(metrics) {
		t.Fatalf("%d cases of %d rows and %d metrics", len(cases), len(swept.Rows), len(metrics))
	}
	moved := map[string]bool{}
	for i, c := range cases {
		row, name := &swept.Rows[i/len(metrics)], metrics[i%len(metrics)].Name
		want := published[name](row)
		if c.Metric != name || c.Scheme != row.Scheme || c.N != 60 {
			t.Fatalf("case %d is %+v; want %s of %s", i, c, name, row.Scheme)
		}
		if math.Abs(float64(c.Value.Value)-want) > 1e-12*math.Abs(want)+1e-15 {
			t.Errorf("%s of %s at %s is %v; the results say %v", c.Metric, c.Scheme, c.Point,
				c.Value.Value, want)
		}
		if c.Lo > c.Value.Value || c.Hi < c.Value.Value {
			t.Errorf("%s of %s: %v is not in %v..%v", c.Metric, c.Scheme, c.Value.Value, c.Lo, c.Hi)
		}
		moved[c.Metric] = moved[c.Metric] || want != 0
	}
	for _, name := range []string{"retransmits", "timeouts", "fallback_fraction", "overhead"} {
		if !moved[name] {
			t.Errorf("%s is zero everywhere: the comparison shows nothing", name)
		}
	}
}

func TestCasesDoNotDependOnTheNumberOfWorkers(t *testing.T) {
	s := load(t, small)
	one, _ := measured(t, s, 1)
	many, _ := measured(t, s, 4)
	for i := range one {
		if !same(one[i].Value, many[i].Value) || one[i].id() != many[i].id() {
			t.Errorf("one worker has %+v, four have %+v", one[i], many[i])
		}
	}
}

func TestOverheadOfACollectiveIsThatOfItsMessages(t *testing.T) {
	s := load(t, `name: ring
link: {bandwidth: 100Gbps, rtt: 1ms, encapsulation: none}
message: {size: 8MiB, chunk: 16KiB}
collective: {kind: all-reduce, datacenters: 4}
schemes: [sr-rto]
samples: 2
`)
	cases, _ := measured(t, s, 1)
	for _, c := range cases {
		if c.Metric == "overhead" && c.Value.Value != 0 {
			t.Errorf("overhead %v without headers, losses and parity", c.Value.Value)
		}
	}
}

func TestFailedSamplesAreCounted(t *testing.T) {
	s := load(t, small, "link.loss.p=0.5", "scheme.retries=1", "message.chunk=4KiB")
	cases, _ := measured(t, s, 2)
	for _, c := range cases {
		switch {
		case c.Metric == "failed_fraction" && c.Value.Value != 1:
			t.Errorf("%s: %v of samples failed; want all", c.Scheme, c.Value.Value)
		case c.Metric == "completion_mean" && c.Value.Value.Known():
			t.Errorf("%s: completed in %v though all failed", c.Scheme, c.Value.Value)
		}
	}
}

func TestFailedSamplesAreInNoMetricButTheirOwn(t *testing.T) {
	for _, tilts := range [][]float64{nil, {1, 2}} {
		row := result.NewRow(nil, "s")
		m := measurement{point: &spec.Point{}, row: &row, plan: spec.Plan{Tilts: tilts}}
		m.point.Message.Count = 1
		for i := range 8 {
			s := sample{weight: 1, failed: i % 2, seconds: []float64{1}}
			s.WireBytes, s.PayloadBytes, s.Retransmits = 150, 100, 3
			if s.failed > 0 {
				s.WireBytes, s.Retransmits, s.FellBack, s.seconds = 1e6, 1e6, 1, nil
			}
			m.sample = append(m.sample, s)
		}
		got := map[string]float64{}
		for _, c := range m.cases() {
			got[c.Metric] = float64(c.Value.Value)
		}
		want := map[string]float64{"overhead": 0.5, "retransmits": 3, "fallback_fraction": 0,
			"failed_fraction": 0.5}
		for metric, value := range want {
			if got[metric] != value {
				t.Errorf("tilts %v: %s is %v, want %v", tilts, metric, got[metric], value)
			}
		}
	}
}

func TestWeightedSamplesCountForTheirWeight(t *testing.T) {
	m := measurement{point: &spec.Point{}, plan: spec.Plan{Tilts: []float64{1, 2}}}
	for i := range 8 {
		s := sample{weight: float64(1 - i%2)}
		s.Retransmits = int64(10 + i%2)
		s.PayloadBytes, s.WireBytes = 100, int64(125+50*(i%2))
		m.sample = append(m.sample, s)
	}
	retransmits, _ := metric.FindCheck("retransmits")
	got := m.metric(retransmits)
	if got.Value != 10 {
		t.Errorf("with weights of zero for 11: %v, want 10", got.Value)
	}
	if overhead := m.overhead().Value; overhead != 0.25 {
		t.Errorf("with weights of zero for 0.75: an overhead of %v, want 0.25", overhead)
	}
	m.plan.Tilts = nil
	plain := m.metric(retransmits)
	if plain.Value != 10.5 || reflect.DeepEqual(got, plain) {
		t.Errorf("with weights %v, without %v", got, plain)
	}
}
