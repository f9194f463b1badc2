package report

import (
	"image/color"
	"sort"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sdrsim/internal/portable"
	"sdrsim/internal/result"
)

// richText draws one line of text in which ^{..} is raised and _{..} lowered, both smaller. It
// works alike in PNG and SVG, where superscript characters do not.
type richText struct{ fonts *font.Cache }

var _ text.Handler = richText{}

// fragment is a part of a line at one height: raised is 1, 0 or -1.
type fragment struct {
	text   string
	raised int
}

// The size of raised and lowered text, and how far it moves, as parts of the font size.
const (
	smallSize = 0.72
	raiseBy   = 0.38
	lowerBy   = 0.18
)

// fragments splits a line. A brace that is not closed is text.
func fragments(line string) []fragment {
	var out []fragment
	add := func(s string, raised int) {
		if s != "" {
			out = append(out, fragment{s, raised})
		}
	}
	for {
		at := nextMark(line)
		if at < 0 {
			add(line, 0)
			return out
		}
		length := strings.IndexByte(line[at:], '}')
		if length < 0 {
			add(line, 0)
			return out
		}
		raised := 1
		if line[at] == '_' {
			raised = -1
		}
		add(line[:at], 0)
		add(line[at+2:at+length], raised)
		line = line[at+length+1:]
	}
}

// nextMark is the index of the first ^{ or _{, or -1.
func nextMark(line string) int {
	up, down := strings.Index(line, "^{"), strings.Index(line, "_{")
	if up < 0 || (down >= 0 && down < up) {
		return down
	}
	return up
}

func (f fragment) font(base font.Font) font.Font {
	if f.raised != 0 {
		base.Size *= smallSize
	}
	return base
}

func (f fragment) shift(size vg.Length) vg.Length {
	switch f.raised {
	case 1:
		return raiseBy * size
	case -1:
		return -lowerBy * size
	}
	return 0
}

// Cache returns the fonts.
func (h richText) Cache() *font.Cache { return h.fonts }

// Extents returns the extents of a font.
func (h richText) Extents(fnt font.Font) font.Extents {
	face := h.fonts.Lookup(fnt, fnt.Size)
	return face.Extents()
}

// Lines returns the text as one line.
func (h richText) Lines(txt string) []string { return []string{result.OneLine(txt)} }

// Box returns width, height above and depth below the baseline.
func (h richText) Box(txt string, fnt font.Font) (width, height, depth vg.Length) {
	for _, f := range fragments(txt) {
		small := f.font(fnt)
		face := h.fonts.Lookup(small, small.Size)
		width += face.Width(drawable(face, f.text))
	}
	ext := h.Extents(fnt)
	return width, ext.Ascent, ext.Descent
}

// Draw draws the text in the style, aligned to pt.
func (h richText) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	txt = result.OneLine(txt)
	if txt == "" {
		return
	}
	sty.Font.Variant = variantOn(c)
	c.SetColor(sty.Color)
	if sty.Rotation != 0 {
		c.Push()
		defer c.Pop()
		c.Rotate(sty.Rotation)
	}
	sin64, cos64 := portable.Sincos(sty.Rotation)
	sin, cos := vg.Length(sin64), vg.Length(cos64)
	pt.X, pt.Y = vg.Length(pt.X*cos)+vg.Length(pt.Y*sin), vg.Length(pt.Y*cos)-vg.Length(pt.X*sin)
	width, height, depth := h.Box(txt, sty.Font)
	pt.X += vg.Length(vg.Length(sty.XAlign) * width)
	// Axes place their labels as if a line were as high as its font size.
	pt.Y += vg.Length((height+depth)*vg.Length(sty.YAlign)) + sty.Font.Size - height
	for _, f := range fragments(txt) {
		small := f.font(sty.Font)
		face := h.fonts.Lookup(small, small.Size)
		c.FillString(face, pt.Add(vg.Point{Y: f.shift(sty.Font.Size)}), f.text)
		pt.X += face.Width(drawable(face, f.text))
	}
}

// textStyle is a style of the figure font.
func textStyle(size vg.Length, c color.Color) draw.TextStyle {
	return draw.TextStyle{
		Color:   c,
		Font:    font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size),
		Handler: richText{fonts: font.DefaultCache},
	}
}

// wrap breaks a text at spaces into lines no wider than width. A word that is wider gets a line of
// its own and is shortened.
func wrap(txt string, sty draw.TextStyle, width vg.Length) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(txt) {
		longer := strings.TrimSpace(line + " " + word)
		if line == "" || sty.Width(longer) <= width {
			line = longer
			continue
		}
		lines = append(lines, shorten(line, sty, width))
		line = word
	}
	return append(lines, shorten(line, sty, width))
}

// maxText is more characters than any text of a figure has room for. What is longer is cut before
// it is measured, for that takes time with its length.
const maxText = 1000

// shorten cuts a text to the width and marks the cut.
func shorten(txt string, sty draw.TextStyle, width vg.Length) string {
	runes := []rune(txt)
	if len(runes) <= maxText && sty.Width(txt) <= width {
		return txt
	}
	runes = runes[:min(len(runes), maxText)]
	// Longer texts are wider: find the shortest that is too wide.
	n := sort.Search(len(runes), func(n int) bool {
		return sty.Width(string(runes[:n+1])+"…") > width
	})
	return string(runes[:max(n, 1)]) + "…"
}
