package report

import (
	"fmt"
	"io"
	"math"
	"sdrsim/internal/result"
	"slices"
	"strings"
	"unicode/utf8"
)

// tableWidth is the most columns of text a summary takes.
const tableWidth = 100

// listedPoints is how many points are listed one by one.
const listedPoints = 20

// contest is what schemes are compared by, with how its values are written.
type contest struct {
	result.Contest
	measure measure
}

func contests() (list []contest) {
	for _, c := range result.Contests() {
		list = append(list, contest{c, columnMeasure(c.Column)})
	}
	return list
}

// verdict is who wins a contest at a point, to be put into words.
type verdict struct{ result.Verdict }

func (c contest) judge(rows []*result.Row) verdict { return verdict{c.Judge(rows)} }

// WinnerTable writes which scheme is best at each point, by mean completion time, p99.9 completion
// time and goodput, in at most 100 columns: "ec-mds 3.7x" is 3.7 times better than the next;
// "ec-mds ~ ec-xor" is a tie, their 95 % intervals overlap; "?" means that the samples do not
// carry it. A sweep of two paths is shown as a matrix, a larger one as counts. With one scheme
// its values are shown.
func WinnerTable(w io.Writer, t result.Table) error {
	sel, err := (&drawing{}).choose(t)
	if err != nil {
		_, err := fmt.Fprintln(w, "no results")
		return err
	}
	points := groupPoints(sel)
	varying := slices.DeleteFunc(sel.varying(t.Paths), func(p string) bool {
		return p == result.SchemeColumn
	})
	var b strings.Builder
	switch {
	case len(points) <= listedPoints:
		listPoints(&b, sel, points, varying)
	case len(varying) == 2 && writeMatrices(&b, sel, points, varying):
	case len(varying) <= 1 && len(points) <= 3*listedPoints:
		listPoints(&b, sel, points, varying)
	default:
		countWins(&b, sel, points)
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// groupPoints collects the rows of each point, in the order of the table.
func groupPoints(sel *selection) [][]*result.Row {
	var points [][]*result.Row
	index := map[string]int{}
	for _, r := range sel.rows {
		key := result.PointKey(r.Axes)
		at, ok := index[key]
		if !ok {
			at = len(points)
			index[key] = at
			points = append(points, nil)
		}
		points[at] = append(points[at], r)
	}
	return points
}

// text is a verdict in a few words, with labels of at most so many signs.
func (v verdict) text(c contest, label int) string {
	var out string
	best := squeeze(v.Best, label)
	if v.GaveUp {
		best += "!"
	}
	switch {
	case v.Failed:
		return "all failed"
	case v.Best == "":
		return "no value"
	case math.IsNaN(v.Margin):
		out = best + " " + c.measure.unit.text(v.Value, 3)
	case len(v.Rivals) == 1:
		out = best + " ~ " + squeeze(v.Rivals[0], label)
	case len(v.Rivals) > 1:
		out = fmt.Sprintf("%s ~ %d others", best, len(v.Rivals))
	default:
		out = best + " " + factorText(v.Margin)
	}
	if v.Doubtful {
		out += " ?"
	}
	return out
}

// factorText writes a margin: "1.04x", "3.7x", "120x".
func factorText(f float64) string {
	switch {
	case f < 1.095:
		return fmt.Sprintf("%.3fx", f)
	case f < 9.95:
		return fmt.Sprintf("%.2fx", f)
	}
	return decimal(f, 3) + "x"
}

// shortLabel is how far labels are shortened before swept values are.
const shortLabel = 9

// listPoints writes one line per point. Where lines are too long, labels of schemes are shortened:
// by what factor they win, and the signs behind them, stay.
func listPoints(b *strings.Builder, sel *selection, points [][]*result.Row, varying []string) {
	label := shortLabel
	for _, s := range axisValues(sel.rows, result.SchemeColumn) {
		label = max(label, utf8.RuneCountInString(s.Text))
	}
	lines := pointLines(sel, points, varying, label)
	for ; label > shortLabel && lineWidth(columnWidths(lines)) > tableWidth; label-- {
		lines = pointLines(sel, points, varying, label-1)
	}
	writeColumns(b, lines, len(varying))
	b.WriteString(listKey(sel))
}

// pointLines are the fields of the lines, with labels of at most so many signs.
func pointLines(sel *selection, points [][]*result.Row, varying []string, label int) [][]string {
	lines := [][]string{slices.Clone(varying)}
	for _, c := range contests() {
		lines[0] = append(lines[0], c.Title)
	}
	failing := anyFailed(sel.rows)
	if failing {
		lines[0] = append(lines[0], "failed")
	}
	for _, rows := range points {
		var line []string
		for _, p := range varying {
			a, _ := rows[0].Axis(p)
			line = append(line, axisText(a))
		}
		for _, c := range contests() {
			line = append(line, c.judge(rows).text(c, label))
		}
		if failing {
			line = append(line, failuresText(rows, label))
		}
		lines = append(lines, line)
	}
	return lines
}

func listKey(sel *selection) string {
	key := "Best scheme, and by what factor it beats the next.  " +
		"~: a tie, the 95 % intervals overlap.\n?: too few samples for it.\n"
	if len(axisValues(sel.rows, result.SchemeColumn)) < 2 {
		key = "One scheme only: its values.  ?: too few samples for it.\n"
	}
	if anyFailed(sel.rows) {
		key += failedKey
	}
	return key
}

// writeColumns aligns fields, shortening the widest of the first columns, of which there are so
// many, until lines fit.
func writeColumns(b *strings.Builder, lines [][]string, flexible int) {
	widths := columnWidths(lines)
	for lineWidth(widths) > tableWidth {
		from := widths[:flexible]
		if flexible == 0 || slices.Max(from) <= shortLabel {
			from = widths // nothing else is left
		}
		from[slices.Index(from, slices.Max(from))]--
	}
	for _, line := range lines {
		var out strings.Builder
		for i, field := range line {
			out.WriteString(padRight(squeeze(field, widths[i]), widths[i]+2))
		}
		b.WriteString(strings.TrimRight(out.String(), " ") + "\n")
	}
}

// columnWidths are the widths of the widest fields.
func columnWidths(lines [][]string) []int {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, field := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(field))
		}
	}
	return widths
}

// lineWidth is how wide a line of columns is, with what is between them.
func lineWidth(widths []int) int {
	sum := 2 * (len(widths) - 1)
	for _, w := range widths {
		sum += w
	}
	return sum
}

// squeeze shortens a text in its middle: labels made of parameters begin alike.
func squeeze(s string, width int) string {
	runes := []rune(s)
	if len(runes) <= width {
		return s
	}
	head := width / 2
	return string(runes[:head]) + "…" + string(runes[len(runes)-(width-1-head):])
}

// cut shortens a text to a number of signs.
func cut(s string, width int) string {
	if utf8.RuneCountInString(s) <= width {
		return s
	}
	return string([]rune(s)[:max(width-1, 0)]) + "…"
}

func padRight(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// countWins writes how many points each scheme wins.
func countWins(b *strings.Builder, sel *selection, points [][]*result.Row) {
	lines := [][]string{{"wins of " + fmt.Sprint(len(points)) + " points"}}
	for _, c := range contests() {
		lines[0] = append(lines[0], c.Title)
	}
	failing := anyFailed(sel.rows)
	if failing {
		lines[0] = append(lines[0], "failed at")
	}
	schemes := axisValues(sel.rows, result.SchemeColumn)
	for _, s := range schemes {
		lines = append(lines, []string{s.Text})
	}
	lines = append(lines, []string{"tie"}, []string{"no value"}, []string{"(too few samples)"})
	for _, c := range contests() {
		counts := make([]int, len(schemes)+3)
		for _, rows := range points {
			v := c.judge(rows)
			counts[v.winner(schemes)]++
			if v.Doubtful {
				counts[len(schemes)+2]++
			}
		}
		for i, n := range counts {
			lines[i+1] = append(lines[i+1], fmt.Sprint(n))
		}
	}
	if failing {
		for i, s := range schemes {
			lines[i+1] = append(lines[i+1], fmt.Sprint(failedAt(points, s.Text)))
		}
	}
	writeColumns(b, lines, 1)
	b.WriteString("tie: the 95 % interval of the best overlaps another.  In brackets: those of all " +
		"points\nwhose samples do not carry it.\n")
	if failing {
		b.WriteString("failed at: points at which it gave up samples, where it never beats one that " +
			"delivered.\n")
	}
}

// winner is the index of the winner among schemes; after them come ties, then points without value.
func (v verdict) winner(schemes []result.AxisValue) int {
	switch {
	case v.Best == "":
		return len(schemes) + 1
	case len(v.Rivals) > 0:
		return len(schemes)
	}
	return slices.IndexFunc(schemes, func(a result.AxisValue) bool { return a.Text == v.Best })
}
