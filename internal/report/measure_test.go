package report

import (
	"testing"

	"sdrsim/internal/figure"
	"sdrsim/internal/metric"
	"sdrsim/internal/result"
)

// measureOf is what a figure shows.
func measureOf(fig figure.Figure) (measure, error) { return (&drawing{Figure: fig}).measure() }

// readQuantity returns the value and the closed form of a quantity for one row.
func readQuantity(t *testing.T, fig figure.Figure, r result.Row) datum {
	t.Helper()
	m, err := measureOf(fig)
	if err != nil {
		t.Fatal(err)
	}
	var d datum
	d.read(&selection{}, m, &r)
	return d
}

// TestPacketRateIsOverTheTimeOfTheThroughput has 1000 packets of 1000 B in 2 ms.
func TestPacketRateIsOverTheTimeOfTheThroughput(t *testing.T) {
	r := result.NewRow(nil, "sr")
	r.PacketsMean, r.WireBytesMean, r.Throughput = 1000, 1e6, 4e9
	d := readQuantity(t, figure.Figure{Kind: figure.Line, Y: "packet_rate", Stat: metric.Mean}, r)
	if d.est.Value != 5e5 {
		t.Errorf("%v packets a second, want 500 000", d.est.Value)
	}
	if got := packetRate.text(d.est.Value, 3); got != "500 k packets/s" {
		t.Errorf("prints %q", got)
	}
}

// TestSlowdownHasTheClosedFormOverTheSameLosslessTime takes 20 ms as lossless.
func TestSlowdownHasTheClosedFormOverTheSameLosslessTime(t *testing.T) {
	r := result.NewRow(nil, "sr")
	r.CompletionMean, r.SlowdownMean, r.ModelCompletionMean = 0.05, 2.5, 0.06
	d := readQuantity(t, figure.Figure{Kind: figure.Line, Y: "slowdown", Stat: metric.Mean}, r)
	if d.est.Value != 2.5 || d.model != 3 {
		t.Errorf("slowdown %v with a closed form of %v, want 2.5 and 3", d.est.Value, d.model)
	}
}

// A mean that few samples carry is in doubt, and with it what follows from it; quantiles are not,
// and goodput, whose time is another one, by itself.
func TestMeansInDoubtAreHollow(t *testing.T) {
	r := result.NewRow(nil, "sr")
	r.Samples, r.CompletionMean, r.SlowdownMean, r.Goodput = 1000, 0.05, 2, 1e9
	r.CompletionP99 = 0.2
	for _, c := range []struct {
		fig  figure.Figure
		mean bool
	}{
		{figure.Figure{Kind: figure.Line, Y: "completion", Stat: metric.Mean}, true},
		{figure.Figure{Kind: figure.Line, Y: "slowdown", Stat: metric.Mean}, true},
		{figure.Figure{Kind: figure.Line, Y: "goodput", Stat: metric.Mean}, false},
		{figure.Figure{Kind: figure.Line, Y: "completion_mean_s", Stat: metric.Mean}, true},
		{figure.Figure{Kind: figure.Line, Y: "completion", Stat: metric.P99}, false},
		{figure.Figure{Kind: figure.Line, Y: "packets", Stat: metric.Mean}, false},
	} {
		r.Warnings = nil
		if d := readQuantity(t, c.fig, r); d.doubtful {
			t.Errorf("%s %s is in doubt without a warning", c.fig.Y, c.fig.Stat)
		}
		r.Warnings = []string{"mean: 3 of 1000 samples carry it, fewer than 20"}
		if d := readQuantity(t, c.fig, r); d.doubtful != c.mean {
			t.Errorf("%s %s: in doubt is %v, want %v", c.fig.Y, c.fig.Stat, d.doubtful, c.mean)
		}
		r.Warnings = []string{"goodput: 3 of 1000 samples carry it, fewer than 20"}
		if d := readQuantity(t, c.fig, r); d.doubtful != (c.fig.Y == "goodput") {
			t.Errorf("%s %s: in doubt is %v by the goodput", c.fig.Y, c.fig.Stat, d.doubtful)
		}
	}
}

func TestShareOfFallbacksHasItsBound(t *testing.T) {
	r := result.NewRow(nil, "ec")
	r.FallbackFraction, r.FallbackLo, r.FallbackHi = 0, 0, 0.0074
	d := readQuantity(t, figure.Figure{Kind: figure.Line, Y: "fallback_fraction", Stat: metric.Mean},
		r)
	if d.est.Value != 0 || d.est.Hi != 0.0074 {
		t.Errorf("%+v, want none of 500 with its bound", d.est)
	}
}

func TestAxesOfNetworksAndEntriesHaveNamesAndUnits(t *testing.T) {
	for path, want := range map[string]string{
		"network.hosts": "Hosts of each side 8", "network.queue.buffer": "Buffer of the border 8 B",
		"network.access.bandwidth": "Access bandwidth 8 bit/s",
		"network.queue.ecn.kmin":   "Queue from which packets are marked 8 B",
		"flows.0.size":             "Message size of flow 1 8 B", "traffic.1.load": "Load of traffic 2 8",
		"link.paths.0.delay": "One-way delay of path 1 8 s",
		"link.outages.2.for": "Length of outage 3 8 s",
		"flows.x.size":       "flows.x.size 8 B", "traffic.0.nothing": "traffic.0.nothing 8",
	} {
		if got := pathName(path) + " " + unitOf(path).text(8, 3); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
