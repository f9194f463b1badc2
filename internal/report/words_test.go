package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"sdrsim/internal/figure"

	"gonum.org/v1/plot/vg"
	"sdrsim/internal/result"
)

// placesTable makes a table over named points and the loss, of schemes with long labels.
func placesTable(count int) result.Table {
	t := result.Table{Paths: []string{"point", "link.loss.p"}}
	for i := range count {
		name := fmt.Sprintf("a-place-with-a-name-of-very-many-letters-somewhere-in-the-ocean-%d", i)
		for _, p := range []float64{1e-3, 1e-2} {
			axes := []result.AxisValue{word("point", name), number("link.loss.p", p)}
			for _, s := range []string{"sr-rto", "a-label-of-twenty-two"} {
				t.Rows = append(t.Rows, syntheticRow(axes, s, 0.0277, p, 32768))
			}
		}
	}
	return t
}

func TestLongNamesDoNotOverlap(t *testing.T) {
	where := []figure.AxisMatch{{Path: "link.loss.p", Text: "0.01"}}
	one := []string{"sr-rto"}
	for _, fig := range []figure.Figure{
		{Kind: figure.Bar, X: "point", Where: where},
		{Kind: figure.Line, X: "point", Where: where},
		{Kind: figure.Heatmap, X: "point", Y: "link.loss.p", Schemes: one},
		{Kind: figure.Heatmap, X: "link.loss.p", Y: "point", Schemes: one},
	} {
		for _, count := range []int{2, 3, 5, 9} {
			p, _ := compose(t, placesTable(count), fig)
			sty := textStyle(tickSize, ink)
			for i := 1; i < len(p.x.ticks); i++ {
				a, b := p.x.ticks[i-1], p.x.ticks[i]
				apart := vg.Length(b.Value-a.Value) * p.dataWidth()
				if (sty.Width(a.Label)+sty.Width(b.Label))/2 > apart {
					t.Errorf("%s of %d: %q and %q overlap", fig.Kind, count, a.Label, b.Label)
				}
			}
			named := p.x.ticks
			if fig.Y == "point" {
				named = p.y.ticks
			}
			seen := map[string]bool{}
			for _, tick := range named {
				if seen[tick.Label] || !strings.Contains(tick.Label, "…") {
					t.Errorf("%s of %d: label %q", fig.Kind, count, tick.Label)
				}
				seen[tick.Label] = true
			}
			if p.dataWidth() < pageWidth/3 {
				t.Errorf("%s of %d: labels leave %v for the values", fig.Kind, count, p.dataWidth())
			}
		}
	}
}

// The fonts of an image lack most scripts. What they lack must be seen to be there.
func TestCharactersWithoutGlyphAreReplacedAndNoted(t *testing.T) {
	dir := t.TempDir()
	draw := func(label string) (svg, png, warnings string) {
		rows := []result.Row{contender(label, 2, 1.9, 2.1), contender("b", 1, 0.9, 1.1)}
		w, err := Draw(dir, result.Table{Rows: rows},
			figure.Figure{Kind: figure.Bar, X: "scheme", Name: "f"})
		if err != nil {
			t.Fatal(err)
		}
		var files [2]string
		for i, suffix := range []string{".svg", ".png"} {
			b, err := os.ReadFile(filepath.Join(dir, "f"+suffix))
			if err != nil {
				t.Fatal(err)
			}
			files[i] = string(b)
		}
		return files[0], files[1], strings.Join(w, "; ")
	}
	svg, png, warnings := draw("世界世")
	const want = "the font of the PNG lacks 世界, drawn as □; the SVG has the text"
	if warnings != want {
		t.Errorf("warnings are %q, want %q", warnings, want)
	}
	if !strings.Contains(svg, "世界世") || !utf8.ValidString(svg) {
		t.Error("the SVG lacks the label")
	}
	_, replaced, none := draw("□□□")
	if png != replaced || none != "" {
		t.Errorf("the PNG differs from one of replacements; warnings %q", none)
	}
	if _, plain, _ := draw("aaa"); plain == png {
		t.Error("the PNG shows nothing")
	}
}
