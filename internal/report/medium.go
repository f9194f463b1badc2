package report

import (
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"sdrsim/internal/figure"
)

// medium is what a figure is drawn for: the size of the page that is laid out, and by what all of
// it, text and lines too, is scaled in the file.
type medium struct {
	width, height vg.Length
	scale         vg.Length
	variant       font.Variant
	dpi           int
	// captioned figures have title and notes in the caption of a paper.
	captioned bool
}

// screen is a page of 550 by 350 points, 1100 by 700 pixels.
var screen = medium{
	width: pageWidth, height: pageHeight, scale: 1, variant: "Sans", dpi: pageDPI,
}

// The columns of an article: those of the IEEE are 3.5 inches wide, and with what is between them
// 7.16. Axes are labelled in 8 points, as captions are; ticks in 7.2.
const (
	oneColumn  vg.Length = 3.5 * vg.Inch
	twoColumns vg.Length = 7.16 * vg.Inch
	paperLabel vg.Length = 8
)

// onPaper is a page of a width; it is as high as two thirds of a column.
func onPaper(width vg.Length) medium {
	m := medium{scale: paperLabel / labelSize, variant: "Serif", dpi: 300, captioned: true}
	m.width = vg.Length(width / m.scale)
	m.height = vg.Length(0.66 * oneColumn / m.scale)
	return m
}

// medium is that of the figure.
func (f *drawing) medium() medium {
	switch {
	case f.Style != figure.StylePaper:
		return screen
	case f.Width == figure.WidthTwoColumns:
		return onPaper(twoColumns)
	}
	return onPaper(oneColumn)
}

// newPage begins the page of a figure.
func (f *drawing) newPage(sel *selection) *page {
	return &page{title: f.Title, subtitle: f.subtitle(sel), on: f.medium()}
}

// margin is the space around the regions; a paper has its own.
func (m medium) margin() vg.Length {
	if m.captioned {
		return 2
	}
	return margin
}

// acrossWidth is how wide a plot is about.
func (m medium) acrossWidth() vg.Length { return vg.Length(0.75 * m.width) }

// acrossSize and upSize tell how much of a plot's width and height a label takes, with a space.
func (m medium) acrossSize(label string) float64 {
	return float64((textStyle(tickSize, ink).Width(label) + 6) / m.acrossWidth())
}

func (m medium) upSize(string) float64 {
	return float64(tickSize * 1.2 / vg.Length(0.6*m.height))
}

// beyond is by how much the number above a bar may be wider than the bar.
func (m medium) beyond() vg.Length {
	if m.captioned {
		return 1
	}
	return 1.6
}
