package report

import (
	"slices"
	"strings"

	"sdrsim/internal/figure"
	"sdrsim/internal/result"
)

// selection is the part of a table that a figure shows.
type selection struct {
	rows []*result.Row
	// all finds any row of the table by point and scheme, also schemes that are not shown.
	all map[string]*result.Row
	// first is the scheme that speed-ups in the table are over.
	first string
	// looks are those of all schemes of the table.
	looks map[string]look
}

// choose picks the rows that Where and Schemes leave.
func (f *drawing) choose(t result.Table) (*selection, error) {
	sel := &selection{all: map[string]*result.Row{}}
	for i := range t.Rows {
		r := &t.Rows[i]
		sel.all[result.RowKey(r.Axes, r.Scheme)] = r
		sel.rows = append(sel.rows, r)
	}
	if len(sel.rows) == 0 {
		return nil, f.fault("the table is empty")
	}
	sel.first = t.Rows[0].Scheme
	sel.looks = schemeLooks(textsOf(axisValues(sel.rows, result.SchemeColumn)))
	for _, m := range f.Where {
		if err := f.narrow(sel, t, m); err != nil {
			return nil, err
		}
	}
	return sel, f.chooseSchemes(sel)
}

// narrow keeps the rows with one value of a swept path.
func (f *drawing) narrow(sel *selection, t result.Table, m figure.AxisMatch) error {
	if !slices.Contains(t.Paths, m.Path) {
		return f.fault("where: %q is not swept; swept are %s", m.Path, list(t.Paths))
	}
	var kept []*result.Row
	for _, r := range sel.rows {
		if a, _ := result.FindAxis(r.Axes, m.Path); Matches(a, m.Text) {
			kept = append(kept, r)
		}
	}
	if len(kept) == 0 {
		return f.fault("where: %s has no value %q; it has %s", m.Path, m.Text,
			list(textsOf(axisValues(sel.rows, m.Path))))
	}
	sel.rows = kept
	return nil
}

// textsOf are values as they were written.
func textsOf(values []result.AxisValue) (list []string) {
	for _, a := range values {
		list = append(list, a.Text)
	}
	return list
}

// chooseSchemes checks the schemes that the figure names and keeps those it shows.
func (f *drawing) chooseSchemes(sel *selection) error {
	present := textsOf(axisValues(sel.rows, result.SchemeColumn))
	for _, name := range append(slices.Clone(f.Schemes), f.Of, f.Over) {
		if name != "" && !slices.Contains(present, name) {
			return f.fault("no scheme %q; there are %s", name, list(present))
		}
	}
	shown := f.Schemes
	if f.Of != "" {
		shown = []string{f.Of}
	}
	if len(shown) == 0 {
		shown = present
		if f.quantity() == quantitySpeedup && len(present) > 1 {
			shown = slices.DeleteFunc(present, func(s string) bool { return s == f.Over })
		}
	}
	var kept []*result.Row
	for _, name := range shown { // in the order of the figure
		for _, r := range sel.rows {
			if r.Scheme == name {
				kept = append(kept, r)
			}
		}
	}
	sel.rows = kept
	return nil
}

// behind are all rows that values rest on: those shown, and of a speed-up those that it is over.
func (f *drawing) behind(sel *selection) []*result.Row {
	rows := slices.Clone(sel.rows)
	if f.quantity() != quantitySpeedup {
		return rows
	}
	for _, r := range sel.rows {
		base := sel.all[result.RowKey(r.Axes, f.Over)]
		if base != nil && !slices.Contains(rows, base) {
			rows = append(rows, base)
		}
	}
	return rows
}

// by finds the rows by their values on two paths, which tell them apart.
func (sel *selection) by(first, second string) map[[2]string]*result.Row {
	found := make(map[[2]string]*result.Row, len(sel.rows))
	for _, r := range sel.rows {
		a, _ := r.Axis(first)
		b, _ := r.Axis(second)
		found[[2]string{a.Text, b.Text}] = r
	}
	return found
}

// varying lists the paths, and "scheme", on which the rows differ.
func (sel *selection) varying(paths []string) []string {
	var out []string
	for _, p := range append(slices.Clone(paths), result.SchemeColumn) {
		if len(axisValues(sel.rows, p)) > 1 {
			out = append(out, p)
		}
	}
	return out
}

// fillAxes completes X (and Y of a heat map) and checks that nothing else varies.
func (f *drawing) fillAxes(t result.Table, sel *selection) error {
	if _, err := f.measure(); err != nil {
		return err
	}
	free := sel.varying(t.Paths)
	take := func(field *string) {
		for _, p := range free {
			if *field == "" && p != result.SchemeColumn && p != f.X && p != f.Y && p != f.Series {
				*field = p
			}
		}
	}
	used := []string{f.Series}
	switch f.Kind {
	case figure.Heatmap:
		take(&f.X)
		take(&f.Y)
		used = []string{f.X, f.Y}
	case figure.Line, figure.Bar:
		take(&f.X)
		if f.Kind == figure.Bar && f.X == "" {
			f.X = result.SchemeColumn
		}
		used = append(used, f.X)
	}
	if err := f.checkAxes(t, used); err != nil {
		return err
	}
	for _, p := range free {
		if !slices.Contains(used, p) && !sel.follows(p, used) {
			return f.severalValues(sel, p)
		}
	}
	return nil
}

// follows tells whether the value on a path follows from those on others, as where a sweep moves
// several paths together.
func (sel *selection) follows(path string, used []string) bool {
	found := map[string]string{}
	for _, r := range sel.rows {
		var key strings.Builder
		for _, u := range used {
			a, _ := r.Axis(u)
			key.WriteString(a.Text + "\x00")
		}
		a, _ := r.Axis(path)
		if have, ok := found[key.String()]; ok && have != a.Text {
			return false
		}
		found[key.String()] = a.Text
	}
	return true
}

// severalValues tells that the figure would show more than one value in one place.
func (f *drawing) severalValues(sel *selection, path string) error {
	var texts []string
	for _, a := range axisValues(sel.rows, path) {
		texts = append(texts, a.Text)
	}
	if path != result.SchemeColumn {
		return f.fault("%s has %d values; pick one with where: {%s: %s}",
			path, len(texts), path, texts[0])
	}
	if f.Kind == figure.Heatmap {
		return f.fault("there are %d schemes; pick one with schemes: [%s], or compare two "+
			"with value: speedup, of, over", len(texts), texts[0])
	}
	return f.fault("series are by %s, so one scheme must be picked: schemes: [%s]",
		f.Series, texts[0])
}

// checkAxes checks that what an axis or series runs over was swept.
func (f *drawing) checkAxes(t result.Table, used []string) error {
	for _, p := range used {
		if p == "" && f.Kind == figure.Heatmap {
			return f.fault("a heat map needs two swept paths, x and y; swept are %s", list(t.Paths))
		}
		if p == "" || p == result.SchemeColumn || slices.Contains(t.Paths, p) {
			continue
		}
		return f.fault("%q is not swept; swept are %s", p, strings.TrimSuffix(
			list(t.Paths)+", "+result.SchemeColumn, ", "))
	}
	if f.Kind == figure.Line && f.X == "" {
		return f.fault("a line needs a swept path x; nothing varies")
	}
	if f.Kind == figure.Heatmap && f.X == f.Y {
		return f.fault("x and y are both %s", f.X)
	}
	return nil
}

// shownDistributions are those that a cdf or ccdf among figures shows, in the order of the table.
func shownDistributions(t result.Table, figures []figure.Figure) []result.Distribution {
	wanted := map[string]bool{}
	for _, f := range figures {
		if !f.Distribution() {
			continue
		}
		if _, sel, err := complete(f, t); err == nil {
			for _, r := range sel.rows {
				wanted[result.RowKey(r.Axes, r.Scheme)] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(t.Distributions), func(d result.Distribution) bool {
		return !wanted[result.RowKey(d.Axes, d.Scheme)]
	})
}

// ShowsDistribution reports whether one of the figures shows the distribution of a scheme at a
// point, so that those that no figure shows need not be kept. The table is as for CheckFigure.
func ShowsDistribution(t result.Table, figures []figure.Figure) func(axes []result.AxisValue,
	scheme string) bool {
	if !slices.ContainsFunc(figures, func(f figure.Figure) bool { return f.Distribution() }) {
		return func([]result.AxisValue, string) bool { return false }
	}
	all := result.Table{Paths: t.Paths, Rows: t.Rows}
	for i := range t.Rows {
		all.Distributions = append(all.Distributions,
			result.Distribution{Axes: t.Rows[i].Axes, Scheme: t.Rows[i].Scheme})
	}
	shown := map[string]bool{}
	for _, d := range shownDistributions(all, figures) {
		shown[result.RowKey(d.Axes, d.Scheme)] = true
	}
	return func(axes []result.AxisValue, scheme string) bool {
		return shown[result.RowKey(axes, scheme)]
	}
}
