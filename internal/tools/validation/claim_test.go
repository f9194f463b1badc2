package validation

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sdrsim/internal/report"
	"sdrsim/internal/result"
	"sdrsim/schemes/model"
)

// results writes a table as the results of a scenario, and returns the folder that Page takes.
func results(t *testing.T, name string, rows []result.Row) string {
	t.Helper()
	dir := t.TempDir()
	folder := filepath.Join(dir, filepath.FromSlash(name))
	res := report.Result{Table: result.Table{Rows: rows}}
	if _, err := report.WriteResult(folder, res); err != nil {
		t.Fatal(err)
	}
	return dir
}

// formRows are the points of a sweep over the drop rate with means that are the model's times
// scale, and intervals of 2 %.
func formRows(scale float64) []result.Row {
	var rows []result.Row
	for _, p := range []string{"1e-6", "1e-4", "1e-3", "1e-2"} {
		for _, scheme := range []string{"sr-rto", "sr-nack", "ec-mds", "ec-xor"} {
			number := map[string]float64{"1e-6": 1e-6, "1e-4": 1e-4, "1e-3": 1e-3, "1e-2": 1e-2}[p]
			r := result.NewRow([]result.AxisValue{{Path: onLoss, Text: p, Number: number}}, scheme)
			r.Samples = 100_000
			r.CompletionMean = scale * paper.at(&r).meanOf(scheme).Seconds
			r.CompletionMeanLo, r.CompletionMeanHi = 0.99*r.CompletionMean, 1.01*r.CompletionMean
			rows = append(rows, r)
		}
	}
	return rows
}

func TestExactPointsAgreeWithTheFormItself(t *testing.T) {
	b := newBook(results(t, "paper/fig10b", formRows(1)))
	c := exactPoints(b, swept{"paper/fig10b", paper}, "sr-rto")
	if c.points != 4 || c.within5 != 4 || c.tested == 0 || c.inside != c.tested {
		t.Errorf("%+v", c)
	}
	if c.verdict() != holds {
		t.Errorf("verdict %s", c.verdict())
	}
}

// Means of codes are compared with the form of their receiver, which waits for no parity that it
// does not need; one that waits for all would be seen.
func TestExactPointsOfCodesAreThoseOfTheirReceiver(t *testing.T) {
	for scheme, scale := range map[string]float64{"ec-mds": 1, "ec-xor": 1.06} {
		rows := formRows(1)
		for i := range rows {
			r := &rows[i]
			r.CompletionMean = scale * paper.at(r).formOf(r.Scheme).Seconds
			r.CompletionMeanLo, r.CompletionMeanHi = 0.999*r.CompletionMean, 1.001*r.CompletionMean
			if scale != 1 { // a bias is excused where the interval is as wide, and nowhere else
				r.CompletionMeanLo, r.CompletionMeanHi = 0.9*r.CompletionMean, 1.1*r.CompletionMean
			}
		}
		c := exactPoints(newBook(results(t, "paper/fig3c", rows)), swept{"paper/fig3c", paper}, scheme)
		if c.points != 4 || c.within5+c.wide != 4 || (scale == 1) != (c.wide == 0) ||
			c.verdict() != holds {
			t.Errorf("%s: %+v, %s", scheme, c, c.verdict())
		}
	}
	c := exactPoints(newBook(results(t, "paper/fig3c", formRows(1))), swept{"paper/fig3c", paper},
		"ec-mds")
	if c.verdict() != differs || c.worst < 0.01 {
		t.Errorf("a receiver that waits for all parity: %+v, %s", c, c.verdict())
	}
}

func TestExactPointsSeeABiasBeyondTheInterval(t *testing.T) {
	for scale, within := range map[float64]int{1.03: 4, 0.97: 4, 1.06: 0} {
		b := newBook(results(t, "paper/fig10b", formRows(scale)))
		c := exactPoints(b, swept{"paper/fig10b", paper}, "sr-rto")
		if c.inside != 0 || c.within5 != within || c.verdict() != differs {
			t.Errorf("scale %v: %+v, %s", scale, c, c.verdict())
		}
		if math.Abs(c.worst-(scale-1)) > 1e-9 {
			t.Errorf("scale %v: largest difference %v", scale, c.worst)
		}
	}
}

func TestBoundsSeeMeansOutside(t *testing.T) {
	sweep := 0
	for i := range sweeps {
		if sweeps[i].table == "paper/fig10b" {
			sweep = i
		}
	}
	for _, c := range []struct {
		scale        float64
		below, above bool
	}{{1, false, false}, {0.8, true, false}, {1.2, false, true}} {
		b := newBook(results(t, "paper/fig10b", formRows(c.scale)))
		got := boundsOf(b, sweep, "ec-mds", codeLimits(model.MDS))
		if got.points == 0 || got.below > 0 != c.below || got.above > 0 != c.above {
			t.Errorf("scale %v: %+v", c.scale, got)
		}
	}
}

// A mean that its row doubts is counted among the exact points, and its interval is not tested.
func TestDoubtfulMeansAreNotTested(t *testing.T) {
	rows := formRows(1)
	for i := range rows {
		if rows[i].Scheme == "sr-rto" {
			rows[i].Warnings = []string{"mean: 3 of 100 samples carry it, fewer than 20"}
			break
		}
	}
	b := newBook(results(t, "paper/fig3c", rows))
	for _, of := range sweeps {
		if of.table != "paper/fig3c" {
			continue
		}
		if c := exactPoints(b, of, "sr-rto"); c.points == 0 || c.tested != c.points-1 {
			t.Errorf("%+v, want all but one of the points tested", c)
		}
	}
}

func TestWithoutResultsNothingIsJudged(t *testing.T) {
	page, err := Page(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]claim{motivation, comparison, endpoint} {
		for i := range list {
			b := newBook(t.TempDir())
			if f := list[i].judged(b); f.verdict != notRun {
				t.Errorf("%s: %q is judged %s without results", list[i].where, list[i].says, f.verdict)
			}
		}
	}
	if strings.Contains(page, "| "+string(holds)) || !strings.Contains(page, string(notRun)) {
		t.Errorf("a page without results has verdicts:\n%s", page)
	}
}

func TestDamagedResultsAreAnError(t *testing.T) {
	dir := results(t, "paper/fig9", formRows(1))
	file := filepath.Join(dir, "paper", "fig9", report.PointsFile)
	if err := os.WriteFile(file, []byte("what,is,this\n1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Page(dir); err == nil {
		t.Error("no error")
	}
}

func TestCrossingIsInterpolated(t *testing.T) {
	xs := []float64{1, 10, 100}
	for _, c := range []struct {
		ys    []float64
		level float64
		want  float64
	}{
		{[]float64{0, 1, 3}, 2, math.Sqrt(1000)},
		{[]float64{0, 1, 3}, 1, 10},
		{[]float64{0, 1, 3}, 4, math.NaN()},
		{[]float64{3, 1, 0}, 2, math.NaN()},
	} {
		got := crossing(xs, c.ys, c.level)
		if math.Abs(got-c.want) > 1e-9 || math.IsNaN(got) != math.IsNaN(c.want) {
			t.Errorf("%v through %v at %v, want %v", c.ys, c.level, got, c.want)
		}
	}
}

func TestNumbersHaveThreeDigits(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0.00", 1: "1.00", 0.0123: "0.0123", 12.345: "12.3", 123.4: "123", 0.00064: "0.00064",
		1234: "1234", math.NaN(): "?",
	} {
		if got := show(x); got != want {
			t.Errorf("show(%v) = %q, want %q", x, got, want)
		}
	}
}
