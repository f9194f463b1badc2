package experiment

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/internal/spec"
	"sdrsim/scenarios"
	"sdrsim/schemes/model"
	"sdrsim/units"
)

// drawHops draws what single hops have otherwise; loss draws the loss model of one.
func drawHops(t *rapid.T, datacenters int, loss func(hop string) string) []string {
	var hops []string
	for i := range datacenters {
		name := fmt.Sprintf("hop %d ", i)
		entry := fmt.Sprintf("{hop: %d", i)
		if rapid.Bool().Draw(t, name+"has a length") {
			entry += ", rtt: " + rapid.SampledFrom([]string{"9ms", "1.7ms", "5001234ns"}).
				Draw(t, name+"rtt")
		}
		if rapid.Bool().Draw(t, name+"has a rate") {
			entry += ", bandwidth: " + rapid.SampledFrom([]string{"100Gbps", "333Gbps"}).
				Draw(t, name+"bandwidth")
		}
		if rapid.Bool().Draw(t, name+"has losses") {
			entry += ", loss: " + loss(name)
		}
		hops = append(hops, entry+"}")
	}
	return hops
}

// chunksOfPart is how many chunks of 4 KiB a datacenter sends in a round.
func chunksOfPart(size, datacenters int) int {
	part := (size + datacenters - 1) / datacenters
	return (part + 4095) / 4096
}

// The recursion, computed from messages that run alone, gives what the ring does to the picosecond,
// for rings of any hops with scripted losses.
//
// Repeats that were sent for nothing are left out: one that is on the wire when its message is
// acknowledged holds up the next message, which no message alone can show.
func TestDrawnRingsFollowTheRecursion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 5).Draw(t, "datacenters")
		rounds := 2*n - 2
		size := rapid.IntRange(1, 1_500_000).Draw(t, "size")
		chunks := chunksOfPart(size, n)
		script := func(hop string) string {
			var drops []string
			for range rapid.IntRange(0, 3).Draw(t, hop+"drops") {
				message := rapid.IntRange(0, 2*rounds-1).Draw(t, hop+"message")
				last := chunks - 1
				if message >= rounds && message%2 > 0 { // parity of erasure coding, and nothing else
					last = (chunks+7)/8*2 - 1
				}
				first := rapid.IntRange(0, min(60, last)).Draw(t, hop+"first")
				drops = append(drops, fmt.Sprintf("{message: %d, first: %d, last: %d, transmission: %d}",
					message, first, min(last, first+rapid.IntRange(0, 3).Draw(t, hop+"more")),
					rapid.SampledFrom([]int{1, 1, 2}).Draw(t, hop+"transmission")))
			}
			return "{model: script, per: chunk, drops: [" + strings.Join(drops, ", ") + "]}"
		}
		text := ringText(n, fmt.Sprintf("%dB", size), drawHops(t, n, script)...)
		p := load(t, text)
		for _, label := range ringSchemes {
			got := replay(t, &p, label)
			if got.Spurious > 0 {
				continue
			}
			compareRing(t, got, expect(t, &p, label))
			if t.Failed() {
				t.Fatalf("%s under %s", label, text)
			}
		}
	})
}

// load returns the only point of a drawn scenario.
func load(t *rapid.T, text string) spec.Point {
	s, err := scenarios.Load("drawn.yaml", []byte(text), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s.At(0)
}

// Runs, capped runs, single packets and real payload give the same rings, those that give up
// included.
func TestGroupingAndPayloadNeverChangeARing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 5).Draw(t, "datacenters")
		size := rapid.IntRange(1, 800_000).Draw(t, "size")
		chunks := chunksOfPart(size, n)
		hops := drawHops(t, n, func(hop string) string { return drawLoss(t, hop+"loss", chunks) })
		text := ringText(n, fmt.Sprintf("%dB", size), hops...)
		text = strings.Replace(text, "loss: none, ack_loss: none", "loss: "+drawLoss(t, "loss", chunks)+
			", ack_loss: "+rapid.SampledFrom([]string{"none", "same", "{model: iid, p: 0.3}"}).
			Draw(t, "ack loss"), 1)
		text = strings.Replace(text, "rto: 3RTT", fmt.Sprintf("rto: 1.3RTT, retries: %d",
			rapid.SampledFrom([]int{3, 16}).Draw(t, "retries")), 1)
		p := load(t, text)
		for i := range p.Schemes {
			want := outcome(t, &p, i)
			for _, variant := range []func(p *spec.Point){
				func(p *spec.Point) { p.Engine.MaxRun = 1 },
				func(p *spec.Point) { p.Engine.MaxRun = 5 },
				func(p *spec.Point) { p.Payload = spec.PayloadReal },
			} {
				other := p
				variant(&other)
				if d := differences(outcome(t, &other, i), want); d != "" {
					t.Fatalf("%s\n%s: runs of %d, payload %s\n%s%s", text, p.Schemes[i].Label,
						other.Engine.MaxRun, other.Payload, d, parting(t, &other, &p, i, drawnSample))
				}
			}
		}
	})
}

// greatestOf is the mean of the greatest of n independent completion times of the form:
// the integral of 1 - F(t)^n.
func greatestOf(f model.SR, n int) float64 {
	const steps = 20000
	end := f.Quantile(1-1e-9).Seconds * float64(units.Second)
	mean := 0.0
	for i := range steps {
		at := units.Duration(end * (float64(i) + 0.5) / steps)
		mean += (1 - math.Pow(f.CDF(at), float64(n))) * end / steps / float64(units.Second)
	}
	return mean
}

// The mean of a ring under Selective Repeat is not below (2N-2) E[t], the bound of the model, and
// not above (2N-2) E[max of N messages]: no round takes longer than the slowest of its hops.
// arXiv:2505.05366 §4.2, appendix
func TestMeanOfARingLiesBetweenItsBounds(t *testing.T) {
	for _, c := range []struct {
		n       int
		p, size string
		close   float64 // how far above the bound of the model the mean may be
	}{
		{2, "1e-6", "128MiB", 1.02}, // hardly a loss
		{2, "1e-3", "128MiB", 1.10},
		{4, "1e-5", "128MiB", 1.4}, // a loss in one round of six, of some hop in most
		{4, "1e-2", "32MiB", 1.25}, // every message has losses, and as many
		{8, "1e-4", "128MiB", 1.6},
	} {
		text := fmt.Sprintf(paperLink, 1, "chunk", c.p, c.size, "4KiB", "sr-rto, rto: 3RTT") +
			fmt.Sprintf("collective: {kind: all-reduce, datacenters: %d}\n", c.n)
		p := points(t, text)[0]
		part := p.Collective.Part(p.Message.Size)
		form := model.SR{
			Link:   model.Link{ChunkTime: p.Link.Bandwidth.TransmitTime(p.Message.Chunk), RTT: p.Link.RTT()},
			Chunks: int64(part / p.Message.Chunk), RTO: 3 * p.Link.RTT(), P: p.Link.Loss.P,
		}
		low := model.AllReduce(int64(c.n), form.Mean()).Seconds
		high := float64(model.Rounds(int64(c.n))) * greatestOf(form, c.n)
		mean, err := ringMean(t, &p, samples(200))
		t.Logf("%d datacenters at %s: %.6g s +- %.2g, between %.6g and %.6g", c.n, c.p, mean, err,
			low, high)
		if mean < low-sigmas*err || mean > high*1.0001+sigmas*err {
			t.Errorf("%d datacenters at %s: mean %.6g s +- %.2g is not between %.6g and %.6g",
				c.n, c.p, mean, err, low, high)
		}
		if mean > c.close*low {
			t.Errorf("%d datacenters at %s: mean %.6g s is far from the bound %.6g", c.n, c.p, mean, low)
		}
	}
}

// ringMean is the mean completion time of n samples in seconds, and its standard error.
func ringMean(t *testing.T, p *spec.Point, n int) (mean, standardError float64) {
	t.Helper()
	r := newTestRunner(t, p, p.Schemes[0].Label)
	var s Sample
	sum, squares := 0.0, 0.0
	for i := range n {
		if err := r.Sample(i, &s); err != nil {
			t.Fatal(err)
		}
		took := s.Completion[0].Seconds()
		sum, squares = sum+took, squares+took*took
	}
	mean = sum / float64(n)
	return mean, math.Sqrt((squares/float64(n) - mean*mean) / float64(n-1))
}
