package experiment

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/internal/spec"
	"sdrsim/internal/storage"
	"sdrsim/scenarios"
	"sdrsim/units"
)

// fileScenario is one of file operations, with a link and a workload.
func fileScenario(link, message, workload string) string {
	return fmt.Sprintf(`
name: t
link: {bandwidth: 400Gbps, %s}
message: {%s}
workload: {kind: storage, %s}
schemes: [sr-nack, ec-mds]
samples: 1
`, link, message, workload)
}

// filed is a sample of file operations under the first scheme.
func filed(t testing.TB, link, message, workload string) *Sample {
	t.Helper()
	p := points(t, fileScenario(link, message, workload))
	var s Sample
	if err := newTestRunner(t, &p[0], "sr-nack").Sample(0, &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

const (
	near = "rtt: 2ns, ack_loss: none"
	far  = "rtt: 25ms, ack_loss: none"
)

// 4 KiB reads over a local network, n at a time: what was measured, within the spread of it. A
// station of 17.0 us with a delay of 80.1 is up to 23 % fast in between.
func TestReadsOverALocalNetworkAreAsFastAsMeasured(t *testing.T) {
	for _, c := range []struct {
		depth  int
		want   float64 // operations a second
		within float64
	}{{1, 10200, 0.03}, {2, 18800, 0.23}, {4, 30000, 0.23}, {8, 50600, 0.23}, {16, 58500, 0.02},
		{32, 58700, 0.02}} {
		s := filed(t, near, "count: 30000",
			fmt.Sprintf("operation: read, size: 4KiB, depth: %d", c.depth))
		if got := rateOf(s); math.Abs(got/c.want-1) > c.within {
			t.Errorf("%d at a time: %.0f operations/s, want %.0f", c.depth, got, c.want)
		}
		latency := meanOf(s.Completion) + meanOf(s.Wait)
		if want := float64(c.depth) / c.want; math.Abs(latency/want-1) > c.within {
			t.Errorf("%d at a time: %.4g s, want %.4g", c.depth, latency, want)
		}
	}
	t.Log("# saturated, an operation takes its place for 265 us, of which 5.5 are the host's")
	s := filed(t, near, "count: 30000", "operation: read, size: 4KiB, depth: 32")
	slices.Sort(s.Completion)
	median := s.Completion[len(s.Completion)/2].Seconds()*1e6 - 5.5
	if math.Abs(median/265-1) > 0.03 {
		t.Errorf("a place is taken for %.0f us, want 265", median)
	}
}

func meanOf(times []units.Duration) float64 {
	sum := 0.0
	for _, d := range times {
		sum += d.Seconds()
	}
	return sum / float64(len(times))
}

// One at a time latencies are those of the table, for every size.
func TestOneOperationAtATimeTakesWhatWasMeasured(t *testing.T) {
	for operation, want := range map[string][4]float64{
		storage.Read: {97.1, 115.9, 184.4, 273.8}, storage.Write: {102.0, 145.2, 234.8, 356.0},
	} {
		for i, size := range []string{"4KiB", "16KiB", "64KiB", "128KiB"} {
			s := filed(t, near, "count: 8000", "operation: "+operation+", size: "+size)
			if got := 1e6 * meanOf(s.Completion); math.Abs(got/want[i]-1) > 0.042 {
				t.Errorf("%s of %s: %.1f us, want %.1f", operation, size, got, want[i])
			}
		}
	}
}

// Over 25 ms a queue gives what its places are worth.
func TestAtDistanceTheQueueDecides(t *testing.T) {
	for _, c := range []struct {
		workload string
		count    int
		want     float64
	}{
		{"operation: read, size: 4KiB, depth: 16", 6400, 637},
		{"operation: read, size: 64KiB, depth: 16", 1200, 119},
		{"operation: read, size: 128KiB, depth: 16", 400, 39.6},
		{"operation: read, size: 4KiB, depth: 1", 400, 39.8},
		{"operation: read, size: 4KiB, depth: 64", 6400, 637},
		{"operation: read, size: 4KiB, depth: 64, queues: 4", 25600, 4 * 637},
		{"operation: write, size: 4KiB, depth: 16", 4800, 478},
		// An operation of 1 MiB is eight requests, of which a queue holds one.
		{"operation: read, size: 1MiB, depth: 4", 50, 39.6 / 8},
	} {
		s := filed(t, far, fmt.Sprint("count: ", c.count), c.workload)
		if got := rateOf(s); math.Abs(got/c.want-1) > 0.01 {
			t.Errorf("%s: %.1f operations/s, want %.1f", c.workload, got, c.want)
		}
	}
	t.Log("# the queue binds beyond 0.18 ms: 16 places at 58 800 operations/s are 272 us, less 97")
	at := func(rtt string) float64 {
		return rateOf(filed(t, "ack_loss: none, rtt: "+rtt, "count: 20000",
			"operation: read, size: 4KiB, depth: 64"))
	}
	if close, beyond := at("0.09ms"), at("0.36ms"); close < 52000 || beyond > 37000 {
		t.Errorf("%.0f operations/s at half of that, %.0f at twice", close, beyond)
	}
}

// Little's law: what is under way on average is the rate times the latency.
func TestLittlesLawHolds(t *testing.T) {
	for _, workload := range []string{
		"operation: read, size: 4KiB, depth: 7", "operation: write, size: 64KiB, depth: 5",
		"operation: read, size: 4KiB, depth: 40", "operation: read, size: 1MiB, depth: 3",
		"operation: read, size: 16KiB, depth: 30, queues: 3",
	} {
		p := points(t, fileScenario("rtt: 1ms, loss: {model: iid, p: 1e-3}", "count: 3000", workload))
		var s Sample
		if err := newTestRunner(t, &p[0], "sr-nack").Sample(0, &s); err != nil {
			t.Fatal(err)
		}
		under := rateOf(&s) * (meanOf(s.Completion) + meanOf(s.Wait))
		if depth := float64(p[0].Storage.Depth); math.Abs(under/depth-1) > 0.02 {
			t.Errorf("%s: %.3f under way, want %v", workload, under, depth)
		}
		t.Log("# of those that have a place there are never more than places")
		most := float64(p[0].Storage.InFlight())
		if have := rateOf(&s) * meanOf(s.Completion); have > most*1.0001 {
			t.Errorf("%s: %.3f have a place, there are %v", workload, have, most)
		}
	}
}

// Operations that come at random wait for each other where they come too fast.
func TestAnOpenLoopWaitsInItsQueue(t *testing.T) {
	at := func(interval string) (service, wait float64) {
		s := filed(t, far, "count: 4000, arrival: {model: poisson, interval: "+interval+"}",
			"operation: read, size: 4KiB")
		return meanOf(s.Completion), meanOf(s.Wait)
	}
	if service, wait := at("10ms"); math.Abs(service-0.0251) > 1e-4 || wait > 1e-4 {
		t.Errorf("2.5 under way: %.4g s and a wait of %.4g", service, wait)
	}
	if _, wait := at("1ms"); wait < 0.5 { // 1000 a second come, 637 go
		t.Errorf("more come than go: a wait of %.4g s", wait)
	}
}

// Twice what is on its way, and a client with 1 MiB ahead of the host, is as fast as the DPU alone.
func TestReadingAheadHidesTheDistance(t *testing.T) {
	const reads = "operation: read, size: 64KiB, depth: 3"
	plain := filed(t, far, "count: 300", reads)
	ahead := filed(t, far, "count: 12800", reads+", read_ahead: 512MiB")
	local := storage.Local(storage.Read, 64*units.KiB)
	if got := meanOf(ahead.Completion[len(ahead.Completion)/2:]); got > 1.2*local.Of(0.9).Seconds() {
		t.Errorf("an operation takes %.4g s at last, the DPU alone %v", got, local.Of(0.5))
	}
	if a, b := rateOf(ahead), rateOf(plain); a < 50*b {
		t.Errorf("%.0f operations/s with data read ahead, %.0f without", a, b)
	}
	t.Log("# what is ahead is what a round trip brings: 16 MiB over 26.8 ms")
	little := filed(t, far, "count: 12800", reads+", read_ahead: 16MiB")
	if got, want := rateOf(little)*64, 16*1024/26.8e-3; math.Abs(got/want-1) > 0.06 {
		t.Errorf("%.3g KiB/s, want %.3g", got, want)
	}
}

// Files are served to the picosecond the same in runs, in single packets and with real payload.
func TestGroupingNeverChangesFileOperations(t *testing.T) {
	setChecks(t, "40", "400")
	rapid.Check(t, func(t *rapid.T) {
		arrival := rapid.SampledFrom([]string{"", ", arrival: {model: poisson, interval: 40us}"}).
			Draw(t, "arrival")
		workload := fmt.Sprintf("operation: %s, size: %s, queues: %d, pages: %d",
			rapid.SampledFrom([]string{"read", "write"}).Draw(t, "operation"),
			rapid.SampledFrom([]string{"4KiB", "5000B", "128KiB", "300KiB"}).Draw(t, "size"),
			rapid.IntRange(1, 3).Draw(t, "queues"), rapid.IntRange(36, 80).Draw(t, "pages"))
		if arrival == "" {
			workload += fmt.Sprintf(", depth: %d", rapid.IntRange(1, 30).Draw(t, "depth"))
			if rapid.Bool().Draw(t, "ahead") {
				workload = "operation: read, size: 64KiB, depth: 4, read_ahead: 3MiB"
			}
		}
		link := fmt.Sprintf("rtt: %s, loss: {model: iid, p: %s}, ack_loss: same",
			rapid.SampledFrom([]string{"10us", "1ms"}).Draw(t, "rtt"),
			rapid.SampledFrom([]string{"0", "1e-3", "0.05"}).Draw(t, "loss"))
		text := fileScenario(link, fmt.Sprintf("count: %d%s", rapid.IntRange(1, 60).Draw(t, "count"),
			arrival), workload)
		loaded, err := scenarios.Load("drawn.yaml", []byte(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		p := loaded.Points()[0]
		for i := range p.Schemes {
			want := outcome(t, &p, i)
			single, real := p, p
			single.Engine.MaxRun, real.Payload = 1, spec.PayloadReal
			for _, other := range []*spec.Point{&single, &real} {
				if d := differences(outcome(t, other, i), want); d != "" {
					t.Fatalf("%s\n%s, runs of %d, payload %s: %s", text, p.Schemes[i].Label,
						other.Engine.MaxRun, other.Payload, d)
				}
			}
		}
	})
}

func TestASampleOfFileOperationsAllocatesNothing(t *testing.T) {
	for _, workload := range []string{"operation: write, size: 300KiB, depth: 9, queues: 2",
		"operation: read, size: 4KiB, depth: 9, read_ahead: 2MiB"} {
		p := points(t, fileScenario("rtt: 1ms, loss: {model: iid, p: 1e-3}", "count: 600", workload))
		r := newTestRunner(t, &p[0], "sr-nack")
		var s Sample
		run := func() {
			if err := r.Sample(1, &s); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 {
			run()
		}
		if n := testing.AllocsPerRun(16, run); n > 0 {
			t.Errorf("%s: %v allocations a sample", workload, n)
		}
	}
}

// A link that lets nothing through fails the operations that are not done.
func TestFileOperationsThatAreGivenUpHaveFailed(t *testing.T) {
	text := fileScenario("rtt: 1ms, loss: none, ack_loss: none, "+
		"outages: [{at: 20ms, for: 1000s}]", "count: 200", "operation: read, size: 4KiB")
	p := points(t, strings.Replace(text, "sr-nack,", "{name: sr-nack, retries: 3},", 1))
	var s Sample
	if err := newTestRunner(t, &p[0], "sr-nack").Sample(0, &s); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Completion); n == 0 || s.Failed != 200-n || s.Failure == "" {
		t.Errorf("%d of 200 done, %d failed: %s", n, s.Failed, s.Failure)
	}
}
