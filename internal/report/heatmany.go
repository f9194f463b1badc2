package report

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg/draw"
)

// A heat map of more cells than manyCells has dots as its marks, no texts, and is one image where
// it would be a rectangle for each cell otherwise.
const manyCells = 2000

func (h heat) many() bool { return len(h.cells) > manyCells }

// perCell is how many pixels a cell with a dot has across; the dot is the one in the middle.
const perCell = 3

// eachDot calls with every cell that is in doubt, and the colour of its dot.
func (h heat) eachDot(do func(cell heatCell, ink color.NRGBA)) {
	for _, cell := range h.cells {
		if colour, ok := h.ramp.colour(cell.est.Value); ok && cell.marked() {
			do(cell, inkOn(colour))
		}
	}
}

// dots marks the cells that are in doubt by the middle third of each.
func (h heat) dots(c *draw.Canvas) {
	across, up := float64(h.page.x.width/perCell/2), float64(h.page.y.width/perCell/2)
	h.eachDot(func(cell heatCell, ink color.NRGBA) {
		x, y := h.page.x.places[cell.x.Text], h.page.y.places[cell.y.Text]
		c.FillPolygon(ink, corners(rectangle(c, span{x - across, x + across}, span{y - up, y + up})))
	})
}

// image is the map in as few pixels as show every cell: one each, or perCell times perCell where
// there are dots.
func (h heat) image() image.Image {
	columns, rows := len(h.page.x.places), len(h.page.y.places)
	side := 1
	h.eachDot(func(heatCell, color.NRGBA) { side = perCell })
	img := image.NewNRGBA(image.Rect(0, 0, columns*side, rows*side))
	// corner is the pixel at the upper left of a cell: rows of an image go down.
	corner := func(cell heatCell) (x, y int) {
		column := int(math.Floor(float64(h.page.x.places[cell.x.Text] * float64(columns))))
		row := int(math.Floor(float64(h.page.y.places[cell.y.Text] * float64(rows))))
		return column * side, (rows - 1 - row) * side
	}
	for _, cell := range h.cells {
		colour, _ := h.ramp.colour(cell.est.Value)
		x, y := corner(cell)
		for dy := range side {
			for dx := range side {
				img.SetNRGBA(x+dx, y+dy, colour)
			}
		}
	}
	h.eachDot(func(cell heatCell, ink color.NRGBA) {
		x, y := corner(cell)
		img.SetNRGBA(x+side/2, y+side/2, ink)
	})
	return img
}
