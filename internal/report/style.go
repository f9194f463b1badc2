package report

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sdrsim/internal/portable"
	"sdrsim/schemes/catalog"
)

// The page: 550 by 350 points are 1100 by 700 pixels. It is higher where a legend needs many rows.
const (
	pageWidth  vg.Length = 550
	pageHeight vg.Length = 350
	pageDPI              = 144
)

// Sizes of text, in points.
const (
	titleSize vg.Length = 13
	labelSize vg.Length = 10.5
	tickSize  vg.Length = 9.5
	smallText vg.Length = 8.5
)

var (
	ink      = color.NRGBA{R: 0x22, G: 0x22, B: 0x22, A: 0xff}
	softInk  = color.NRGBA{R: 0x66, G: 0x66, B: 0x66, A: 0xff}
	gridInk  = color.NRGBA{R: 0xe2, G: 0xe2, B: 0xe2, A: 0xff}
	paper    = color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
	noData   = color.NRGBA{R: 0xd0, G: 0xd0, B: 0xd0, A: 0xff}
	bandGrey = color.NRGBA{R: 0xcc, G: 0xcc, B: 0xcc, A: 0xff}
)

// palette are first the colours of Okabe and Ito (2008), which people with any kind of colour
// vision tell apart, without the yellow, which white paper swallows; then hues like them in another
// lightness, for figures of many series.
var palette = []color.NRGBA{
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0xd5, 0x5e, 0x00, 0xff}, // vermilion
	{0x00, 0x9e, 0x73, 0xff}, // bluish green
	{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x56, 0xb4, 0xe9, 0xff}, // sky blue
	{0x00, 0x00, 0x00, 0xff}, // black
	{0x00, 0x2b, 0x55, 0xff}, // dark blue
	{0x73, 0x2a, 0x00, 0xff}, // brown
	{0x6f, 0xd0, 0xb0, 0xff}, // pale green
	{0x6a, 0x1f, 0x52, 0xff}, // dark purple
	{0xea, 0xbf, 0x60, 0xff}, // pale orange
	{0xa9, 0xa9, 0xa9, 0xff}, // grey
	{0x00, 0x4d, 0x35, 0xff}, // dark green
}

// firstHues is how many colours of the palette differ in hue.
const firstHues = 7

// dashes tell lines apart in print; the first is solid.
var dashes = [][]vg.Length{nil, {6, 2.5}, {2, 2}, {8, 2, 2, 2}, {4, 1.5, 1.5, 1.5, 1.5, 1.5}}

// look is how a series is drawn. Fourteen colours, five dashes and eight shapes repeat together
// after 280 series only.
type look struct {
	color  color.NRGBA
	dashes []vg.Length
	shape  shape
	// hatched tells an area of the second half of the palette from one of the first.
	hatched bool
}

// owners are the schemes whose look is the same in every figure, whatever else is shown, by their
// places in the palette.
var owners = func() map[int]string {
	owners := map[int]string{}
	for _, e := range catalog.Entries() {
		if e.Look > 0 {
			owners[e.Look-1] = e.Name
		}
	}
	return owners
}()

// schemeLooks gives each scheme of a table its look: the one that it owns, else the next that no
// scheme owns, and only then one whose owner is not in the table. A figure that shows a part of the
// schemes draws them as one that shows all.
func schemeLooks(schemes []string) map[string]look {
	looks := map[string]look{}
	var free, spare []int
	for i := range palette {
		name, owned := owners[i]
		switch {
		case !owned:
			free = append(free, i)
		case slices.Contains(schemes, name):
			looks[name] = lookOf(i)
		default:
			spare = append(spare, i)
		}
	}
	free = append(free, spare...)
	for i := len(palette); len(free) < len(schemes); i++ {
		free = append(free, i)
	}
	for _, name := range schemes {
		if _, has := looks[name]; !has {
			looks[name], free = lookOf(free[0]), free[1:]
		}
	}
	return looks
}

// lookOf is the look of a place.
func lookOf(series int) look {
	return look{
		color:  palette[series%len(palette)],
		dashes: dashes[series%len(dashes)],
		shape:  shapes[series%len(shapes)],

		hatched: series%len(palette) >= firstHues,
	}
}

func (l look) line(width vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: l.color, Width: width, Dashes: l.dashes}
}

// area fills a rectangle.
func (l look) area(c *draw.Canvas, r vg.Rectangle) {
	c.FillPolygon(l.color, corners(r))
	if !l.hatched {
		return
	}
	const apart = 5
	inside := draw.Canvas{Canvas: c.Canvas, Rectangle: r}
	height := r.Max.Y - r.Min.Y
	for x := r.Min.X - height; x < r.Max.X; x += apart {
		line := []vg.Point{{X: x, Y: r.Min.Y}, {X: x + height, Y: r.Max.Y}}
		c.StrokeLines(draw.LineStyle{Color: paper, Width: 0.9}, inside.ClipLinesXY(line)...)
	}
}

// faint is the colour of a confidence band.
func (l look) faint() color.NRGBA {
	c := l.color
	c.A = 0x33
	return c
}

// shape is the outline of a marker around the origin, of a radius of about 1.
type shape []vg.Point

var shapes = []shape{
	regular(24, 0, 1),            // circle
	regular(4, math.Pi/4, 1.2),   // square
	regular(3, math.Pi/2, 1.35),  // triangle
	regular(4, 0, 1.3),           // diamond
	regular(3, -math.Pi/2, 1.35), // triangle that points down
	cross(0),                     // plus
	regular(6, math.Pi/2, 1.15),  // hexagon
	cross(math.Pi / 4),           // cross
}

func regular(corners int, turn float64, radius vg.Length) shape {
	out := make(shape, corners)
	for i := range out {
		sin, cos := portable.Sincos(turn + 2*math.Pi*float64(i)/float64(corners))
		out[i] = vg.Point{X: radius * vg.Length(cos), Y: radius * vg.Length(sin)}
	}
	return out
}

// cross is a plus sign, turned.
func cross(turn float64) shape {
	const arm, half = 1.3, 0.42
	corners := []vg.Point{
		{X: arm, Y: -half}, {X: arm, Y: half}, {X: half, Y: half}, {X: half, Y: arm},
		{X: -half, Y: arm}, {X: -half, Y: half}, {X: -arm, Y: half}, {X: -arm, Y: -half},
		{X: -half, Y: -half}, {X: -half, Y: -arm}, {X: half, Y: -arm}, {X: half, Y: -half},
	}
	sin64, cos64 := portable.Sincos(turn)
	sin, cos := vg.Length(sin64), vg.Length(cos64)
	out := make(shape, len(corners))
	for i, p := range corners {
		out[i] = vg.Point{
			X: vg.Length(p.X*cos) - vg.Length(p.Y*sin), Y: vg.Length(p.X*sin) + vg.Length(p.Y*cos),
		}
	}
	return out
}

// markerRadius is the size of markers, in points.
const markerRadius vg.Length = 2.9

// marker draws the marker of a series; a doubtful point is hollow.
func (l look) marker(c *draw.Canvas, at vg.Point, doubtful bool) {
	pts := make([]vg.Point, len(l.shape), len(l.shape)+1)
	for i, p := range l.shape {
		pts[i] = at.Add(p.Scale(markerRadius))
	}
	if !doubtful {
		c.FillPolygon(l.color, pts)
		return
	}
	c.FillPolygon(paper, pts)
	c.StrokeLines(draw.LineStyle{Color: l.color, Width: 1.1}, append(pts, pts[0], pts[1]))
}

// axisLine and gridLine are the thin lines of a plot.
var (
	axisLine = draw.LineStyle{Color: ink, Width: 0.7}
	gridLine = draw.LineStyle{Color: gridInk, Width: 0.6}
)
