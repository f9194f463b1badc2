package report

import (
	"fmt"
	"slices"
	"strings"

	"sdrsim/internal/result"
)

// Kinds of figures.
const (
	KindLine    = "line"
	KindBar     = "bar"
	KindHeatmap = "heatmap"
	KindCDF     = "cdf"
	KindCCDF    = "ccdf"
)

var kinds = []string{KindLine, KindBar, KindHeatmap, KindCDF, KindCCDF}

// Statistics of a quantity.
const (
	StatMean = "mean"
	StatP50  = "p50"
	StatP99  = "p99"
	StatP999 = "p99.9"
	StatMax  = "max"
)

var statNames = []string{StatMean, StatP50, StatP99, StatP999, StatMax}

// Scales of an axis. Empty leaves the choice to the values.
const (
	ScaleLog    = "log"
	ScaleLinear = "linear"
)

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

// Figure says what to draw. Empty fields are chosen from the table where the choice is clear.
type Figure struct {
	Kind string `json:"kind"`
	// Name is the base name of the files: letters, digits, '.', '_', '-'.
	Name  string `json:"name"`
	Title string `json:"title,omitempty"`
	// X is a swept path, or "scheme" for bars. By default the only path that is not fixed.
	X string `json:"x,omitempty"`
	// Y is the quantity of lines and bars, and the swept path (or "scheme") of a heat map's second
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
	// Series tells lines and bars apart: "scheme" by default, or a swept path.
	Series     string      `json:"series,omitempty"`
	XScale     string      `json:"x_scale,omitempty"`
	YScale     string      `json:"y_scale,omitempty"`
	References []Reference `json:"references,omitempty"`
	// Style is StyleScreen where it is empty. Figures in StylePaper are of a Width, and have a PDF.
	Style string `json:"style,omitempty"`
	Width string `json:"width,omitempty"`
	// collective reports whether the messages are parts of the buffer of a collective.
	collective bool
}

// FigureError tells what of a figure cannot be drawn, and what could.
type FigureError struct {
	Figure  string
	Message string
}

func (e *FigureError) Error() string { return "figure " + e.Figure + ": " + e.Message }

func (f *Figure) fault(format string, args ...any) error {
	name := f.Name
	if name == "" {
		name = f.Kind
	}
	return &FigureError{Figure: name, Message: fmt.Sprintf(format, args...)}
}

// Check tells whether the figure can be drawn from tables with these points and schemes; it looks
// at Axes and Scheme of the rows only. The error is a *FigureError and says what is allowed.
func (f Figure) Check(t result.Table) error {
	_, _, err := f.resolve(t)
	return err
}

// resolve completes the figure and picks its rows.
func (f Figure) resolve(t result.Table) (Figure, *selection, error) {
	if err := f.checkWords(); err != nil {
		return f, nil, err
	}
	f.fillQuantity()
	f.collective = len(t.Rounds) > 0
	sel, err := f.choose(t)
	if err != nil {
		return f, nil, err
	}
	if err := f.fillAxes(t, sel); err != nil {
		return f, nil, err
	}
	if f.Name == "" {
		f.Name = f.defaultName()
	}
	if f.Title == "" {
		f.Title = f.defaultTitle()
	}
	return f, sel, nil
}

// checkWords checks every field that has a fixed set of values.
func (f *Figure) checkWords() error {
	for _, w := range []struct {
		key, value string
		allowed    []string
	}{
		{"kind", f.Kind, kinds},
		{"stat", f.Stat, append([]string{""}, statNames...)},
		{"x_scale", f.XScale, []string{"", ScaleLog, ScaleLinear}},
		{"y_scale", f.YScale, []string{"", ScaleLog, ScaleLinear}},
		{"style", f.Style, []string{"", StyleScreen, StylePaper}},
		{"width", f.Width, []string{"", WidthOneColumn, WidthTwoColumns}},
	} {
		if !slices.Contains(w.allowed, w.value) {
			return f.fault("%s: %q, must be one of %s", w.key, w.value, list(w.allowed))
		}
	}
	if f.Name != "" && (strings.Trim(f.Name, nameSigns) != "" || f.Name[0] == '.') {
		return f.fault("name: %q, must be of letters, digits, '.', '_' and '-'", f.Name)
	}
	for _, r := range f.References {
		if r.Axis != "x" && r.Axis != "y" {
			return f.fault("references: axis %q, must be x or y", r.Axis)
		}
	}
	return nil
}

const nameSigns = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

// list joins allowed words for an error message, without the empty one.
func list(words []string) string {
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" })
	return strings.Join(words, ", ")
}

// fillQuantity completes what does not depend on the table.
func (f *Figure) fillQuantity() {
	if f.Stat == "" {
		f.Stat = StatMean
	}
	if f.Series == "" {
		f.Series = result.SchemeColumn
	}
	quantity := &f.Value
	if f.Kind == KindLine || f.Kind == KindBar {
		quantity = &f.Y
		if f.Y == "" {
			f.Y, f.Value = f.Value, ""
		}
	}
	if *quantity == "" {
		*quantity = "completion"
		if f.Over != "" && !f.distribution() {
			*quantity = quantitySpeedup
		}
	}
}

// quantity is the name of what the figure shows.
func (f *Figure) quantity() string {
	if f.Kind == KindLine || f.Kind == KindBar {
		return f.Y
	}
	return f.Value
}

// distribution reports whether the figure is drawn from distributions.
func (f *Figure) distribution() bool { return f.Kind == KindCDF || f.Kind == KindCCDF }

func (f *Figure) defaultName() string {
	parts := []string{f.Kind, f.quantity()}
	if f.Stat != StatMean && !f.distribution() {
		parts = append(parts, f.Stat)
	}
	if f.X != "" {
		parts = append(parts, "by", f.X)
	}
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(nameSigns, r) {
			return r
		}
		return '_'
	}, strings.Join(parts, "-"))
	return strings.TrimLeft(name, ".")
}

func (f *Figure) defaultTitle() string {
	if f.distribution() {
		return "Distribution of the completion time"
	}
	m, err := f.measure()
	if err != nil {
		return f.Name
	}
	title := m.name
	if m.title != "" {
		title = m.title
	}
	if f.X == "" {
		return title
	}
	by := lowerFirst(f.pathName(f.X))
	if f.Kind == KindHeatmap {
		by = lowerFirst(f.pathName(f.Y)) + " and " + by
	}
	return title + " by " + by
}

// lowerFirst makes a name fit into a sentence, unless it starts with an abbreviation.
func lowerFirst(s string) string {
	if len(s) > 1 && s[1] >= 'a' && s[1] <= 'z' {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}

// upperFirst starts a sentence, unless it starts with a sign or a foreign letter.
func upperFirst(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return strings.ToUpper(s[:1]) + s[1:]
	}
	return s
}

// completeFigures fills in the fields of figures that can be drawn and gives each a name of its
// own; a figure that cannot be drawn is a warning and left out.
func completeFigures(figures []Figure, t result.Table) (complete []Figure, warnings []string) {
	taken := map[string]bool{}
	for _, f := range figures {
		full, sel, err := f.resolve(t)
		if err == nil {
			err = full.checkData(t, sel)
		}
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("not drawn: %v", err))
			continue
		}
		name := full.Name
		for n := 2; taken[full.Name]; n++ {
			full.Name = fmt.Sprintf("%s-%d", name, n)
		}
		taken[full.Name] = true
		complete = append(complete, full)
	}
	return complete, warnings
}
