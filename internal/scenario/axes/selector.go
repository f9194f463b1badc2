package axes

import (
	"fmt"
	"slices"
	"strings"

	"sdrsim/internal/figure"
	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"

	"gopkg.in/yaml.v3"
)

// Selector resolves what figures and checks say they are about: schemes by label, and swept paths
// with their values.
type Selector struct {
	*draft.Decoder
	Sweep *Sweep
	// Section is what faults call the place, such as figures.
	Section string
}

// Scheme reports whether a label is one of a scheme; reports a fault otherwise.
func (s *Selector) Scheme(key, label string, at format.Pos) bool {
	var labels []string
	for i := range s.Draft.Schemes {
		labels = append(labels, s.Draft.Schemes[i].Label)
	}
	if slices.Contains(labels, label) || s.SchemesBroken {
		return true
	}
	s.Faults.Add(at, "must be the label of a scheme: "+strings.Join(labels, ", "), format.Error{
		Key: s.Section + "." + key, Value: label, Suggestion: format.Nearest(label, labels),
	})
	return false
}

// FindAxis returns the axis of a path; reports a fault otherwise.
func (s *Selector) FindAxis(path, key string, at format.Pos) *Axis {
	var known []string
	for i := range s.Sweep.Axes {
		if s.Sweep.Axes[i].Path == path {
			return &s.Sweep.Axes[i]
		}
		known = append(known, s.Sweep.Axes[i].Path)
	}
	message := "must be a swept path: " + strings.Join(known, ", ")
	if len(known) == 0 {
		message = "must be a swept path, and there is no sweep"
	}
	s.Faults.Add(at, message, format.Error{Key: key, Value: path, Suggestion: format.Nearest(path,
		known)})
	return nil
}

// Where reads values of swept paths, in the order of the sweep. Some point must have them all.
// Skipped tells which value an override has taken out of the sweep; empty: none.
func (s *Selector) Where(n *yaml.Node) (matches []figure.AxisMatch, skipped string) {
	key := s.Section + ".where"
	for _, e := range format.Entries(n, key, s.Faults) {
		axis := s.FindAxis(e.Key, key, e.At)
		if axis == nil {
			continue
		}
		text, ok := format.Scalar(e.Val, key+"."+e.Key, "a value of the sweep", s.Faults)
		if !ok {
			continue
		}
		value, ok := axis.find(axis.key(s.Draft), text)
		switch {
		case ok:
			matches = append(matches, figure.AxisMatch{Path: value.Path, Text: value.Text})
		case axis.override:
			skipped = fmt.Sprintf("%s is not swept over %s", axis.Path, text)
		default:
			s.Faults.Add(format.Place(e.Val), "must be a value of the sweep: "+axis.sample(), format.Error{
				Key: key + "." + e.Key, Value: text,
			})
		}
	}
	slices.SortStableFunc(matches, func(a, b figure.AxisMatch) int {
		return s.Rank(a.Path) - s.Rank(b.Path)
	})
	if skipped != "" || s.Sweep.Broken || len(matches) < 1 || s.has(matches) {
		return matches, skipped
	}
	var words []string
	for _, m := range matches {
		words = append(words, m.Path+": "+m.Text)
	}
	text := "{" + strings.Join(words, ", ") + "}"
	if slices.ContainsFunc(s.Sweep.Axes, func(a Axis) bool { return a.override }) {
		return matches, "no point of the sweep has " + text
	}
	s.Faults.Add(format.Place(n),
		"must be of a point of the sweep; its lists and exclusions leave none",
		format.Error{Key: key, Value: text})
	return matches, ""
}

// has reports whether a point of the sweep has all these values.
func (s *Selector) has(matches []figure.AxisMatch) bool {
	for values := range s.Sweep.EachValues {
		fits := func(m figure.AxisMatch) bool {
			at := s.Rank(m.Path)
			return s.Sweep.Axes[at].Values[values[at]].Text == m.Text
		}
		if !slices.ContainsFunc(matches, func(m figure.AxisMatch) bool { return !fits(m) }) {
			return true
		}
	}
	return false
}

// Rank is the position of a path in the sweep.
func (s *Selector) Rank(path string) int {
	return slices.IndexFunc(s.Sweep.Axes, func(a Axis) bool { return a.Path == path })
}
