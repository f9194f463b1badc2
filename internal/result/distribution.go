package result

import (
	"encoding/csv"
	"errors"
	"io"
	"math"
	"slices"

	"sdrsim/internal/stats"
)

// DistributionSteps is how many points of a distribution are kept at most.
const DistributionSteps = 200

// Distribution is the empirical distribution of the completion time, in seconds, of one scheme at
// one point. Build Steps with stats.Steps(sorted, DistributionSteps).
type Distribution struct {
	Axes   []AxisValue
	Scheme string
	Steps  []stats.Step
}

const (
	probabilityColumn = "probability"
	completionColumn  = "completion_s"
)

// WriteDistributions writes distribution.csv: swept paths, scheme, probability, completion_s, where
// probability is P(X > completion_s). One line per step, ascending in completion_s.
func WriteDistributions(w io.Writer, all []Distribution) error {
	var paths []string
	if len(all) > 0 {
		paths = PathsOf(all[0].Axes)
	}
	out := csv.NewWriter(w)
	header := append(slices.Clone(paths), SchemeColumn, probabilityColumn, completionColumn)
	if err := out.Write(header); err != nil {
		return err
	}
	for _, d := range all {
		start := append(axisFields(d.Axes, paths), PlainText(d.Scheme))
		for _, step := range d.Steps {
			line := append(slices.Clone(start), FormatNumber(step.Exceed), FormatNumber(step.X))
			if err := out.Write(line); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

// ReadDistributions reads what WriteDistributions wrote; errors name file:line and column.
func ReadDistributions(r io.Reader) ([]Distribution, error) {
	s, err := openSheet(r, "distribution.csv")
	if err != nil {
		return nil, err
	}
	want := []string{probabilityColumn, completionColumn}
	if !slices.Equal(s.header[s.scheme+1:], want) {
		return nil, s.fault(s.scheme, "must be followed by %s, %s and nothing else",
			want[0], want[1])
	}
	var all []Distribution
	for {
		err := s.next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		if all, err = s.addStep(all); err != nil {
			return nil, err
		}
	}
}

// addStep adds the current line to the last distribution, or starts another.
func (s *sheet) addStep(all []Distribution) ([]Distribution, error) {
	exceed, err := s.number(s.scheme + 1)
	if err != nil {
		return nil, err
	}
	if !(exceed >= 0 && exceed <= 1) {
		return nil, s.fault(s.scheme+1, "must be a probability between 0 and 1")
	}
	x, err := s.number(s.scheme + 2)
	if err != nil {
		return nil, err
	}
	if math.IsNaN(x) {
		return nil, s.fault(s.scheme+2, "is empty, must be a time in seconds")
	}
	axes, scheme := s.point(), s.current[s.scheme]
	n := len(all)
	if n == 0 || all[n-1].Scheme != scheme || PointKey(all[n-1].Axes) != PointKey(axes) {
		return append(all, Distribution{axes, scheme, []stats.Step{{X: x, Exceed: exceed}}}), nil
	}
	steps := all[n-1].Steps
	if last := steps[len(steps)-1]; !(x > last.X && exceed < last.Exceed) {
		return nil, s.fault(s.scheme+2, "steps must ascend in time and descend in probability")
	}
	all[n-1].Steps = append(steps, stats.Step{X: x, Exceed: exceed})
	return all, nil
}
