package figure

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
