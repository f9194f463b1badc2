package report

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sdrsim/internal/figure"
	"sdrsim/internal/result"
	"sdrsim/internal/web"
)

// maxPageRows is how many rows a page has at most: a browser takes seconds for more.
const maxPageRows = 20000

// webpage makes report.html of results.
func webpage(m Manifest, t result.Table, question string) ([]byte, error) {
	w := &webPage{t: t, sel: wholeSelection(t)}
	d := web.Document{
		Name: m.Name, Question: upperFirst(question), Answers: w.answers(), Doubts: w.doubts(),
		Overrides: m.Overrides, Scenario: m.Scenario,
		Facts: []web.Fact{
			{Name: "Program", Value: m.Program + " " + m.Version},
			{Name: "Seed", Value: strconv.FormatUint(m.Seed, 10)},
			{Name: "Points", Value: strconv.Itoa(m.Points)},
			{Name: "Schemes", Value: strconv.Itoa(m.Schemes)},
			{Name: "Samples", Value: strconv.FormatInt(m.Samples, 10)},
			{Name: "Failed", Value: strconv.FormatInt(m.Failed, 10)},
			{Name: "SHA-256 of the scenario", Value: m.ScenarioSHA256},
		},
	}
	for _, f := range m.Files {
		d.Facts = append(d.Facts, web.Fact{Name: "SHA-256 of " + f.Name, Value: f.SHA256})
	}
	var err error
	if d.Data, err = w.data(m); err != nil {
		return nil, err
	}
	return web.Render(d)
}

// webPage collects what a page shows of a table.
type webPage struct {
	t        result.Table
	sel      *selection
	measures []web.Measure
	digits   map[string]int // of the values of a path
}

// wholeSelection is of every row.
func wholeSelection(t result.Table) *selection {
	sel, _ := (&drawing{}).choose(t)
	return cmp.Or(sel, &selection{})
}

func (w *webPage) data(m Manifest) (web.Data, error) {
	var points, distribution bytes.Buffer
	if err := result.WriteCSV(&points, w.t.Rows); err != nil {
		return web.Data{}, err
	}
	if len(w.t.Distributions) > 0 {
		if err := result.WriteDistributions(&distribution, w.t.Distributions); err != nil {
			return web.Data{}, err
		}
	}
	w.columns()
	d := web.Data{
		Name: m.Name, Points: points.String(), Distribution: distribution.String(),
		Units: unitsForPage(), Schemes: map[string]int{},
		Ramp: hexOf(viridis), RatioRamp: hexOf(brownBlue), Contests: w.contests(),
	}
	for _, path := range append(slices.Clone(w.t.Paths), result.SchemeColumn) {
		d.Axes = append(d.Axes, web.Axis{
			Path: path, Title: w.pathName(path), Unit: unitOf(path).nameOf(),
		})
	}
	d.Figures = w.figures(m.Figures)
	d.Measures = w.measures
	d.Looks, d.Schemes = w.looks()
	return d, nil
}

func (w *webPage) pathName(path string) string {
	f := drawing{collective: len(w.t.Rounds) > 0}
	return f.pathName(path)
}

// contests judge every point.
func (w *webPage) contests() (list []web.Contest) {
	if len(w.sel.looks) < 2 {
		return nil
	}
	points := groupPoints(w.sel)
	for _, c := range contests() {
		if !w.decides(c) {
			continue
		}
		out := web.Contest{Title: lowerFirst(c.measure.name)}
		for _, rows := range points {
			v := c.judge(rows)
			out.Cells = append(out.Cells, web.Cell{
				Best: v.Best, Text: v.sentence(c), Mark: v.mark(),
				Tie: len(v.Rivals) > 0, Doubt: v.Doubtful,
			})
		}
		list = append(list, out)
	}
	return list
}

// mark is a verdict for the cell of a map.
func (v verdict) mark() string {
	var text string
	switch {
	case v.Failed:
		return "failed"
	case v.Best == "":
		return "–"
	case len(v.Rivals) > 0:
		text = "~"
	case !math.IsNaN(v.Margin):
		text = factorText(v.Margin)
	}
	if v.GaveUp {
		text += "!"
	}
	if v.Doubtful {
		text += " ?"
	}
	return text
}

// doubts says how many rows have failed samples, and what their warnings are about, each with the
// first that has it. What a warning is about stands before its colon.
func (w *webPage) doubts() (list []string) {
	rows := w.t.Rows
	failed := ""
	failing := 0
	counts, first := map[string]int{}, map[string]string{}
	var order []string
	for i := range rows {
		if r := &rows[i]; r.Failed > 0 {
			failing++
			failed = cmp.Or(failed, fmt.Sprintf("%s: %d of %d", w.named(r), r.Failed, r.Samples))
		}
		last := ""
		for _, text := range rows[i].Warnings {
			subject, _, found := strings.Cut(text, ": ")
			words := strings.TrimPrefix(subject, result.LatencyPrefix)
			if !found || subject == last || strings.Contains(words, " ") {
				continue
			}
			last = subject
			if counts[subject]++; counts[subject] == 1 {
				order = append(order, subject)
				first[subject] = w.named(&rows[i]) + ": " + text
			}
		}
	}
	if failing > 0 {
		list = append(list, fmt.Sprintf("Samples failed in %d of %d rows. They are in no value, and a "+
			"scheme that gave up some never beats one that delivered. The first is %s.", failing,
			len(rows), failed))
	}
	for _, subject := range order {
		list = append(list, fmt.Sprintf("%s in %d of %d rows. The first is %s.", aboutWarning(subject),
			counts[subject], len(rows), strings.TrimSuffix(first[subject], ".")))
	}
	return list
}

// named is the scheme and the point of a row.
func (w *webPage) named(r *result.Row) string {
	if at := w.place(r, w.paths()); at != "" {
		return r.Scheme + " at " + at
	}
	return r.Scheme
}

// aboutWarning says what warnings of a subject are about.
func aboutWarning(subject string) string {
	stat := strings.TrimPrefix(subject, result.LatencyPrefix)
	switch {
	case subject == "precision":
		return "The precision asked for is missed"
	case slices.Contains(figure.Stats, stat):
		return "Too few samples carry the " + subject
	}
	return "A warning (" + subject + ")"
}
