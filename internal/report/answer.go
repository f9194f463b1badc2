package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sdrsim/internal/result"
	"sdrsim/internal/web"
)

// maxRegions is how many values of the other swept paths have lines of their own.
const maxRegions = 6

// answers say in words who wins where.
func (w *webPage) answers() (list []web.Answer) {
	if len(w.sel.rows) == 0 {
		return nil
	}
	points := groupPoints(w.sel)
	for _, c := range contests() {
		if a := w.answer(c, points); len(a.Lines) > 0 {
			list = append(list, a)
		}
	}
	return list
}

// answer is that by one contest; without lines where no point has a value.
func (w *webPage) answer(c contest, points [][]*result.Row) web.Answer {
	a := web.Answer{Title: c.measure.name}
	if !w.decides(c) {
		return a
	}
	if len(w.sel.looks) < 2 {
		a.Lines = []web.Line{w.only(c)}
		return a
	}
	inner, outer := w.divide()
	switch groups := w.byOuter(points, outer); {
	case inner == "":
		a.Lines = w.regions(c, points, inner)
	case len(outer) == 0:
		a.Lines = w.regions(c, points, inner)
	case len(groups) <= maxRegions:
		for _, g := range groups {
			at := w.place(g[0][0], outer)
			for _, line := range w.regions(c, g, inner) {
				line.Where = strings.Trim(at+", "+line.Where, ", ")
				a.Lines = append(a.Lines, line)
			}
		}
	}
	if len(a.Lines) == 0 || len(a.Lines) > 3*maxRegions {
		a.Lines = w.counts(c, points)
	}
	return a
}

// decides reports whether some row has what the contest is about, or failed.
func (w *webPage) decides(c contest) bool {
	return slices.ContainsFunc(w.sel.rows, func(r *result.Row) bool {
		e, _ := c.measure.get(w.sel, r)
		return c.Valid(e.Value) || r.Failed > 0
	})
}

// divide picks the path along which regions are told, the one of the most values, and the others.
func (w *webPage) divide() (inner string, outer []string) {
	most := 1
	for _, p := range w.paths() {
		if n := len(axisValues(w.sel.rows, p)); n > most {
			inner, most = p, n
		}
	}
	for _, p := range w.paths() {
		if p != inner && !w.sel.follows(p, []string{inner}) {
			outer = append(outer, p)
		}
	}
	return inner, outer
}

// byOuter groups points by their values on paths.
func (w *webPage) byOuter(points [][]*result.Row, outer []string) (groups [][][]*result.Row) {
	index := map[string]int{}
	for _, p := range points {
		key := w.place(p[0], outer)
		at, ok := index[key]
		if !ok {
			at = len(groups)
			index[key] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], p)
	}
	return groups
}

// place names where a row is on paths.
func (w *webPage) place(r *result.Row, paths []string) string {
	var parts []string
	for _, p := range paths {
		a, _ := r.Axis(p)
		parts = append(parts, lowerFirst(w.pathName(p))+" "+w.axisText(a))
	}
	return strings.Join(parts, ", ")
}

// axisText writes a swept value with as few digits as tell it from the others of its path.
func (w *webPage) axisText(a result.AxisValue) string {
	if math.IsNaN(a.Number) {
		return a.Text
	}
	digits, known := w.digits[a.Path]
	if !known {
		digits = w.digitsOf(a.Path)
		if w.digits == nil {
			w.digits = map[string]int{}
		}
		w.digits[a.Path] = digits
	}
	return superscripts(powers(unitOf(a.Path).text(a.Number, digits)))
}

// digitsOf is how many digits tell the values of a path apart: from three to six.
func (w *webPage) digitsOf(path string) int {
	values := axisValues(w.sel.rows, path)
	for digits := 3; ; digits++ {
		texts := map[string]bool{}
		for _, v := range values {
			texts[unitOf(path).text(v.Number, digits)] = true
		}
		if len(texts) == len(values) || digits == 6 {
			return digits
		}
	}
}

// superscripts writes the raised parts of a text with the characters that are raised themselves.
func superscripts(text string) string {
	var b strings.Builder
	for _, f := range fragments(text) {
		for _, r := range f.text {
			at := strings.IndexRune("0123456789", r)
			switch {
			case f.raised == 1 && r == '−':
				r = '⁻'
			case f.raised == 1 && at >= 0:
				r = []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[at]
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

// regions joins neighbours of the same verdict, along a path.
func (w *webPage) regions(c contest, points [][]*result.Row, inner string) (lines []web.Line) {
	order := map[string]int{}
	for i, a := range axisValues(w.sel.rows, inner) {
		order[a.Text] = i
	}
	at := func(p []*result.Row) result.AxisValue { a, _ := p[0].Axis(inner); return a }
	points = slices.Clone(points)
	slices.SortStableFunc(points, func(a, b []*result.Row) int {
		return order[at(a).Text] - order[at(b).Text]
	})
	for i := 0; i < len(points); {
		r := region{first: at(points[i]), least: math.Inf(1)}
		for ; i < len(points); i++ {
			v := c.judge(points[i])
			if r.points > 0 && r.key != w.keyOf(v) {
				break
			}
			r.add(w.keyOf(v), v, at(points[i]))
		}
		lines = append(lines, r.line(w, inner))
	}
	return lines
}

// keyOf is what makes verdicts the same: the winner, or those that tie.
func (w *webPage) keyOf(v verdict) string {
	switch {
	case v.Failed:
		return "all failed"
	case v.Best == "":
		return "no value"
	}
	var names []string
	for _, s := range axisValues(w.sel.rows, result.SchemeColumn) {
		if s.Text == v.Best || slices.Contains(v.Rivals, s.Text) {
			names = append(names, s.Text)
		}
	}
	return strings.Join(names, tied)
}

// tied stands between schemes of which none is known to be best.
const tied = " ~ "

// region is a stretch of points with the same verdict.
type region struct {
	key                      string
	first, last              result.AxisValue
	rows                     []*result.Row // one of each point
	points, doubtful, gaveUp int
	least, most              float64
	tie, none, alone         bool
}

func (r *region) add(key string, v verdict, at result.AxisValue) {
	r.key, r.last = key, at
	r.points++
	r.none = v.Best == "" || v.Failed
	r.tie = len(v.Rivals) > 0
	if v.Doubtful {
		r.doubtful++
	}
	if v.GaveUp {
		r.gaveUp++
	}
	if math.IsNaN(v.Margin) {
		r.alone = true
		return
	}
	r.least, r.most = min(r.least, v.Margin), max(r.most, v.Margin)
}

// line says what holds in the region.
func (r *region) line(w *webPage, inner string) web.Line {
	l := web.Line{Winners: strings.Split(r.key, tied)}
	switch {
	case r.none:
		l.Winners, l.Verdict = nil, upperFirst(r.key)
	case r.tie:
		l.Verdict = "tie: their 95 % intervals overlap"
	case r.alone:
		l.Verdict = "alone has a value"
	default:
		l.Verdict = "is best, by " + factors(r.least, r.most)
	}
	if r.gaveUp > 0 {
		l.Verdict += ", though every scheme gave up samples"
	}
	if inner != "" {
		l.Where = lowerFirst(w.pathName(inner)) + " " + w.axisText(r.first)
		if r.points > 1 {
			l.Where += " to " + w.axisText(r.last)
		}
	}
	switch {
	case r.doubtful == r.points && !r.none:
		l.Doubt = "too few samples to be sure"
	case r.doubtful > 0:
		l.Doubt = fmt.Sprintf("too few samples to be sure at %d of %d points", r.doubtful, r.points)
	}
	return l
}

// factors is by how much a winner wins.
func factors(least, most float64) string {
	a, b := factorText(least), factorText(most)
	if a == b {
		return a
	}
	return a + " to " + b
}

// counts says how many points each scheme wins.
func (w *webPage) counts(c contest, points [][]*result.Row) (lines []web.Line) {
	var order []string
	found := map[string]*region{}
	for _, p := range points {
		v := c.judge(p)
		key := w.keyOf(v)
		if len(v.Rivals) > 0 {
			key = "a tie"
		}
		r := found[key]
		if r == nil {
			r = &region{least: math.Inf(1)}
			found[key] = r
			order = append(order, key)
		}
		r.add(key, v, result.AxisValue{})
		r.rows = append(r.rows, p[0])
	}
	slices.SortStableFunc(order, func(a, b string) int { return found[b].points - found[a].points })
	for _, key := range order {
		r := found[key]
		l := web.Line{Winners: []string{key}}
		of := fmt.Sprintf("%d of %d points", r.points, len(points))
		switch {
		case r.none || r.tie:
			l.Winners, l.Verdict = nil, upperFirst(key)+" at "+of
		default:
			l.Verdict = "is best at " + of
			if !math.IsInf(r.least, 1) {
				l.Verdict += ", by " + factors(r.least, r.most)
			}
		}
		l.Where = w.extent(r.rows)
		if r.doubtful > 0 {
			l.Doubt = fmt.Sprintf("too few samples to be sure at %d of them", r.doubtful)
		}
		lines = append(lines, l)
	}
	return lines
}

// extent is from where to where points lie on each path, but for paths that they span.
func (w *webPage) extent(rows []*result.Row) string {
	var parts []string
	for _, p := range w.paths() {
		all, here := axisValues(w.sel.rows, p), axisValues(rows, p)
		first, last := here[0], here[len(here)-1]
		if first.Text == all[0].Text && last.Text == all[len(all)-1].Text || !numeric(all) {
			continue
		}
		text := lowerFirst(w.pathName(p)) + " " + w.axisText(first)
		if len(here) > 1 {
			text += " to " + w.axisText(last)
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return ""
	}
	return "within " + strings.Join(parts, ", ")
}

// only is the range of the values of the only scheme.
func (w *webPage) only(c contest) web.Line {
	lo, hi, doubtful := math.Inf(1), math.Inf(-1), 0
	for _, r := range w.sel.rows {
		e, carried := c.measure.get(w.sel, r)
		if !result.Finite(e.Value) {
			continue
		}
		lo, hi = min(lo, e.Value), max(hi, e.Value)
		if !carried {
			doubtful++
		}
	}
	l := web.Line{Winners: []string{w.sel.first}, Verdict: "no value"}
	if lo <= hi {
		l.Verdict = c.measure.unit.text(lo, 4)
		if hi > lo {
			l.Verdict += " to " + c.measure.unit.text(hi, 4)
		}
	}
	if doubtful > 0 {
		l.Doubt = fmt.Sprintf("too few samples at %d of %d points", doubtful, len(w.sel.rows))
	}
	return l
}

// sentence is a verdict in words.
func (v verdict) sentence(c contest) string {
	value := c.measure.unit.text(v.Value, 4)
	var text string
	switch {
	case v.Failed:
		return "all samples failed"
	case v.Best == "":
		return "no value"
	case len(v.Rivals) > 0:
		text = v.Best + " ties with " + strings.Join(v.Rivals, ", ") + ": " + value
	case math.IsNaN(v.Margin):
		text = v.Best + " alone has a value: " + value
	default:
		text = v.Best + " is best, by " + factorText(v.Margin) + ": " + value
	}
	if v.GaveUp {
		text += "; every scheme gave up samples"
	}
	if v.Doubtful {
		text += "; too few samples to be sure"
	}
	return text
}
