package report

import (
	"image"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// snapped moves what is drawn to a grid of 2^-20 points. The library computes positions with
// products and sums that some processors fuse; the last digits, which differ by that, end here, so
// that a number that lies between two printed ones is rounded the same way everywhere.
type snapped struct{ vg.Canvas }

func snap(x vg.Length) vg.Length {
	const grid = 1 << 20
	return vg.Length(math.Round(float64(x)*grid) / grid)
}

func snapPoint(p vg.Point) vg.Point { return vg.Point{X: snap(p.X), Y: snap(p.Y)} }

func snapPath(path vg.Path) vg.Path {
	out := make(vg.Path, len(path))
	for i, part := range path {
		part.Pos, part.Radius = snapPoint(part.Pos), snap(part.Radius)
		control := make([]vg.Point, len(part.Control))
		for k, p := range part.Control {
			control[k] = snapPoint(p)
		}
		part.Control = control
		out[i] = part
	}
	return out
}

// Translate implements vg.Canvas.
func (c snapped) Translate(by vg.Point) { c.Canvas.Translate(snapPoint(by)) }

// Stroke implements vg.Canvas.
func (c snapped) Stroke(path vg.Path) { c.Canvas.Stroke(snapPath(path)) }

// Fill implements vg.Canvas.
func (c snapped) Fill(path vg.Path) { c.Canvas.Fill(snapPath(path)) }

// FillString implements vg.Canvas.
func (c snapped) FillString(face font.Face, at vg.Point, text string) {
	c.Canvas.FillString(face, snapPoint(at), text)
}

// DrawImage implements vg.Canvas.
func (c snapped) DrawImage(in vg.Rectangle, img image.Image) {
	c.Canvas.DrawImage(vg.Rectangle{Min: snapPoint(in.Min), Max: snapPoint(in.Max)}, img)
}
