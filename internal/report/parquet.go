package report

import (
	"io"

	"github.com/parquet-go/parquet-go"
)

// parquetBatch is how many rows are handed to the encoder at a time.
const parquetBatch = 1024

// writeSamplesParquet writes the columns of the CSV form: swept paths and scheme as text, counts as
// 64-bit integers, numbers as doubles that are null where they are unknown.
func writeSamplesParquet(w io.Writer, header SampleHeader, samples Samples) error {
	out := parquet.NewWriter(w, header.schema(), parquet.CreatedBy("sdrsim", "", ""),
		parquet.MaxRowsPerRowGroup(1<<20))
	rows := make([]parquet.Row, 0, parquetBatch)
	flush := func() error {
		_, err := out.WriteRows(rows)
		rows = rows[:0]
		return err
	}
	err := samples(func(r *SampleRow) error {
		rows = append(rows, r.parquet())
		if len(rows) < parquetBatch {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	if err := flush(); err != nil {
		return err
	}
	return out.Close()
}

// parquet is the row as values by column.
func (r *SampleRow) parquet() parquet.Row {
	row := make(parquet.Row, 0, len(r.Axes)+2+len(r.Counts)+len(r.Numbers))
	add := func(v parquet.Value, definition int) {
		row = append(row, v.Level(0, definition, len(row)))
	}
	for _, a := range r.Axes {
		add(parquet.ByteArrayValue([]byte(plainText(a.Text))), 0)
	}
	add(parquet.ByteArrayValue([]byte(plainText(r.Scheme))), 0)
	add(parquet.Int64Value(r.Number), 0)
	for _, n := range r.Counts {
		add(parquet.Int64Value(n), 0)
	}
	for _, x := range r.Numbers {
		if notKnown(x) {
			add(parquet.NullValue(), 0)
			continue
		}
		add(parquet.DoubleValue(x), 1)
	}
	return row
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

func (h SampleHeader) schema() *parquet.Schema {
	g := orderedGroup{Group: parquet.Group{}, order: h.columns()}
	compressed := func(n parquet.Node) parquet.Node { return parquet.Compressed(n, &parquet.Zstd) }
	for _, name := range h.Paths {
		g.Group[name] = compressed(parquet.Encoded(parquet.String(), &parquet.RLEDictionary))
	}
	g.Group[schemeColumn] = compressed(parquet.Encoded(parquet.String(), &parquet.RLEDictionary))
	for _, name := range append([]string{sampleColumn}, h.Counts...) {
		g.Group[name] = compressed(parquet.Leaf(parquet.Int64Type))
	}
	for _, name := range h.Numbers {
		g.Group[name] = compressed(parquet.Optional(parquet.Leaf(parquet.DoubleType)))
	}
	return parquet.NewSchema("samples", g)
}
