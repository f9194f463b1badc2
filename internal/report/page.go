package report

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"sdrsim/internal/result"
)

// page is a figure ready to be drawn: what goes into each of its regions.
type page struct {
	title, subtitle string
	x, y            scale
	body            []plot.Plotter // in the order of drawing, above the grid
	references      []referenceLine
	side            side // nil where there is none
	foot            []string
	missing         []rune // what png could not draw
	compact         bool   // for a format that writes down every shape
	on              medium
}

// side explains the marks of the plot, in a strip of its own on the right or below.
type side interface {
	// room tells the size of the strip: a width on the right, or a height below.
	room(area vg.Rectangle) (right, below vg.Length)
	// draw draws into the strip; data is the part of the plot that the values are in.
	draw(c draw.Canvas, data vg.Rectangle)
}

// regions are the parts of a page. They do not overlap.
type regions struct {
	height                  vg.Length // of the page
	title, plot, side, foot vg.Rectangle
}

// Spaces around and between regions, in points.
const (
	margin     vg.Length = 10
	gap        vg.Length = 8
	lineSpread           = 1.28 // from baseline to baseline, in font sizes
	maxFoot              = 4    // lines of footnotes

	// belowShare is how high a strip below may be before the page grows.
	belowShare = 6 * entryHeight
)

// split lays the page out. Title and footnotes take what their lines need, the side strip what it
// asks for, the plot the rest.
func (p *page) split() regions {
	r := p.divide(p.on.height)
	if p.side == nil {
		return r
	}
	right, below := p.side.room(r.plot)
	r = p.divide(p.on.height + growth(below))
	r.side = r.plot
	if right > 0 {
		r.side.Min.X = r.plot.Max.X - right
		r.plot.Max.X = r.side.Min.X - gap
	} else {
		r.side.Max.Y = r.plot.Min.Y + below
		r.plot.Min.Y = r.side.Max.Y + gap
	}
	return r
}

// growth is how much higher the page gets for a strip below.
func growth(below vg.Length) vg.Length {
	if below <= belowShare {
		return 0
	}
	return below - belowShare/3
}

// divide lays a page of a given height out, with nothing beside the plot.
func (p *page) divide(height vg.Length) regions {
	area := vg.Rectangle{
		Min: vg.Point{X: p.on.margin(), Y: p.on.margin()},
		Max: vg.Point{X: p.on.width - p.on.margin(), Y: height - p.on.margin()},
	}
	r := regions{height: height, title: area, foot: area}
	titles := titleSize * lineSpread
	if p.on.captioned {
		titles = 0
	} else if p.subtitle != "" {
		titles += labelSize * lineSpread
	}
	r.title.Min.Y = area.Max.Y - titles
	if titles > 0 {
		area.Max.Y = r.title.Min.Y - gap
	}
	r.foot.Max.Y = area.Min.Y + vg.Length(vg.Length(len(p.footLines()))*smallText*lineSpread)
	area.Min.Y = r.foot.Max.Y
	if len(p.footLines()) > 0 {
		area.Min.Y += gap / 2
	}
	r.plot, r.side = area, vg.Rectangle{Min: area.Max, Max: area.Max}
	return r
}

// footLines are the footnotes broken into lines, and cut where they would take too much room.
func (p *page) footLines() []string {
	var lines []string
	if p.on.captioned {
		return nil
	}
	sty := textStyle(smallText, softInk)
	for _, note := range p.foot {
		lines = append(lines, wrap(note, sty, p.on.width-2*margin)...)
	}
	if len(lines) > maxFoot {
		lines = lines[:maxFoot]
		lines[maxFoot-1] += " …"
	}
	return lines
}

// draw draws the whole page.
func (p *page) draw(c draw.Canvas) {
	c.FillPolygon(paper, corners(c.Rectangle))
	r := p.split()
	p.drawText(c, r)
	inner := draw.Canvas{Canvas: c, Rectangle: r.plot}
	right, above := p.referenceRoom()
	inner.Max.X -= right
	inner.Max.Y -= above
	pl := p.plot()
	data := pl.DataCanvas(inner)
	pl.Draw(inner)
	for _, ref := range p.references {
		ref.label(&data)
	}
	if p.side != nil {
		p.side.draw(draw.Canvas{Canvas: c, Rectangle: r.side}, data.Rectangle)
	}
}

func (p *page) drawText(c draw.Canvas, r regions) {
	if p.on.captioned {
		return
	}
	sty := textStyle(titleSize, ink)
	width := r.title.Max.X - r.title.Min.X
	y := r.title.Max.Y - titleSize
	c.FillText(sty, vg.Point{X: r.title.Min.X, Y: y}, shorten(p.title, sty, width))
	if p.subtitle != "" {
		sub := textStyle(labelSize, softInk)
		y -= labelSize * lineSpread
		c.FillText(sub, vg.Point{X: r.title.Min.X, Y: y}, shorten(p.subtitle, sub, width))
	}
	small := textStyle(smallText, softInk)
	y = r.foot.Max.Y - smallText
	for _, line := range p.footLines() {
		c.FillText(small, vg.Point{X: r.foot.Min.X, Y: y}, line)
		y -= smallText * lineSpread
	}
}

// plot sets up axes from 0 to 1 with the ticks of the scales.
func (p *page) plot() *plot.Plot {
	pl := plot.New()
	pl.TextHandler = textStyle(labelSize, ink).Handler
	pl.BackgroundColor = nil
	for _, a := range []struct {
		axis *plot.Axis
		from scale
	}{{&pl.X, p.x}, {&pl.Y, p.y}} {
		a.axis.Min, a.axis.Max = 0, 1
		a.axis.Padding = 0
		a.axis.LineStyle = axisLine
		a.axis.Label.Text = a.from.title
		a.axis.Label.Padding = 3
		keepAlignment(&a.axis.Label.TextStyle, labelSize)
		keepAlignment(&a.axis.Tick.Label, tickSize)
		a.axis.Tick.LineStyle = axisLine
		a.axis.Tick.Length = 5
		a.axis.Tick.Marker = plot.ConstantTicks(a.from.ticks)
		if a.from.kind == categories {
			a.axis.Tick.Length = 3
		}
	}
	pl.Add(grid{p.x, p.y})
	for _, ref := range p.references {
		pl.Add(ref)
	}
	pl.Add(p.body...)
	return pl
}

// dataWidth is how wide the part of the plot is that values are in.
func (p *page) dataWidth() vg.Length {
	r := p.split()
	inner := draw.NewCanvas(vgsvg.New(p.on.width, r.height), p.on.width, r.height)
	inner.Rectangle = r.plot
	right, _ := p.referenceRoom()
	inner.Max.X -= right
	data := p.plot().DataCanvas(inner)
	return data.Max.X - data.Min.X
}

// fitWords shortens the words below an axis once it is known how much the axis and the legend on
// its sides leave them.
func (p *page) fitWords(xs []result.AxisValue) {
	if p.x.kind != categories || slices.ContainsFunc(xs, numbered) {
		return
	}
	if width := p.dataWidth(); width < p.on.acrossWidth() {
		p.x = newCategories(p.x.title, xs, func(label string) float64 {
			return p.on.acrossSize(label) * float64(p.on.acrossWidth()/width)
		})
	}
}

func keepAlignment(sty *draw.TextStyle, size vg.Length) {
	own := textStyle(size, ink)
	own.XAlign, own.YAlign, own.Rotation = sty.XAlign, sty.YAlign, sty.Rotation
	*sty = own
}

// grid draws thin lines at labelled ticks, and the break beside the place of zero.
type grid struct{ x, y scale }

// Plot implements plot.Plotter.
func (g grid) Plot(c draw.Canvas, _ *plot.Plot) {
	for _, t := range g.x.ticks {
		if !t.IsMinor() && g.x.kind != categories {
			c.StrokeLine2(gridLine, c.X(t.Value), c.Min.Y, c.X(t.Value), c.Max.Y)
		}
	}
	for _, t := range g.y.ticks {
		if !t.IsMinor() && g.y.kind != categories {
			c.StrokeLine2(gridLine, c.Min.X, c.Y(t.Value), c.Max.X, c.Y(t.Value))
		}
	}
	breakLine := draw.LineStyle{Color: softInk, Width: 0.6, Dashes: []vg.Length{1.5, 2}}
	if g.x.zero {
		x := c.X((zeroAt + zeroShare) / 2)
		c.StrokeLine2(breakLine, x, c.Min.Y, x, c.Max.Y)
	}
	if g.y.zero {
		y := c.Y((zeroAt + zeroShare) / 2)
		c.StrokeLine2(breakLine, c.Min.X, y, c.Max.X, y)
	}
}

// corners are the corners of a rectangle, in order.
func corners(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
}

// span is from one position of an axis to another.
type span struct{ from, to float64 }

// rectangle covers spans of both axes of a plot.
func rectangle(c *draw.Canvas, x, y span) vg.Rectangle {
	return vg.Rectangle{
		Min: vg.Point{X: c.X(math.Min(x.from, x.to)), Y: c.Y(math.Min(y.from, y.to))},
		Max: vg.Point{X: c.X(math.Max(x.from, x.to)), Y: c.Y(math.Max(y.from, y.to))},
	}
}

// outline strokes a rectangle.
func outline(c *draw.Canvas, sty draw.LineStyle, r vg.Rectangle) {
	pts := corners(r)
	c.StrokeLines(sty, append(pts, pts[0]))
}
