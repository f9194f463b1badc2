package report

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sdrsim/internal/figure"
	"sdrsim/internal/result"
)

// bigMap is a table of columns by rows points, of which some are in doubt and some have no value.
// All its values differ.
func bigMap(columns, rows int) (result.Table, figure.Figure) {
	t := result.Table{Paths: []string{"message.size", "link.loss.p"}}
	for y := range rows {
		for x := range columns {
			r := result.NewRow([]result.AxisValue{number("message.size", float64(1000*(y+1))),
				number("link.loss.p", float64(x+1)/1e4)}, "sr-rto")
			r.Samples = 1000
			r.CompletionMean = 1e-6 * (1 + float64((7919*(y*columns+x))%(columns*rows)))
			r.CompletionMeanLo, r.CompletionMeanHi = r.CompletionMean*0.98, r.CompletionMean*1.02
			switch (x + 3*y) % 13 {
			case 0:
				r.Samples, r.CompletionMeanLo, r.CompletionMeanHi = 1, math.NaN(), math.NaN()
			case 5:
				r.CompletionMean = math.NaN()
				r.CompletionMeanLo, r.CompletionMeanHi = math.NaN(), math.NaN()
			}
			t.Rows = append(t.Rows, r)
		}
	}
	return t, figure.Figure{Kind: figure.Heatmap, Name: "big", X: "link.loss.p", Y: "message.size",
		Value: "completion", Schemes: []string{"sr-rto"}}
}

var imageTag = regexp.MustCompile(`<image x="([^"]+)" y="([^"]+)" width="([^"]+)" ` +
	`height="([^"]+)" style="image-rendering:pixelated" ` +
	`xlink:href="data:image/png;base64,([^"]+)"`)

// embedded is the one image of an SVG, with its left and lower edge and its size in points.
func embedded(t *testing.T, svg []byte) (img image.Image, at [4]float64) {
	t.Helper()
	tags := imageTag.FindAllSubmatch(svg, -1)
	if len(tags) != 1 {
		t.Fatalf("%d images", len(tags))
	}
	for i := range at {
		at[i], _ = strconv.ParseFloat(string(tags[0][i+1]), 64)
	}
	at[1] = -at[1] - at[3] // the page counts upwards, the image is turned
	data, err := base64.StdEncoding.DecodeString(string(tags[0][5]))
	if err != nil {
		t.Fatal(err)
	}
	if img, err = png.Decode(bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	return img, at
}

// drawn composes and draws a map twice: equal maps give equal bytes.
func drawn(t *testing.T, columns, rows int) (p *page, svg, picture []byte) {
	t.Helper()
	table, fig := bigMap(columns, rows)
	for range 2 {
		var n *notes
		p, n = compose(t, table, fig)
		if foot := strings.Join(n.foot, " "); !strings.Contains(foot, "Grey: no value in") {
			t.Errorf("the missing are not noted: %q", foot)
		}
		again, err := p.svg()
		if err != nil {
			t.Fatal(err)
		}
		if svg != nil && !bytes.Equal(again, svg) {
			t.Error("an equal map has other bytes")
		}
		svg = again
	}
	picture, err := p.png()
	if err != nil {
		t.Fatal(err)
	}
	return p, svg, picture
}

func TestLargeHeatMapIsASmallFile(t *testing.T) {
	table, fig := bigMap(400, 250)
	p, _ := compose(t, table, fig)
	svg, err := p.svg()
	if err != nil {
		t.Fatal(err)
	}
	if len(svg) > 1_000_000 {
		t.Errorf("100 000 cells take %d bytes", len(svg))
	}
	if img, _ := embedded(t, svg); img.Bounds().Dx() != 1200 || img.Bounds().Dy() != 750 {
		t.Errorf("the image has %v", img.Bounds())
	}
}

// TestImageOfCellsHasTheColoursOfThePicture compares every cell of the embedded image with the
// ramp, and with the PNG, in which each is a rectangle.
func TestImageOfCellsHasTheColoursOfThePicture(t *testing.T) {
	const columns, rows = 56, 40
	p, svg, picture := drawn(t, columns, rows)
	img, at := embedded(t, svg)
	whole, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	const scale = pageDPI / 72.0
	h, dots, missing := p.body[0].(heat), 0, 0
	for i, cell := range h.cells {
		x, y := i%columns, i/columns
		want, ok := h.ramp.colour(cell.est.Value)
		left, top := perCell*x, perCell*(rows-1-y)
		if got := img.At(left, top); !sameColour(got, want) {
			t.Fatalf("cell %d, %d is %v, want %v", x, y, got, want)
		}
		mark := want
		if !ok {
			missing++
		} else if cell.doubtful {
			dots++
			mark = inkOn(want)
		}
		if got := img.At(left+1, top+1); !sameColour(got, mark) {
			t.Fatalf("the middle of cell %d, %d is %v, want %v", x, y, got, mark)
		}
		px := scale * (at[0] + at[2]*(float64(x)+0.5)/columns)
		py := scale * (float64(pageHeight) - at[1] - at[3]*(float64(y)+0.5)/rows)
		if got := whole.At(int(px), int(py)); !sameColour(got, mark) {
			t.Fatalf("cell %d, %d of the PNG is %v, want %v", x, y, got, mark)
		}
	}
	if dots == 0 || missing == 0 {
		t.Errorf("%d dots, %d missing cells", dots, missing)
	}
	if !strings.Contains(string(svg), ">Dotted:") {
		t.Error("no note tells what the dots are")
	}
}

func sameColour(a, b color.Color) bool {
	ar, ag, ab, aa := a.RGBA()
	br, bg, bb, ba := b.RGBA()
	return ar == br && ag == bg && ab == bb && aa == ba
}

func TestHeatMapWithoutDoubtsIsAPixelForEachCell(t *testing.T) {
	table, fig := bigMap(60, 40)
	for i := range table.Rows {
		table.Rows[i].Samples = 1000
	}
	p, _ := compose(t, table, fig)
	svg, err := p.svg()
	if err != nil {
		t.Fatal(err)
	}
	if img, _ := embedded(t, svg); img.Bounds() != image.Rect(0, 0, 60, 40) {
		t.Errorf("the image has %v", img.Bounds())
	}
}

// Small maps are rectangles, as they have been, with dashes inside of cells of whatever size.
func TestSmallHeatMapsAreRectangles(t *testing.T) {
	for _, size := range [][2]int{{20, 10}, {2, 900}} {
		_, svg, _ := drawn(t, size[0], size[1])
		if imageTag.Match(svg) {
			t.Errorf("%d cells are an image", size[0]*size[1])
		}
		if !strings.Contains(string(svg), ">Dashed:") {
			t.Error("no note tells what is dashed")
		}
	}
}
