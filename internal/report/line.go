package report

import (
	"math"
	"strings"

	"sdrsim/internal/figure"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"sdrsim/internal/result"
)

// linePage draws a quantity along a swept path, one line per series.
func (f *drawing) linePage(sel *selection, m measure) (*page, *notes) {
	xs := axisValues(sel.rows, f.X)
	p := f.newPage(sel)
	p.x = f.xScale(xs)
	xs, off := p.placed(xs)
	all := f.group(sel, m, xs)
	p.y = newScale(axisSpec{
		name: m.name, unit: m.unit, want: f.YScale, values: f.withReferences("y", yValues(all)),
	})
	n := &notes{}
	n.samples(f.behind(sel), intervalWord(all, p.x.kind))
	n.about(all, m)
	if off != "" {
		n.add("Not on the axis of %s: %s.", lowerFirst(f.pathName(f.X)), off)
	}
	n.offScale(all, &p.y)
	n.scales(f, p)
	p.references = f.referenceLines(p, m)
	for _, s := range all {
		p.body = append(p.body, interval{s, p})
	}
	for _, s := range all {
		p.body = append(p.body, curve{s, p})
	}
	p.side = lineLegend(all, p.x.kind)
	p.fitWords(xs)
	p.foot = n.foot
	return p, n
}

// xScale is the axis of a swept path, of numbers or of words.
func (f *drawing) xScale(xs []result.AxisValue) scale {
	if !numeric(xs) {
		return newCategories(f.pathName(f.X), xs, f.medium().acrossSize)
	}
	values := make([]float64, len(xs))
	for i, x := range xs {
		values[i] = x.Number
	}
	want := f.XScale
	if want == "" && geometric(values) {
		want = figure.LogScale
	}
	return newScale(axisSpec{
		name: f.pathName(f.X), unit: unitOf(f.X), want: want,
		values: f.withReferences("x", values), ticks: values,
	})
}

// yValues are all values an axis must hold. The lower end of an interval that comes close to zero
// is left to be cut, as it would stretch a logarithmic axis over decades without data.
func yValues(all []series) []float64 {
	var values []float64
	for _, s := range all {
		for _, d := range s.data {
			values = append(values, d.est.Value, d.model)
			if d.bounded() {
				values = append(values, d.est.Hi)
				if d.est.Lo > 0 && d.est.Lo >= d.est.Value/10 {
					values = append(values, d.est.Lo)
				}
			}
		}
	}
	return values
}

// withReferences adds the values of reference lines on an axis to those of the data.
func (f *drawing) withReferences(axis string, values []float64) []float64 {
	for _, r := range f.References {
		if r.Axis == axis {
			values = append(values, r.Value)
		}
	}
	return values
}

// scales notes that an axis is not logarithmic though the figure asks for it.
func (n *notes) scales(f *drawing, p *page) {
	for _, axis := range []struct {
		name, want string
		kind       scaleKind
	}{{"x", f.XScale, p.x.kind}, {"y", f.YScale, p.y.kind}} {
		if axis.want == figure.LogScale && axis.kind == linearScale {
			n.add("The %s axis is not logarithmic: no value is positive.", axis.name)
		}
	}
}

// offScale notes values that have no place on the axis.
func (n *notes) offScale(all []series, y *scale) {
	text := places(all, func(d datum) bool {
		_, ok := y.at(d.est.Value)
		return d.known() && !ok
	})
	if text != "" {
		n.add("Negative, not on a logarithmic axis: %s.", text)
	}
}

// intervalWord is what intervals are drawn as; empty where none is known.
func intervalWord(all []series, x scaleKind) string {
	bands, bars := false, false
	for _, s := range all {
		for _, run := range s.runs() {
			bands = bands || (len(run) > 1 && x != categories)
			bars = bars || len(run) == 1 || x == categories
		}
	}
	switch {
	case bands:
		return "bands"
	case bars:
		return "bars"
	}
	return ""
}

// runs are the stretches of neighbouring values whose intervals are known.
func (s series) runs() [][]datum {
	var runs [][]datum
	open := false
	for _, d := range s.data {
		if !d.bounded() {
			open = false
			continue
		}
		// None of many has a bound and no width: it is not joined to its neighbours.
		none := d.est.Value == 0 && d.est.Lo == 0 && d.est.Hi > 0
		if !open || none {
			runs = append(runs, nil)
		}
		open = !none
		runs[len(runs)-1] = append(runs[len(runs)-1], d)
	}
	return runs
}

func lineLegend(all []series, x scaleKind) legend {
	var l legend
	model := false
	for _, s := range all {
		l = append(l, entry{s.label, lineSample(s.look)})
		for _, d := range s.data {
			model = model || !math.IsNaN(d.model)
		}
	}
	switch intervalWord(all, x) {
	case "bands":
		l = append(l, entry{"95 % interval", bandSample})
	case "bars":
		l = append(l, entry{"95 % interval", errorBarSample})
	}
	if model {
		l = append(l, entry{"closed form", modelSample})
	}
	if word := hollowWord(all); word != "" {
		l = append(l, entry{word, hollowSample})
	}
	return l
}

// placed keeps the values that have a place on the x axis, and lists the others.
func (p *page) placed(xs []result.AxisValue) (kept []result.AxisValue, off string) {
	var others []string
	for _, x := range xs {
		_, ok := p.x.at(x.Number)
		if _, word := p.x.places[x.Text]; ok || word {
			kept = append(kept, x)
			continue
		}
		others = append(others, axisText(x))
	}
	return kept, strings.Join(others, ", ")
}

// xAt is the position of a value on the x axis.
func (p *page) xAt(a result.AxisValue) float64 {
	if p.x.kind == categories {
		return p.x.places[a.Text]
	}
	return p.x.place(a.Number)
}

// interval draws the confidence band of a series.
type interval struct {
	series
	page *page
}

// Plot implements plot.Plotter.
func (b interval) Plot(c draw.Canvas, _ *plot.Plot) {
	for _, run := range b.runs() {
		if len(run) == 1 || b.page.x.kind == categories {
			for _, d := range run {
				lo, hi := c.Y(b.page.y.clamp(d.est.Lo)), c.Y(b.page.y.clamp(d.est.Hi))
				errorBar(&c, b.look.line(0.9), vg.Point{X: c.X(b.page.xAt(d.x)), Y: lo}, hi)
			}
			continue
		}
		var edge []vg.Point
		for _, d := range run {
			edge = append(edge, vg.Point{
				X: c.X(b.page.xAt(d.x)), Y: c.Y(b.page.y.clamp(d.est.Hi))})
		}
		for i := len(run) - 1; i >= 0; i-- {
			edge = append(edge, vg.Point{
				X: c.X(b.page.xAt(run[i].x)), Y: c.Y(b.page.y.clamp(run[i].est.Lo))})
		}
		c.FillPolygon(b.look.faint(), edge)
	}
}

// curve draws the line, the closed form and the markers of a series. A value that is missing is a
// gap; zero on a logarithmic axis is not joined to what comes after the break.
type curve struct {
	series
	page *page
}

// Plot implements plot.Plotter.
func (l curve) Plot(c draw.Canvas, _ *plot.Plot) {
	for _, piece := range l.strokes(&c, func(d datum) float64 { return d.model }) {
		if len(piece) == 1 { // a dash, as a line needs two points
			x, y := piece[0].X, piece[0].Y
			piece = []vg.Point{{X: x - 9, Y: y}, {X: x + 9, Y: y}}
		}
		c.StrokeLines(modelLine(l.look), piece)
	}
	for _, piece := range l.strokes(&c, func(d datum) float64 { return d.est.Value }) {
		c.StrokeLines(l.look.line(1.4), piece)
	}
	for _, d := range l.data {
		if y, ok := l.page.y.at(d.est.Value); ok {
			at := vg.Point{X: c.X(l.page.xAt(d.x)), Y: c.Y(y)}
			l.look.marker(&c, at, d.hollow())
		}
	}
}

// strokes are the pieces of the line through one value of each datum.
func (l curve) strokes(c *draw.Canvas, value func(datum) float64) [][]vg.Point {
	var pieces [][]vg.Point
	open := false
	for _, d := range l.data {
		y, ok := l.page.y.at(value(d))
		if !ok {
			open = false
			continue
		}
		if !open {
			pieces = append(pieces, nil)
		}
		last := len(pieces) - 1
		pieces[last] = append(pieces[last], vg.Point{X: c.X(l.page.xAt(d.x)), Y: c.Y(y)})
		open = !l.page.x.zero || d.x.Number != 0
	}
	return pieces
}
