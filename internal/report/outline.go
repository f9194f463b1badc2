package report

import (
	"image/color"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// outlined draws letters as shapes.
type outlined struct{ vg.Canvas }

// SetColor implements vg.Canvas. The library takes the channels of a color for its paint, which are
// darkened by how clear it is.
func (c outlined) SetColor(paint color.Color) {
	c.Canvas.SetColor(straight{color.NRGBAModel.Convert(paint).(color.NRGBA)})
}

// straight is a color whose channels are not darkened.
type straight struct{ color.NRGBA }

// RGBA implements color.Color.
func (c straight) RGBA() (r, g, b, a uint32) {
	const full = 0x101 // from 8 to 16 bits
	return full * uint32(c.R), full * uint32(c.G), full * uint32(c.B), full * uint32(c.A)
}

// FillString implements vg.Canvas.
func (c outlined) FillString(face font.Face, at vg.Point, text string) {
	text = drawable(face, text)
	var buffer sfnt.Buffer
	for i, r := range text {
		glyph, err := face.Face.GlyphIndex(&buffer, r)
		if err != nil {
			continue
		}
		// At a size of so many units to the em, coordinates are those of the font file.
		em := fixed.Int26_6(face.Face.UnitsPerEm()) << 6
		segments, err := face.Face.LoadGlyph(&buffer, glyph, em, nil)
		if err != nil {
			continue
		}
		origin := at.Add(vg.Point{X: face.Width(text[:i])})
		size := vg.Length(face.Font.Size / vg.Length(face.Face.UnitsPerEm()))
		if path := letter(segments, origin, size); len(path) > 0 {
			c.Fill(path)
		}
	}
}

// letter is the shape of one letter.
func letter(segments sfnt.Segments, origin vg.Point, size vg.Length) (path vg.Path) {
	at := func(p fixed.Point26_6) vg.Point { // y goes down in a font
		x, y := vg.Length(vg.Length(p.X)/64*size), vg.Length(vg.Length(p.Y)/64*size)
		return vg.Point{X: snap(origin.X + x), Y: snap(origin.Y - y)}
	}
	for _, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if len(path) > 0 {
				path.Close()
			}
			path.Move(at(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(at(s.Args[0]), at(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
		}
	}
	if len(path) > 0 {
		path.Close()
	}
	return path
}
