package experiment

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"sdrsim/units"
)

// latencies are from posting to completion.
func latencies(s *Sample) []units.Duration {
	list := slices.Clone(s.Completion)
	for i := range s.Wait {
		list[i] += s.Wait[i]
	}
	return list
}

// A thousand requests at the start have to go one after the other: each takes as long as if it were
// alone once it goes, and the last is there when all are.
func TestLatencyCountsTheWaitThatCompletionLeavesOut(t *testing.T) {
	p := points(t, `
name: d03
link: {bandwidth: 10Gbps, rtt: 1ms}
message: {size: 1MiB, chunk: 64KiB, count: 1000, in_flight: 1000}
sdr: {recv_depth: 1000, imm: 10+18+4}
schemes: [{name: sr-rto, rto: 3RTT}]
samples: 1
`)[0]
	var s Sample
	if err := newTestRunner(t, &p, "sr-rto").Sample(0, &s); err != nil {
		t.Fatal(err)
	}
	ms := func(d units.Duration) string { return fmt.Sprintf("%.3g", 1e3*d.Seconds()) }
	if least, most := slices.Min(s.Completion), slices.Max(s.Completion); ms(least) != "1.86" ||
		ms(most) != "1.86" {
		t.Errorf("completion from %s to %s ms; want 1.86", ms(least), ms(most))
	}
	list := latencies(&s)
	slices.Sort(list)
	if ms(list[0]) != "1.86" || ms(list[999]) != "861" || list[999] != s.Elapsed {
		t.Errorf("latency from %s to %s ms of %s; want 1.86 to 861", ms(list[0]), ms(list[999]),
			ms(s.Elapsed))
	}
	if mean := ms(list[499]); mean != "431" {
		t.Errorf("the median is %s ms; want that of an even flow, 431", mean)
	}
}

// openLoop is a link without loss that carries one message at a time: a queue with one server,
// whose service time is that of a message alone. Only whole messages are acknowledged: what is on
// its way back before would be in the way of that by less than a packet.
const openLoop = `
name: queue
link: {bandwidth: 10Gbps, rtt: 20us, ack_loss: none}
message: {size: %s, chunk: 4KiB, count: 2500, in_flight: 1, arrival: %s}
sdr: {recv_depth: 64}
schemes: [{name: sr-rto, rto: 1e6RTT, ack.interval: 1e6RTT}]
samples: 1
seed: %d
`

// moments are the mean and the mean square of the service time, in seconds.
func moments(w *stream) (mean, square float64) {
	const n = 100_000
	for i := range n {
		size := w.message.Size
		if w.message.Sizes != nil {
			size = w.message.Sizes.Of((float64(i) + 0.5) / n)
		}
		took := w.pair.ideal(size).Seconds()
		mean, square = mean+took/n, square+float64(took*took)/n
	}
	return mean, square
}

// The mean wait is what Pollaczek and Khinchine have for a queue with one server, M/D/1 where sizes
// are fixed and M/G/1 where they are not:
//
//	E[W] = lambda E[S^2] / 2 (1 - lambda E[S])
//
// within four standard errors, which are over independent samples. The first messages, which meet
// an empty queue, are left out.
func TestWaitsAreThoseOfAQueueWithOneServer(t *testing.T) {
	const warmUp = 500
	for _, c := range []struct {
		sizes string
		load  float64 // of the server
		close float64 // the standard error is at most so much of the wait
	}{
		{"64KiB", 0.3, 0.03},
		{"64KiB", 0.7, 0.04},
		{"{model: cdf, file: testdata/two.cdf}", 0.5, 0.04},
		{"{model: uniform, min: 1KiB, max: 256KiB}", 0.6, 0.04},
		{"{model: lognormal, median: 16KiB, sigma: 1, max: 4MiB}", 0.5, 0.06},
	} {
		p := points(t, fmt.Sprintf(openLoop, c.sizes, "{model: poisson, interval: 1us}", 11))[0]
		r := newTestRunner(t, &p, "sr-rto")
		mean, square := moments(r.hops[0])
		interval := units.Duration(mean / c.load * float64(units.Second))
		r.hops[0].message.Arrival.Interval = interval
		lambda := 1 / interval.Seconds()
		want := lambda * square / 2 / (1 - lambda*mean)
		var s Sample
		n := float64(samples(40))
		sum, squares := 0.0, 0.0
		for i := range int(n) {
			if err := r.Sample(i, &s); err != nil {
				t.Fatal(err)
			}
			waited := 0.0
			for k, w := range s.Wait[warmUp:] {
				waited += w.Seconds()
				if k += warmUp; len(s.Ideals) > 0 && s.Completion[k] != s.Ideals[k] ||
					len(s.Ideals) == 0 && s.Completion[k] != s.Ideal {
					t.Fatalf("%s: message %d takes %v once it goes", c.sizes, k, s.Completion[k])
				}
			}
			waited /= float64(len(s.Wait) - warmUp)
			sum, squares = sum+waited, squares+float64(waited*waited)
		}
		got := sum / n
		standardError := math.Sqrt((squares/n - float64(got*got)) / (n - 1))
		t.Logf("%s at %v: waits %.4g s +- %.2g; want %.4g", c.sizes, c.load, got, standardError, want)
		if math.Abs(got-want) > 4*standardError || standardError > c.close*want {
			t.Errorf("%s at %v: waits %.4g s +- %.2g; want %.4g", c.sizes, c.load, got, standardError,
				want)
		}
	}
}

// Messages that come further apart than each takes do not wait; those that come closer wait for all
// before them.
func TestPeriodicMessagesWaitForThoseBeforeThem(t *testing.T) {
	for _, c := range []struct {
		times float64 // the period, as a multiple of the service time
		late  float64 // how much later each message starts than the one before, in periods
	}{{2, 0}, {1, 0}, {0.75, 1. / 3}} {
		p := points(t, fmt.Sprintf(openLoop, "64KiB", "{model: periodic, interval: 1us}", 1))[0]
		r := newTestRunner(t, &p, "sr-rto")
		period := units.Duration(c.times * float64(r.ideal))
		r.hops[0].message.Arrival.Interval = period
		var s Sample
		if err := r.Sample(0, &s); err != nil {
			t.Fatal(err)
		}
		for i, w := range s.Wait {
			want := c.late * float64(i) * float64(period)
			if math.Abs(float64(w)-want) > 1e-3*want+1 {
				t.Fatalf("period %v: message %d waits %v; want %v", period, i, w,
					units.Duration(want))
			}
		}
	}
}

// The i-th message comes at one time and has one size, whatever the scheme, its losses, the load
// and how many are in flight.
func TestAllSchemesFaceTheSameMessages(t *testing.T) {
	ps := points(t, `
name: same
link: {bandwidth: 10Gbps, rtt: 1ms, loss: {model: iid, p: 1e-3}}
message:
  {size: {model: lognormal, median: 64KiB, sigma: 1, max: 1MiB}, count: 200, in_flight: 4,
   arrival: {model: poisson, load: 0.5}}
schemes: [sr-rto, sr-nack, ec-mds, ec-xor]
samples: 1
sweep: {message.in_flight: [2, 8], message.arrival.load: [0.25, 0.5]}
`)
	var bytes int64
	first := map[units.Duration][]units.Time{} // by interval
	for i := range ps {
		for k := range ps[i].Schemes {
			r := newTestRunner(t, &ps[i], ps[i].Schemes[k].Label)
			var s Sample
			if err := r.Sample(7, &s); err != nil {
				t.Fatal(err)
			}
			if bytes == 0 {
				bytes = s.PayloadBytes
			}
			if s.PayloadBytes != bytes || len(s.Ideals) != 200 || len(s.Wait) != 200 {
				t.Errorf("%s, %s: %d bytes in %d messages; want %d", ps[i].Key, ps[i].Schemes[k].Label,
					s.PayloadBytes, len(s.Ideals), bytes)
			}
			interval := ps[i].Message.Arrival.Interval
			times := r.hops[0].traffic.times
			if first[interval] == nil {
				first[interval] = slices.Clone(times)
			}
			if !slices.Equal(times, first[interval]) {
				t.Errorf("%s, %s: other arrivals", ps[i].Key, ps[i].Schemes[k].Label)
			}
		}
	}
	if len(first) != 2 {
		t.Fatalf("%d intervals; want one for each load", len(first))
	}
}

// A load is what messages with their headers take of the link while all get through.
func TestALoadIsTheShareOfTheLinkThatIsUsed(t *testing.T) {
	ps := points(t, `
name: load
link: {bandwidth: 10Gbps, rtt: 100us, ack_loss: none}
message:
  {size: {model: uniform, min: 1KiB, max: 200KiB}, count: 20000, in_flight: 1000,
   arrival: {model: poisson, load: 0.5}}
sdr: {recv_depth: 2000, imm: 12+16+4}
schemes: [sr-rto]
samples: 1
sweep: {message.arrival.load: [0.2, 0.8]}
`)
	for i, want := range []float64{0.2, 0.8} {
		var s Sample
		if err := newTestRunner(t, &ps[i], "sr-rto").Sample(0, &s); err != nil {
			t.Fatal(err)
		}
		used := 8 * float64(s.WireBytes) / s.Elapsed.Seconds() / 10e9
		if math.Abs(used/want-1) > 0.03 { // of 20 000 gaps and sizes
			t.Errorf("load %v: %.4g of the link is used", want, used)
		}
	}
}

func TestAStreamWithArrivalsAndSizesAllocatesNothing(t *testing.T) {
	p := points(t, fmt.Sprintf(openLoop, "{model: uniform, min: 1KiB, max: 64KiB}",
		"{model: poisson, load: 0.5}", 1))[0]
	p.Message.Count = 500
	r := newTestRunner(t, &p, "sr-rto")
	var s Sample
	sample := 0
	run := func() {
		if err := r.Sample(sample%3, &s); err != nil {
			t.Fatal(err)
		}
		sample++
	}
	for range 3 {
		run()
	}
	if n := testing.AllocsPerRun(6, run); n > 0 {
		t.Errorf("%v allocations a sample", n)
	}
}
