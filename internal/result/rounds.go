package result

import (
	"encoding/csv"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
)

// Round is how long one round of a collective took, of one scheme at one point. Times are in
// seconds, NaN where no sample was delivered. A quantile that the samples do not carry is the one
// that the row of the point has a warning for.
type Round struct {
	Axes   []AxisValue
	Scheme string
	// Number of the round, from 0. A round lasts from the end of the one before to the
	// acknowledgement of its slowest message.
	Number int64
	// Samples are those that were delivered.
	Samples              int64
	Mean, P50, P99, P999 float64
}

// roundColumns follow the swept paths and the scheme.
var roundColumns = []string{
	"round", "samples", "duration_mean_s", "duration_p50_s", "duration_p99_s", "duration_p999_s",
}

// Times are the columns of times, in their order.
func (r *Round) Times() []*float64 { return []*float64{&r.Mean, &r.P50, &r.P99, &r.P999} }

// WriteRounds writes rounds.csv: swept paths, scheme, and roundColumns. One line per round.
func WriteRounds(w io.Writer, all []Round) error {
	var paths []string
	if len(all) > 0 {
		paths = PathsOf(all[0].Axes)
	}
	out := csv.NewWriter(w)
	header := append(append(slices.Clone(paths), SchemeColumn), roundColumns...)
	if err := out.Write(header); err != nil {
		return err
	}
	for i := range all {
		r := &all[i]
		line := append(axisFields(r.Axes, paths), PlainText(r.Scheme),
			strconv.FormatInt(r.Number, 10), strconv.FormatInt(r.Samples, 10))
		for _, x := range r.Times() {
			line = append(line, FormatNumber(*x))
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// ReadRounds reads what WriteRounds wrote; errors name file:line and column. The rounds of a scheme
// at a point follow each other from 0.
func ReadRounds(r io.Reader) ([]Round, error) {
	s, err := openSheet(r, RoundsFile)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(s.header[s.scheme+1:], roundColumns) {
		return nil, s.fault(s.scheme, "must be followed by %q and nothing else", roundColumns)
	}
	var all []Round
	for {
		err := s.next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		round, err := s.round(all)
		if err != nil {
			return nil, err
		}
		all = append(all, round)
	}
}

// round reads the current line, which follows those before.
func (s *sheet) round(before []Round) (Round, error) {
	r := Round{Axes: s.point(), Scheme: s.current[s.scheme]}
	var err error
	if r.Number, err = s.count(s.scheme + 1); err != nil {
		return Round{}, err
	}
	if r.Samples, err = s.count(s.scheme + 2); err != nil {
		return Round{}, err
	}
	for i, x := range r.Times() {
		if *x, err = s.number(s.scheme + 3 + i); err != nil {
			return Round{}, err
		}
		if math.IsNaN(*x) != (r.Samples == 0) {
			return Round{}, s.fault(s.scheme+3+i, "must be a time, and empty if there are no samples")
		}
	}
	want := int64(0)
	if n := len(before); n > 0 {
		last := &before[n-1]
		if last.Scheme == r.Scheme && PointKey(last.Axes) == PointKey(r.Axes) {
			want = last.Number + 1
		}
	}
	if r.Number != want {
		return Round{}, s.fault(s.scheme+1, "is %d, must be %d: rounds follow each other from 0",
			r.Number, want)
	}
	return r, nil
}

// count reads a field that holds a whole number from 0.
func (s *sheet) count(field int) (int64, error) {
	n, err := strconv.ParseInt(s.current[field], 10, 64)
	if err != nil || n < 0 {
		return 0, s.fault(field, "%q is not a count", s.current[field])
	}
	return n, nil
}
