package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Keys of a sweep that are not paths.
const (
	zipKey     = "zip"
	pointsKey  = "points"
	excludeKey = "exclude"
)

// PointAxis is the path of the axis that named points form.
const PointAxis = "point"

// pointName is the key that a name of a point is read by.
var pointName = Key{Path: PointAxis, Kind: KindName}

// named are the settings that a named point puts into a draft: one for each target.
type named []setting

// zip reads groups of paths whose values move together:
//
//	zip:
//	  - {message.size: [1MiB, 1GiB], link.rtt: [1ms, 25ms]}
func (r *sweepReader) zip(n *yaml.Node) {
	const allowed = "a list of mappings of paths to values"
	if !r.d.f.want(n, yaml.SequenceNode, "sweep.zip", allowed) {
		r.sweep.broken = true
		return
	}
	for _, item := range n.Content {
		if !r.d.f.want(item, yaml.MappingNode, "sweep.zip", allowed) {
			r.sweep.broken = true
			continue
		}
		r.zipGroup(item)
	}
}

func (r *sweepReader) zipGroup(n *yaml.Node) {
	var group []Axis
	list := entries(n, "sweep.zip", r.d.f)
	for _, e := range list {
		a := Axis{Path: e.key, targets: r.d.draft.resolve(e.key), override: e.val.Line < 0}
		if r.axis(e, &a) {
			group = append(group, a)
		}
	}
	switch {
	case len(group) < len(list):
	case len(group) < 2:
		r.fault(place(n), "must have at least two paths that move together", zipKey)
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
		r.fault(place(n), "paths that move together must have as many values each, not "+
			strings.Join(counts, ", "), zipKey)
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
			r.fault(place(n), "comes twice: "+text, zipKey)
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
	if !r.d.f.want(n, yaml.MappingNode, "sweep.points", allowed) {
		r.sweep.broken = true
		return
	}
	before := r.d.f.count()
	a := Axis{Path: PointAxis, override: n.Line < 0}
	given := []map[target]setting{}
	for _, e := range entries(n, "sweep.points", r.d.f) {
		v, ok := pointName.parse(e.key)
		if !ok {
			r.fault(e.at, "a name must be "+pointName.Allowed(), pointsKey)
			continue
		}
		a.settings = append(a.settings, setting{value: v, name: PointAxis, raw: e.key, at: e.at,
			state: swept})
		given = append(given, r.point(e, &a))
	}
	if len(a.settings) == 0 && r.d.f.count() == before {
		r.fault(place(n), "must name a point", pointsKey)
	}
	for _, t := range a.targets {
		if other, ok := r.taken[t]; ok {
			r.fault(place(n), "sets what sweep."+other+" sets", pointsKey)
			break
		}
		r.taken[t] = pointsKey
	}
	if r.d.f.count() > before {
		r.sweep.broken = true
		r.spoil(&a)
		return
	}
	a.fill(r.d.draft, given)
	a.finish(&pointName)
	r.add(a)
}

// point reads what one named point sets, and adds its targets to those of the axis.
func (r *sweepReader) point(e entry, a *Axis) map[target]setting {
	path := "sweep.points." + e.key
	set := map[target]setting{}
	if !r.d.f.want(e.val, yaml.MappingNode, path, "a mapping of paths to values") {
		return set
	}
	for _, one := range entries(e.val, path, r.d.f) {
		targets := r.d.draft.resolve(one.key)
		if !r.settable(one, targets, path) {
			continue
		}
		key := r.d.draft.keyOf(targets[0])
		s := setting{name: one.key, at: place(one.val), state: broken}
		if text, ok := scalar(one.val, path+"."+one.key, key.Allowed(), r.d.f); ok {
			s.read(key, text, r.d.f)
		}
		s.state = min(s.state, swept)
		if s.has() {
			s.state = swept
		}
		for _, t := range targets {
			if _, twice := set[t]; twice {
				r.d.f.add(one.at, "sets what another path of the point sets",
					Error{Key: path, Value: one.key})
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
func (a *Axis) fill(d *draft, given []map[target]setting) {
	for _, set := range given {
		var list named
		for _, t := range a.targets {
			s, ok := set[t]
			if !ok {
				s = *d.at(t)
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
	if !r.d.f.want(n, yaml.SequenceNode, "sweep.exclude", allowed) {
		return
	}
	sel := selector{decoder: r.d, sweep: r.sweep, section: "sweep"}
	for _, item := range n.Content {
		if !r.d.f.want(item, yaml.MappingNode, "sweep.exclude", allowed) {
			continue
		}
		var x exclusion
		gone := false
		for _, e := range entries(item, "sweep.exclude", r.d.f) {
			if sel.findAxis(e.key, "sweep.exclude", e.at) == nil {
				continue
			}
			on, overridden := r.excluded(sel.rank(e.key), e)
			gone = gone || overridden
			x.on = append(x.on, on)
		}
		if len(x.on) == 0 {
			r.d.f.add(place(item), "must name a swept path", Error{Key: "sweep.exclude"})
		}
		if !gone {
			r.exclusions = append(r.exclusions, x)
		}
	}
}

// excluded reads the values of one path of an exclusion. Gone tells that an override has taken all
// of them out of the sweep.
func (r *sweepReader) excluded(axis int, e entry) (on excluded, gone bool) {
	a := &r.sweep.Axes[axis]
	on = excluded{axis: axis, values: make([]bool, len(a.Values))}
	items := []*yaml.Node{e.val}
	if e.val.Kind == yaml.SequenceNode {
		items = e.val.Content
	}
	found := 0
	for _, item := range items {
		text, ok := scalar(item, "sweep.exclude."+e.key, "a value of the sweep", r.d.f)
		if !ok {
			return on, true
		}
		v, ok := a.find(a.key(r.d.draft), text)
		if !ok && !a.override {
			r.d.f.add(place(item), "must be a value of the sweep: "+a.sample(),
				Error{Key: "sweep.exclude." + e.key, Value: text})
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
