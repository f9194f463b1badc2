package report

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sdrsim/internal/figure"
)

// referenceLine draws a line across the plot; its label is outside of the plot, where it hides no
// data.
type referenceLine struct {
	figure.Reference
	at float64 // the position
}

// referenceLines are those of the figure, and for ratios the line of no difference.
func (f *drawing) referenceLines(p *page, m measure) []referenceLine {
	var out []referenceLine
	if at, ok := p.y.at(1); ok && m.ratio && at >= 0 && at <= 1 {
		out = append(out, referenceLine{figure.Reference{Axis: "y", Value: 1}, at})
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

// maxReference is the widest label of a reference line, in points.
const maxReference vg.Length = 90

func referenceStyle() draw.TextStyle { return textStyle(smallText, softInk) }

// referenceRoom is what the labels need, on the right of the plot and above it.
func (p *page) referenceRoom() (right, above vg.Length) {
	for _, r := range p.references {
		switch {
		case r.Label == "":
		case r.Axis == "x":
			above = smallText * lineSpread
		default:
			right = max(right, min(referenceStyle().Width(r.Label), maxReference)+4)
		}
	}
	return right, above
}

// Plot implements plot.Plotter.
func (r referenceLine) Plot(c draw.Canvas, _ *plot.Plot) {
	line := draw.LineStyle{Color: softInk, Width: 0.8, Dashes: []vg.Length{4, 2}}
	if r.Axis == "y" {
		c.StrokeLine2(line, c.Min.X, c.Y(r.at), c.Max.X, c.Y(r.at))
		return
	}
	c.StrokeLine2(line, c.X(r.at), c.Min.Y, c.X(r.at), c.Max.Y)
}

// label writes the label beside the plot.
func (r referenceLine) label(data *draw.Canvas) {
	sty := referenceStyle()
	text := shorten(r.Label, sty, maxReference)
	if r.Axis == "y" {
		sty.YAlign = draw.YCenter
		data.FillText(sty, vg.Point{X: data.Max.X + 4, Y: data.Y(r.at) + textDrop}, text)
		return
	}
	half := vg.Length(sty.Width(text) / 2)
	x := max(data.Min.X+half, min(data.Max.X-half, data.X(r.at)))
	sty.XAlign = draw.XCenter
	data.FillText(sty, vg.Point{X: x, Y: data.Max.Y + 2}, text)
}
