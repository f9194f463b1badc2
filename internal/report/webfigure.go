package report

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"sdrsim/internal/figure"
	"sdrsim/internal/metric"
	"sdrsim/internal/result"
	"sdrsim/internal/web"
)

// figures are those of the scenario that can be drawn, and a map of winners over two paths.
func (w *webPage) figures(list []figure.Figure) []web.Figure {
	var out []web.Figure
	var names []string
	for _, f := range list {
		full, _, err := complete(f, w.t)
		if err != nil {
			continue
		}
		key, err := w.measureOf(full)
		if err != nil {
			continue
		}
		out, names = append(out, w.figure(full, key)), append(names, full.Name)
	}
	varying := w.paths()
	if len(out) == 0 {
		out = append(out, web.Figure{
			View: web.ViewBar, X: result.SchemeColumn, Series: result.SchemeColumn,
			Label: "Overview", Measure: w.foremost()})
		if len(varying) > 0 {
			out[0].View, out[0].X = web.ViewLine, varying[0]
		}
	}
	if len(varying) > 1 && len(w.contests()) > 0 {
		winners := web.Figure{View: web.ViewMap, X: varying[0], Z: varying[1], Contest: 1,
			Label: "Who wins"}
		if i := slices.IndexFunc(out, isMap); i >= 0 {
			winners.X, winners.Z = out[i].X, out[i].Z
		}
		out = append(out, winners)
	}
	return labelled(out, names)
}

// foremost is the measure that is shown where nothing says which.
func (w *webPage) foremost() string {
	for _, m := range w.measures {
		if m.Brief {
			return m.Key
		}
	}
	return ""
}

func isMap(f web.Figure) bool { return f.View == web.ViewMap }

// paths are those on which points differ.
func (w *webPage) paths() []string {
	return slices.DeleteFunc(w.sel.varying(w.t.Paths), func(p string) bool {
		return p == result.SchemeColumn
	})
}

var views = map[string]string{
	figure.Line: web.ViewLine, figure.Bar: web.ViewBar, figure.Heatmap: web.ViewMap,
	figure.CDF: web.ViewCDF, figure.CCDF: web.ViewCCDF,
}

func (w *webPage) figure(f *drawing, key string) web.Figure {
	p := web.Figure{
		Title: f.Title, View: views[f.Kind], X: f.X, Series: f.Series, Measure: key,
		Schemes: f.Schemes, XScale: f.XScale, YScale: f.YScale, Where: map[string]string{},
	}
	if f.Of != "" {
		p.Schemes = []string{f.Of}
	}
	if f.Kind == figure.Heatmap {
		p.Z = f.Y
	}
	for _, m := range f.Where {
		p.Where[m.Path] = w.textOf(m)
	}
	for _, r := range f.References {
		p.References = append(p.References, web.Reference(r))
	}
	p.Label = f.Name
	if m, err := f.measure(); err == nil && !f.Distribution() {
		p.Label = m.name
		if f.quantity() == quantitySpeedup {
			p.Label = metric.StatWord(f.Stat) + " speed-up"
		}
	} else if f.Distribution() {
		p.Label = "Distribution"
	}
	return p
}

// textOf is how points.csv writes the value that a figure picks.
func (w *webPage) textOf(m figure.AxisMatch) string {
	for _, a := range axisValues(w.sel.rows, m.Path) {
		if Matches(a, m.Text) {
			return a.Text
		}
	}
	return m.Text
}

// labelled tells figures of one label apart, by the names of their files.
func labelled(figures []web.Figure, names []string) []web.Figure {
	times := map[string]int{}
	for _, f := range figures {
		times[f.Label]++
	}
	for i := range figures {
		if label := figures[i].Label; times[label] > 1 && i < len(names) {
			figures[i].Label = label + ", " + names[i]
		}
	}
	return figures
}

// Explorer is what a page needs to write and draw as figures do: units, and the looks of the
// palette with the places in it that schemes own.
func Explorer() web.Explorer {
	e := web.Explorer{Units: unitsForPage(), Schemes: map[string]int{}}
	for i := range palette {
		e.Looks = append(e.Looks, lookOf(i).forPage())
	}
	for at, name := range owners {
		e.Schemes[name] = at
	}
	return e
}

// looks are how series are drawn: first those of the palette, then those of schemes.
func (w *webPage) looks() (list []web.Look, schemes map[string]int) {
	schemes = map[string]int{}
	for i := range palette {
		list = append(list, lookOf(i).forPage())
	}
	for _, s := range axisValues(w.sel.rows, result.SchemeColumn) {
		schemes[s.Text] = len(list)
		list = append(list, w.sel.looks[s.Text].forPage())
	}
	return list, schemes
}

func (l look) forPage() web.Look {
	p := web.Look{Color: hexOf([]color.NRGBA{l.color})[0]}
	for _, d := range l.dashes {
		p.Dash = append(p.Dash, float64(d))
	}
	for _, at := range l.shape {
		x, y := math.Round(float64(at.X)*100)/100, math.Round(float64(at.Y)*100)/100
		p.Shape = append(p.Shape, []float64{x + 0, y + 0})
	}
	return p
}

func hexOf(colours []color.NRGBA) (list []string) {
	for _, c := range colours {
		list = append(list, fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B))
	}
	return list
}
