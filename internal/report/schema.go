package report

import (
	"io"
	"math"

	"sdrsim/internal/files"
	"sdrsim/internal/metric"
	"sdrsim/internal/result"
)

// SchemaFile describes the columns of points.csv for programs.
const SchemaFile = "schema.json"

// tableSchema is a Table Schema (https://datapackage.org/standard/table-schema/), which data tools
// read. Unit, better and the ends of intervals are beyond the standard, which allows for that.
type tableSchema struct {
	Fields  []schemaField `json:"fields"`
	Missing []string      `json:"missingValues"`
	Key     []string      `json:"primaryKey"`
}

// schemaField is a column.
type schemaField struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Title  string `json:"title"`
	Doc    string `json:"description"`
	Unit   string `json:"unit,omitempty"`   // of SI, or B
	Better string `json:"better,omitempty"` // lower or higher
	Lo     string `json:"lower,omitempty"`  // the columns of the 95 % interval
	Hi     string `json:"upper,omitempty"`
}

// WriteSchema describes every column of the points.csv with these rows.
func WriteSchema(w io.Writer, rows []result.Row) error {
	s := tableSchema{Fields: schemaOf(rows), Missing: []string{""}}
	for _, f := range s.Fields {
		if s.Key = append(s.Key, f.Name); f.Name == result.SchemeColumn {
			break
		}
	}
	b, err := files.EncodeJSON(s)
	if err == nil {
		_, err = w.Write(b)
	}
	return err
}

// schemaOf are the columns of the points.csv with these rows.
func schemaOf(rows []result.Row) []schemaField {
	var fields []schemaField
	if len(rows) > 0 {
		for i, path := range result.PathsOf(rows[0].Axes) {
			f := schemaField{Name: path, Type: axisType(rows, i), Title: pathName(path),
				Doc: "swept value of the scenario"}
			if f.Type == metric.Number {
				f.Unit = unitOf(path).base()
			}
			fields = append(fields, f)
		}
	}
	fields = append(fields, schemaField{Name: result.SchemeColumn, Type: metric.Text, Title: "Scheme",
		Doc: "label of the scheme"})
	for _, f := range result.ColumnsOf(rows) {
		fields = append(fields, schemaField{f.Name, f.Type, f.Title, f.Doc, f.Unit, f.Better,
			f.Lo, f.Hi})
	}
	return append(fields, schemaField{
		Name: result.WarningsColumn, Type: metric.Text, Title: "Warnings",
		Doc: "what to doubt, separated by \"" + result.WarningSep + "\""})
}

// axisType is the type of a swept value: a number where it is one in every row.
func axisType(rows []result.Row, axis int) string {
	for i := range rows {
		if math.IsNaN(rows[i].Axes[axis].Number) {
			return metric.Text
		}
	}
	return metric.Number
}

// base is the symbol of the unit in which tables are.
func (u unit) base() string {
	for _, s := range u.steps {
		if s.factor == 1 {
			return s.symbol
		}
	}
	return ""
}
