package report

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sdrsim/internal/figure"
	"sdrsim/internal/result"
)

// paperFigures are of every kind that a table of two paths can show, on paper.
func paperFigures(width string) []figure.Figure {
	figures := []figure.Figure{
		{Kind: figure.Line, Name: "line", X: "p", Where: []figure.AxisMatch{{Path: "size",
			Text: "1024"}}},
		{Kind: figure.Bar, Name: "bar", X: "size", Y: "goodput", Where: []figure.AxisMatch{{Path: "p",
			Text: "0.1"}}},
		{Kind: figure.Heatmap, Name: "map", Value: "speedup", Over: "a", Of: "b"},
	}
	for i := range figures {
		figures[i].Style, figures[i].Width = figure.StylePaper, width
		figures[i].Title = "A title that goes to the caption"
	}
	return figures
}

func paperTable() result.Table {
	t := result.Table{Paths: []string{"p", "size"}}
	for _, p := range []float64{0.001, 0.01, 0.1} {
		for _, size := range []float64{1024, 4096} {
			for k, scheme := range []string{"a", "b"} {
				r := result.NewRow([]result.AxisValue{
					{Path: "p", Text: fmt.Sprint(p), Number: p},
					{Path: "size", Text: fmt.Sprint(size), Number: size},
				}, scheme)
				r.Samples, r.CompletionMean = 100, 1e-3*(1+p*float64(k+1)+size/1e5)
				r.CompletionMeanLo, r.CompletionMeanHi = r.CompletionMean*0.9, r.CompletionMean*1.1
				r.Goodput = 8 * size / r.CompletionMean
				t.Rows = append(t.Rows, r)
			}
		}
	}
	return t
}

// TestFiguresForAPaperHaveTheSizeOfItsColumns looks at the boxes of the PDF, and at the sizes of
// text in the SVG.
func TestFiguresForAPaperHaveTheSizeOfItsColumns(t *testing.T) {
	for width, inches := range map[string]float64{figure.WidthOneColumn: 3.5,
		figure.WidthTwoColumns: 7.16} {
		for _, f := range paperFigures(width) {
			dir := t.TempDir()
			if _, err := Draw(dir, paperTable(), f); err != nil {
				t.Fatal(err)
			}
			name := filepath.Join(dir, f.Name)
			pdf, err := os.ReadFile(name + ".pdf")
			if err != nil {
				t.Fatal(err)
			}
			box := regexp.MustCompile(`/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]`).FindSubmatch(pdf)
			if box == nil {
				t.Fatalf("%s: no box", f.Name)
			}
			if want := fmt.Sprintf("%.2f", inches*72); string(box[1]) != want {
				t.Errorf("%s is %s points wide, want %s", f.Name, box[1], want)
			}
			svg, err := os.ReadFile(name + ".svg")
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(svg), "caption") {
				t.Errorf("%s has its title above it", f.Name)
			}
			if !strings.Contains(string(svg), "'Times New Roman'") ||
				strings.Contains(string(svg), "Arial") {
				t.Errorf("%s is not in the type of an article", f.Name)
			}
			if !regexp.MustCompile(`font-size:8(\.0+)?px`).Match(svg) {
				t.Errorf("%s has no labels of 8 points: %s", f.Name,
					regexp.MustCompile(`font-size:[^;"]*`).FindAllString(string(svg), 3))
			}
		}
	}
}

// TestPDFIsTheSameEachTime draws the same twice, in other places.
func TestPDFIsTheSameEachTime(t *testing.T) {
	for _, f := range paperFigures(figure.WidthOneColumn) {
		var drawn [2][]byte
		for i := range drawn {
			dir := t.TempDir()
			if _, err := Draw(dir, paperTable(), f); err != nil {
				t.Fatal(err)
			}
			drawn[i], _ = os.ReadFile(filepath.Join(dir, f.Name+".pdf"))
		}
		if len(drawn[0]) == 0 || !bytes.Equal(drawn[0], drawn[1]) {
			t.Errorf("%s: %d bytes, then other %d", f.Name, len(drawn[0]), len(drawn[1]))
		}
		if !bytes.HasPrefix(drawn[0], []byte("%PDF-")) || bytes.Contains(drawn[0], []byte("/FontFile")) {
			t.Errorf("%s is no PDF without fonts", f.Name)
		}
	}
}

// TestPDFOfAPaperIsAResultAndAnyOtherIsTheUsers writes over results with a PDF of the user in them.
func TestPDFOfAPaperIsAResultAndAnyOtherIsTheUsers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	write := func(figures []figure.Figure) Outcome {
		out, err := WriteResult(dir, Result{
			Manifest: Manifest{Name: "n", Figures: figures}, Table: paperTable(),
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if out := write(paperFigures(figure.WidthOneColumn)); !slices.Contains(out.Files, "line.pdf") {
		t.Errorf("wrote %q", out.Files)
	}
	screen := paperFigures("")
	for i := range screen {
		screen[i].Style = ""
	}
	t.Log("# a former PDF goes with its figure")
	write(screen)
	if _, err := os.Stat(filepath.Join(dir, "line.pdf")); err == nil {
		t.Error("the PDF of a figure that has none any more is still there")
	}
	t.Log("# one of the user stays")
	mine := filepath.Join(dir, "line.pdf")
	if err := os.WriteFile(mine, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	write(screen)
	if data, _ := os.ReadFile(mine); string(data) != "mine" {
		t.Error("the file of the user is gone")
	}
	if err := CheckTarget(dir, FilesOf(paperFigures(""), paperTable())...); err == nil ||
		!strings.Contains(err.Error(), "line.pdf is not a result") {
		t.Errorf("error %v", err)
	}
}
