package metric

import (
	"math"
	"slices"
)

// Types of the fields of a column.
const (
	Integer = "integer"
	Number  = "number"
	Text    = "string"
)

// Field is a column of points.csv or of a file of samples.
type Field struct {
	Name   string
	Type   string
	Unit   string
	Better string
	// Title names it on an axis, Doc says in one line what it is.
	Title, Doc string
	// Metric is what it is a Stat of; nil where it is no measurement. Stat is empty where the metric
	// has one number.
	Metric *Metric
	Stat   string
	// Lo and Hi are the columns of its interval, empty where there is none. Of is the column of whose
	// interval it is an end.
	Lo, Hi, Of string
	// Optional columns are in a file only where a row has them. Simulated results never have
	// those of a measurement, as they must not tell how fast a machine is.
	Optional bool

	// Count, Number and Word are where the value of a row is, by the type of the column.
	Count  func(*Values) *int64
	Number func(*Values) *float64
	Word   func(*Values) *string
}

// Value is the value of a row as a number: NaN where it is unknown, or a word.
func (f *Field) Value(v *Values) float64 {
	switch {
	case f.Count != nil:
		return float64(*f.Count(v))
	case f.Number != nil:
		return *f.Number(v)
	}
	return math.NaN()
}

// Interval is the value of a row with the ends of its interval, NaN where there are none.
func (f *Field) Interval(v *Values) (value, lo, hi float64) {
	value, lo, hi = f.Value(v), math.NaN(), math.NaN()
	if f.Lo != "" {
		lo, hi = Lookup(f.Lo).Value(v), Lookup(f.Hi).Value(v)
	}
	return value, lo, hi
}

// Known reports whether a row has a value.
func (f *Field) Known(v *Values) bool {
	if f.Word != nil {
		return *f.Word(v) != ""
	}
	return !math.IsNaN(f.Value(v))
}

// Fields lists the columns of points.csv between the scheme and the warnings, in their order.
func Fields() []*Field { return columns }

// Names lists their names.
func Names() []string {
	names := make([]string, len(columns))
	for i, f := range columns {
		names[i] = f.Name
	}
	return names
}

// Lookup finds a column by name; nil where there is none.
func Lookup(name string) *Field { return byName[name] }

var (
	columns = fields()
	byName  = indexed()
)

func indexed() map[string]*Field {
	index := map[string]*Field{}
	for _, f := range columns {
		index[f.Name] = f
	}
	return index
}

// fields are those of the table and what is beside it, in the order of the file.
func fields() []*Field {
	list := slices.Clone(beside)
	for i := range table {
		for _, c := range table[i].columns() {
			list = append(list, table[i].fields(c)...)
		}
	}
	slices.SortStableFunc(list, func(a, b *Field) int { return place(a.Name) - place(b.Name) })
	return list
}

// place is where a column stands: those that are older than the table where they always stood, all
// others behind them, in the order of the table.
func place(name string) int {
	if i := slices.Index(places, name); i >= 0 {
		return i
	}
	return len(places)
}

// fields are a column and the ends of its interval.
func (m *Metric) fields(c Column) []*Field {
	at := func(i int) func(*Values) *float64 {
		return func(v *Values) *float64 { return c.of(v)[i] }
	}
	f := &Field{
		Name: c.Name, Type: Number, Unit: m.Unit, Better: m.Better, Title: m.title(c.Stat),
		Doc: m.doc(c.Stat), Metric: m, Stat: c.Stat, Optional: m.Measured, Number: at(0),
	}
	list := []*Field{f}
	if c.of(new(Values))[1] == nil {
		return list
	}
	f.Lo, f.Hi = c.bound("lo", m.Unit), c.bound("hi", m.Unit)
	for i, end := range [][2]string{{f.Lo, "lower"}, {f.Hi, "upper"}} {
		bound := *f
		bound.Name, bound.Lo, bound.Hi, bound.Of = end[0], "", "", f.Name
		bound.Title = f.Title + ", " + end[1] + " end"
		bound.Doc = end[1] + " end of the 95 % interval of " + f.Name
		bound.Number = at(1 + i)
		list = append(list, &bound)
	}
	return list
}
