package report

import (
	"fmt"
	"slices"
	"strings"

	"sdrsim/internal/figure"
	"sdrsim/internal/metric"
	"sdrsim/internal/result"
)

// drawing is a figure that is completed and drawn.
type drawing struct {
	figure.Figure
	// collective reports whether the messages are parts of the buffer of a collective.
	collective bool
}

// FigureError tells what of a figure cannot be drawn, and what could.
type FigureError struct {
	Figure  string
	Message string
}

func (e *FigureError) Error() string { return "figure " + e.Figure + ": " + e.Message }

func (f *drawing) fault(format string, args ...any) error {
	name := f.Name
	if name == "" {
		name = f.Kind
	}
	return &FigureError{Figure: name, Message: fmt.Sprintf(format, args...)}
}

// CheckFigure reports whether a figure can be drawn from tables with these points and schemes; it
// looks at Axes and Scheme of the rows only. The error is a *FigureError and says what is allowed.
func CheckFigure(of figure.Figure, t result.Table) error {
	_, _, err := complete(of, t)
	return err
}

// complete fills in a figure and picks its rows.
func complete(of figure.Figure, t result.Table) (*drawing, *selection, error) {
	f := &drawing{of, len(t.Rounds) > 0}
	if err := f.checkWords(); err != nil {
		return f, nil, err
	}
	f.fillQuantity()
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
func (f *drawing) checkWords() error {
	for _, w := range []struct {
		key, value string
		allowed    []string
	}{
		{"kind", f.Kind, figure.Kinds},
		{"stat", f.Stat, figure.Stats},
		{"x_scale", f.XScale, figure.Scales},
		{"y_scale", f.YScale, figure.Scales},
		{"style", f.Style, figure.Styles},
		{"width", f.Width, figure.Widths},
	} {
		chosen := w.value == "" && w.key != "kind" // of those that may be left out
		if !chosen && !slices.Contains(w.allowed, w.value) {
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
func (f *drawing) fillQuantity() {
	if f.Stat == "" {
		f.Stat = metric.Mean
	}
	if f.Series == "" {
		f.Series = result.SchemeColumn
	}
	quantity := &f.Value
	if f.Kind == figure.Line || f.Kind == figure.Bar {
		quantity = &f.Y
		if f.Y == "" {
			f.Y, f.Value = f.Value, ""
		}
	}
	if *quantity == "" {
		*quantity = "completion"
		if f.Over != "" && !f.Distribution() {
			*quantity = quantitySpeedup
		}
	}
}

// quantity is the name of what the figure shows.
func (f *drawing) quantity() string {
	if f.Kind == figure.Line || f.Kind == figure.Bar {
		return f.Y
	}
	return f.Value
}

func (f *drawing) defaultName() string {
	parts := []string{f.Kind, f.quantity()}
	if f.Stat != metric.Mean && !f.Distribution() {
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

func (f *drawing) defaultTitle() string {
	if f.Distribution() {
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
	if f.Kind == figure.Heatmap {
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
func completeFigures(figures []figure.Figure, t result.Table) (
	completed []figure.Figure, warnings []string,
) {
	taken := map[string]bool{}
	for _, f := range figures {
		full, sel, err := complete(f, t)
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
		completed = append(completed, full.Figure)
	}
	return completed, warnings
}
