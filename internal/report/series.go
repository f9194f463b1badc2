package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sdrsim/internal/result"
	"sdrsim/internal/stats"
)

// datum is a value of a series.
type datum struct {
	x   result.AxisValue
	est stats.Estimate
	// model is the closed form, NaN where there is none.
	model float64
	// doubtful tells that too few samples carry the value; lone that they are one; survived that
	// others were given up.
	doubtful, lone, survived bool
}

// known reports whether there is a value at all.
func (d datum) known() bool { return !math.IsNaN(d.est.Value) && !math.IsInf(d.est.Value, 0) }

// bounded reports whether both ends of the interval are known.
func (d datum) bounded() bool {
	return d.known() && result.Usable(d.est.Lo) && result.Usable(d.est.Hi)
}

// series is what has one colour and one line in the legend.
type series struct {
	label string
	look  look
	data  []datum // in the order of the x axis, one for each of its values
}

// group collects the series of the figure, over the given values of its x axis.
func (f *drawing) group(sel *selection, m measure, xs []result.AxisValue) []series {
	var all []series
	at := sel.by(f.Series, f.X)
	for i, key := range f.seriesKeys(sel) {
		s := series{label: powers(axisText(key)), look: f.look(sel, i, key)}
		for _, x := range xs {
			d := datum{x: x, est: point(math.NaN()), model: math.NaN()}
			if r := at[[2]string{key.Text, x.Text}]; r != nil {
				d.read(sel, m, r)
			}
			s.data = append(s.data, d)
		}
		all = append(all, s)
	}
	return all
}

// look is how the series at a place is drawn: a scheme has its own look, other values take them in
// order.
func (f *drawing) look(sel *selection, place int, key result.AxisValue) look {
	if f.Series == result.SchemeColumn {
		return sel.looks[key.Text]
	}
	return lookOf(place)
}

func (d *datum) read(sel *selection, m measure, r *result.Row) {
	est, carried := m.get(sel, r)
	d.lone = m.times && r.Lone()
	d.est, d.doubtful, d.survived = est, !carried || d.lone, m.survived(sel, r)
	if m.model != nil {
		d.model = m.model(r)
	}
}

func has(r *result.Row, path, text string) bool {
	a, ok := r.Axis(path)
	return ok && a.Text == text
}

// notes collects what a reader must know about the values: lines for the foot of the figure, and
// the same as warnings.
type notes struct {
	foot     []string
	warnings []string
}

// add notes a doubt.
func (n *notes) add(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	n.warnings = append(n.warnings, text)
	n.foot = append(n.foot, richWords(text))
}

// richWords turns the powers of ten among the words of a text into raised ones.
func richWords(text string) string {
	words := strings.Split(text, " ")
	for i, w := range words {
		core := strings.Trim(w, "(),;:")
		if p := powers(core); p != core {
			words[i] = strings.Replace(w, core, p, 1)
		}
	}
	return strings.Join(words, " ")
}

// samples notes how many samples each point has, and how many were given up.
func (n *notes) samples(rows []*result.Row, bars string) {
	least, most, failed := int64(math.MaxInt64), int64(0), int64(0)
	var where []string
	for _, r := range rows {
		least, most = min(least, r.Samples), max(most, r.Samples)
		if r.Failed > 0 {
			failed += r.Failed
			where = append(where, r.Scheme)
		}
	}
	word := "sample"
	if len(rows) > 0 && result.Usable(rows[0].SampleWall) {
		word = "round" // of measurements
	}
	text := fmt.Sprintf("%d %ss per point", most, word)
	switch {
	case most == 1:
		text = fmt.Sprintf("1 %s per point", word)
	case least != most:
		text = fmt.Sprintf("%d to %d %ss per point", least, most, word)
	}
	if bars != "" {
		text += "; " + bars + ": 95 % intervals"
	}
	n.foot = append(n.foot, text+".")
	if failed > 0 {
		slices.Sort(where)
		n.add("%d samples that were given up are left out: %s.", failed,
			strings.Join(slices.Compact(where), ", "))
	}
}

// about notes the values that too few samples carry, and those that are missing.
func (n *notes) about(all []series, m measure) {
	few := func(d datum) bool { return d.known() && d.doubtful && !d.lone }
	if text := places(all, few); text != "" {
		n.add("Hollow: %s: %s.", m.doubt(), text)
	}
	if text := places(all, func(d datum) bool { return d.known() && d.lone }); text != "" {
		n.add("Hollow: of one sample: %s.", text)
	}
	gaveUp := func(d datum) bool { return d.known() && d.survived }
	if text := places(all, gaveUp); text != "" {
		n.add("Hollow: others of the samples were given up: %s.", text)
	}
	if text := places(all, func(d datum) bool { return !d.known() }); text != "" {
		n.add("No value: %s.", text)
	}
}

// hollow reports whether a value is drawn so.
func (d datum) hollow() bool { return d.known() && (d.doubtful || d.survived) }

// hollowWord is what hollow values have in common, for the legend; empty where there are none.
func hollowWord(all []series) string {
	few, survived := false, false
	for _, s := range all {
		for _, d := range s.data {
			few = few || d.known() && d.doubtful
			survived = survived || d.known() && d.survived
		}
	}
	switch {
	case few && survived:
		return "few, or some failed"
	case survived:
		return "some failed"
	case few:
		return "few samples"
	}
	return ""
}

// places lists where something holds, with the series that share their places together:
// "sr-rto (0.001 to 0.1); ec-mds, ec-xor (everywhere)".
func places(all []series, holds func(datum) bool) string {
	var order []string
	labels := map[string][]string{}
	for _, s := range all {
		at := s.where(holds)
		if at == "" {
			continue
		}
		if labels[at] == nil {
			order = append(order, at)
		}
		labels[at] = append(labels[at], s.label)
	}
	var parts []string
	for _, at := range order {
		if len(labels[at]) == len(all) && len(all) > 1 {
			if at == everywhere {
				return everywhere
			}
			return "every series (" + at + ")"
		}
		parts = append(parts, strings.Join(labels[at], ", ")+" ("+at+")")
	}
	return strings.Join(parts, "; ")
}

// everywhere stands for all places of a series.
const everywhere = "everywhere"

// where lists the places of a series at which something holds; three neighbours or more are
// written as a range.
func (s series) where(holds func(datum) bool) string {
	var parts []string
	total := 0
	for i := 0; i < len(s.data); i++ {
		first := i
		for i < len(s.data) && holds(s.data[i]) {
			i++
		}
		total += i - first
		switch n := i - first; {
		case n >= 3:
			parts = append(parts, axisText(s.data[first].x)+" to "+axisText(s.data[i-1].x))
		default:
			for _, d := range s.data[first:i] {
				parts = append(parts, axisText(d.x))
			}
		}
	}
	if total > 0 && total == len(s.data) {
		return everywhere
	}
	return strings.Join(parts, ", ")
}

// seriesKeys are the values of the series path: schemes in the order of the figure, numbers
// ascending.
func (f *drawing) seriesKeys(sel *selection) []result.AxisValue {
	return axisValues(sel.rows, f.Series)
}

// numeric reports whether every value is a number.
func numeric(values []result.AxisValue) bool {
	return len(values) > 0 &&
		!slices.ContainsFunc(values, func(a result.AxisValue) bool { return math.IsNaN(a.Number) })
}
