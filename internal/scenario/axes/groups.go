package axes

import (
	"fmt"
	"slices"
	"strings"

	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"

	"gopkg.in/yaml.v3"
)

// named are the settings that a named point puts into a draft: one for each target.
type named []keys.Setting

// zip reads groups of paths whose values move together:
//
//	zip:
//	  - {message.size: [1MiB, 1GiB], link.rtt: [1ms, 25ms]}
func (r *sweepReader) zip(n *yaml.Node) {
	const allowed = "a list of mappings of paths to values"
	if !r.d.Faults.Want(n, yaml.SequenceNode, "sweep.zip", allowed) {
		r.sweep.Broken = true
		return
	}
	for _, item := range n.Content {
		if !r.d.Faults.Want(item, yaml.MappingNode, "sweep.zip", allowed) {
			r.sweep.Broken = true
			continue
		}
		r.zipGroup(item)
	}
}

func (r *sweepReader) zipGroup(n *yaml.Node) {
	var group []Axis
	list := format.Entries(n, "sweep.zip", r.d.Faults)
	for _, e := range list {
		a := Axis{Path: e.Key, targets: r.d.Draft.Resolve(e.Key), override: e.Val.Line < 0}
		if r.axis(e, &a) {
			group = append(group, a)
		}
	}
	switch {
	case len(group) < len(list):
	case len(group) < 2:
		r.fault(format.Place(n), "must have at least two paths that move together", keys.ZipKey)
	case !r.sameLengths(n, group):
	case r.distinct(n, group):
		r.add(group...)
		return
	}
	for i := range group {
		r.spoil(&group[i])
	}
}

// sameLengths wants as many values of every path.
func (r *sweepReader) sameLengths(n *yaml.Node, group []Axis) bool {
	var counts []string
	same := true
	for i := range group {
		counts = append(counts, fmt.Sprintf("%d of %s", len(group[i].Values), group[i].Path))
		same = same && len(group[i].Values) == len(group[0].Values)
	}
	if !same {
		r.fault(format.Place(n), "paths that move together must have as many values each, not "+
			strings.Join(counts, ", "), keys.ZipKey)
	}
	return same
}

// distinct reports values of a group that come twice together.
func (r *sweepReader) distinct(n *yaml.Node, group []Axis) bool {
	seen := map[string]bool{}
	for v := range group[0].Values {
		var key []string
		for i := range group {
			key = append(key, group[i].Path+"="+group[i].Values[v].Text)
		}
		text := strings.Join(key, ",")
		if seen[text] {
			r.fault(format.Place(n), "comes twice: "+text, keys.ZipKey)
			return false
		}
		seen[text] = true
	}
	return true
}

// points reads named points, which make an axis of their names:
//
//	points:
//	  metro: {link.rtt: 1ms, link.bandwidth: 100Gbps}
//	  ocean: {link.rtt: 60ms}
//
// What a point leaves out and another sets has the value that it has outside of the sweep.
func (r *sweepReader) points(n *yaml.Node) {
	const allowed = "a mapping of names to mappings of paths to values"
	if !r.d.Faults.Want(n, yaml.MappingNode, "sweep.points", allowed) {
		r.sweep.Broken = true
		return
	}
	before := r.d.Faults.Count()
	a := Axis{Path: keys.PointAxis, override: n.Line < 0}
	given := []map[draft.Target]keys.Setting{}
	for _, e := range format.Entries(n, "sweep.points", r.d.Faults) {
		v, ok := keys.PointName.Parse(e.Key)
		if !ok {
			r.fault(e.At, "a name must be "+keys.PointName.Allowed(), keys.PointsKey)
			continue
		}
		a.settings = append(a.settings, keys.Setting{Value: v, Name: keys.PointAxis, Raw: e.Key, At: e.At,
			State: keys.Swept})
		given = append(given, r.point(e, &a))
	}
	if len(a.settings) == 0 && r.d.Faults.Count() == before {
		r.fault(format.Place(n), "must name a point", keys.PointsKey)
	}
	for _, t := range a.targets {
		if other, ok := r.taken[t]; ok {
			r.fault(format.Place(n), "sets what sweep."+other+" sets", keys.PointsKey)
			break
		}
		r.taken[t] = keys.PointsKey
	}
	if r.d.Faults.Count() > before {
		r.sweep.Broken = true
		r.spoil(&a)
		return
	}
	a.fill(r.d.Draft, given)
	a.finish(&keys.PointName)
	r.add(a)
}

// point reads what one named point sets, and adds its targets to those of the axis.
func (r *sweepReader) point(e format.Entry, a *Axis) map[draft.Target]keys.Setting {
	path := "sweep.points." + e.Key
	set := map[draft.Target]keys.Setting{}
	if !r.d.Faults.Want(e.Val, yaml.MappingNode, path, "a mapping of paths to values") {
		return set
	}
	for _, one := range format.Entries(e.Val, path, r.d.Faults) {
		targets := r.d.Draft.Resolve(one.Key)
		if !r.settable(one, targets, path) {
			continue
		}
		key := r.d.Draft.KeyOf(targets[0])
		s := keys.Setting{Name: one.Key, At: format.Place(one.Val), State: keys.Broken}
		if text, ok := format.Scalar(one.Val, path+"."+one.Key, key.Allowed(), r.d.Faults); ok {
			s.Read(key, text, r.d.Faults)
		}
		s.State = min(s.State, keys.Swept)
		if s.Has() {
			s.State = keys.Swept
		}
		for _, t := range targets {
			if _, twice := set[t]; twice {
				r.d.Faults.Add(one.At, "sets what another path of the point sets",
					format.Error{Key: path, Value: one.Key})
			}
			set[t] = s
			if !slices.Contains(a.targets, t) {
				a.targets = append(a.targets, t)
			}
		}
	}
	return set
}

// fill completes every named point with what the others set.
func (a *Axis) fill(d *draft.Draft, given []map[draft.Target]keys.Setting) {
	for _, set := range given {
		var list named
		for _, t := range a.targets {
			s, ok := set[t]
			if !ok {
				s = *d.At(t)
			}
			list = append(list, s)
		}
		a.named = append(a.named, list)
	}
}

// exclusion leaves out the points that have one of the values on each of some axes.
type exclusion struct {
	on []excluded
}

type excluded struct {
	axis   int
	values []bool // by value of the axis
}

// exclude reads combinations that are left out:
//
//	exclude:
//	  - {link.loss.p: 1e-1, message.size: [1GiB, 8GiB]}
func (r *sweepReader) exclude(n *yaml.Node) {
	const allowed = "a list of mappings of swept paths to values"
	if !r.d.Faults.Want(n, yaml.SequenceNode, "sweep.exclude", allowed) {
		return
	}
	sel := Selector{Decoder: r.d, Sweep: r.sweep, Section: "sweep"}
	for _, item := range n.Content {
		if !r.d.Faults.Want(item, yaml.MappingNode, "sweep.exclude", allowed) {
			continue
		}
		var x exclusion
		gone := false
		for _, e := range format.Entries(item, "sweep.exclude", r.d.Faults) {
			if sel.FindAxis(e.Key, "sweep.exclude", e.At) == nil {
				continue
			}
			on, overridden := r.excluded(sel.Rank(e.Key), e)
			gone = gone || overridden
			x.on = append(x.on, on)
		}
		if len(x.on) == 0 {
			r.d.Faults.Add(format.Place(item), "must name a swept path", format.Error{Key: "sweep.exclude"})
		}
		if !gone {
			r.exclusions = append(r.exclusions, x)
		}
	}
}

// excluded reads the values of one path of an exclusion. Gone tells that an override has taken all
// of them out of the sweep.
func (r *sweepReader) excluded(axis int, e format.Entry) (on excluded, gone bool) {
	a := &r.sweep.Axes[axis]
	on = excluded{axis: axis, values: make([]bool, len(a.Values))}
	items := []*yaml.Node{e.Val}
	if e.Val.Kind == yaml.SequenceNode {
		items = e.Val.Content
	}
	found := 0
	for _, item := range items {
		text, ok := format.Scalar(item, "sweep.exclude."+e.Key, "a value of the sweep", r.d.Faults)
		if !ok {
			return on, true
		}
		v, ok := a.find(a.key(r.d.Draft), text)
		if !ok && !a.override {
			r.d.Faults.Add(format.Place(item), "must be a value of the sweep: "+a.sample(),
				format.Error{Key: "sweep.exclude." + e.Key, Value: text})
			return on, true
		}
		for i := range a.Values {
			if ok && a.Values[i].Text == v.Text {
				on.values[i] = true
				found++
			}
		}
	}
	return on, found == 0
}

// leaves reports whether no exclusion holds for the values that are chosen of the axes.
func leaves(exclusions []exclusion, chosen []int) bool {
	for _, x := range exclusions {
		all := true
		for _, on := range x.on {
			all = all && on.values[chosen[on.axis]]
		}
		if all {
			return false
		}
	}
	return true
}
