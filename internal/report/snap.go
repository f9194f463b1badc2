package report

import (
	"image"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// snapped scales what is drawn to its medium, and moves it to a grid of 2^-20 points. The library
// computes positions with products and sums that some processors fuse; the last digits, which
// differ by that, end here, so that a number that lies between two printed ones is rounded the same
// way everywhere.
type snapped struct {
	vg.Canvas
	on medium
}

func snap(x vg.Length) vg.Length {
	const grid = 1 << 20
	return vg.Length(math.Round(float64(x)*grid) / grid)
}

func (c snapped) length(x vg.Length) vg.Length { return snap(vg.Length(x * c.on.scale)) }

func (c snapped) point(p vg.Point) vg.Point { return vg.Point{X: c.length(p.X), Y: c.length(p.Y)} }

func (c snapped) path(path vg.Path) vg.Path {
	out := make(vg.Path, len(path))
	for i, part := range path {
		part.Pos, part.Radius = c.point(part.Pos), c.length(part.Radius)
		control := make([]vg.Point, len(part.Control))
		for k, p := range part.Control {
			control[k] = c.point(p)
		}
		part.Control = control
		out[i] = part
	}
	return out
}

// SetLineWidth implements vg.Canvas.
func (c snapped) SetLineWidth(w vg.Length) { c.Canvas.SetLineWidth(vg.Length(w * c.on.scale)) }

// SetLineDash implements vg.Canvas.
func (c snapped) SetLineDash(pattern []vg.Length, offset vg.Length) {
	scaled := make([]vg.Length, len(pattern))
	for i, d := range pattern {
		scaled[i] = vg.Length(d * c.on.scale)
	}
	c.Canvas.SetLineDash(scaled, vg.Length(offset*c.on.scale))
}

// Translate implements vg.Canvas.
func (c snapped) Translate(by vg.Point) { c.Canvas.Translate(c.point(by)) }

// Stroke implements vg.Canvas.
func (c snapped) Stroke(path vg.Path) { c.Canvas.Stroke(c.path(path)) }

// Fill implements vg.Canvas.
func (c snapped) Fill(path vg.Path) { c.Canvas.Fill(c.path(path)) }

// FillString implements vg.Canvas.
func (c snapped) FillString(face font.Face, at vg.Point, text string) {
	if c.on.scale != 1 {
		size := vg.Length(face.Font.Size * c.on.scale)
		face = font.DefaultCache.Lookup(face.Font, size)
	}
	c.Canvas.FillString(face, c.point(at), text)
}

// DrawImage implements vg.Canvas.
func (c snapped) DrawImage(in vg.Rectangle, img image.Image) {
	c.Canvas.DrawImage(vg.Rectangle{Min: c.point(in.Min), Max: c.point(in.Max)}, img)
}

// variantOn is the kind of letters that a canvas is written on with.
func variantOn(c vg.Canvas) font.Variant {
	for {
		switch at := c.(type) {
		case draw.Canvas:
			c = at.Canvas
		case *draw.Canvas:
			c = at.Canvas
		case snapped:
			return at.on.variant
		default:
			return screen.variant
		}
	}
}
