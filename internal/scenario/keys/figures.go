package keys

import (
	"slices"
	"strings"

	"sdrsim/internal/figure"
	"sdrsim/internal/metric"
	"sdrsim/schemes"
)

// FigureValues are what figures show.
var FigureValues = metric.Drawn()

// ValueStats are the statistics of a value of figures; none where there is no such value.
func ValueStats(value string) []string {
	if m := metric.Find(value); m != nil {
		return m.Shows()
	}
	return nil
}

// figureKeys are the keys of a figure.
var figureKeys = []Key{
	{Path: "figures.kind", Kind: schemes.KindChoice, Choices: figure.Kinds, Fixed: true,
		Doc: "required"},
	{Path: "figures.name", Kind: KindName, Fixed: true,
		Doc: "name of the files; default: from value, statistic and axes"},
	{Path: "figures.title", Kind: KindText, Fixed: true, Doc: "stands above the figure"},
	{Path: "figures.x", Kind: KindText, Fixed: true,
		Doc: "a swept path; scheme, for bars; default: the only one that is left, and for bars " +
			"scheme where none is"},
	{Path: "figures.y", Kind: KindText, Fixed: true,
		Doc: "heatmap: the second swept path; else the same as value"},
	{Path: "figures.value", Kind: schemes.KindChoice, Default: "completion", Choices: FigureValues,
		Fixed: true, Doc: "what is shown"},
	{Path: "figures.stat", Kind: schemes.KindChoice, Default: "mean", Choices: figure.Stats,
		Fixed: true, Doc: "which statistic of it; most values have a mean only"},
	{Path: "figures.of", Kind: KindText, Fixed: true,
		Doc: "speedup: the scheme that is judged; default: every other"},
	{Path: "figures.over", Kind: KindText, Fixed: true,
		Doc: "speedup: the scheme that it is compared with; required"},
	{Path: "figures.series", Kind: KindText, Default: figure.SeriesScheme, Fixed: true,
		Doc: "what a line stands for: scheme, or a swept path"},
	{Path: "figures.where", Kind: KindMapping, Fixed: true,
		Doc: "values of the other swept paths"},
	{Path: "figures.schemes", Kind: KindList, Fixed: true, Doc: "labels of those shown; default: all"},
	{Path: "figures.x_scale", Kind: schemes.KindChoice, Choices: figure.Scales, Fixed: true,
		Doc: "default: as the axis is spread"},
	{Path: "figures.y_scale", Kind: schemes.KindChoice, Choices: figure.Scales, Fixed: true,
		Doc: "default: as the axis or the values are spread"},
	{Path: "figures.references", Kind: KindList, Fixed: true,
		Doc: "{at, label} of lines at values, in SI units"},
	{Path: "figures.style", Kind: schemes.KindChoice, Default: figure.StyleScreen,
		Choices: figure.Styles, Fixed: true,
		Doc: "paper: in the type of a two-column article, without title and notes, with a PDF"},
	{Path: "figures.width", Kind: schemes.KindChoice,
		Choices: figure.Widths, Fixed: true,
		Doc: "paper: of 3.5 or 7.16 inches; default: one-column"},
}

// FigureSet has the keys of a figure by their names in it.
var FigureSet = func() *Table {
	keys := slices.Clone(figureKeys)
	for i := range keys {
		keys[i].Path = strings.TrimPrefix(keys[i].Path, "figures.")
	}
	return NewTable(keys)
}()

// ReferenceKeys are the keys of a line at a value.
var ReferenceKeys = NewTable([]Key{
	{Path: "at", Kind: schemes.KindNumber, Min: Unbounded},
	{Path: "label", Kind: KindText},
})
