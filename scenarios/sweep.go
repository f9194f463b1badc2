package scenarios

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sdrsim/internal/spec"
	"sdrsim/schemes"

	"gopkg.in/yaml.v3"
)

// Axis is a swept path with its values, in the order of the file.
type Axis struct {
	Path   string
	Values []spec.AxisValue
	// Log tells that the values are spread by a factor rather than by a difference.
	Log bool

	settings []setting // the values, ready to be put into a draft
	targets  []target  // where they go
	named    []named   // of named points: what each puts there, in place of the setting
	group    int       // axes of one group move together
	override bool      // whether an override brought the values

	choices [][]setting // by value and target, once the file has been read
}

const (
	maxPoints = 1_000_000 // of a sweep
	maxValues = 10_000    // of an axis
)

// sweepReader reads the sweep.
type sweepReader struct {
	d     *decoder
	sweep *Sweep
	taken map[target]string // by what the targets are swept
	// groups counts the groups of axes that move together, of which most have one.
	groups     int
	exclusions []exclusion
}

// readSweep reads the sweep of a file, which has at most so many points before any are left out.
func readSweep(d *decoder, limit int) *Sweep {
	r := &sweepReader{d: d, sweep: &Sweep{}, taken: map[target]string{}}
	if d.sweep == nil {
		return r.sweep
	}
	var exclude *yaml.Node
	for _, e := range entries(d.sweep, "sweep", d.f) {
		switch e.key {
		case zipKey:
			r.zip(e.val)
		case pointsKey:
			r.points(e.val)
		case excludeKey:
			exclude = e.val
		default:
			r.single(e)
		}
	}
	s := r.sweep
	s.groups = groupsOf(s.Axes)
	if s.tooMany(limit) {
		d.f.add(place(d.sweep), fmt.Sprintf("more than %d points", limit),
			Error{Key: "sweep"})
		for i := range s.Axes {
			r.spoil(&s.Axes[i])
		}
		s.Axes, s.groups = nil, nil
		return s
	}
	if exclude != nil && !s.broken {
		r.exclude(exclude)
	}
	s.leaveOut(r.exclusions, d)
	return s
}

// single reads a path that moves by itself.
func (r *sweepReader) single(e entry) {
	a := Axis{Path: e.key, targets: r.d.draft.resolve(e.key), override: e.val.Line < 0}
	if !r.axis(e, &a) {
		return
	}
	if reader := (axisReader{f: r.d.f, key: &Key{Path: e.key}, axis: &a}); !reader.distinct() {
		r.spoil(&a)
		return
	}
	r.add(a)
}

// axis reads the values of a path; ok is false after a fault.
func (r *sweepReader) axis(e entry, a *Axis) (ok bool) {
	if !r.sweepable(e, a) {
		r.sweep.broken = true
		return false
	}
	key := *a.key(r.d.draft)
	key.Path = e.key
	reader := axisReader{f: r.d.f, key: &key, axis: a}
	if !reader.read(e.val) {
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

func (r *sweepReader) fault(at pos, message, key string) {
	r.d.f.add(at, message, Error{Key: "sweep." + key})
	r.sweep.broken = true
}

// key is the key that values of the axis are read by.
func (a *Axis) key(d *draft) *Key {
	if a.Path == PointAxis {
		return &pointName
	}
	return d.keyOf(a.targets[0])
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
	for _, g := range s.groups {
		if total *= len(s.Axes[g[0]].Values); total > limit {
			return true
		}
	}
	return false
}

// spoil keeps the rules from judging settings whose values could not be read.
func (r *sweepReader) spoil(a *Axis) {
	r.sweep.broken = true
	for _, t := range a.targets {
		r.d.draft.at(t).state = broken
	}
}

// sweepable tells whether a path of the sweep names settings that can be swept and that no other
// path of the sweep sets.
func (r *sweepReader) sweepable(e entry, a *Axis) bool {
	if !r.settable(e, a.targets, "sweep") {
		return false
	}
	for _, t := range a.targets {
		if other, ok := r.taken[t]; ok {
			r.d.f.add(e.at, "sets what sweep."+other+" sets", Error{Key: "sweep." + e.key})
			return false
		}
		r.taken[t] = e.key
	}
	return true
}

// settable reports whether a path names settings that can be swept.
func (r *sweepReader) settable(e entry, targets []target, section string) bool {
	d := r.d
	if len(targets) == 0 {
		if d.draft.hopeless(e.key) {
			return false // the schemes are at fault, and told
		}
		if ofHops(e.key) {
			d.f.add(e.at, "cannot be swept; sweep the key of link, which counts for every hop that "+
				"does not have it otherwise", Error{Key: section + "." + e.key})
			return false
		}
		paths := d.draft.paths()
		if section == "sweep" {
			paths = append(paths, zipKey, pointsKey, excludeKey)
		}
		fault := Error{Key: section, Value: e.key, Suggestion: nearest(e.key, paths)}
		if fault.Suggestion == "" {
			fault.Message = "no such path; must be a setting such as link.loss.p, " +
				"schemes.<label>.<parameter>, or scheme.<parameter>"
		}
		d.f.add(e.at, "no such path", fault)
		return false
	}
	if d.draft.keyOf(targets[0]).Fixed {
		d.f.add(e.at, "cannot be swept", Error{Key: section + "." + e.key})
		return false
	}
	return true
}

// ofHops reports whether a path leads to single hops, which have none of their own.
func ofHops(path string) bool {
	return path == hopsPath || strings.HasPrefix(path, hopsPath+".")
}

// finish derives what tables show from the settings of the axis.
func (a *Axis) finish(key *Key) {
	multiples := 0
	for i := range a.settings {
		s := &a.settings[i]
		a.Values = append(a.Values, spec.AxisValue{Path: a.Path, Text: s.text, Number: s.number})
		if s.span.Multiple != 0 {
			multiples++
		}
	}
	// Times and multiples of the round-trip time have no common number.
	if key.Kind == schemes.KindSpan && multiples != 0 && multiples != len(a.Values) {
		for i := range a.Values {
			a.Values[i].Number = math.NaN()
		}
	}
	a.Log = a.Log || spreadByFactor(a.Values)
}

// spreadByFactor guesses whether a list is meant for a logarithmic axis: at least three positive
// values that span more than a factor of 20.
func spreadByFactor(values []spec.AxisValue) bool {
	least, most, n := math.Inf(1), 0.0, 0
	for _, v := range values {
		if v.Number > 0 { // not NaN; zero stands beside the scale
			least, most, n = min(least, v.Number), max(most, v.Number), n+1
		}
	}
	return n >= 3 && most > 20*least
}

// axisReader reads the values of one axis.
type axisReader struct {
	f    *faults
	key  *Key
	axis *Axis
}

// read takes a list or a range; ok is false after a fault.
func (r *axisReader) read(n *yaml.Node) (ok bool) {
	switch {
	case n.Kind == yaml.SequenceNode && len(n.Content) > 0:
		ok = r.list(n)
	case n.Kind == yaml.MappingNode:
		ok = r.span(n)
	default:
		r.f.add(place(n), "must be a list of values, or a range {from, to} with points and "+
			"scale, step or factor", Error{Key: "sweep." + r.key.Path})
		return false
	}
	return ok
}

// list reads values one by one.
func (r *axisReader) list(n *yaml.Node) bool {
	ok := true
	for _, item := range n.Content {
		s := setting{name: r.key.Path, at: place(item), state: broken}
		text, one := scalar(item, "sweep."+r.key.Path, r.key.Allowed(), r.f)
		if one {
			s.read(r.key, text, r.f)
		}
		ok = ok && s.has()
		if list := r.axis.settings; ok && r.key.Kind == KindStay && len(list) > 0 &&
			list[0].timed() != s.timed() {
			r.f.add(s.at, "must be a time where others are, and a number of packets where they are",
				Error{Key: "sweep." + r.key.Path, Value: s.raw})
			ok = false
		}
		s.state = swept
		r.axis.settings = append(r.axis.settings, s)
	}
	return ok
}

// distinct reports values that come twice: their points would have one name.
func (r *axisReader) distinct() bool {
	seen := make(map[string]bool, len(r.axis.settings))
	for i := range r.axis.settings {
		s := &r.axis.settings[i]
		if seen[s.text] {
			r.f.add(s.at, "comes twice", Error{Key: "sweep." + r.key.Path, Value: s.raw})
			return false
		}
		seen[s.text] = true
	}
	return true
}

// choose puts value i of the axis into a draft.
func (a *Axis) choose(d *draft, i int) {
	for k, t := range a.targets {
		d.put(t, &a.choices[i][k])
	}
}

// varied are the settings that value i of the axis changes.
func (a *Axis) varied(i int) []spec.AxisValue {
	if a.named == nil {
		return a.Values[i : i+1]
	}
	var list []spec.AxisValue
	for k := range a.choices[i] {
		if s := &a.choices[i][k]; s.has() {
			list = append(list, spec.AxisValue{Path: s.name, Text: s.text, Number: s.number})
		}
	}
	return list
}

// prepare makes the settings that choose puts into drafts, with the names that they have there.
func (a *Axis) prepare(d *draft) {
	a.choices = make([][]setting, len(a.settings))
	for i := range a.choices {
		list := make([]setting, len(a.targets))
		for k, t := range a.targets {
			list[k] = a.settings[i]
			if a.named != nil {
				list[k] = a.named[i][k]
			}
			list[k].name = d.at(t).name
		}
		a.choices[i] = list
	}
}

// eachSetting yields the settings of the axis with their keys; false where there is to be no more.
func (a *Axis) eachSetting(d *draft, yield func(*Key, *setting) bool) bool {
	for v := range a.settings {
		switch {
		case a.named == nil:
			if !yield(d.keyOf(a.targets[0]), &a.settings[v]) {
				return false
			}
		default:
			for k, t := range a.targets {
				if !yield(d.keyOf(t), &a.named[v][k]) {
					return false
				}
			}
		}
	}
	return true
}

// textsOf are the values that the axis gives a setting, where it sets it.
func (a *Axis) textsOf(t target) (texts []string) {
	at := slices.Index(a.targets, t)
	for v := range a.settings {
		switch {
		case at < 0:
		case a.named == nil:
			texts = append(texts, a.settings[v].text)
		case a.named[v][at].has():
			texts = append(texts, a.named[v][at].text)
		}
	}
	return texts
}

// texts returns the values of the axis, for faults.
func (a *Axis) texts() []string {
	list := make([]string, 0, len(a.Values))
	for _, v := range a.Values {
		list = append(list, v.Text)
	}
	return list
}

// find returns the value of the axis that a text means.
func (a *Axis) find(key *Key, text string) (spec.AxisValue, bool) {
	v, ok := key.parse(text)
	i := slices.IndexFunc(a.Values, func(have spec.AxisValue) bool { return have.Text == v.text })
	if !ok || i < 0 {
		return spec.AxisValue{}, false
	}
	return a.Values[i], true
}

// sample prints the values of the axis, as written, or the first and the last few.
func (a *Axis) sample() string {
	var list []string
	for i := range a.settings {
		if len(a.settings) > 12 && i == 5 {
			list = append(list, "...")
		}
		if len(a.settings) <= 12 || i < 5 || i >= len(a.settings)-5 {
			list = append(list, a.settings[i].raw)
		}
	}
	return strings.Join(list, ", ")
}
