package report

import (
	"bytes"
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"sdrsim/internal/web"
)

// maxPageRows is how many rows a page has at most: a browser takes seconds for more.
const maxPageRows = 50000

// webpage makes report.html of results.
func webpage(m Manifest, t Table, question string) ([]byte, error) {
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
	t        Table
	sel      *selection
	measures []web.Measure
}

// wholeSelection is of every row.
func wholeSelection(t Table) *selection {
	sel, _ := (&Figure{Kind: KindBar}).choose(t)
	return cmp.Or(sel, &selection{})
}

func (w *webPage) data(m Manifest) (web.Data, error) {
	var points, distribution bytes.Buffer
	if err := WriteCSV(&points, w.t.Rows); err != nil {
		return web.Data{}, err
	}
	if len(w.t.Distributions) > 0 {
		if err := WriteDistributions(&distribution, w.t.Distributions); err != nil {
			return web.Data{}, err
		}
	}
	w.columns()
	d := web.Data{
		Name: m.Name, Points: points.String(), Distribution: distribution.String(),
		Units: unitsForPage(), Schemes: map[string]int{},
		Ramp: hexOf(viridis), RatioRamp: hexOf(brownBlue), Contests: w.contests(),
	}
	for _, path := range append(slices.Clone(w.t.Paths), schemeColumn) {
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
	f := Figure{collective: len(w.t.Rounds) > 0}
	return f.pathName(path)
}

// columns adds the columns of numbers that some row has.
func (w *webPage) columns() {
	known := map[string]bool{}
	for _, c := range columnsOf(w.t.Rows) {
		known[c.name] = c.number != nil && slices.ContainsFunc(w.t.Rows, func(r Row) bool {
			return !math.IsNaN(*c.number(&r))
		})
	}
	for _, c := range columns {
		if !known[c.name] || isBound(c.name) {
			continue
		}
		d := describe(c.name)
		m := web.Measure{
			Key: c.name, Title: d.title, Unit: d.unit.nameOf(), Column: c.name, Brief: brief(c.name),
			Ratio: strings.HasPrefix(c.name, "slowdown") || strings.HasPrefix(c.name, "speedup"),
		}
		if c.name == "speedup_mean" {
			m.Title = "Mean speed-up over " + w.sel.first
		}
		if known[d.lo] || known[d.hi] {
			m.Lo, m.Hi = d.lo, d.hi
		}
		if model := "model_completion_mean_s"; c.name == "completion_mean_s" && known[model] {
			m.Model = model
		}
		m.Doubtful = w.doubtful(w.measureIn(c.name))
		w.measures = append(w.measures, m)
	}
}

// measureIn is what a column holds, as figures read it.
func (w *webPage) measureIn(column string) measure {
	switch column {
	case "goodput_bps":
		return goodputMeasure()
	case "speedup_mean":
		f := Figure{Kind: KindLine, Y: quantitySpeedup, Stat: StatMean, Over: w.sel.first}
		if m, err := f.speedupMeasure(); err == nil {
			return m
		}
	}
	return columnMeasure(column)
}

// brief reports whether a column is in the table before it is widened.
func brief(column string) bool {
	return slices.Contains([]string{
		"completion_mean_s", "completion_p50_s", "completion_p99_s", "completion_p999_s", "goodput_bps",
		"speedup_mean", "sample_wall_s", "wall_ratio",
	}, column)
}

// doubtful are the rows whose samples do not carry a measure.
func (w *webPage) doubtful(m measure) (rows []int) {
	for i := range w.t.Rows {
		r := &w.t.Rows[i]
		if _, carried := m.get(w.sel, r); !carried || m.times && r.lone() {
			rows = append(rows, i)
		}
	}
	return rows
}

// columnFor is the column that holds what a figure shows; empty where it is computed.
func (f *Figure) columnFor(first string) string {
	stat := strings.ReplaceAll(f.Stat, ".", "")
	switch q := f.quantity(); q {
	case "completion", "latency":
		return q + "_" + stat + "_s"
	case "goodput":
		return "goodput_bps"
	case "wall":
		return "sample_wall_s"
	case "wall_ratio":
		return q
	case quantitySpeedup:
		if f.Stat == StatMean && f.Over == first {
			return "speedup_mean"
		}
	default:
		if s, ok := simple[q]; ok {
			return s.column
		}
		if slices.Contains(columnNames(), q) {
			return q
		}
	}
	return ""
}

// measureOf returns the key of what a figure shows; it adds what is no column.
func (w *webPage) measureOf(f *Figure) (key string, err error) {
	if f.distribution() {
		return "", nil
	}
	m, err := f.measure()
	if err != nil {
		return "", err
	}
	key = f.columnFor(w.sel.first)
	has := func(key string) bool {
		return slices.ContainsFunc(w.measures, func(m web.Measure) bool { return m.Key == key })
	}
	if key != "" && has(key) {
		return key, nil
	}
	key = strings.Trim(strings.Join([]string{f.quantity(), f.Stat, "over", f.Over}, " "), " ")
	if f.quantity() != quantitySpeedup {
		key = f.quantity() + " " + f.Stat
	}
	if has(key) {
		return key, nil
	}
	title := m.name
	if f.quantity() == quantitySpeedup {
		title = statWords[f.Stat] + " speed-up over " + f.Over
	}
	w.measures = append(w.measures, w.computed(web.Measure{
		Key: key, Title: title, Unit: m.unit.nameOf(), Ratio: m.ratio,
	}, m))
	return key, nil
}

// computed fills in the values of a measure that is no column.
func (w *webPage) computed(p web.Measure, m measure) web.Measure {
	bounded := false
	for i := range w.t.Rows {
		e, _ := m.get(w.sel, &w.t.Rows[i])
		p.Values = append(p.Values, web.Number(e.Value))
		p.Los, p.His = append(p.Los, web.Number(e.Lo)), append(p.His, web.Number(e.Hi))
		bounded = bounded || usable(e.Lo) || usable(e.Hi)
	}
	if !bounded {
		p.Los, p.His = nil, nil
	}
	p.Doubtful = w.doubtful(m)
	return p
}

// figures are those of the scenario that can be drawn, and a map of winners over two paths.
func (w *webPage) figures(list []Figure) []web.Figure {
	var out []web.Figure
	var names []string
	for _, f := range list {
		full, _, err := f.resolve(w.t)
		if err != nil {
			continue
		}
		key, err := w.measureOf(&full)
		if err != nil {
			continue
		}
		out, names = append(out, w.figure(&full, key)), append(names, full.Name)
	}
	varying := w.paths()
	if len(out) == 0 {
		out = append(out, web.Figure{View: web.ViewBar, X: schemeColumn, Series: schemeColumn,
			Label: "Overview"})
		if len(varying) > 0 {
			out[0].View, out[0].X = web.ViewLine, varying[0]
		}
	}
	if len(varying) > 1 && len(w.contests()) > 0 {
		winners := web.Figure{View: web.ViewMap, X: varying[0], Z: varying[1], Contest: 1,
			Label: "Who wins"}
		if i := slices.IndexFunc(out, isMap); i >= 0 {
			winners.X, winners.Z = out[i].X, out[i].Z
		}
		out = append(out, winners)
	}
	return labelled(out, names)
}

func isMap(f web.Figure) bool { return f.View == web.ViewMap }

// paths are those on which points differ.
func (w *webPage) paths() []string {
	return slices.DeleteFunc(w.sel.varying(w.t.Paths), func(p string) bool {
		return p == schemeColumn
	})
}

var views = map[string]string{
	KindLine: web.ViewLine, KindBar: web.ViewBar, KindHeatmap: web.ViewMap,
	KindCDF: web.ViewCDF, KindCCDF: web.ViewCCDF,
}

func (w *webPage) figure(f *Figure, key string) web.Figure {
	p := web.Figure{
		Title: f.Title, View: views[f.Kind], X: f.X, Series: f.Series, Measure: key,
		Schemes: f.Schemes, XScale: f.XScale, YScale: f.YScale, Where: map[string]string{},
	}
	if f.Of != "" {
		p.Schemes = []string{f.Of}
	}
	if f.Kind == KindHeatmap {
		p.Z = f.Y
	}
	for _, m := range f.Where {
		p.Where[m.Path] = w.textOf(m)
	}
	for _, r := range f.References {
		p.References = append(p.References, web.Reference(r))
	}
	p.Label = f.Name
	if m, err := f.measure(); err == nil && !f.distribution() {
		p.Label = m.name
		if f.quantity() == quantitySpeedup {
			p.Label = statWords[f.Stat] + " speed-up"
		}
	} else if f.distribution() {
		p.Label = "Distribution"
	}
	return p
}

// textOf is how points.csv writes the value that a figure picks.
func (w *webPage) textOf(m AxisMatch) string {
	for _, a := range axisValues(w.sel.rows, m.Path) {
		if a.Matches(m.Text) {
			return a.Text
		}
	}
	return m.Text
}

// labelled tells figures of one label apart, by the names of their files.
func labelled(figures []web.Figure, names []string) []web.Figure {
	times := map[string]int{}
	for _, f := range figures {
		times[f.Label]++
	}
	for i := range figures {
		if label := figures[i].Label; times[label] > 1 && i < len(names) {
			figures[i].Label = label + ", " + names[i]
		}
	}
	return figures
}

// looks are how series are drawn: first those of the palette, then those of schemes.
func (w *webPage) looks() (list []web.Look, schemes map[string]int) {
	schemes = map[string]int{}
	for i := range palette {
		list = append(list, lookOf(i).forPage())
	}
	for _, s := range axisValues(w.sel.rows, schemeColumn) {
		schemes[s.Text] = len(list)
		list = append(list, w.sel.looks[s.Text].forPage())
	}
	return list, schemes
}

func (l look) forPage() web.Look {
	p := web.Look{Color: hexOf([]color.NRGBA{l.color})[0]}
	for _, d := range l.dashes {
		p.Dash = append(p.Dash, float64(d))
	}
	for _, at := range l.shape {
		x, y := math.Round(float64(at.X)*100)/100, math.Round(float64(at.Y)*100)/100
		p.Shape = append(p.Shape, []float64{x + 0, y + 0})
	}
	return p
}

func hexOf(colours []color.NRGBA) (list []string) {
	for _, c := range colours {
		list = append(list, fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B))
	}
	return list
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
			v := c.judge(w.sel, rows)
			out.Cells = append(out.Cells, web.Cell{
				Best: v.best, Text: v.sentence(c), Mark: v.mark(),
				Tie: len(v.rivals) > 0, Doubt: v.doubtful,
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
	case v.failed:
		return "failed"
	case v.best == "":
		return "–"
	case len(v.rivals) > 0:
		text = "~"
	case !math.IsNaN(v.margin):
		text = factorText(v.margin)
	}
	if v.gaveUp {
		text += "!"
	}
	if v.doubtful {
		text += " ?"
	}
	return text
}

// doubts says how many rows have failed samples, and what their warnings are about, each with the
// first that has it.
func (w *webPage) doubts() (list []string) {
	rows := w.t.Rows
	failed := 0
	counts, first := map[string]int{}, map[string]string{}
	var order []string
	for i := range rows {
		if rows[i].Failed > 0 {
			failed++
		}
		last := ""
		for _, text := range rows[i].Warnings {
			subject, _, _ := strings.Cut(text, ": ")
			if subject == last {
				continue
			}
			last = subject
			if counts[subject]++; counts[subject] == 1 {
				order = append(order, subject)
				first[subject] = w.named(&rows[i]) + ": " + text
			}
		}
	}
	if failed > 0 {
		list = append(list, fmt.Sprintf("Samples failed in %d of %d rows. They are in no value, and a "+
			"scheme that gave up some never beats one that delivered.", failed, len(rows)))
	}
	for _, subject := range order {
		list = append(list, fmt.Sprintf("%s in %d of %d rows. The first is %s.", aboutWarning(subject),
			counts[subject], len(rows), strings.TrimSuffix(first[subject], ".")))
	}
	return list
}

// named is the scheme and the point of a row.
func (w *webPage) named(r *Row) string {
	if at := w.place(r, w.paths()); at != "" {
		return r.Scheme + " at " + at
	}
	return r.Scheme
}

// aboutWarning says what warnings of a subject are about.
func aboutWarning(subject string) string {
	stat := strings.TrimPrefix(subject, LatencyPrefix)
	switch {
	case subject == "precision":
		return "The precision asked for is missed"
	case slices.Contains(statNames, stat):
		return "Too few samples carry the " + subject
	}
	return "A warning (" + subject + ")"
}
