package sweep

import (
	"math"
	"strings"
	"testing"

	"sdrsim/internal/experiment"
	"sdrsim/internal/result"
	"sdrsim/internal/spec"
	"sdrsim/scenarios"
	"sdrsim/units"
)

// swept runs a scenario as it is.
func swept(t *testing.T, yaml string) []result.Row {
	t.Helper()
	s, err := scenarios.Load("t.yaml", []byte(yaml), nil)
	if err != nil {
		t.Fatal(err)
	}
	make := func(p *spec.Point, s *spec.Scheme) (Runner, error) {
		return experiment.NewRunner(p, s)
	}
	swept, err := Run(t.Context(), Config{Source: s, Jobs: 2, NewRunner: make})
	if err != nil {
		t.Fatal(err)
	}
	return swept.Rows
}

// A thousand requests at the start: completion hides the wait that latency counts, and one sample
// says all that there is, for nothing is left to chance.
func TestLatencyOfAQueueIsShownBesideCompletion(t *testing.T) {
	r := swept(t, `
name: d03
link: {bandwidth: 10Gbps, rtt: 1ms}
message: {size: 1MiB, chunk: 64KiB, count: 1000, in_flight: 1000}
schemes: [{name: sr-rto, rto: 3RTT}]
samples: 1
`)[0]
	for name, c := range map[string]struct{ got, want float64 }{
		"completion": {r.CompletionMean, 1.86e-3}, "completion p99.9": {r.CompletionP999, 1.86e-3},
		"slowdown": {r.SlowdownMean, 1}, "latency": {r.LatencyMean, 431e-3},
		"latency p50": {r.LatencyP50, 431e-3}, "latency p99": {r.LatencyP99, 852e-3},
		"latency p99.9": {r.LatencyP999, 860e-3},
	} {
		if math.Abs(c.got/c.want-1) > 2e-3 {
			t.Errorf("%s is %v; want %v", name, c.got, c.want)
		}
	}
	if r.LatencyP99Lo != r.LatencyP99 || r.LatencyMeanHi != r.LatencyMean || len(r.Warnings) > 0 {
		t.Errorf("latency %v from %v, p99 up to %v, %q; want no doubt", r.LatencyMean,
			r.LatencyMeanLo, r.LatencyP99Hi, r.Warnings)
	}
}

// A single message does not wait, and a collective is one operation: their latency is completion,
// with its interval.
func TestLatencyOfWhatCannotWaitIsCompletion(t *testing.T) {
	for _, more := range []string{"", "collective: {kind: all-reduce, datacenters: 3}\n",
		"acceleration: {tilt: 10}\n"} {
		r := swept(t, `
name: one
link: {bandwidth: 10Gbps, rtt: 1ms, loss: {model: iid, p: 1e-3}}
message: {size: 1MiB}
schemes: [sr-rto]
samples: 50
`+more)[0]
		if r.LatencyMean != r.CompletionMean || r.LatencyMeanHi != r.CompletionMeanHi ||
			r.LatencyP50 != r.CompletionP50 || r.LatencyP999 != r.CompletionP999 {
			t.Errorf("%s: latency %v, completion %v", more, r.LatencyMean, r.CompletionMean)
		}
		if strings.Contains(strings.Join(r.Warnings, ";"), result.LatencyPrefix) {
			t.Errorf("%s: warnings %q", more, r.Warnings)
		}
	}
}

// Messages of different sizes that meet no loss, one at a time, are not slowed down, though their
// completion times differ; goodput counts the bytes of each.
func TestSlowdownIsThatOfEachMessageByItsSize(t *testing.T) {
	r := swept(t, `
name: sizes
link: {bandwidth: 1Gbps, rtt: 20us, encapsulation: none}
message: {size: {model: uniform, min: 1KiB, max: 1MiB}, chunk: 64KiB, count: 50}
schemes: [{name: sr-rto, rto: 1e6RTT, ack.interval: 1e6RTT}]
samples: 40
`)[0]
	if math.Abs(r.SlowdownMean-1) > 1e-12 || r.SlowdownP999 != 1 || r.SlowdownMeanLo != 1 {
		t.Errorf("slowdown %v from %v, p99.9 %v; want 1", r.SlowdownMean, r.SlowdownMeanLo,
			r.SlowdownP999)
	}
	mean := (1024 + 1048576.) / 2 * 8 / 1e9 // on the wire
	if math.Abs(r.CompletionMean/(mean+20e-6)-1) > 0.03 || r.CompletionP99 < 1.7*r.CompletionMean {
		t.Errorf("completion %v, p99 %v; want %v and up to twice that", r.CompletionMean,
			r.CompletionP99, mean+20e-6)
	}
	if want := mean / r.CompletionMean * 1e9; math.Abs(r.Goodput/want-1) > 0.03 ||
		!(r.GoodputLo < r.Goodput && r.Goodput < r.GoodputHi) {
		t.Errorf("goodput %v in %v..%v; want %v", r.Goodput, r.GoodputLo, r.GoodputHi, want)
	}
	if r.LatencyMean < 20*r.CompletionMean || r.LatencyMeanLo >= r.LatencyMean {
		t.Errorf("latency %v from %v", r.LatencyMean, r.LatencyMeanLo)
	}
}

// Waits and ideal times survive what a record goes through.
func TestWaitsOfFailedSamplesAreInNoLatency(t *testing.T) {
	p := spec.Point{}
	p.Message.Count = 2
	r := newRecord(&p, &spec.Scheme{Label: "s"})
	r.grow(3)
	for i := range 3 {
		n := 2 - i%2 // the second fails
		s := experiment.Sample{Failed: 2 - n, Ideal: 1, Weight: 1}
		for k := range n {
			s.Completion = append(s.Completion, units.Duration(10*i+k+1))
			s.Delivery = append(s.Delivery, 1)
			s.Wait = append(s.Wait, units.Duration(100*i))
		}
		if err := r.put(i, &s); err != nil {
			t.Fatal(err)
		}
	}
	r.samples = 3
	got := r.whole().latency()
	want := []units.Duration{1, 2, 221, 222}
	if len(got) != len(want) {
		t.Fatalf("latencies %v; want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("latencies %v; want %v", got, want)
		}
	}
}

// A precision of latencies goes on where that of completion times is reached.
func TestPrecisionCanBeAskedOfLatencies(t *testing.T) {
	const stream = `
name: busy
link: {bandwidth: 10Gbps, rtt: 100us}
message: {size: 64KiB, count: 100, arrival: {model: poisson, load: 0.2}}
schemes: [{name: sr-rto, rto: 1e6RTT, ack.interval: 1e6RTT}]
samples: 20
samples_max: 320
`
	plain := swept(t, stream+"precision: {completion_mean: 1%}\n")[0]
	busy := swept(t, stream+"precision: {latency_mean: 5%}\n")[0]
	if plain.Samples != 20 || busy.Samples <= 20 || len(busy.Warnings) > 0 && busy.Samples < 320 {
		t.Errorf("%d samples for completion, %d for latency, %q", plain.Samples, busy.Samples,
			busy.Warnings)
	}
	if side := busy.LatencyMeanHi/busy.LatencyMean - 1; busy.Samples < 320 && side > 0.05 {
		t.Errorf("latency within %v; want 5%%", side)
	}
}
