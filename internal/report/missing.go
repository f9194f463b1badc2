package report

import (
	"slices"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// replacement stands for a character that a font lacks.
const replacement = '□'

// lacks reports whether a face has no glyph for a character.
func lacks(face font.Face, r rune) bool {
	at, err := face.Face.GlyphIndex(nil, r)
	return err != nil || at == 0
}

// drawable is the text with a replacement for every character that the face lacks, which would
// leave no trace. An SVG keeps the text as it is: a viewer has other fonts.
func drawable(face font.Face, text string) string {
	return strings.Map(func(r rune) rune {
		if lacks(face, r) {
			return replacement
		}
		return r
	}, text)
}

// pngCanvas draws an image; it collects the characters that its font lacks.
type pngCanvas struct {
	vgimg.PngCanvas
	missing *[]rune
}

// FillString implements vg.Canvas.
func (c pngCanvas) FillString(face font.Face, at vg.Point, text string) {
	for _, r := range text {
		if lacks(face, r) && !slices.Contains(*c.missing, r) {
			*c.missing = append(*c.missing, r)
		}
	}
	c.PngCanvas.FillString(face, at, drawable(face, text))
}

// maxMissing is how many characters a warning lists.
const maxMissing = 10

// missingText warns of characters that an image does not show; empty where there are none.
func missingText(missing []rune) string {
	if len(missing) == 0 {
		return ""
	}
	shown, more := missing, ""
	if len(shown) > maxMissing {
		shown, more = shown[:maxMissing], "…"
	}
	return "the font of the PNG lacks " + string(shown) + more + ", drawn as " +
		string(replacement) + "; the SVG has the text"
}
