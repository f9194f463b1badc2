package report

import (
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sdrsim/internal/figure"
	"sdrsim/internal/result"
	"sdrsim/internal/stats"
)

// staircase is the distribution of one series.
type staircase struct {
	label string
	look  look
	steps []stats.Step
	page  *page
	// tail tells that P(X > x) is drawn and not P(X ≤ x).
	tail bool
}

// distributionPage draws P(X ≤ x) or P(X > x) of the completion time.
func (f *drawing) distributionPage(t result.Table, sel *selection) (*page, *notes, error) {
	n := &notes{}
	p := f.newPage(sel)
	found := stepsByRow(t)
	var l legend
	var missing []string
	var values, exceeds []float64
	for i, key := range f.seriesKeys(sel) {
		s := staircase{label: powers(axisText(key)), look: lookOf(i), page: p}
		s.tail = f.Kind == figure.CCDF
		s.steps = f.stepsOf(found, sel, key)
		if len(s.steps) == 0 {
			missing = append(missing, s.label)
			continue
		}
		for _, step := range s.steps {
			values, exceeds = append(values, step.X), append(exceeds, step.Exceed)
		}
		p.body = append(p.body, s)
		l = append(l, entry{s.label, lineSample(s.look)})
	}
	f.distributionAxes(p, values, exceeds)
	p.references = f.referenceLines(p, measure{})
	n.samples(sel.rows, "")
	if f.YScale == figure.LogScale && p.y.kind == linearScale {
		n.add("The y axis is not logarithmic: all samples of a scheme are equal.")
	}
	if len(missing) > 0 {
		n.add("No samples: %s.", strings.Join(missing, ", "))
	}
	if f.Kind == figure.CCDF {
		n.foot = append(n.foot, "A curve ends at its largest sample.")
	}
	p.side, p.foot = l, n.foot
	return p, n, nil
}

// checkData tells whether the table has the distributions that the figure shows: those of all rows
// with a completion time, and of at least one. Other figures are drawn from the rows themselves.
func (f *drawing) checkData(t result.Table, sel *selection) error {
	if !f.Distribution() {
		return nil
	}
	found, shown := stepsByRow(t), 0
	for _, r := range sel.rows {
		switch steps := found[result.RowKey(r.Axes, r.Scheme)]; {
		case len(steps) > 0:
			shown++
		case r.Samples > 0 && !math.IsNaN(r.CompletionMean):
			return f.fault("%s lacks the distribution of %s, which %s has %d samples of",
				DistributionFile, strings.TrimSpace(result.RowKey(r.Axes, r.Scheme)), PointsFile, r.Samples)
		}
	}
	if shown == 0 {
		return f.fault("there are no completion times of samples to show the distribution of")
	}
	return nil
}

// distributionAxes sets the axes: time is logarithmic from a factor of 3 on, where the tail is the
// point of the figure; probability of the tail is always logarithmic unless the figure says.
func (f *drawing) distributionAxes(p *page, values, exceeds []float64) {
	want := f.XScale
	if e := extentOf(values); want == "" && e.positive < e.max && !e.negative && e.zeros == 0 &&
		e.max/e.positive >= 3 {
		want = figure.LogScale
	}
	p.x = newScale(axisSpec{
		name: "Completion time", unit: seconds, want: want,
		values: f.withReferences("x", values),
	})
	p.y = newScale(f.probabilityAxis(exceeds))
}

// probabilityAxis ends at one, and begins at zero or, where it is logarithmic, at the least
// probability. It is not logarithmic where there is none between zero and one: all samples of a
// scheme are equal.
func (f *drawing) probabilityAxis(exceeds []float64) axisSpec {
	spec := axisSpec{unit: plain, want: f.YScale, base: baseZero, exact: true}
	spec.name, spec.values = "P(completion time > x)", positives(exceeds)
	if f.Kind == figure.CDF {
		spec.name, spec.values = "P(completion time ≤ x)", complements(exceeds)
	}
	least := 1.0
	for _, v := range spec.values {
		least = min(least, v)
	}
	spec.want, spec.values = figure.LinearScale, []float64{0, 1}
	if least < 1 && (f.YScale == figure.LogScale || f.YScale == "" && f.Kind == figure.CCDF) {
		spec.want, spec.values = figure.LogScale, []float64{least, 1}
	}
	return spec
}

func positives(xs []float64) (out []float64) {
	for _, x := range xs {
		if x > 0 {
			out = append(out, x)
		}
	}
	return out
}

func complements(exceeds []float64) []float64 {
	out := make([]float64, 0, len(exceeds)+1)
	for _, x := range exceeds {
		out = append(out, 1-x)
	}
	return positives(out)
}

// stepsByRow finds distributions by the key of their row.
func stepsByRow(t result.Table) map[string][]stats.Step {
	found := make(map[string][]stats.Step, len(t.Distributions))
	for _, d := range t.Distributions {
		found[result.RowKey(d.Axes, d.Scheme)] = d.Steps
	}
	return found
}

// stepsOf is the distribution of a series.
func (f *drawing) stepsOf(
	found map[string][]stats.Step, sel *selection, key result.AxisValue,
) []stats.Step {
	for _, r := range sel.rows {
		if has(r, f.Series, key.Text) {
			return found[result.RowKey(r.Axes, r.Scheme)]
		}
	}
	return nil
}

// Plot implements plot.Plotter.
func (s staircase) Plot(c draw.Canvas, _ *plot.Plot) {
	level := func(exceed float64) (vg.Length, bool) {
		v := 1 - exceed
		if s.tail {
			v = exceed
		}
		y, ok := s.page.y.at(v)
		return c.Y(math.Max(0, math.Min(1, y))), ok
	}
	y, ok := level(1)
	if !ok { // P(X ≤ x) = 0 on a logarithmic axis
		y = c.Min.Y
	}
	var pts []vg.Point
	for _, step := range s.steps {
		at, ok := s.page.x.at(step.X)
		if !ok {
			continue
		}
		x := c.X(at)
		pts = append(pts, vg.Point{X: x, Y: y})
		next, ok := level(step.Exceed)
		if !ok { // the end of the tail: nothing beyond the largest sample
			break
		}
		y = next
		pts = append(pts, vg.Point{X: x, Y: y})
	}
	if len(pts) == 0 {
		return
	}
	c.StrokeLines(s.look.line(1.5), pts)
	s.end(&c, pts[len(pts)-1])
}

// end marks where the samples end.
func (s staircase) end(c *draw.Canvas, at vg.Point) { s.look.marker(c, at, false) }
