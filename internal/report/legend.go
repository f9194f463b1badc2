package report

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// entry is a line of a legend: a sample of what is drawn, and what it stands for.
type entry struct {
	label  string
	sample func(c *draw.Canvas, r vg.Rectangle)
}

// legend is a column of entries on the right, or rows below where labels are long. It has room for
// all of them: the page grows with the rows.
type legend []entry

const (
	sampleWidth  vg.Length = 26
	sampleGap    vg.Length = 5
	entryHeight  vg.Length = 14
	columnGap    vg.Length = 14
	rightShare             = 0.3 // of the width, for a legend on the right
	narrow       vg.Length = 400 // a page that has no room beside its plot
	maxBelowRows           = 60
)

func legendStyle() draw.TextStyle { return textStyle(tickSize, ink) }

// entryWidth is the width of the widest entry.
func (l legend) entryWidth() vg.Length {
	widest := vg.Length(0)
	for _, e := range l {
		widest = max(widest, legendStyle().Width(e.label))
	}
	return sampleWidth + sampleGap + widest
}

func (l legend) room(area vg.Rectangle) (right, below vg.Length) {
	if len(l) == 0 {
		return 0, 0
	}
	width := area.Max.X - area.Min.X
	fits := vg.Length(len(l))*entryHeight <= area.Max.Y-area.Min.Y
	if w := l.entryWidth(); w <= rightShare*width && fits && width > narrow {
		return w, 0
	}
	_, rows := l.columns(width)
	return 0, vg.Length(min(rows, maxBelowRows)) * entryHeight
}

// columns is how many entries fit beside each other, and the rows that makes.
func (l legend) columns(width vg.Length) (columns, rows int) {
	columns = max(1, int((width+columnGap)/(l.entryWidth()+columnGap)))
	columns = min(columns, len(l))
	return columns, (len(l) + columns - 1) / columns
}

func (l legend) draw(c draw.Canvas, data vg.Rectangle) {
	if len(l) == 0 {
		return
	}
	if c.Min.X >= data.Max.X { // on the right
		c.Max.Y = data.Max.Y
		l.cells(c, 1)
		return
	}
	columns, rows := l.columns(c.Max.X - c.Min.X)
	if rows > maxBelowRows { // the last entry tells what is missing
		shown := columns*maxBelowRows - 1
		more := entry{label: fmt.Sprintf("… and %d more", len(l)-shown)}
		append(l[:shown:shown], more).cells(c, columns)
		return
	}
	l.cells(c, columns)
}

// cells draws entries row by row.
func (l legend) cells(c draw.Canvas, columns int) {
	width := (c.Max.X - c.Min.X + columnGap) / vg.Length(columns)
	room := width - columnGap - sampleWidth - sampleGap
	if columns == 1 {
		room = c.Max.X - c.Min.X - sampleWidth - sampleGap
	}
	sty := legendStyle()
	sty.YAlign = draw.YCenter
	for i, e := range l {
		x := c.Min.X + vg.Length(vg.Length(i%columns)*width)
		top := c.Max.Y - vg.Length(vg.Length(i/columns)*entryHeight)
		box := vg.Rectangle{
			Min: vg.Point{X: x, Y: top - entryHeight + 2},
			Max: vg.Point{X: x + sampleWidth, Y: top - 2},
		}
		if e.sample != nil {
			e.sample(&c, box)
		}
		at := vg.Point{X: box.Max.X + sampleGap, Y: vg.Length((box.Min.Y+box.Max.Y)/2) + textDrop}
		c.FillText(sty, at, shorten(e.label, sty, room+0.01))
	}
}

// textDrop centres small text on a line: its letters have no descent more often than one.
const textDrop vg.Length = 1

func middle(r vg.Rectangle) vg.Point {
	return vg.Point{X: vg.Length((r.Min.X + r.Max.X) / 2), Y: vg.Length((r.Min.Y + r.Max.Y) / 2)}
}

// lineSample shows a line with its marker.
func lineSample(l look) func(*draw.Canvas, vg.Rectangle) {
	return func(c *draw.Canvas, r vg.Rectangle) {
		at := middle(r)
		c.StrokeLine2(l.line(1.4), r.Min.X, at.Y, r.Max.X, at.Y)
		l.marker(c, at, false)
	}
}

// hollowSample shows a marker of doubt.
func hollowSample(c *draw.Canvas, r vg.Rectangle) {
	look{color: softInk, shape: shapes[0]}.marker(c, middle(r), true)
}

func bandSample(c *draw.Canvas, r vg.Rectangle) { c.FillPolygon(bandGrey, corners(r)) }

// modelLine is how the closed form is drawn, in the colour of its series.
func modelLine(l look) draw.LineStyle {
	return draw.LineStyle{Color: l.color, Width: 0.7, Dashes: []vg.Length{1, 1.5}}
}

func modelSample(c *draw.Canvas, r vg.Rectangle) {
	sty := modelLine(look{color: softInk})
	c.StrokeLine2(sty, r.Min.X, middle(r).Y, r.Max.X, middle(r).Y)
}

// errorBar draws an interval as a bar with caps, from a point to a height.
func errorBar(c *draw.Canvas, sty draw.LineStyle, from vg.Point, to vg.Length) {
	const half = 2.5 // of a cap
	sty.Dashes = nil
	c.StrokeLine2(sty, from.X, from.Y, from.X, to)
	for _, y := range []vg.Length{from.Y, to} {
		c.StrokeLine2(sty, from.X-half, y, from.X+half, y)
	}
}

func errorBarSample(c *draw.Canvas, r vg.Rectangle) {
	from := vg.Point{X: middle(r).X, Y: r.Min.Y}
	errorBar(c, draw.LineStyle{Color: softInk, Width: 0.9}, from, r.Max.Y)
}
