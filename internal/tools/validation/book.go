package validation

import (
	"errors"
	"io/fs"
	"math"
	"path/filepath"

	"sdrsim/internal/report"
	"sdrsim/internal/result"
	"sdrsim/internal/stats"
)

// book reads the tables of results, each once.
type book struct {
	dir    string
	tables map[string]*result.Table
	// missing is set when something was asked for that is not there.
	missing bool
	err     error
}

func newBook(dir string) *book { return &book{dir: dir, tables: map[string]*result.Table{}} }

// table returns the results in a folder; an empty table where there are none.
func (b *book) table(name string) *result.Table {
	if t := b.tables[name]; t != nil {
		b.missing = b.missing || len(t.Rows) == 0
		return t
	}
	t, err := report.ReadTable(filepath.Join(b.dir, filepath.FromSlash(name)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) && b.err == nil {
		b.err = err
	}
	b.tables[name] = &t
	b.missing = b.missing || len(t.Rows) == 0
	return &t
}

// on fixes a swept path to a number, in SI units.
type on struct {
	path  string
	value float64
}

// near reports whether two numbers are the same but for the digits that were printed.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-3*math.Abs(b) }

// has reports whether a row lies on every match.
func has(r *result.Row, matches []on) bool {
	for _, m := range matches {
		found := false
		for _, a := range r.Axes {
			found = found || a.Path == m.path && near(a.Number, m.value)
		}
		if !found {
			return false
		}
	}
	return true
}

// rows are those of a scheme on every match, in the order of the table.
func (b *book) rows(table, scheme string, matches ...on) []*result.Row {
	t := b.table(table)
	var rows []*result.Row
	for i := range t.Rows {
		if r := &t.Rows[i]; r.Scheme == scheme && has(r, matches) {
			rows = append(rows, r)
		}
	}
	b.missing = b.missing || len(rows) == 0
	return rows
}

// row is the first of rows; one without numbers where there is none.
func (b *book) row(table, scheme string, matches ...on) *result.Row {
	if rows := b.rows(table, scheme, matches...); len(rows) > 0 {
		return rows[0]
	}
	blank := result.NewRow(nil, scheme)
	return &blank
}

// value of a row on a swept path; NaN where it has none.
func value(r *result.Row, path string) float64 {
	for _, a := range r.Axes {
		if a.Path == path {
			return a.Number
		}
	}
	return math.NaN()
}

// partner is the row of another scheme at the same point.
func (b *book) partner(table, scheme string, r *result.Row) *result.Row {
	var matches []on
	for _, a := range r.Axes {
		if a.Number != 0 {
			matches = append(matches, on{a.Path, a.Number})
		}
	}
	return b.row(table, scheme, matches...)
}

// slowdown of a row with its interval.
func slowdown(r *result.Row) stats.Estimate {
	scale := r.SlowdownMean / r.CompletionMean
	return stats.Estimate{
		Value: r.SlowdownMean,
		Lo:    float64(r.CompletionMeanLo * scale), Hi: float64(r.CompletionMeanHi * scale),
	}
}

func meanOf(r *result.Row) stats.Estimate {
	return stats.Estimate{Value: r.CompletionMean, Lo: r.CompletionMeanLo, Hi: r.CompletionMeanHi}
}

// packetRate of a row, in packets a second.
func packetRate(r *result.Row) float64 {
	return float64(r.PacketsMean*r.Throughput) / float64(8*r.WireBytesMean)
}
