package axes

import (
	"fmt"
	"slices"
	"strings"

	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
)

// Sweep is the swept paths of a file, with the points that they make.
type Sweep struct {
	// Axes are the paths; the points are their product, the first axis slowest. Axes that move
	// together count as one, and some points may be left out.
	Axes   []Axis
	Groups [][]int // of positions in Axes
	// kept are the points of the product that are not left out; nil: all.
	kept []int
	// Broken tells that the values of some path could not be read.
	Broken bool
}

// leaveOut applies the exclusions.
func (s *Sweep) leaveOut(exclusions []exclusion, d *draft.Decoder) {
	if len(exclusions) == 0 {
		return
	}
	s.kept = []int{}
	for i := range s.product() {
		if leaves(exclusions, s.values(i)) {
			s.kept = append(s.kept, i)
		}
	}
	if len(s.kept) == 0 {
		d.Faults.Add(format.Place(d.Sweep), "leaves out every point", format.Error{Key: "sweep." +
			keys.ExcludeKey})
		s.kept = nil
	}
}

// product is the number of points before any are left out.
func (s *Sweep) product() int {
	n := 1
	for _, g := range s.Groups {
		n *= len(s.Axes[g[0]].settings)
	}
	return n
}

// values are which value of each axis point i of the product has.
func (s *Sweep) values(i int) []int {
	chosen := make([]int, len(s.Axes))
	for k := len(s.Groups) - 1; k >= 0; k-- {
		n := len(s.Axes[s.Groups[k][0]].settings)
		for _, a := range s.Groups[k] {
			chosen[a] = i % n
		}
		i /= n
	}
	return chosen
}

// EachValues yields the values of every point.
func (s *Sweep) EachValues(yield func([]int) bool) {
	for i := range s.Len() {
		if !yield(s.valuesOf(i)) {
			return
		}
	}
}

// valuesOf are which value of each axis point i has.
func (s *Sweep) valuesOf(i int) []int {
	if i < 0 || i >= s.Len() {
		panic(fmt.Sprintf("BUG: axes: point %d of %d", i, s.Len()))
	}
	if s.kept != nil {
		i = s.kept[i]
	}
	return s.values(i)
}

// Put puts the values of point i into a draft.
func (s *Sweep) Put(d *draft.Draft, i int) {
	for a, v := range s.valuesOf(i) {
		s.Axes[a].choose(d, v)
	}
}

// Varied are the settings of point i that the sweep changes, by their paths.
func (s *Sweep) Varied(i int) (list []spec.AxisValue) {
	for a, v := range s.valuesOf(i) {
		list = append(list, s.Axes[a].varied(v)...)
	}
	slices.SortStableFunc(list, func(a, b spec.AxisValue) int {
		return strings.Compare(a.Path, b.Path)
	})
	return list
}

// Prepare makes the settings that put puts into drafts, once the file has been read.
func (s *Sweep) Prepare(d *draft.Draft) {
	for i := range s.Axes {
		s.Axes[i].prepare(d)
	}
}

// Settings yields every setting of the sweep with its key.
func (s *Sweep) Settings(d *draft.Draft) func(yield func(*keys.Key, *keys.Setting) bool) {
	return func(yield func(*keys.Key, *keys.Setting) bool) {
		for i := range s.Axes {
			if !s.Axes[i].eachSetting(d, yield) {
				return
			}
		}
	}
}

// Len is the number of points.
func (s *Sweep) Len() int {
	if s.kept != nil {
		return len(s.kept)
	}
	return s.product()
}

// At are the values of the axes at point i.
func (s *Sweep) At(i int) []spec.AxisValue {
	chosen := s.valuesOf(i)
	if len(chosen) == 0 {
		return nil
	}
	list := make([]spec.AxisValue, len(chosen))
	for a, v := range chosen {
		list[a] = s.Axes[a].Values[v]
	}
	return list
}

// Key names point i.
func (s *Sweep) Key(i int) string {
	var name []byte
	for a, v := range s.valuesOf(i) {
		value := &s.Axes[a].Values[v]
		if a > 0 {
			name = append(name, ',')
		}
		name = append(append(append(name, value.Path...), '='), value.Text...)
	}
	return string(name)
}
