package experiment

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sdrsim/units"
)

// The tests of this file count work and never time it: what a sample costs follows its losses and
// acknowledgements. Counts are the same on every machine, so that an event more fails a test.

// cellsOfWork are what the golden table of work has: lossless, few losses whatever the size, many
// losses, and single packets.
var cellsOfWork = []setup{
	{size: "1MiB", p: "0"}, {size: "128MiB", p: "0"}, {size: "1GiB", p: "0"},
	{size: "8GiB", p: "0"},
	{size: "1MiB", p: "0.0390625"}, {size: "128MiB", p: tenOf128MiB},
	{size: "1GiB", p: tenOf1GiB}, {size: "8GiB", p: tenOf8GiB},
	{size: "1MiB", p: "1e-2"}, {size: "128MiB", p: "1e-3"}, {size: "128MiB", p: "1e-2"},
	{size: "128MiB", p: "1e-1"}, {size: "1GiB", p: "1e-3"},
	{size: "1MiB", p: "0", options: single}, {size: "16MiB", p: "0", options: single},
	{size: "16MiB", p: "1e-3", options: single},
}

// The drop rates at which ten chunks of the first attempt are lost on average.
const (
	tenOf128MiB = "0.00030517578125"
	tenOf1GiB   = "3.814697265625e-05"
	tenOf8GiB   = "4.76837158203125e-06"
)

// single caps runs at one packet.
const single = "engine: {runs: 1}"

// workSamples are enough to meet what is rare among losses, and few enough to take no time.
const workSamples = 4

// work adds up the first samples of a workload under a scheme.
type work struct {
	Counters
	completion units.Duration // the longest
}

func workOf(t *testing.T, w setup, label string) work {
	t.Helper()
	p := points(t, w.scenario())[0]
	r := newTestRunner(t, &p, label)
	var sum work
	var s Sample
	for i := range workSamples {
		if err := r.Sample(i, &s); err != nil {
			t.Fatal(err)
		}
		sum.Events += s.Events
		sum.Acks += s.Acks
		sum.Nacks += s.Nacks
		sum.Lost += s.Lost
		sum.Packets += s.Packets
		sum.completion = max(sum.completion, s.Completion[0])
	}
	return sum
}

// TestWorkOfASampleIsWhatTheTableSays holds the counts of every cell to testdata/work.golden: a
// change that adds an event for every packet, loss or acknowledgement shows there.
func TestWorkOfASampleIsWhatTheTableSays(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, "# Sums over %d samples; a run of one: single packets.\n", workSamples)
	fmt.Fprintf(&b, "%-8s %-20s %-4s %-8s %9s %9s %7s %7s %8s\n",
		"size", "loss", "runs", "scheme", "events", "packets", "acks", "nacks", "losses")
	for _, w := range cellsOfWork {
		runs := "any"
		if w.options == single {
			runs = "1"
		}
		for _, label := range labels {
			n := workOf(t, w, label)
			fmt.Fprintf(&b, "%-8s %-20s %-4s %-8s %9d %9d %7d %7d %8d\n",
				w.size, w.p, runs, label, n.Events, n.Packets, n.Acks, n.Nacks, n.Lost)
		}
	}
	golden(t, "work.golden", b.String())
}

// TestSamplesAllocateNothingOnceMemoryIsThere runs the same samples again and again: what the
// first pass needed is there for the next ones.
func TestSamplesAllocateNothingOnceMemoryIsThere(t *testing.T) {
	for _, w := range []setup{
		{size: "1MiB", p: "0"}, {size: "1MiB", p: "1e-2"}, {size: "128MiB", p: "1e-3"},
		{size: "128MiB", p: "1e-2"}, {size: "1GiB", p: tenOf1GiB},
		{size: "1MiB", p: "1e-2", options: single},
	} {
		p := points(t, w.scenario())[0]
		for _, label := range labels {
			r := newTestRunner(t, &p, label)
			var s Sample
			// The mean of several passes is rounded down, so that one allocation elsewhere in the
			// process does not count.
			allocs := testing.AllocsPerRun(4, func() {
				for i := range workSamples {
					if err := r.Sample(i, &s); err != nil {
						t.Fatal(err)
					}
				}
			})
			if allocs != 0 {
				t.Errorf("%s at %s, %s %s: %v allocations in %d samples",
					w.size, w.p, label, w.options, allocs, workSamples)
			}
		}
	}
}

// TestLosslessWorkHardlyGrowsWithSize compares messages of a thousand times the size.
func TestLosslessWorkHardlyGrowsWithSize(t *testing.T) {
	for _, label := range labels {
		small := workOf(t, setup{size: "1MiB", p: "0"}, label)
		large := workOf(t, setup{size: "1GiB", p: "0"}, label)
		if large.Events > 3*small.Events {
			t.Errorf("%s: %d events of 1 GiB, %d of 1 MiB", label, large.Events, small.Events)
		}
	}
}

// TestWorkFollowsLossesAndNotSize meets ten losses in messages of different size. Acknowledgements
// are not counted: they follow the time that a message takes.
func TestWorkFollowsLossesAndNotSize(t *testing.T) {
	const few = 4 // events of a sample, beside twice as many
	for _, label := range labels {
		var counts []int64
		for _, w := range []setup{
			{size: "128MiB", p: tenOf128MiB}, {size: "1GiB", p: tenOf1GiB},
			{size: "8GiB", p: tenOf8GiB},
		} {
			n := workOf(t, w, label)
			if n.Lost < 5*workSamples {
				t.Errorf("%s of %s: %d losses, want about %d", label, w.size, n.Lost, 10*workSamples)
			}
			counts = append(counts, n.Events-n.Acks)
		}
		if slices.Max(counts) > 2*slices.Min(counts)+few*workSamples {
			t.Errorf("%s: %d events beside acknowledgements, at ten losses a message", label, counts)
		}
	}
}

// TestAcknowledgementsFollowTime allows one for each interval of a sixteenth of the round trip, and
// a few for what is said at once and for what takes more than one.
func TestAcknowledgementsFollowTime(t *testing.T) {
	const interval, more = 25 * units.Millisecond / 16, 4
	for _, w := range cellsOfWork {
		for _, label := range labels {
			n := workOf(t, w, label)
			if most := workSamples * (int64(n.completion/interval) + more); n.Acks > most {
				t.Errorf("%s of %s at %s: %d ACKs in %d samples of at most %v, want at most %d",
					label, w.size, w.p, n.Acks, workSamples, n.completion, most)
			}
		}
	}
}

// TestSinglePacketsCostTwoEventsEach allows a departure and an arrival of each packet, and the
// same of each acknowledgement, with the poll that sends it.
func TestSinglePacketsCostTwoEventsEach(t *testing.T) {
	for _, label := range labels {
		n := workOf(t, setup{size: "16MiB", p: "0", options: single}, label)
		if n.Packets < workSamples*4096 {
			t.Fatalf("%s: %d packets", label, n.Packets)
		}
		if most := 2*n.Packets + 3*n.Acks; n.Events > most {
			t.Errorf("%s: %d events of %d packets and %d ACKs, want at most %d",
				label, n.Events, n.Packets, n.Acks, most)
		}
	}
}
