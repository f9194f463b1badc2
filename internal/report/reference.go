package report

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// referenceLine draws a line across the plot with a label at its end.
type referenceLine struct {
	Reference
	at float64 // the position
}

// referenceLines are those of the figure, and for ratios the line of no difference.
func (f *Figure) referenceLines(p *page, m measure) []plot.Plotter {
	var out []plot.Plotter
	if at, ok := p.y.at(1); ok && m.ratio && at >= 0 && at <= 1 {
		out = append(out, referenceLine{Reference{Axis: "y", Value: 1}, at})
	}
	for _, r := range f.References {
		s := &p.y
		if r.Axis == "x" {
			s = &p.x
		}
		if at, ok := s.at(r.Value); ok && at >= 0 && at <= 1 {
			out = append(out, referenceLine{r, at})
		}
	}
	return out
}

// Plot implements plot.Plotter.
func (r referenceLine) Plot(c draw.Canvas, _ *plot.Plot) {
	line := draw.LineStyle{Color: softInk, Width: 0.8, Dashes: []vg.Length{4, 2}}
	sty := textStyle(smallText, softInk)
	if r.Axis == "y" {
		y := c.Y(r.at)
		c.StrokeLine2(line, c.Min.X, y, c.Max.X, y)
		sty.XAlign = draw.XRight
		c.FillText(sty, vg.Point{X: c.Max.X - 2, Y: y + 2.5}, r.Label)
		return
	}
	x := c.X(r.at)
	c.StrokeLine2(line, x, c.Min.Y, x, c.Max.Y)
	at := vg.Point{X: x + 3, Y: c.Max.Y - smallText}
	if x+3+sty.Width(r.Label) > c.Max.X {
		sty.XAlign = draw.XRight
		at.X = x - 3
	}
	c.FillText(sty, at, r.Label)
}
