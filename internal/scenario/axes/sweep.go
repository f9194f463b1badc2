package axes

import (
	"fmt"

	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"

	"gopkg.in/yaml.v3"
)

// MaxPoints bounds the points of a sweep.
const MaxPoints = 1_000_000

// sweepReader reads the sweep.
type sweepReader struct {
	d     *draft.Decoder
	sweep *Sweep
	taken map[draft.Target]string // by what the targets are swept
	// groups counts the groups of axes that move together, of which most have one.
	groups     int
	exclusions []exclusion
}

// Read reads the sweep of a file, which has at most so many points before any are left out.
func Read(d *draft.Decoder, limit int) *Sweep {
	r := &sweepReader{d: d, sweep: &Sweep{}, taken: map[draft.Target]string{}}
	if d.Sweep == nil {
		return r.sweep
	}
	var exclude *yaml.Node
	for _, e := range format.Entries(d.Sweep, "sweep", d.Faults) {
		switch e.Key {
		case keys.ZipKey:
			r.zip(e.Val)
		case keys.PointsKey:
			r.points(e.Val)
		case keys.ExcludeKey:
			exclude = e.Val
		default:
			r.single(e)
		}
	}
	s := r.sweep
	s.Groups = groupsOf(s.Axes)
	if s.tooMany(limit) {
		d.Faults.Add(format.Place(d.Sweep), fmt.Sprintf("more than %d points", limit),
			format.Error{Key: "sweep"})
		for i := range s.Axes {
			r.spoil(&s.Axes[i])
		}
		s.Axes, s.Groups = nil, nil
		return s
	}
	if exclude != nil && !s.Broken {
		r.exclude(exclude)
	}
	s.leaveOut(r.exclusions, d)
	return s
}

// single reads a path that moves by itself.
func (r *sweepReader) single(e format.Entry) {
	a := Axis{Path: e.Key, targets: r.d.Draft.Resolve(e.Key), override: e.Val.Line < 0}
	if !r.axis(e, &a) {
		return
	}
	if reader := (axisReader{f: r.d.Faults, key: &keys.Key{Path: e.Key},
		axis: &a}); !reader.distinct() {
		r.spoil(&a)
		return
	}
	r.add(a)
}

// axis reads the values of a path; ok is false after a fault.
func (r *sweepReader) axis(e format.Entry, a *Axis) (ok bool) {
	if !r.sweepable(e, a) {
		r.sweep.Broken = true
		return false
	}
	key := *a.key(r.d.Draft)
	key.Path = e.Key
	reader := axisReader{f: r.d.Faults, key: &key, axis: a}
	if !reader.read(e.Val) {
		r.spoil(a)
		return false
	}
	a.finish(&key)
	return true
}

// add adds axes that move together.
func (r *sweepReader) add(group ...Axis) {
	for i := range group {
		group[i].group = r.groups
	}
	r.groups++
	r.sweep.Axes = append(r.sweep.Axes, group...)
}

func (r *sweepReader) fault(at format.Pos, message, key string) {
	r.d.Faults.Add(at, message, format.Error{Key: "sweep." + key})
	r.sweep.Broken = true
}

// groupsOf are the positions of the axes, those that move together side by side.
func groupsOf(list []Axis) (groups [][]int) {
	for i := range list {
		if i > 0 && list[i].group == list[i-1].group {
			last := len(groups) - 1
			groups[last] = append(groups[last], i)
			continue
		}
		groups = append(groups, []int{i})
	}
	return groups
}

// tooMany reports whether the product of the axes is beyond the limit.
func (s *Sweep) tooMany(limit int) bool {
	total := 1
	for _, g := range s.Groups {
		if total *= len(s.Axes[g[0]].Values); total > limit {
			return true
		}
	}
	return false
}

// spoil keeps the rules from judging settings whose values could not be read.
func (r *sweepReader) spoil(a *Axis) {
	r.sweep.Broken = true
	for _, t := range a.targets {
		r.d.Draft.At(t).State = keys.Broken
	}
}

// sweepable tells whether a path of the sweep names settings that can be swept and that no other
// path of the sweep sets.
func (r *sweepReader) sweepable(e format.Entry, a *Axis) bool {
	if !r.settable(e, a.targets, "sweep") {
		return false
	}
	for _, t := range a.targets {
		if other, ok := r.taken[t]; ok {
			r.d.Faults.Add(e.At, "sets what sweep."+other+" sets", format.Error{Key: "sweep." + e.Key})
			return false
		}
		r.taken[t] = e.Key
	}
	return true
}

// settable reports whether a path names settings that can be swept.
func (r *sweepReader) settable(e format.Entry, targets []draft.Target, section string) bool {
	d := r.d
	if len(targets) == 0 {
		if d.Draft.Hopeless(e.Key) {
			return false // the schemes are at fault, and told
		}
		if keys.OfHops(e.Key) {
			d.Faults.Add(e.At, "cannot be swept; sweep the key of link, which counts for every hop that "+
				"does not have it otherwise", format.Error{Key: section + "." + e.Key})
			return false
		}
		paths := d.Draft.Paths()
		if section == "sweep" {
			paths = append(paths, keys.ZipKey, keys.PointsKey, keys.ExcludeKey)
		}
		fault := format.Error{Key: section, Value: e.Key, Suggestion: format.Nearest(e.Key, paths)}
		if fault.Suggestion == "" {
			fault.Message = "no such path; must be a setting such as link.loss.p, " +
				"schemes.<label>.<parameter>, or scheme.<parameter>"
		}
		d.Faults.Add(e.At, "no such path", fault)
		return false
	}
	if d.Draft.KeyOf(targets[0]).Fixed {
		d.Faults.Add(e.At, "cannot be swept", format.Error{Key: section + "." + e.Key})
		return false
	}
	return true
}
