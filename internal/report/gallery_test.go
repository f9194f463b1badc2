package report

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"sdrsim/internal/figure"
	"sdrsim/internal/metric"
	"sdrsim/internal/result"
	"sdrsim/internal/stats"
)

var figuresDir = flag.String("figures", "", "keep the figures of the gallery in this directory")

// exhibit is a figure with a table it can be drawn from.
type exhibit struct {
	table result.Table
	fig   figure.Figure
}

func gallery() []exhibit {
	byLoss := withDistributions(sweep("link.loss.p", dropRates(), fourSchemes))
	size := []figure.AxisMatch{{Path: "message.size", Text: "128MiB"}}
	many := make([]string, 15)
	for i := range many {
		many[i] = fmt.Sprintf("ec-mds(%d,%d)", 8*(i+1), i+1)
	}
	thirteen := withDistributions(sweep("link.loss.p", dropRates(), longTags(13)))
	long := []string{"sr-rto[rto=1RTT, ack.interval=1562500000ps]",
		"sr-nack[ack.interval=1562500000ps, payload=selective]", "ec-mds[k=32, m=8, fallback=missing]"}
	ref := []figure.Reference{{Axis: "y", Value: 0.0277 + 0.075, Label: "+1 RTO"},
		{Axis: "y", Value: 0.0277 + 0.15, Label: "+2 RTO"}}
	where := []figure.AxisMatch{{Path: "link.loss.p", Text: "1e-3"}}
	return []exhibit{
		{byLoss, figure.Figure{Kind: figure.Line, Name: "line-mean", Y: "completion", References: ref}},
		{byLoss, figure.Figure{Kind: figure.Line, Name: "line-p999", Y: "completion", Stat: metric.P999}},
		{byLoss, figure.Figure{Kind: figure.Line, Name: "line-goodput", Y: "goodput"}},
		{byLoss, figure.Figure{Kind: figure.Line, Name: "line-speedup", Y: "speedup", Over: "sr-rto"}},
		{byLoss, figure.Figure{Kind: figure.Line, Name: "line-retransmits", Y: "retransmits"}},
		{byLoss, figure.Figure{Kind: figure.CCDF, Name: "ccdf", Where: where}},
		{byLoss, figure.Figure{Kind: figure.CDF, Name: "cdf", Where: where}},
		{byLoss, figure.Figure{Kind: figure.Bar, Name: "bar-schemes", Y: "goodput", X: "scheme",
			Where: where}},
		{sweep("link.loss.p", []float64{1e-4, 1e-3, 1e-2}, fourSchemes),
			figure.Figure{Kind: figure.Bar, Name: "bar-groups", Y: "completion", Stat: metric.P999}},
		{grid2(), figure.Figure{Kind: figure.Heatmap, Name: "heat-speedup", X: "link.loss.p",
			Y: "message.size", Value: "speedup", Of: "ec-mds", Over: "sr-rto"}},
		{grid2(), figure.Figure{Kind: figure.Heatmap, Name: "heat-goodput", X: "link.loss.p",
			Y: "message.size", Value: "goodput", Schemes: []string{"sr-rto"}}},
		{grid2(), figure.Figure{Kind: figure.Heatmap, Name: "heat-p999", X: "link.loss.p",
			Y: "message.size", Value: "slowdown", Stat: metric.P999, Schemes: []string{"sr-rto"}}},
		{grid2(), figure.Figure{Kind: figure.Line, Name: "line-by-size", X: "message.size",
			Y: "slowdown", Where: where}},
		{grid2(), figure.Figure{Kind: figure.Line, Name: "line-where", X: "link.loss.p",
			Y: "completion", Where: size, YScale: figure.LogScale}},
		{grid2(), figure.Figure{Kind: figure.Line, Name: "series-by-size", X: "link.loss.p",
			Y: "slowdown", Series: "message.size", Schemes: []string{"sr-rto"}}},
		{sweep("link.distance", []float64{75e3, 150e3, 375e3, 750e3, 1500e3, 3000e3, 6000e3},
			fourSchemes), figure.Figure{Kind: figure.Line, Name: "line-distance"}},
		{sweep("link.bandwidth", []float64{100e9, 200e9, 400e9, 800e9}, fourSchemes),
			figure.Figure{Kind: figure.Line, Name: "line-bandwidth", Y: "throughput"}},
		{sweep("link.loss.p", dropRates(), many), figure.Figure{Kind: figure.Line, Name: "fifteen"}},
		{sweep("link.loss.p", dropRates(), long), figure.Figure{Kind: figure.Line, Name: "long-labels"}},
		{withZero(), figure.Figure{Kind: figure.Line, Name: "zero-loss", Y: "retransmits"}},
		{withGaps(), figure.Figure{Kind: figure.Line, Name: "gaps"}},
		{withGaps(), figure.Figure{Kind: figure.Bar, Name: "bar-gaps", Y: "completion"}},
		{sweep("link.loss.p", []float64{1e-3}, fourSchemes[:1]),
			figure.Figure{Kind: figure.Line, Name: "single", X: "link.loss.p"}},
		{words(), figure.Figure{Kind: figure.Line, Name: "words"}},
		{thirteen, figure.Figure{Kind: figure.Line, Name: "thirteen"}},
		{thirteen, figure.Figure{Kind: figure.CCDF, Name: "thirteen-ccdf", Where: where}},
		{thirteen, figure.Figure{Kind: figure.Bar, Name: "thirteen-bars", Where: where, X: "scheme"}},
		{sweep("link.loss.p", []float64{1e-4, 1e-3}, many), figure.Figure{Kind: figure.Bar,
			Name: "fifteen-bars", Y: "completion"}},
		{sweep("link.loss.p", dropRates(), tags(45)), figure.Figure{Kind: figure.Line,
			Name: "fortyfive"}},
		{equal(), figure.Figure{Kind: figure.CCDF, Name: "equal-ccdf", Where: where}},
		{equal(), figure.Figure{Kind: figure.CCDF, Name: "equal-ccdf-log", Where: where,
			YScale: figure.LogScale}},
		{equal(), figure.Figure{Kind: figure.CDF, Name: "equal-cdf", Where: where}},
		{equal(), figure.Figure{Kind: figure.Line, Name: "only-zeros", Y: "retransmits",
			YScale: figure.LogScale}},
		{withZero(), figure.Figure{Kind: figure.Line, Name: "zeros-log", Y: "retransmits",
			YScale: figure.LogScale}},
		{oneSided(), figure.Figure{Kind: figure.Heatmap, Name: "heat-one-sided", X: "link.loss.p",
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
