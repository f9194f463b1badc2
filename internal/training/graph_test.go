package training

import (
	"testing"

	"sdrsim/internal/workload"
	"sdrsim/units"

	"pgregory.net/rapid"
)

// ended is when a graph has ended whose messages take a delay and their time at a rate.
func ended(t rapid.TB, g workload.Source, delay units.Duration, rate units.Rate) units.Duration {
	t.Helper()
	at, err := workload.Run(workload.Config{Source: g,
		Hop: func(int, int) workload.Hop {
			return workload.Hop{Alpha: delay, Rate: rate, Port: workload.Any}
		}})
	if err != nil {
		t.Fatal(err)
	}
	return at.Sub(0)
}

// ring is the exchange of a bucket among so many datacenters.
func ring(datacenters int) func(units.Bytes) workload.Source {
	return func(bytes units.Bytes) workload.Source {
		c := workload.Collective{Kind: workload.AllReduce, Algorithm: workload.Ring,
			Ranks: datacenters, Channels: 1, Size: bytes}
		return c.Source()
	}
}

// ringTime is how long the exchange of a bucket takes: 2 (D - 1) rounds of a part.
func ringTime(b Bucket, datacenters int, delay units.Duration, rate units.Rate) units.Duration {
	part := units.CeilDiv(b.Bytes, units.Bytes(datacenters))
	return units.Duration(2*(datacenters-1)) * (delay + rate.TransmitTime(part))
}

// e(i) = max(e(i-1), ready(i)) + took(i), to the picosecond.
func TestBucketsOneAfterTheOtherEndAsTheRecurrenceSays(t *testing.T) {
	const delay, rate = 12500 * units.Microsecond, 400 * units.Gbps
	for _, cap := range []units.Bytes{25 * units.MiB, units.GiB, 0} {
		d := DataParallel{Step: seven(), Every: 1, InFlight: 1}
		d.Buckets = d.Step.Buckets(FirstBucket, cap)
		var took []units.Duration
		for _, b := range d.Buckets {
			took = append(took, ringTime(b, 2, delay, rate))
		}
		want := d.Compute() + Exposed(d.Buckets, took, d.Step.Backward())
		if got := ended(t, d.Graph(ring(2)), delay, rate); got != want {
			t.Errorf("buckets of %v: %v, want %v", cap, got, want)
		}
	}
	t.Log("# 226 buckets wait 25 ms each; 13 are ready sooner than they are sent")
	for _, c := range []struct {
		cap             units.Bytes
		exposed, within float64
	}{{25 * units.MiB, 5.65 + 0.2695 - 0.2760, 0.01}, {units.GiB, 0.33 + 0.2695 - 0.2760, 0.012}} {
		d := DataParallel{Step: seven(), Every: 1, InFlight: 1}
		d.Buckets = d.Step.Buckets(FirstBucket, c.cap)
		got := ended(t, d.Graph(ring(2)), delay, rate) - d.Compute()
		near(t, c.cap.String(), got.Seconds(), c.exposed, c.within)
	}
}

// The example of four layers of 10 ms, a bucket each that takes 15 ms: the end is at 70, of which
// 30 are exposed.
func TestFourBucketsEndAtSeventy(t *testing.T) {
	const ms = units.Millisecond
	d := DataParallel{Every: 1, InFlight: 1,
		Step: Step{Shape: shapes[0].shape, Tokens: 1, Flops: 1e30, GradientBytes: 2}}
	for i := range 4 {
		d.Buckets = append(d.Buckets, Bucket{Bytes: 2, Ready: units.Duration(10*(i+1)) * ms})
	}
	if got := ended(t, d.Graph(ring(2)), 7500*units.Microsecond, 0); got != 70*ms {
		t.Errorf("ends at %v, want 70 ms", got)
	}
}

// With all buckets in flight only the latency of the last is exposed, beside what the link needs.
func TestBucketsInFlightHideTheirLatency(t *testing.T) {
	const delay, rate = 12500 * units.Microsecond, 4000 * units.Gbps
	at := func(inFlight int) units.Duration {
		d := DataParallel{Step: seven(), Every: 1, InFlight: inFlight}
		d.Buckets = d.Step.Buckets(FirstBucket, NextBucket)
		return ended(t, d.Graph(ring(2)), delay, rate) - d.Compute()
	}
	all := at(226)
	if least := 25 * units.Millisecond; all < least || all > least+units.Millisecond {
		t.Errorf("%v are exposed with all in flight, want 25 ms and the last bucket", all)
	}
	last := at(1)
	for _, n := range []int{2, 8, 32} {
		exposed := at(n)
		if exposed > last || exposed < all {
			t.Errorf("%v are exposed with %d in flight, %v with fewer", exposed, n, last)
		}
		last = exposed
	}
}

// Local steps are followed by one exchange that nothing overlaps.
func TestLocalStepsEndWithTheirExchange(t *testing.T) {
	const delay, rate = 12500 * units.Microsecond, 400 * units.Gbps
	for _, c := range []struct {
		every   int
		percent float64
		within  float64
	}{{2, 73.8, .1}, {10, 93.4, .05}, {14, 95.2, .05}, {50, 98.6, .05}, {100, 99.3, .05},
		{500, 99.86, .005}} {
		d := DataParallel{Step: seven(), Every: c.every, InFlight: 1}
		d.Buckets = d.Step.Buckets(0, 0)
		got := ended(t, d.Graph(ring(2)), delay, rate)
		near(t, "efficiency", 100*d.Compute().Seconds()/got.Seconds(), c.percent, c.within)
		exchange := ringTime(d.Buckets[0], 2, delay, rate)
		if want := d.Compute() + exchange; got != want {
			t.Errorf("%d steps: %v, want %v", c.every, got, want)
		}
	}
}

// The machine and the schedule played by hand agree, for drawn pipelines.
func TestPipelinesAreGraphsOfTheirSchedule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Pipeline{
			Schedule:     rapid.SampledFrom([]string{GPipe, OneFOneB}).Draw(t, "schedule"),
			Stages:       rapid.IntRange(2, 8).Draw(t, "stages"),
			Microbatches: rapid.IntRange(1, 30).Draw(t, "m"),
			Forward:      units.Duration(rapid.Int64Range(1, 1000).Draw(t, "f")),
			Backward:     units.Duration(rapid.Int64Range(1, 2000).Draw(t, "w")),
			Ahead:        rapid.IntRange(0, 5).Draw(t, "ahead"),
		}
		p.Hop = rapid.IntRange(1, p.Stages-1).Draw(t, "hop")
		delay := units.Duration(rapid.Int64Range(0, 5000).Draw(t, "delay"))
		if got, want := ended(t, p.Graph(1), delay, 0), played(&p, delay); got != want {
			t.Fatalf("%+v over %v: %v, want %v", p, delay, got, want)
		}
	})
}

// Published times: p 4, m 32, f 10, w 20, hop in the middle.
func TestGraphsOfPipelinesTakeWhatIsPublished(t *testing.T) {
	const ms = units.Millisecond
	for _, c := range []struct {
		schedule string
		delay    units.Duration
		ahead    int
		want     units.Duration
	}{{OneFOneB, 0, 0, 1050 * ms}, {OneFOneB, 15 * ms, 0, 1530 * ms},
		{OneFOneB, 15 * ms, 1, 1080 * ms},
		{OneFOneB, 100 * ms, 0, 4250 * ms}, {OneFOneB, 100 * ms, 7, 1250 * ms},
		{GPipe, 15 * ms, 0, 1080 * ms}, {GPipe, 100 * ms, 0, 1250 * ms}} {
		p := Pipeline{Schedule: c.schedule, Stages: 4, Microbatches: 32, Forward: 10 * ms,
			Backward: 20 * ms, Hop: 2, Ahead: c.ahead}
		if got := ended(t, p.Graph(32*units.MiB), c.delay, 0); got != c.want {
			t.Errorf("%s over %v with %d ahead: %v, want %v", c.schedule, c.delay, c.ahead, got, c.want)
		}
	}
}
