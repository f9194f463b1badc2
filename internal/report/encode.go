package report

import (
	"bytes"
	"regexp"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The library names one font; Liberation Sans has the widths of Arial and Helvetica, Liberation
// Serif those of Times, one of which every viewer has.
var forViewers = strings.NewReplacer(
	"font-family:Liberation Sans;"+noVariant,
	"font-family:'Liberation Sans',Arial,Helvetica,sans-serif;",
	"font-family:Liberation Serif;"+noVariant,
	"font-family:'Liberation Serif','Times New Roman',Times,serif;",
	// The library calls its images JPEG, and leaves viewers to blur the edges of their pixels.
	`xlink:href="data:image/jpg;base64,`,
	`style="image-rendering:pixelated" xlink:href="data:image/png;base64,`,
)

const noVariant = "font-variant:normal;font-weight:normal;font-style:normal;"

// size is that of the file.
func (p *page) size() (width, height vg.Length) {
	return vg.Length(p.on.width * p.on.scale), vg.Length(p.split().height * p.on.scale)
}

// drawOn draws the page on the canvas of a format.
func (p *page) drawOn(c vg.Canvas) {
	p.draw(draw.NewCanvas(snapped{c, p.on}, p.on.width, p.split().height))
}

// svg draws the page as SVG. Equal pages give equal bytes.
func (p *page) svg() ([]byte, error) {
	var out bytes.Buffer
	c := vgsvg.New(p.size())
	p.compact = true
	defer func() { p.compact = false }()
	p.drawOn(c)
	if _, err := c.WriteTo(&out); err != nil {
		return nil, err
	}
	return []byte(forViewers.Replace(out.String())), nil
}

// png draws the page as PNG, and notes which characters its font lacks. Equal pages give equal
// bytes.
func (p *page) png() ([]byte, error) {
	var out bytes.Buffer
	p.missing = nil
	c := pngCanvas{PngCanvas: vgimg.PngCanvas{Canvas: vgimg.NewWith(
		vgimg.UseWH(p.size()), vgimg.UseDPI(p.on.dpi))}, missing: &p.missing}
	p.drawOn(c)
	_, err := c.WriteTo(&out)
	return out.Bytes(), err
}

// dates are those at which a PDF says that it was made.
var dates = regexp.MustCompile(`\(D:\d{14}\)`)

// pdf draws the page as PDF, with letters as shapes: the file needs no font, and shows every
// character that a PNG does. Equal pages give equal bytes.
func (p *page) pdf() ([]byte, error) {
	var out bytes.Buffer
	c := vgpdf.New(p.size())
	p.compact = true
	defer func() { p.compact = false }()
	p.drawOn(outlined{c})
	_, err := c.WriteTo(&out)
	return dates.ReplaceAll(out.Bytes(), []byte("(D:20000101000000)")), err
}
