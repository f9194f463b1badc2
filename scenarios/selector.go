package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// selector resolves what figures and checks say they are about: schemes by label, and swept paths
// with their values.
type selector struct {
	*decoder
	sweep *Sweep
	// section is what faults call the place, such as figures.
	section string
}

// scheme reports whether a label is one of a scheme; reports a fault otherwise.
func (s *selector) scheme(key, label string, at pos) bool {
	var labels []string
	for i := range s.draft.schemes {
		labels = append(labels, s.draft.schemes[i].label)
	}
	if slices.Contains(labels, label) || s.schemesBroken {
		return true
	}
	s.f.add(at, "must be the label of a scheme: "+strings.Join(labels, ", "), Error{
		Key: s.section + "." + key, Value: label, Suggestion: nearest(label, labels),
	})
	return false
}

// findAxis returns the axis of a path; reports a fault otherwise.
func (s *selector) findAxis(path, key string, at pos) *Axis {
	var known []string
	for i := range s.sweep.Axes {
		if s.sweep.Axes[i].Path == path {
			return &s.sweep.Axes[i]
		}
		known = append(known, s.sweep.Axes[i].Path)
	}
	message := "must be a swept path: " + strings.Join(known, ", ")
	if len(known) == 0 {
		message = "must be a swept path, and there is no sweep"
	}
	s.f.add(at, message, Error{Key: key, Value: path, Suggestion: nearest(path, known)})
	return nil
}

// where reads values of swept paths, in the order of the sweep. Some point must have them all.
// Skipped tells which value an override has taken out of the sweep; empty: none.
func (s *selector) where(n *yaml.Node) (matches []AxisMatch, skipped string) {
	key := s.section + ".where"
	for _, e := range entries(n, key, s.f) {
		axis := s.findAxis(e.key, key, e.at)
		if axis == nil {
			continue
		}
		text, ok := scalar(e.val, key+"."+e.key, "a value of the sweep", s.f)
		if !ok {
			continue
		}
		value, ok := axis.find(axis.key(s.draft), text)
		switch {
		case ok:
			matches = append(matches, AxisMatch(value))
		case axis.override:
			skipped = fmt.Sprintf("%s is not swept over %s", axis.Path, text)
		default:
			s.f.add(place(e.val), "must be a value of the sweep: "+axis.sample(), Error{
				Key: key + "." + e.key, Value: text,
			})
		}
	}
	slices.SortStableFunc(matches, func(a, b AxisMatch) int {
		return s.rank(a.Path) - s.rank(b.Path)
	})
	if skipped != "" || s.sweep.broken || len(matches) < 1 || s.has(matches) {
		return matches, skipped
	}
	var words []string
	for _, m := range matches {
		words = append(words, m.Path+": "+m.Text)
	}
	text := "{" + strings.Join(words, ", ") + "}"
	if slices.ContainsFunc(s.sweep.Axes, func(a Axis) bool { return a.override }) {
		return matches, "no point of the sweep has " + text
	}
	s.f.add(place(n), "must be of a point of the sweep; its lists and exclusions leave none",
		Error{Key: key, Value: text})
	return matches, ""
}

// has reports whether a point of the sweep has all these values.
func (s *selector) has(matches []AxisMatch) bool {
	for values := range s.sweep.eachValues {
		fits := func(m AxisMatch) bool {
			at := s.rank(m.Path)
			return s.sweep.Axes[at].Values[values[at]].Text == m.Text
		}
		if !slices.ContainsFunc(matches, func(m AxisMatch) bool { return !fits(m) }) {
			return true
		}
	}
	return false
}

// rank is the position of a path in the sweep.
func (s *selector) rank(path string) int {
	return slices.IndexFunc(s.sweep.Axes, func(a Axis) bool { return a.Path == path })
}
