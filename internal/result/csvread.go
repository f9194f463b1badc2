package result

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"sdrsim/internal/metric"
)

// sheet is a CSV file that is being read, with the place for error messages.
type sheet struct {
	file    string
	csv     *csv.Reader
	header  []string
	scheme  int // the index of the scheme column; the swept paths are before it
	current []string
}

// fault is an error that names the place of a field of the current line.
func (s *sheet) fault(field int, format string, args ...any) error {
	line, _ := s.csv.FieldPos(field)
	name := strconv.Itoa(field + 1)
	if field < len(s.header) {
		name = s.header[field]
	}
	return fmt.Errorf("%s:%d: column %s: %s", s.file, line, name, fmt.Sprintf(format, args...))
}

// broken places an error of reading.
func (s *sheet) broken(err error) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return fmt.Errorf("%s:%d:%d: %w", s.file, parse.Line, parse.Column, parse.Err)
	}
	return fmt.Errorf("%s: %w", s.file, err)
}

// openSheet reads the header. The file is named by its reader where that has a name, as files do.
func openSheet(r io.Reader, fallback string) (*sheet, error) {
	s := &sheet{file: fallback, csv: csv.NewReader(r)}
	if named, ok := r.(interface{ Name() string }); ok {
		s.file = named.Name()
	}
	s.csv.FieldsPerRecord = -1 // checked by next, with a place
	header, err := s.csv.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: the file is empty, its first line must name the columns",
			s.file)
	}
	if err != nil {
		return nil, s.broken(err)
	}
	s.header = header
	for i, name := range header {
		if slices.Contains(header[:i], name) {
			return nil, s.fault(i, "the name occurs twice")
		}
	}
	if s.scheme = slices.Index(header, SchemeColumn); s.scheme < 0 {
		return nil, fmt.Errorf("%s:1: no column %q; the swept paths come before it",
			s.file, SchemeColumn)
	}
	return s, nil
}

// next reads a line; it returns io.EOF after the last.
func (s *sheet) next() error {
	record, err := s.csv.Read()
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	if err != nil {
		return s.broken(err)
	}
	s.current = record
	if len(record) != len(s.header) {
		line, _ := s.csv.FieldPos(0)
		return fmt.Errorf("%s:%d: %d fields, the header has %d",
			s.file, line, len(record), len(s.header))
	}
	if record[s.scheme] == "" {
		return s.fault(s.scheme, "is empty, must name a scheme")
	}
	return nil
}

// point returns the swept values of the current line.
func (s *sheet) point() []AxisValue {
	axes := make([]AxisValue, s.scheme)
	for i := range axes {
		axes[i] = AxisValue{Path: s.header[i], Text: s.current[i], Number: math.NaN()}
		if v, err := ParseNumber(s.current[i]); err == nil {
			axes[i].Number = v
		}
	}
	return axes
}

// number reads a field; empty is NaN.
func (s *sheet) number(field int) (float64, error) {
	if s.current[field] == "" {
		return math.NaN(), nil
	}
	v, err := ParseNumber(s.current[field])
	if err != nil {
		return 0, s.fault(field, "%q is not a number; empty if it is unknown", s.current[field])
	}
	return v, nil
}

// ParseNumber accepts plain decimal numbers only, neither "inf" nor "0x1p3" nor "1_000".
func ParseNumber(text string) (float64, error) {
	if strings.Trim(text, "0123456789.eE+-") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(text, 64)
}

// ReadCSV reads what WriteCSV wrote. Columns after the scheme may be missing, then their numbers
// are unknown, or in another order; a column of another name, a field that is not a number and a
// row that occurs twice are errors that name file:line and column.
func ReadCSV(r io.Reader) (Table, error) {
	s, err := openSheet(r, "points.csv")
	if err != nil {
		return Table{}, err
	}
	if err := s.checkColumns(); err != nil {
		return Table{}, err
	}
	t := Table{Paths: slices.Clone(s.header[:s.scheme])}
	lines := map[string]int{}
	for {
		err := s.next()
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return Table{}, err
		}
		row, err := s.row()
		if err != nil {
			return Table{}, err
		}
		line, _ := s.csv.FieldPos(0)
		key := PointKey(row.Axes) + " " + row.Scheme
		if first, double := lines[key]; double {
			return Table{}, s.fault(s.scheme, "%q at this point is already in line %d",
				row.Scheme, first)
		}
		lines[key] = line
		t.Rows = append(t.Rows, row)
	}
}

func (s *sheet) checkColumns() error {
	for i, name := range s.header[s.scheme+1:] {
		if metric.Lookup(name) == nil && name != WarningsColumn {
			return s.fault(s.scheme+1+i, "is not a column of points.csv; those are %s, %s",
				strings.Join(metric.Names(), ", "), WarningsColumn)
		}
	}
	if !slices.Contains(s.header, "samples") {
		return fmt.Errorf("%s:1: no column \"samples\"", s.file)
	}
	return nil
}

// row reads the current line.
func (s *sheet) row() (Row, error) {
	row := NewRow(s.point(), s.current[s.scheme])
	for field := s.scheme + 1; field < len(s.header); field++ {
		if s.header[field] == WarningsColumn {
			if text := s.current[field]; text != "" {
				row.Warnings = strings.Split(text, WarningSep)
			}
			continue
		}
		if err := s.readField(field, &row); err != nil {
			return Row{}, err
		}
	}
	return row, nil
}

func (s *sheet) readField(field int, row *Row) error {
	c := metric.Lookup(s.header[field])
	switch c.Type {
	case metric.Integer:
		n, err := s.count(field)
		*c.Count(&row.Values) = n
		return err
	case metric.Text:
		*c.Word(&row.Values) = s.current[field]
		return nil
	}
	v, err := s.number(field)
	if err != nil {
		return err
	}
	*c.Number(&row.Values) = v
	return nil
}
