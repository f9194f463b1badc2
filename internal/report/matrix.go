package report

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"sdrsim/internal/result"
)

// letters name the schemes in the cells of a matrix.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// writeMatrices writes one matrix per contest over two swept paths; false where they do not fit.
func writeMatrices(
	b *strings.Builder, sel *selection, points [][]*result.Row, varying []string,
) bool {
	rowPath, columnPath := varying[0], varying[1]
	schemes := axisValues(sel.rows, result.SchemeColumn)
	rows, columns := axisValues(sel.rows, rowPath), axisValues(sel.rows, columnPath)
	m := matrix{sel: sel, rows: rows, columns: columns, schemes: schemes,
		at: map[[2]string][]*result.Row{}}
	if m.width() > tableWidth {
		rowPath, columnPath = columnPath, rowPath
		m.rows, m.columns = columns, rows
	}
	for _, p := range points {
		r, _ := p[0].Axis(rowPath)
		c, _ := p[0].Axis(columnPath)
		m.at[[2]string{r.Text, c.Text}] = p
	}
	if len(schemes) > len(letters) || len(m.rows) > 60 || m.width() > tableWidth {
		return false
	}
	m.key(b, rowPath, columnPath)
	for _, c := range contests() {
		m.write(b, c.Title, func(rows []*result.Row) string { return m.cell(c, rows) })
	}
	if anyFailed(sel.rows) {
		m.write(b, "failed, % of the samples of the worst", m.failures)
		b.WriteString("No value includes failed samples; a scheme with some never beats one " +
			"that delivered.\n!: all have some.\n")
	}
	return true
}

// matrix shows a letter per point.
type matrix struct {
	sel                    *selection
	rows, columns, schemes []result.AxisValue
	at                     map[[2]string][]*result.Row
}

// labelWidth is the width of the widest row label.
func (m *matrix) labelWidth() (width int) {
	for _, r := range m.rows {
		width = max(width, utf8.RuneCountInString(axisText(r)))
	}
	return min(width, 16)
}

// cellWidth holds the letter with its margin, and the column label with a space.
func (m *matrix) cellWidth() int {
	width := 6
	for _, c := range m.columns {
		width = max(width, utf8.RuneCountInString(m.columnLabel(c))+1)
	}
	return width
}

func (m *matrix) width() int { return m.labelWidth() + len(m.columns)*m.cellWidth() }

// columnLabel is short: three digits, and the unit without a space.
func (m *matrix) columnLabel(a result.AxisValue) string {
	if math.IsNaN(a.Number) {
		return cut(a.Text, 8)
	}
	return strings.ReplaceAll(unitOf(a.Path).text(a.Number, 3), " ", "")
}

// key explains letters and signs.
func (m *matrix) key(b *strings.Builder, rowPath, columnPath string) {
	fmt.Fprintf(b, "Rows: %s.  Columns: %s.\n", rowPath, columnPath)
	line := ""
	for i, s := range m.schemes {
		item := letters[i:i+1] + " " + cut(s.Text, tableWidth-4)
		if line != "" && utf8.RuneCountInString(line+"   "+item) > tableWidth {
			b.WriteString(line + "\n")
			line = ""
		}
		if line != "" {
			line += "   "
		}
		line += item
	}
	b.WriteString(line + "\n")
	b.WriteString("A3.7: A is 3.7 times better than the next.  AB: a tie, the 95 % intervals " +
		"overlap.\nA~~~: a tie of more than four.  ?: too few samples for it.\n")
}

// write writes one matrix, of what cell says of the rows of a point.
func (m *matrix) write(b *strings.Builder, title string, of func([]*result.Row) string) {
	label, cell := m.labelWidth(), m.cellWidth()
	b.WriteString("\n" + title + "\n" + strings.Repeat(" ", label))
	for _, col := range m.columns {
		b.WriteString(padLeft(m.columnLabel(col), cell))
	}
	b.WriteString("\n")
	for _, r := range m.rows {
		b.WriteString(padLeft(cut(axisText(r), label), label))
		for _, col := range m.columns {
			b.WriteString(padLeft(of(m.at[[2]string{r.Text, col.Text}]), cell))
		}
		b.WriteString("\n")
	}
}

// failures is the scheme that gave up most samples of a point, and how many of a hundred.
func (m *matrix) failures(rows []*result.Row) string {
	worst, share := "", 0.0
	for _, r := range rows {
		if of := float64(r.Failed) / float64(max(r.Samples, 1)); of > share {
			worst, share = r.Scheme, of
		}
	}
	if worst == "" {
		return "-"
	}
	return m.letter(worst) + decimal(100*share, 2)
}

// cell is the verdict in a few signs.
func (m *matrix) cell(c contest, rows []*result.Row) string {
	v := c.judge(rows)
	if v.Best == "" {
		return "-"
	}
	out := m.letter(v.Best)
	if v.GaveUp {
		out += "!"
	}
	switch {
	case len(v.Rivals) > 3:
		out += "~~~"
	case len(v.Rivals) > 0:
		for _, r := range v.Rivals {
			out += m.letter(r)
		}
	case math.IsNaN(v.Margin): // no other scheme
	case v.Margin >= 99.5:
		out += ">99"
	case v.Margin >= 9.95:
		out += fmt.Sprintf("%.0f", v.Margin)
	default:
		out += fmt.Sprintf("%.1f", v.Margin)
	}
	if v.Doubtful {
		out += "?"
	}
	return out
}

func (m *matrix) letter(scheme string) string {
	for i, s := range m.schemes {
		if s.Text == scheme {
			return letters[i : i+1]
		}
	}
	panic("BUG: report: no letter for " + scheme)
}

func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s))) + s
}
