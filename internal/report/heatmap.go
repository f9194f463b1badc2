package report

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sdrsim/internal/result"
	"sdrsim/internal/stats"
)

// heatPage draws a quantity as colours over two axes, one cell per point.
func (f *drawing) heatPage(sel *selection, m measure) (*page, *notes) {
	xs, ys := axisValues(sel.rows, f.X), axisValues(sel.rows, f.Y)
	h := heat{measure: m}
	var values []float64
	at := sel.by(f.X, f.Y)
	for _, y := range ys {
		for _, x := range xs {
			cell := heatCell{x: x, y: y, est: point(math.NaN())}
			if r := at[[2]string{x.Text, y.Text}]; r != nil {
				est, carried := m.get(sel, r)
				cell.lone = m.times && r.Lone()
				cell.est, cell.doubtful = est, !carried || cell.lone
				cell.survived = m.survived(sel, r)
			}
			h.cells = append(h.cells, cell)
			values = append(values, cell.est.Value)
		}
	}
	h.ramp = newRamp(m, values, "")
	p := f.newPage(sel)
	p.x = newCategories(f.pathName(f.X), xs, f.medium().acrossSize)
	p.y = newCategories(f.pathName(f.Y), ys, f.medium().upSize)
	p.y.shortenWords(p.on.width)
	h.page = p
	p.body = []plot.Plotter{h}
	p.side = colourBar{ramp: h.ramp, high: f.winner(f.Of), low: f.winner(f.Over)}
	p.fitWords(xs)
	n := &notes{}
	n.samples(f.behind(sel), "")
	n.cells(h, m)
	p.foot = n.foot
	return p, n
}

// winner tells what the ends of a colour bar mean.
func (f *drawing) winner(scheme string) string {
	if f.quantity() != quantitySpeedup || scheme == "" {
		return ""
	}
	return scheme + " faster"
}

// heatCell is the value at one point of a heat map.
type heatCell struct {
	x, y result.AxisValue
	est  stats.Estimate
	// doubtful tells that too few samples carry the value; lone that they are one; survived that
	// others were given up.
	doubtful, lone, survived bool
}

// marked reports whether the cell is.
func (c heatCell) marked() bool { return c.doubtful || c.survived }

// cells notes how many values are missing or in doubt.
func (n *notes) cells(h heat, m measure) {
	missing, doubtful, lone, survived := 0, 0, 0, 0
	for _, cell := range h.cells {
		if _, ok := h.ramp.colour(cell.est.Value); ok && cell.survived {
			survived++
		}
		if _, ok := h.ramp.colour(cell.est.Value); !ok {
			missing++
		} else if cell.lone {
			lone++
		} else if cell.doubtful {
			doubtful++
		}
	}
	mark := "Dashed"
	if h.many() {
		mark = "Dotted"
	}
	if doubtful > 0 {
		n.add("%s: %s in %d of %d cells.", mark, m.doubt(), doubtful, len(h.cells))
	}
	if lone > 0 {
		n.add("%s: of one sample in %d of %d cells.", mark, lone, len(h.cells))
	}
	if survived > 0 {
		n.add("%s: others of the samples were given up in %d of %d cells.", mark, survived,
			len(h.cells))
	}
	if missing > 0 {
		n.add("Grey: no value in %d of %d cells.", missing, len(h.cells))
	}
}

// heat draws the cells.
type heat struct {
	measure measure
	ramp    ramp
	cells   []heatCell
	page    *page
}

// Plot implements plot.Plotter.
func (h heat) Plot(c draw.Canvas, _ *plot.Plot) {
	if h.many() && h.page.compact {
		c.DrawImage(rectangle(&c, span{0, 1}, span{0, 1}), h.image())
		return
	}
	halfWidth, halfHeight := float64(h.page.x.width/2), float64(h.page.y.width/2)
	written := h.fits(&c)
	for _, cell := range h.cells {
		x, y := h.page.x.places[cell.x.Text], h.page.y.places[cell.y.Text]
		box := rectangle(&c, span{x - halfWidth, x + halfWidth}, span{y - halfHeight, y + halfHeight})
		colour, ok := h.ramp.colour(cell.est.Value)
		filled := box // rectangles that only touch show a hairline between them
		filled.Max = vg.Point{X: min(box.Max.X+0.4, c.Max.X), Y: min(box.Max.Y+0.4, c.Max.Y)}
		c.FillPolygon(colour, corners(filled))
		if ok && cell.marked() && !h.many() {
			h.dash(&c, box, colour)
		}
		if ok && written {
			sty := textStyle(smallText, inkOn(colour))
			sty.XAlign, sty.YAlign = draw.XCenter, draw.YCenter
			at := middle(box)
			at.Y += textDrop
			c.FillText(sty, at, h.text(cell))
		}
	}
	if h.many() {
		h.dots(&c)
	}
}

// dash marks a cell as doubtful by a dashed line inside of its edges.
func (h heat) dash(c *draw.Canvas, box vg.Rectangle, colour color.NRGBA) {
	size := box.Size()
	by := min(1.5, size.X/4, size.Y/4)
	box.Min, box.Max = box.Min.Add(vg.Point{X: by, Y: by}), box.Max.Sub(vg.Point{X: by, Y: by})
	outline(c, draw.LineStyle{
		Color: inkOn(colour), Width: 0.7, Dashes: []vg.Length{2, 1.5}}, box)
}

// text is the value of a cell in few digits, in the unit of the colour bar.
func (h heat) text(cell heatCell) string {
	if h.measure.unit.binary {
		return h.measure.unit.text(cell.est.Value, 3)
	}
	return powers(threeDigits(cell.est.Value / h.ramp.scale.step.factor))
}

// fits reports whether the texts of all cells have room.
func (h heat) fits(c *draw.Canvas) bool {
	if h.many() {
		return false
	}
	width := vg.Length(vg.Length(h.page.x.width) * (c.Max.X - c.Min.X))
	height := vg.Length(h.page.y.width) * (c.Max.Y - c.Min.Y)
	if height < smallText*1.2 {
		return false
	}
	sty := textStyle(smallText, ink)
	for _, cell := range h.cells {
		if sty.Width(h.text(cell)) > width-3 {
			return false
		}
	}
	return true
}

// colourBar explains the colours of a heat map: a column of rectangles with ticks.
type colourBar struct {
	ramp      ramp
	high, low string // what the ends mean, where that is who wins
}

const (
	barColumn vg.Length = 14
	barSteps  int       = 96
	// endRoom is what the words at an end take, clear of a label at the very end of the column.
	endRoom = smallText*1.2 + tickSize/2 + 2
)

// room takes a strip on the right: a turned title, the column, ticks and their labels.
func (b colourBar) room(area vg.Rectangle) (right, below vg.Length) {
	sty := textStyle(tickSize, ink)
	widest := vg.Length(0)
	for _, t := range b.ramp.scale.ticks {
		widest = max(widest, sty.Width(t.Label))
	}
	right = barColumn + 6 + widest + 4 + tickSize*lineSpread
	ends := textStyle(smallText, softInk)
	most := vg.Length(0.25 * (area.Max.X - area.Min.X + 2*margin))
	return max(right, min(max(ends.Width(b.high), ends.Width(b.low)), most)), 0
}

func (b colourBar) draw(c draw.Canvas, data vg.Rectangle) {
	column := vg.Rectangle{
		Min: vg.Point{X: c.Min.X, Y: data.Min.Y},
		Max: vg.Point{X: c.Min.X + barColumn, Y: data.Max.Y},
	}
	ends := textStyle(smallText, softInk)
	width := c.Max.X - c.Min.X
	if b.high != "" {
		column.Max.Y -= endRoom
		at := vg.Point{X: c.Min.X, Y: column.Max.Y + endRoom - smallText}
		c.FillText(ends, at, shorten(b.high, ends, width+0.01))
	}
	if b.low != "" && !b.ramp.oneSided {
		column.Min.Y += endRoom
		at := vg.Point{X: c.Min.X, Y: column.Min.Y - endRoom + 2}
		c.FillText(ends, at, shorten(b.low, ends, width+0.01))
	}
	b.column(&c, column)
}

// column draws the colours with their ticks and title.
func (b colourBar) column(c *draw.Canvas, column vg.Rectangle) {
	at := func(position float64) vg.Length {
		return column.Min.Y + vg.Length(vg.Length(position)*(column.Max.Y-column.Min.Y))
	}
	for i := range barSteps {
		lo, hi := float64(i)/float64(barSteps), float64(i+1)/float64(barSteps)
		box := column
		box.Min.Y, box.Max.Y = at(lo), at(hi)
		if i+1 < barSteps {
			box.Max.Y += 0.4 // rectangles that only touch show a hairline between them
		}
		c.FillPolygon(b.ramp.colourAt((lo+hi)/2), corners(box))
	}
	outline(c, draw.LineStyle{Color: ink, Width: 0.5}, column)
	sty := textStyle(tickSize, ink)
	sty.YAlign = draw.YCenter
	widest := vg.Length(0)
	for _, t := range b.ramp.scale.ticks {
		length := vg.Length(4)
		if t.IsMinor() {
			length = 2
		}
		y := at(t.Value)
		c.StrokeLine2(axisLine, column.Max.X, y, column.Max.X+length, y)
		c.FillText(sty, vg.Point{X: column.Max.X + 6, Y: y + textDrop}, t.Label)
		widest = max(widest, sty.Width(t.Label))
	}
	title := textStyle(tickSize, ink)
	title.Rotation = math.Pi / 2
	title.XAlign, title.YAlign = draw.XCenter, draw.YTop
	text := shorten(b.ramp.scale.title, title, column.Max.Y-column.Min.Y)
	x := column.Max.X + 6 + widest + 4
	c.FillText(title, vg.Point{X: x, Y: middle(column).Y}, text)
}
