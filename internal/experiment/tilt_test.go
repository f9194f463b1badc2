package experiment

import (
	"math"
	"testing"

	"sdrsim/internal/stats"
)

// Where both can run, exaggerated losses give the mean and the p99.9 of plain sampling.
func TestTiltedSamplesAgreeWithPlainOnes(t *testing.T) {
	p := points(t, `
name: t
link: {bandwidth: 400Gbps, rtt: 25ms, mtu: 4KiB, encapsulation: none,
  loss: {model: iid, per: chunk, p: 2e-4}, ack_loss: none}
message: {size: 8MiB, chunk: 4KiB}
schemes: [{name: sr-rto, rto: 3RTT}, {name: ec-xor, k: 32, m: 8}]
samples: 1
`)[0]
	for _, label := range []string{"sr-rto", "ec-xor"} {
		plain, tilted := p, p
		tilted.Tilts = []float64{1, 4, 16}
		xs, _ := completions(t, newTestRunner(t, &plain, label), 60000)
		ys, ws := completions(t, newTestRunner(t, &tilted, label), 15000)
		if sum := stats.Mean(ws); sum.Lo > 1 || sum.Hi < 1 {
			t.Errorf("%s: weights average to %+v, want 1", label, sum)
		}
		sorted, _ := stats.Sorted(xs)
		w := stats.Weighted{Values: ys, Weights: ws, Strata: 3}
		for _, c := range []struct {
			name string
			a, b stats.Estimate
		}{
			{"mean", stats.Mean(xs), w.Mean()},
			{"p99", stats.Quantile(sorted, 0.99), w.Quantile(0.99)},
			{"p99.9", stats.Quantile(sorted, 0.999), w.Quantile(0.999)},
		} {
			t.Logf("%s %s: plain %.6g [%.6g, %.6g], tilted %.6g [%.6g, %.6g]", label, c.name,
				c.a.Value, c.a.Lo, c.a.Hi, c.b.Value, c.b.Lo, c.b.Hi)
			if c.b.Lo > c.a.Hi || c.a.Lo > c.b.Hi {
				t.Errorf("%s %s: the intervals do not meet", label, c.name)
			}
		}
	}
}

// completions replays samples of one message each: completion times in seconds, and weights.
func completions(t *testing.T, r *Runner, n int) (xs, ws []float64) {
	var s Sample
	for i := range n {
		if err := r.Sample(i, &s); err != nil {
			t.Fatal(err)
		}
		if s.Failed > 0 || math.IsNaN(s.Weight) {
			t.Fatalf("sample %d: %+v", i, s)
		}
		xs, ws = append(xs, s.Completion[0].Seconds()), append(ws, s.Weight)
	}
	return xs, ws
}
