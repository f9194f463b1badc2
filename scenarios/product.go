package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"sdrsim/internal/spec"
)

// Sweep is the swept paths of a file, with the points that they make.
type Sweep struct {
	// Axes are the paths; the points are their product, the first axis slowest. Axes that move
	// together count as one, and some points may be left out.
	Axes   []Axis
	groups [][]int // of positions in Axes
	// kept are the points of the product that are not left out; nil: all.
	kept []int
	// broken tells that the values of some path could not be read.
	broken bool
}

// leaveOut applies the exclusions.
func (s *Sweep) leaveOut(exclusions []exclusion, d *decoder) {
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
		d.f.add(place(d.sweep), "leaves out every point", Error{Key: "sweep." + excludeKey})
		s.kept = nil
	}
}

// product is the number of points before any are left out.
func (s *Sweep) product() int {
	n := 1
	for _, g := range s.groups {
		n *= len(s.Axes[g[0]].settings)
	}
	return n
}

// values are which value of each axis point i of the product has.
func (s *Sweep) values(i int) []int {
	chosen := make([]int, len(s.Axes))
	for k := len(s.groups) - 1; k >= 0; k-- {
		n := len(s.Axes[s.groups[k][0]].settings)
		for _, a := range s.groups[k] {
			chosen[a] = i % n
		}
		i /= n
	}
	return chosen
}

// eachValues yields the values of every point.
func (s *Sweep) eachValues(yield func([]int) bool) {
	for i := range s.Len() {
		if !yield(s.valuesOf(i)) {
			return
		}
	}
}

// valuesOf are which value of each axis point i has.
func (s *Sweep) valuesOf(i int) []int {
	if i < 0 || i >= s.Len() {
		panic(fmt.Sprintf("BUG: scenarios: point %d of %d", i, s.Len()))
	}
	if s.kept != nil {
		i = s.kept[i]
	}
	return s.values(i)
}

// put puts the values of point i into a draft.
func (s *Sweep) put(d *draft, i int) {
	for a, v := range s.valuesOf(i) {
		s.Axes[a].choose(d, v)
	}
}

// varied are the settings of point i that the sweep changes, by their paths.
func (s *Sweep) varied(i int) (list []spec.AxisValue) {
	for a, v := range s.valuesOf(i) {
		list = append(list, s.Axes[a].varied(v)...)
	}
	slices.SortStableFunc(list, func(a, b spec.AxisValue) int {
		return strings.Compare(a.Path, b.Path)
	})
	return list
}

// prepare makes the settings that put puts into drafts, once the file has been read.
func (s *Sweep) prepare(d *draft) {
	for i := range s.Axes {
		s.Axes[i].prepare(d)
	}
}

// settings yields every setting of the sweep with its key.
func (s *Sweep) settings(d *draft) func(yield func(*Key, *setting) bool) {
	return func(yield func(*Key, *setting) bool) {
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

// at are the values of the axes at point i.
func (s *Sweep) at(i int) []spec.AxisValue {
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

// key names point i.
func (s *Sweep) key(i int) string {
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
