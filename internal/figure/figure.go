package figure

import "sdrsim/internal/metric"

// Kinds of figures.
const (
	Line    = "line"    // a value over an axis, a line for each series
	Heatmap = "heatmap" // a value over two axes
	CDF     = "cdf"     // the distribution of a value
	CCDF    = "ccdf"    // the share of samples beyond a value
	Bar     = "bar"     // a value over an axis or over the schemes, a bar for each series
)

// SeriesScheme, as the series or the x of a figure, stands for the schemes.
const SeriesScheme = "scheme"

// Scales of an axis. Empty leaves the choice to the values.
const (
	LogScale    = "log"
	LinearScale = "linear"
)

// Styles of figures, and widths on paper.
const (
	StyleScreen     = "screen"
	StylePaper      = "paper"
	WidthOneColumn  = "one-column"
	WidthTwoColumns = "two-columns"
)

// Words that fields of a figure may be.
var (
	Kinds  = []string{Line, Heatmap, CDF, CCDF, Bar}
	Stats  = []string{metric.Mean, metric.P50, metric.P99, metric.P999, metric.Max}
	Scales = []string{LogScale, LinearScale}
	Styles = []string{StyleScreen, StylePaper}
	Widths = []string{WidthOneColumn, WidthTwoColumns}
)

// Figure says what to draw. A scenario fills in every field; in others, empty fields are chosen
// from the table where the choice is clear.
type Figure struct {
	Kind string `json:"kind"`
	// Name is the base name of the files: letters, digits, '.', '_', '-'. Title stands above the
	// figure.
	Name  string `json:"name"`
	Title string `json:"title,omitempty"`
	// X is a swept path, or SeriesScheme for bars; empty for distributions. By default the only path
	// that is not fixed.
	X string `json:"x,omitempty"`
	// Y is the quantity of lines and bars, and the swept path (or SeriesScheme) of a heat map's second
	// axis. Value is the quantity of a heat map, and may stand for Y elsewhere.
	Y     string `json:"y,omitempty"`
	Value string `json:"value,omitempty"`
	// Stat is the statistic of the quantity, mean by default.
	Stat string `json:"stat,omitempty"`
	// Of and Over are schemes: a speed-up is the completion time of Over divided by that of Of.
	// Without Of, every other scheme has a speed-up over Over.
	Of   string `json:"of,omitempty"`
	Over string `json:"over,omitempty"`
	// Where fixes swept paths; Schemes leaves only these schemes, in this order.
	Where   []AxisMatch `json:"where,omitempty"`
	Schemes []string    `json:"schemes,omitempty"`
	// Series tells lines and bars apart: SeriesScheme by default, or a swept path.
	Series     string      `json:"series,omitempty"`
	XScale     string      `json:"x_scale,omitempty"`
	YScale     string      `json:"y_scale,omitempty"`
	References []Reference `json:"references,omitempty"`
	// Style is StyleScreen where it is empty. Figures in StylePaper are of a Width, and have a PDF.
	Style string `json:"style,omitempty"`
	Width string `json:"width,omitempty"`
}

// Distribution reports whether the figure is drawn from distributions.
func (f *Figure) Distribution() bool { return f.Kind == CDF || f.Kind == CCDF }

// AxisMatch picks one value of a swept path. Text is as in the table or with a unit: 134217728 or
// 128MiB.
type AxisMatch struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// Reference is a line across the plot with a label, such as "+1 RTO".
type Reference struct {
	Axis  string  `json:"axis"`  // "x" or "y"
	Value float64 `json:"value"` // in SI units
	Label string  `json:"label"`
}
