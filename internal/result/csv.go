package result

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"sdrsim/internal/metric"
)

// WriteCSV writes rows as points.csv: the swept paths, scheme, columns, warnings. Numbers are in
// the shortest form that reads back as the same number; what is unknown or infinite is empty.
// Columns of measurements are left out where no row has them. Rows with different paths are a bug.
func WriteCSV(w io.Writer, rows []Row) error {
	var paths []string
	if len(rows) > 0 {
		paths = PathsOf(rows[0].Axes)
	}
	out := csv.NewWriter(w)
	present := ColumnsOf(rows)
	header := append(append([]string{}, paths...), SchemeColumn)
	for _, c := range present {
		header = append(header, c.Name)
	}
	header = append(header, WarningsColumn)
	if err := out.Write(header); err != nil {
		return err
	}
	for i := range rows {
		if err := out.Write(record(&rows[i], paths, present)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// record is a row as the fields of a line.
func record(r *Row, paths []string, present []*metric.Field) []string {
	fields := append(axisFields(r.Axes, paths), PlainText(r.Scheme))
	for _, c := range present {
		switch c.Type {
		case metric.Integer:
			fields = append(fields, strconv.FormatInt(*c.Count(&r.Values), 10))
		case metric.Text:
			fields = append(fields, PlainText(*c.Word(&r.Values)))
		default:
			fields = append(fields, FormatNumber(*c.Number(&r.Values)))
		}
	}
	return append(fields, WarningText(r.Warnings))
}

// WarningText is what a row warns of, as one field.
func WarningText(list []string) string {
	warnings := make([]string, len(list))
	for i, w := range list {
		warnings[i] = strings.ReplaceAll(PlainText(w), WarningSep, ", ")
	}
	return strings.Join(warnings, WarningSep)
}

// axisFields are the texts of a point, which must have exactly these paths.
func axisFields(axes []AxisValue, paths []string) []string {
	if len(axes) != len(paths) {
		panic(fmt.Sprintf("BUG: report: a row has %d swept values, the table %d",
			len(axes), len(paths)))
	}
	fields := make([]string, 0, len(paths)+len(metric.Fields())+2)
	for i, a := range axes {
		if a.Path != paths[i] {
			panic(fmt.Sprintf("BUG: report: a row has %q where the table has %q",
				a.Path, paths[i]))
		}
		fields = append(fields, PlainText(a.Text))
	}
	return fields
}

// PathsOf are the paths of axes.
func PathsOf(axes []AxisValue) []string {
	paths := make([]string, len(axes))
	for i, a := range axes {
		paths[i] = a.Path
	}
	return paths
}

// FormatNumber writes the shortest text that reads back as x; nothing where x is not finite.
func FormatNumber(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	if x == 0 { // no "-0"
		return "0"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// PlainText is a text without what would be lost in a file: on one line, so that a line of the
// file is a row, and without space around it.
func PlainText(s string) string { return strings.TrimSpace(OneLine(s)) }

// OneLine replaces line breaks and other control characters by spaces.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}
