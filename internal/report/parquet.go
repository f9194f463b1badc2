package report

import (
	"cmp"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"sdrsim/internal/metric"
	"sdrsim/internal/result"
)

// parquetBatch is how many rows are handed to the encoder at a time.
const parquetBatch = 1024

// parquetColumn is a column with the type that metric calls it by. Numbers that are unknown, and
// none else, are null.
type parquetColumn struct{ name, kind string }

// parquetTable encodes rows a batch at a time.
type parquetTable struct {
	out interface {
		WriteRows(rows []parquet.Row) (int, error)
		Close() error
	}
	columns []parquetColumn
	rows    []parquet.Row
}

func newParquetTable(w io.Writer, name string, columns []parquetColumn) *parquetTable {
	g := orderedGroup{Group: parquet.Group{}}
	for _, c := range columns {
		g.order = append(g.order, c.name)
		g.Group[c.name] = c.node()
	}
	out := parquet.NewWriter(w, parquet.NewSchema(name, g), parquet.CreatedBy("sdrsim", "", ""),
		parquet.MaxRowsPerRowGroup(1<<20))
	return &parquetTable{out: out, columns: columns, rows: make([]parquet.Row, 0, parquetBatch)}
}

func (c parquetColumn) node() parquet.Node {
	var n parquet.Node
	switch c.kind {
	case metric.Integer:
		n = parquet.Leaf(parquet.Int64Type)
	case metric.Number:
		n = parquet.Optional(parquet.Leaf(parquet.DoubleType))
	default:
		n = parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	}
	return parquet.Compressed(n, &parquet.Zstd)
}

// parquetRow is a row as values by column.
type parquetRow parquet.Row

func (r *parquetRow) add(v parquet.Value, definition int) {
	*r = append(*r, v.Level(0, definition, len(*r)))
}

func (r *parquetRow) text(s string) {
	r.add(parquet.ByteArrayValue([]byte(result.PlainText(s))), 0)
}

func (r *parquetRow) integer(n int64) { r.add(parquet.Int64Value(n), 0) }

func (r *parquetRow) number(x float64) {
	if notKnown(x) {
		r.add(parquet.NullValue(), 0)
		return
	}
	r.add(parquet.DoubleValue(x), 1)
}

// write takes a row.
func (t *parquetTable) write(r parquetRow) error {
	if len(r) != len(t.columns) {
		panic(fmt.Sprintf("BUG: report: a row of %d values in a table of %d columns", len(r),
			len(t.columns)))
	}
	if t.rows = append(t.rows, parquet.Row(r)); len(t.rows) < parquetBatch {
		return nil
	}
	return t.flush()
}

func (t *parquetTable) flush() error {
	_, err := t.out.WriteRows(t.rows)
	t.rows = t.rows[:0]
	return err
}

func (t *parquetTable) close() error { return cmp.Or(t.flush(), t.out.Close()) }

// writeSamplesParquet writes the columns of the CSV form: swept paths and scheme as text, counts as
// 64-bit integers, numbers as doubles that are null where they are unknown.
func writeSamplesParquet(w io.Writer, header result.SampleHeader, samples Samples) error {
	var columns []parquetColumn
	for i, name := range sampleColumns(header) {
		kind := metric.Number
		switch axes := len(header.Paths) + 1; {
		case i < axes:
			kind = metric.Text
		case i < axes+1+len(header.Counts):
			kind = metric.Integer
		}
		columns = append(columns, parquetColumn{name, kind})
	}
	out := newParquetTable(w, "samples", columns)
	err := samples(func(r *result.SampleRow) error {
		row := make(parquetRow, 0, len(columns))
		for _, a := range r.Axes {
			row.text(a.Text)
		}
		row.text(r.Scheme)
		row.integer(r.Number)
		for _, n := range r.Counts {
			row.integer(n)
		}
		for _, x := range r.Numbers {
			row.number(x)
		}
		return out.write(row)
	})
	return cmp.Or(err, out.close())
}

// writePointsParquet writes the columns of points.csv: a swept path whose values are all numbers as
// doubles, counts as 64-bit integers, numbers as doubles that are null where they are unknown.
func writePointsParquet(w io.Writer, rows []result.Row) error {
	var columns []parquetColumn
	fields := schemaOf(rows)
	for _, f := range fields {
		columns = append(columns, parquetColumn{f.Name, f.Type})
	}
	out := newParquetTable(w, "points", columns)
	present := result.ColumnsOf(rows)
	for i := range rows {
		r := &rows[i]
		row := make(parquetRow, 0, len(columns))
		for k, a := range r.Axes {
			if fields[k].Type == metric.Number {
				row.number(a.Number)
			} else {
				row.text(a.Text)
			}
		}
		row.text(r.Scheme)
		for _, c := range present {
			switch c.Type {
			case metric.Integer:
				row.integer(*c.Count(&r.Values))
			case metric.Text:
				row.text(*c.Word(&r.Values))
			default:
				row.number(*c.Number(&r.Values))
			}
		}
		row.text(result.WarningText(r.Warnings))
		if err := out.write(row); err != nil {
			return err
		}
	}
	return out.close()
}

// orderedGroup is a group whose columns keep the order of the file; a plain group sorts them.
type orderedGroup struct {
	parquet.Group
	order []string
}

// Fields returns the columns in order.
func (g orderedGroup) Fields() []parquet.Field {
	byName := map[string]parquet.Field{}
	for _, f := range g.Group.Fields() {
		byName[f.Name()] = f
	}
	fields := make([]parquet.Field, len(g.order))
	for i, name := range g.order {
		fields[i] = byName[name]
	}
	return fields
}
