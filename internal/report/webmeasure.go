package report

import (
	"slices"
	"strings"

	"sdrsim/internal/figure"
	"sdrsim/internal/metric"
	"sdrsim/internal/result"
	"sdrsim/internal/web"
)

// columns adds the columns of numbers that some row has.
func (w *webPage) columns() {
	known := map[string]bool{}
	for _, c := range result.ColumnsOf(w.t.Rows) {
		known[c.Name] = c.Type != metric.Text && slices.ContainsFunc(w.t.Rows, func(r result.Row) bool {
			return c.Known(&r.Values)
		})
	}
	for _, c := range metric.Fields() {
		if !known[c.Name] || c.Of != "" {
			continue
		}
		m := web.Measure{
			Key: c.Name, Title: c.Title, Doc: c.Doc, Unit: c.Unit, Column: c.Name,
			Brief: slices.Contains(briefly, c.Name), Ratio: c.Metric != nil && c.Metric.Ratio,
			Doubtful: w.doubtful(w.measureIn(c)),
		}
		if c.Name == speedupColumn {
			m.Title = "Mean speed-up over " + w.sel.first
		}
		if known[c.Lo] || known[c.Hi] {
			m.Lo, m.Hi = c.Lo, c.Hi
		}
		if c.Name == "completion_mean_s" && known[modelColumn] {
			m.Model = modelColumn
		}
		w.measures = append(w.measures, m)
	}
}

const (
	speedupColumn = "speedup_mean"
	modelColumn   = "model_completion_mean_s"
)

// briefly are the columns in the table before it is widened.
var briefly = []string{
	"completion_mean_s", "completion_p50_s", "completion_p99_s", "completion_p999_s", "goodput_bps",
	speedupColumn, "sample_wall_s", "wall_ratio",
}

// measureIn is what a column holds, as figures read it.
func (w *webPage) measureIn(c *metric.Field) measure {
	if c.Name == speedupColumn {
		f := drawing{Figure: figure.Figure{Kind: figure.Line, Y: quantitySpeedup, Stat: metric.Mean,
			Over: w.sel.first}}
		if m, err := f.speedupMeasure(); err == nil {
			return m
		}
	}
	return columnMeasure(c)
}

// doubtful are the rows whose samples do not carry a measure.
func (w *webPage) doubtful(m measure) (rows []int) {
	for i := range w.t.Rows {
		r := &w.t.Rows[i]
		if _, carried := m.get(w.sel, r); !carried || m.times && r.Lone() {
			rows = append(rows, i)
		}
	}
	return rows
}

// columnFor is the column that holds what a figure shows; empty where it is computed. Speed-ups in
// columns are over the first scheme.
func (f *drawing) columnFor(first string) string {
	q := f.quantity()
	if q == quantitySpeedup && f.Over != first {
		return ""
	}
	if m := metric.Find(q); m != nil {
		if c := m.Column(f.Stat); c != nil {
			return c.Name
		}
	} else if metric.Lookup(q) != nil {
		return q
	}
	return ""
}

// measureOf returns the key of what a figure shows; it adds what is no column.
func (w *webPage) measureOf(f *drawing) (key string, err error) {
	if f.Distribution() {
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
		title = metric.StatWord(f.Stat) + " speed-up over " + f.Over
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
		bounded = bounded || result.Usable(e.Lo) || result.Usable(e.Hi)
	}
	if !bounded {
		p.Los, p.His = nil, nil
	}
	p.Doubtful = w.doubtful(m)
	return p
}

// unitNames are how the page calls units.
var unitNames = []struct {
	name string
	unit unit
}{
	{metric.Seconds, seconds}, {metric.Bits, bitRate}, {metric.Bytes, bytesUnit},
	{metric.Packets, packetRate}, {metric.Operations, operationRate},
	{"m", metres}, {metric.None, plain},
}

// nameOf is the name of a unit for the page.
func (u unit) nameOf() string {
	for _, n := range unitNames {
		if n.unit.steps[0] == u.steps[0] {
			return n.name
		}
	}
	panic("BUG: report: a unit without a name: " + u.steps[0].symbol)
}

// unitsForPage are all of them.
func unitsForPage() map[string]web.Unit {
	all := map[string]web.Unit{}
	for _, n := range unitNames {
		u := web.Unit{Binary: n.unit.binary}
		for _, s := range n.unit.steps {
			u.Steps = append(u.Steps, web.Step{Symbol: s.symbol, Factor: s.factor})
		}
		all[n.name] = u
	}
	return all
}
