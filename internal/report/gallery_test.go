package report

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"sdrsim/internal/result"
	"sdrsim/internal/stats"
)

var figuresDir = flag.String("figures", "", "keep the figures of the gallery in this directory")

// exhibit is a figure with a table it can be drawn from.
type exhibit struct {
	table result.Table
	fig   Figure
}

func gallery() []exhibit {
	byLoss := withDistributions(sweep("link.loss.p", dropRates(), fourSchemes))
	size := []AxisMatch{{"message.size", "128MiB"}}
	many := make([]string, 15)
	for i := range many {
		many[i] = fmt.Sprintf("ec-mds(%d,%d)", 8*(i+1), i+1)
	}
	thirteen := withDistributions(sweep("link.loss.p", dropRates(), longTags(13)))
	long := []string{"sr-rto[rto=1RTT, ack.interval=1562500000ps]",
		"sr-nack[ack.interval=1562500000ps, payload=selective]", "ec-mds[k=32, m=8, fallback=missing]"}
	ref := []Reference{{"y", 0.0277 + 0.075, "+1 RTO"}, {"y", 0.0277 + 0.15, "+2 RTO"}}
	where := []AxisMatch{{"link.loss.p", "1e-3"}}
	return []exhibit{
		{byLoss, Figure{Kind: KindLine, Name: "line-mean", Y: "completion", References: ref}},
		{byLoss, Figure{Kind: KindLine, Name: "line-p999", Y: "completion", Stat: StatP999}},
		{byLoss, Figure{Kind: KindLine, Name: "line-goodput", Y: "goodput"}},
		{byLoss, Figure{Kind: KindLine, Name: "line-speedup", Y: "speedup", Over: "sr-rto"}},
		{byLoss, Figure{Kind: KindLine, Name: "line-retransmits", Y: "retransmits"}},
		{byLoss, Figure{Kind: KindCCDF, Name: "ccdf", Where: where}},
		{byLoss, Figure{Kind: KindCDF, Name: "cdf", Where: where}},
		{byLoss, Figure{Kind: KindBar, Name: "bar-schemes", Y: "goodput", X: "scheme", Where: where}},
		{sweep("link.loss.p", []float64{1e-4, 1e-3, 1e-2}, fourSchemes),
			Figure{Kind: KindBar, Name: "bar-groups", Y: "completion", Stat: StatP999}},
		{grid2(), Figure{Kind: KindHeatmap, Name: "heat-speedup", X: "link.loss.p",
			Y: "message.size", Value: "speedup", Of: "ec-mds", Over: "sr-rto"}},
		{grid2(), Figure{Kind: KindHeatmap, Name: "heat-goodput", X: "link.loss.p",
			Y: "message.size", Value: "goodput", Schemes: []string{"sr-rto"}}},
		{grid2(), Figure{Kind: KindHeatmap, Name: "heat-p999", X: "link.loss.p",
			Y: "message.size", Value: "slowdown", Stat: StatP999, Schemes: []string{"sr-rto"}}},
		{grid2(), Figure{Kind: KindLine, Name: "line-by-size", X: "message.size",
			Y: "slowdown", Where: where}},
		{grid2(), Figure{Kind: KindLine, Name: "line-where", X: "link.loss.p",
			Y: "completion", Where: size, YScale: ScaleLog}},
		{grid2(), Figure{Kind: KindLine, Name: "series-by-size", X: "link.loss.p",
			Y: "slowdown", Series: "message.size", Schemes: []string{"sr-rto"}}},
		{sweep("link.distance", []float64{75e3, 150e3, 375e3, 750e3, 1500e3, 3000e3, 6000e3},
			fourSchemes), Figure{Kind: KindLine, Name: "line-distance"}},
		{sweep("link.bandwidth", []float64{100e9, 200e9, 400e9, 800e9}, fourSchemes),
			Figure{Kind: KindLine, Name: "line-bandwidth", Y: "throughput"}},
		{sweep("link.loss.p", dropRates(), many), Figure{Kind: KindLine, Name: "fifteen"}},
		{sweep("link.loss.p", dropRates(), long), Figure{Kind: KindLine, Name: "long-labels"}},
		{withZero(), Figure{Kind: KindLine, Name: "zero-loss", Y: "retransmits"}},
		{withGaps(), Figure{Kind: KindLine, Name: "gaps"}},
		{withGaps(), Figure{Kind: KindBar, Name: "bar-gaps", Y: "completion"}},
		{sweep("link.loss.p", []float64{1e-3}, fourSchemes[:1]),
			Figure{Kind: KindLine, Name: "single", X: "link.loss.p"}},
		{words(), Figure{Kind: KindLine, Name: "words"}},
		{thirteen, Figure{Kind: KindLine, Name: "thirteen"}},
		{thirteen, Figure{Kind: KindCCDF, Name: "thirteen-ccdf", Where: where}},
		{thirteen, Figure{Kind: KindBar, Name: "thirteen-bars", Where: where, X: "scheme"}},
		{sweep("link.loss.p", []float64{1e-4, 1e-3}, many), Figure{Kind: KindBar,
			Name: "fifteen-bars", Y: "completion"}},
		{sweep("link.loss.p", dropRates(), tags(45)), Figure{Kind: KindLine, Name: "fortyfive"}},
		{equal(), Figure{Kind: KindCCDF, Name: "equal-ccdf", Where: where}},
		{equal(), Figure{Kind: KindCCDF, Name: "equal-ccdf-log", Where: where, YScale: ScaleLog}},
		{equal(), Figure{Kind: KindCDF, Name: "equal-cdf", Where: where}},
		{equal(), Figure{Kind: KindLine, Name: "only-zeros", Y: "retransmits", YScale: ScaleLog}},
		{withZero(), Figure{Kind: KindLine, Name: "zeros-log", Y: "retransmits", YScale: ScaleLog}},
		{oneSided(), Figure{Kind: KindHeatmap, Name: "heat-one-sided", X: "link.loss.p",
			Y: "message.size", Value: "speedup", Of: "ec-mds", Over: "sr-rto"}},
	}
}

// tags are so many short names of schemes.
func tags(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("scheme-%02d", i+1)
	}
	return list
}

// longTags are so many names of schemes as they are made from parameters.
func longTags(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("ec-mds[k=32, m=%d, fallback=missing, decode.rate=100Gbps]", i+1)
	}
	return list
}

// equal is a table of which all samples are equal, and nothing is lost.
func equal() result.Table {
	t := sweep("link.loss.p", []float64{1e-3, 1e-2}, fourSchemes)
	for i := range t.Rows {
		r := &t.Rows[i]
		r.RetransmitsMean = 0
		t.Distributions = append(t.Distributions, result.Distribution{Axes: r.Axes, Scheme: r.Scheme,
			Steps: []stats.Step{{X: 0.03, Exceed: 0}}})
	}
	return t
}

// oneSided is a grid whose largest speed-up is a power of two, and none is below one.
func oneSided() result.Table {
	t := grid2()
	for i := range t.Rows {
		r := &t.Rows[i]
		r.CompletionMean = 0.03
		if r.Scheme == "sr-rto" {
			r.CompletionMean = 0.24
		}
	}
	return t
}

// withZero is a sweep that starts with a lossless link.
func withZero() result.Table {
	return sweep("link.loss.p", append([]float64{0}, dropRates()...), fourSchemes)
}

// withGaps lacks values as a scheme that gives up does.
func withGaps() result.Table {
	t := sweep("link.loss.p", []float64{1e-5, 1e-4, 1e-3, 1e-2, 1e-1}, fourSchemes)
	for i := range t.Rows {
		r := &t.Rows[i]
		if r.Scheme == "ec-xor" && r.Axes[0].Number >= 1e-2 {
			*r = result.NewRow(r.Axes, r.Scheme)
			r.Samples, r.Failed = 4000, 4000
		}
		if r.Scheme == "sr-rto" && r.Axes[0].Number == 1e-3 {
			r.CompletionMean = math.Inf(1)
		}
	}
	return t
}

// words sweeps a path that has no numbers.
func words() result.Table {
	t := result.Table{Paths: []string{"scheme.rto"}}
	for i, rto := range []string{"1RTT", "2RTT", "3RTT"} {
		for _, s := range fourSchemes {
			axes := []result.AxisValue{word("scheme.rto", rto)}
			t.Rows = append(t.Rows, syntheticRow(axes, s, 0.02*float64(i+1), 1e-5, 32768))
		}
	}
	return t
}

func TestEveryFigureOfTheGalleryDraws(t *testing.T) {
	if *figuresDir != "" { // to be looked at
		for _, e := range gallery() {
			if _, err := Draw(*figuresDir, e.table, e.fig); err != nil {
				t.Errorf("%s: %v", e.fig.Name, err)
			}
		}
		return
	}
	for _, e := range gallery() {
		p, _ := compose(t, e.table, e.fig)
		if _, err := p.svg(); err != nil {
			t.Errorf("%s: %v", e.fig.Name, err)
		}
	}
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
