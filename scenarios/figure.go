package scenarios

import (
	"sdrsim/internal/metric"
	"sdrsim/schemes"
)

// Kinds of figures.
const (
	FigureLine    = "line"    // a value over an axis, a line for each series
	FigureHeatmap = "heatmap" // a value over two axes
	FigureCDF     = "cdf"     // the distribution of a value
	FigureCCDF    = "ccdf"    // the share of samples beyond a value
	FigureBar     = "bar"     // a value over an axis or over the schemes, a bar for each series
)

// SeriesScheme, as the series or the x of a figure, stands for the schemes.
const SeriesScheme = "scheme"

// Figure is one figure to draw from the results.
type Figure struct {
	Kind string
	// Name is the name of the files, unique in the scenario; Title stands above the figure and may be
	// empty.
	Name, Title string
	// X is a swept path, or SeriesScheme for bars; empty for distributions. Y is the second swept path
	// of a heat map, and Value otherwise.
	X, Y string
	// Value is what is shown, and Stat which statistic of it.
	Value, Stat string
	// Of and Over are the schemes that a speed-up compares: the statistic of Over's completion time
	// by that of Of. Of is empty where every scheme but Over is shown.
	Of, Over string
	// Series is what the lines stand for: SeriesScheme or a swept path.
	Series string
	// Where fixes the swept paths that are neither an axis nor the series.
	Where []AxisMatch
	// Schemes are the labels of those shown, in order; all that the figure can show by default.
	Schemes []string
	// XScale and YScale are "log" or "linear"; a YScale that depends on the values is empty.
	XScale, YScale string
	// References are horizontal lines (vertical ones in distributions).
	References []Reference
	// Style is StylePaper, or empty for a screen; Width is that on paper.
	Style, Width string
}

// Styles of figures, and widths on paper.
const (
	StyleScreen     = "screen"
	StylePaper      = "paper"
	WidthOneColumn  = "one-column"
	WidthTwoColumns = "two-columns"
)

// AxisMatch fixes a swept path to one of its values.
type AxisMatch struct {
	Path   string
	Text   string  // as AxisValue.Text
	Number float64 // as AxisValue.Number
}

// Reference is a line at a value, in SI units, with what it means.
type Reference struct {
	At    float64
	Label string
}

var (
	figureKinds  = []string{FigureLine, FigureHeatmap, FigureCDF, FigureCCDF, FigureBar}
	figureStats  = []string{metric.Mean, metric.P50, metric.P99, metric.P999, metric.Max}
	figureScales = []string{"log", "linear"}
	// figureValues are what figures show.
	figureValues = metric.Drawn()
)

// valueStats are the statistics of a value of figures; none where there is no such value.
func valueStats(value string) []string {
	if m := metric.Find(value); m != nil {
		return m.Shows()
	}
	return nil
}

// figureKeys are the keys of a figure.
var figureKeys = []Key{
	{Path: "figures.kind", Kind: schemes.KindChoice, Choices: figureKinds, Fixed: true,
		Doc: "required"},
	{Path: "figures.name", Kind: KindName, Fixed: true,
		Doc: "name of the files; default: from value, statistic and axes"},
	{Path: "figures.title", Kind: KindText, Fixed: true, Doc: "stands above the figure"},
	{Path: "figures.x", Kind: KindText, Fixed: true,
		Doc: "a swept path; scheme, for bars; default: the only one that is left, and for bars " +
			"scheme where none is"},
	{Path: "figures.y", Kind: KindText, Fixed: true,
		Doc: "heatmap: the second swept path; else the same as value"},
	{Path: "figures.value", Kind: schemes.KindChoice, Default: "completion", Choices: figureValues,
		Fixed: true, Doc: "what is shown"},
	{Path: "figures.stat", Kind: schemes.KindChoice, Default: "mean", Choices: figureStats,
		Fixed: true, Doc: "which statistic of it; most values have a mean only"},
	{Path: "figures.of", Kind: KindText, Fixed: true,
		Doc: "speedup: the scheme that is judged; default: every other"},
	{Path: "figures.over", Kind: KindText, Fixed: true,
		Doc: "speedup: the scheme that it is compared with; required"},
	{Path: "figures.series", Kind: KindText, Default: SeriesScheme, Fixed: true,
		Doc: "what a line stands for: scheme, or a swept path"},
	{Path: "figures.where", Kind: KindMapping, Fixed: true,
		Doc: "values of the other swept paths"},
	{Path: "figures.schemes", Kind: KindList, Fixed: true, Doc: "labels of those shown; default: all"},
	{Path: "figures.x_scale", Kind: schemes.KindChoice, Choices: figureScales, Fixed: true,
		Doc: "default: as the axis is spread"},
	{Path: "figures.y_scale", Kind: schemes.KindChoice, Choices: figureScales, Fixed: true,
		Doc: "default: as the axis or the values are spread"},
	{Path: "figures.references", Kind: KindList, Fixed: true,
		Doc: "{at, label} of lines at values, in SI units"},
	{Path: "figures.style", Kind: schemes.KindChoice, Default: StyleScreen,
		Choices: []string{StyleScreen, StylePaper}, Fixed: true,
		Doc: "paper: in the type of a two-column article, without title and notes, with a PDF"},
	{Path: "figures.width", Kind: schemes.KindChoice,
		Choices: []string{WidthOneColumn, WidthTwoColumns}, Fixed: true,
		Doc: "paper: of 3.5 or 7.16 inches; default: one-column"},
}
