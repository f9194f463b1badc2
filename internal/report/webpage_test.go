package report

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sdrsim/internal/figure"
	"sdrsim/internal/metric"
	"sdrsim/internal/result"
	"sdrsim/internal/web"
)

// contestants is a table of one path with the mean completion times of schemes at its values, in
// milliseconds; zero is unknown. Intervals are of one per cent.
func contestants(path string, schemes []string, times [][]float64) result.Table {
	t := result.Table{Paths: []string{path}}
	for i, at := range times {
		for k, ms := range at {
			p := math.Pow(10, float64(i-6))
			at := result.AxisValue{Path: path, Text: result.FormatNumber(p), Number: p}
			r := result.NewRow([]result.AxisValue{at}, schemes[k])
			r.Samples = 100
			if ms > 0 {
				r.CompletionMean = ms / 1e3
				r.CompletionMeanLo, r.CompletionMeanHi = r.CompletionMean*0.99, r.CompletionMean*1.01
			}
			t.Rows = append(t.Rows, r)
		}
	}
	return t
}

// said is the answer by the first contest as lines of text.
func said(t result.Table) (lines []string) {
	w := &webPage{t: t, sel: wholeSelection(t)}
	answers := w.answers()
	if len(answers) == 0 {
		return nil
	}
	for _, l := range answers[0].Lines {
		text := strings.Join(l.Winners, " and ") + " " + l.Verdict
		for _, part := range []string{l.Where, l.Doubt} {
			if part != "" {
				text += "; " + part
			}
		}
		lines = append(lines, strings.TrimSpace(text))
	}
	return lines
}

func TestAnswerTellsWinnersByRegion(t *testing.T) {
	ab := []string{"a", "b"}
	doubted := contestants("link.loss.p", ab, [][]float64{{10, 20}, {10, 30}})
	doubted.Rows[2].Warnings = []string{"mean: 3 of 100 samples carry it, fewer than 20"}
	failed := contestants("link.loss.p", ab, [][]float64{{10, 20}, {0, 0}})
	failed.Rows[0].Failed = 1
	for i := 2; i < 4; i++ {
		failed.Rows[i].Failed = failed.Rows[i].Samples
	}
	for _, c := range []struct {
		name  string
		table result.Table
		want  []string
	}{
		{"regions", contestants("link.loss.p", ab, [][]float64{{10, 20}, {10, 30}, {10, 10}, {40, 10}}),
			[]string{
				"a is best, by 2.00x to 3.00x; drop probability 10⁻⁶ to 10⁻⁵",
				"a and b tie: their 95 % intervals overlap; drop probability 10⁻⁴",
				"b is best, by 4.00x; drop probability 0.001",
			}},
		{"doubt", doubted, []string{"a is best, by 2.00x to 3.00x; drop probability 10⁻⁶ to 10⁻⁵; " +
			"too few samples to be sure at 1 of 2 points"}},
		{"failed samples never win", failed, []string{
			"b alone has a value; drop probability 10⁻⁶", "All failed; drop probability 10⁻⁵"}},
		{"one scheme", contestants("link.loss.p", ab[:1], [][]float64{{10}, {25}}),
			[]string{"a 10 ms to 25 ms"}},
		{"nothing varies", contestants("x", ab, [][]float64{{10, 15}}),
			[]string{"a is best, by 1.50x"}},
		{"nothing known", contestants("x", ab, [][]float64{{0, 0}}), nil},
	} {
		if got := said(c.table); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestAnswerOverManyPointsCounts has two paths, of which one has more values than lines of their
// own.
func TestAnswerOverManyPointsCounts(t *testing.T) {
	var many result.Table
	for size := range 9 {
		one := contestants("link.loss.p", []string{"a", "b"}, [][]float64{
			{10, 20}, {10, 10}, {30, 10}, {10, 40}, {10, 50}, {10, 60}, {10, 70}, {10, 80}, {10, 90},
			{10, 15},
		})
		many.Paths = []string{"link.loss.p", "message.size"}
		for _, r := range one.Rows {
			bytes := 1024 << size
			r.Axes = append(r.Axes, result.AxisValue{Path: "message.size", Text: fmt.Sprint(bytes),
				Number: float64(bytes)})
			many.Rows = append(many.Rows, r)
		}
	}
	want := []string{"a is best at 72 of 90 points, by 1.50x to 9.00x",
		"A tie at 9 of 90 points; within drop probability 10⁻⁵",
		"b is best at 9 of 90 points, by 3.00x; within drop probability 10⁻⁴"}
	if got := said(many); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestDoubtsNameWhatWarningsAreAbout counts rows, not warnings.
func TestDoubtsNameWhatWarningsAreAbout(t *testing.T) {
	table := contestants("link.loss.p", []string{"a", "b"}, [][]float64{{10, 20}, {10, 30}})
	table.Rows[1].Warnings = []string{"p99.9: few", "precision: missed"}
	table.Rows[2].Warnings = []string{"p99.9: none", "engine: odd"}
	table.Rows[3].Failed = 7
	table.Rows[3].Warnings = []string{"7 of 100 samples failed: retry limit", "nothing was delivered"}
	w := &webPage{t: table, sel: wholeSelection(table)}
	want := []string{
		"Samples failed in 1 of 4 rows. They are in no value, and a scheme that gave up some never " +
			"beats one that delivered. The first is b at drop probability 10⁻⁵: 7 of 100.",
		"Too few samples carry the p99.9 in 2 of 4 rows. The first is b at drop probability 10⁻⁶: " +
			"p99.9: few.",
		"The precision asked for is missed in 1 of 4 rows. The first is b at drop probability 10⁻⁶: " +
			"precision: missed.",
		"A warning (engine) in 1 of 4 rows. The first is a at drop probability 10⁻⁵: engine: odd.",
	}
	if got := w.doubts(); !slices.Equal(got, want) {
		t.Errorf("%q,\nwant %q", got, want)
	}
}

// dataOf is what a page gives its scripts.
func dataOf(t *testing.T, m Manifest, table result.Table) web.Data {
	t.Helper()
	content, err := webpage(m, table, "")
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`(?s)id="data">(.*?)</script>`).FindSubmatch(content)
	var d web.Data
	if err := json.Unmarshal(text[1], &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestPageHasEveryColumnWithTitleAndUnit reads the committed results of quickstart.
func TestPageHasEveryColumnWithTitleAndUnit(t *testing.T) {
	m, err := ReadManifest("../../results/quickstart")
	if err != nil {
		t.Fatal(err)
	}
	table, err := ReadTable("../../results/quickstart")
	if err != nil {
		t.Fatal(err)
	}
	d := dataOf(t, m, table)
	measures := map[string]web.Measure{}
	for _, m := range d.Measures {
		if m.Title == "" || m.Title == m.Key || strings.Contains(m.Title, "_") {
			t.Errorf("%s is called %q", m.Key, m.Title)
		}
		if m.Doc == "" && m.Column != "" {
			t.Errorf("nothing says what %s is", m.Key)
		}
		measures[m.Key] = m
	}
	mean := measures["completion_mean_s"]
	if mean.Title != "Mean completion time" || mean.Unit != "s" || mean.Lo != "completion_mean_lo_s" ||
		mean.Hi != "completion_mean_hi_s" || mean.Model != modelColumn {
		t.Errorf("mean completion: %+v", mean)
	}
	t.Log("# what too few samples carry is in doubt, as in figures")
	tail := measures["completion_p999_s"]
	for i := range table.Rows {
		doubtful := !table.Rows[i].Carries(metric.P999)
		if slices.Contains(tail.Doubtful, i) != doubtful {
			t.Errorf("p99.9 of row %d in doubt: %v", i, !doubtful)
		}
	}
	if len(tail.Doubtful) == 0 {
		t.Error("no row is in doubt")
	}
	if len(d.Figures) != len(m.Figures) {
		t.Errorf("%d figures, want %d", len(d.Figures), len(m.Figures))
	}
	for i, f := range d.Figures {
		if f.Title != m.Figures[i].Title || f.Label == "" {
			t.Errorf("figure %+v of %+v", f, m.Figures[i])
		}
		if _, known := measures[f.Measure]; !known && f.View != web.ViewCCDF {
			t.Errorf("figure %s shows %q", f.Label, f.Measure)
		}
	}
}

// TestPageComputesWhatIsNoColumn compares with the measure that still figures use.
func TestPageComputesWhatIsNoColumn(t *testing.T) {
	table := contestants("link.loss.p", []string{"a", "b"}, [][]float64{{10, 20}, {10, 30}})
	for i := range table.Rows {
		table.Rows[i].CompletionP999 = table.Rows[i].CompletionMean * 2
	}
	f := figure.Figure{Kind: figure.Line, X: "link.loss.p", Y: quantitySpeedup, Stat: metric.P999,
		Over: "b"}
	d := dataOf(t, Manifest{Figures: []figure.Figure{f}}, table)
	m := d.Measures[len(d.Measures)-1]
	if m.Title != "p99.9 speed-up over b" || m.Key != d.Figures[0].Measure || !m.Ratio {
		t.Errorf("measure %+v of figure %+v", m, d.Figures[0])
	}
	want := []web.Number{2, 1, 3, 1}
	for i, v := range m.Values {
		if math.Abs(float64(v-want[i])) > 1e-12 {
			t.Errorf("speed-ups %v, want %v", m.Values, want)
		}
	}
}

// TestPageWithoutFiguresBeginsWithTheCompletionTime of one point, and along a path.
func TestPageWithoutFiguresBeginsWithTheCompletionTime(t *testing.T) {
	for view, times := range map[string][][]float64{
		web.ViewBar: {{10, 20}}, web.ViewLine: {{10, 20}, {10, 30}},
	} {
		d := dataOf(t, Manifest{}, contestants("link.loss.p", []string{"a", "b"}, times))
		if f := d.Figures[0]; f.View != view || f.Measure != "completion_mean_s" {
			t.Errorf("%s: figure %+v", view, f)
		}
	}
}

// TestPageOfTooManyRowsIsLeftOutWithAWarning and the results are whole.
func TestPageOfTooManyRowsIsLeftOutWithAWarning(t *testing.T) {
	o := &Outcome{}
	table := result.Table{Rows: make([]result.Row, maxPageRows+1)}
	if err := o.writePage(t.TempDir(), Manifest{}, table, nil); err != nil {
		t.Fatal(err)
	}
	if len(o.Files) != 0 || len(o.Warnings) != 1 ||
		!strings.Contains(o.Warnings[0], "no report.html: 20001 rows") {
		t.Errorf("outcome %+v", o)
	}
}
