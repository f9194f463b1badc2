package scenarios

import (
	"reflect"
	"testing"

	"sdrsim/internal/figure"
)

const figureBase = base + `sweep:
  link.loss.p: [1e-5, 1e-4, 1e-3]
  message.size: [1MiB, 2MiB]
figures:
`

func TestFiguresFillInWhatFollows(t *testing.T) {
	all := []string{"sr-rto", "ec-mds"}
	atSize := []figure.AxisMatch{{Path: "message.size", Text: "1048576"}}
	atBoth := append([]figure.AxisMatch{{Path: "link.loss.p", Text: "0.001"}}, atSize...)
	for text, want := range map[string]figure.Figure{
		"{kind: line, where: {message.size: 1MiB}}": {
			Kind: figure.Line, Name: "completion-mean-by-link-loss-p", X: "link.loss.p",
			Y: "completion", Value: "completion", Stat: "mean", Series: figure.SeriesScheme,
			Where: atSize, Schemes: all, XScale: "log"},
		"{kind: line, x: message.size, y: goodput, series: link.loss.p, schemes: [ec-mds]}": {
			Kind: figure.Line, Name: "goodput-by-message-size", X: "message.size", Y: "goodput",
			Value: "goodput", Stat: "mean", Series: "link.loss.p", Schemes: []string{"ec-mds"},
			XScale: "linear"},
		"{kind: heatmap, x: link.loss.p, y: message.size, value: speedup, of: ec-mds, " +
			"over: sr-rto, stat: p99.9, title: T}": {
			Kind: figure.Heatmap, Name: "speedup-p999-by-link-loss-p-and-message-size",
			Title: "T", X: "link.loss.p", Y: "message.size", Value: "speedup", Stat: "p99.9",
			Of: "ec-mds", Over: "sr-rto", Series: figure.SeriesScheme, Schemes: []string{"ec-mds"},
			XScale: "log", YScale: "linear"},
		"{kind: ccdf, where: {message.size: 1048576B, link.loss.p: 0.1%}, y_scale: linear}": {
			Kind: figure.CCDF, Name: "completion-ccdf", Y: "completion", Value: "completion",
			Stat: "mean", Series: figure.SeriesScheme, Where: atBoth, Schemes: all, YScale: "linear"},
		"{kind: cdf, name: own, series: message.size, where: {link.loss.p: 1e-3}}": {
			Kind: figure.CDF, Name: "own", Y: "completion", Value: "completion", Stat: "mean",
			Series: "message.size", Where: atBoth[:1], Schemes: all, YScale: "linear"},
		"{kind: bar, x: scheme, where: {message.size: 1MiB, link.loss.p: 0.001}, " +
			"references: [{at: 1.5, label: limit}, {at: -1}]}": {
			Kind: figure.Bar, Name: "completion-mean-by-scheme", X: figure.SeriesScheme, Y: "completion",
			Value: "completion", Stat: "mean", Series: figure.SeriesScheme, Where: atBoth, Schemes: all,
			XScale: "linear", References: []figure.Reference{{Axis: "y", Value: 1.5, Label: "limit"},
				{Axis: "y", Value: -1}}},
		"{kind: bar, where: {message.size: 1MiB, link.loss.p: 0.001}}": {
			Kind: figure.Bar, Name: "completion-mean-by-scheme", X: figure.SeriesScheme, Y: "completion",
			Value: "completion", Stat: "mean", Series: figure.SeriesScheme, Where: atBoth, Schemes: all,
			XScale: "linear"},
		"{kind: line, x: link.loss.p, y: speedup, over: sr-rto, where: {message.size: 1MiB}}": {
			Kind: figure.Line, Name: "speedup-mean-by-link-loss-p", X: "link.loss.p",
			Y: "speedup", Value: "speedup", Stat: "mean", Over: "sr-rto", Series: figure.SeriesScheme,
			Where: atSize, Schemes: []string{"ec-mds"}, XScale: "log"},
		"{kind: cdf, name: own, style: paper, where: {link.loss.p: 1e-3, message.size: 1MiB}}": {
			Kind: figure.CDF, Name: "own", Y: "completion", Value: "completion", Stat: "mean",
			Series: figure.SeriesScheme, Where: atBoth, Schemes: all, YScale: "linear",
			Style: figure.StylePaper, Width: figure.WidthOneColumn},
		"{kind: cdf, name: own, style: paper, width: two-columns, " +
			"where: {link.loss.p: 1e-3, message.size: 1MiB}}": {
			Kind: figure.CDF, Name: "own", Y: "completion", Value: "completion", Stat: "mean",
			Series: figure.SeriesScheme, Where: atBoth, Schemes: all, YScale: "linear",
			Style: figure.StylePaper, Width: figure.WidthTwoColumns},
	} {
		s := load(t, figureBase+"  - "+text+"\n")
		if !reflect.DeepEqual(s.Figures[0], want) {
			t.Errorf("%s:\n got %+v\nwant %+v", text, s.Figures[0], want)
		}
	}
}

func TestFiguresWithoutANameAreNumbered(t *testing.T) {
	s := load(t, figureBase+"  - {kind: bar, x: message.size, where: {link.loss.p: 1e-3}}\n"+
		"  - {kind: line, x: message.size, where: {link.loss.p: 1e-3}}\n")
	if s.Figures[0].Name != "completion-mean-by-message-size" ||
		s.Figures[1].Name != "completion-mean-by-message-size-2" {
		t.Errorf("got %s and %s", s.Figures[0].Name, s.Figures[1].Name)
	}
}

func TestPathsOfOneValueNeedNoPlaceInAFigure(t *testing.T) {
	s := load(t, figureBase+"  - {kind: line, x: link.loss.p}\n", "message.size=1MiB")
	if len(s.Figures) != 1 || len(s.Figures[0].Where) != 0 {
		t.Errorf("got %+v", s.Figures)
	}
}

func TestFiguresMayFixAPathThatLeavesSeveralValuesOfTheirs(t *testing.T) {
	s := load(t, base+`sweep:
  zip: [{link.bandwidth: [100Gbps, 200Gbps, 400Gbps], link.rtt: [2ms, 4ms, 4ms]}]
figures: [{kind: bar, x: link.bandwidth, where: {link.rtt: 4ms}}]
`)
	if len(s.Figures) != 1 || s.Figures[0].X != "link.bandwidth" {
		t.Errorf("got %+v", s.Figures)
	}
}

func TestLevelsGoWithATiltOfOne(t *testing.T) {
	load(t, base, "acceleration.tilt=1", "acceleration.levels=4")
}
