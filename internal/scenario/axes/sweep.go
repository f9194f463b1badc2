package axes

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
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

	settings []keys.Setting // the values, ready to be put into a draft
	targets  []draft.Target // where they go
	named    []named        // of named points: what each puts there, in place of the setting
	group    int            // axes of one group move together
	override bool           // whether an override brought the values

	choices [][]keys.Setting // by value and target, once the file has been read
}

const MaxPoints = 1_000_000 // of a sweep

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

// key is the key that values of the axis are read by.
func (a *Axis) key(d *draft.Draft) *keys.Key {
	if a.Path == keys.PointAxis {
		return &keys.PointName
	}
	return d.KeyOf(a.targets[0])
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

// finish derives what tables show from the settings of the axis.
func (a *Axis) finish(key *keys.Key) {
	multiples := 0
	for i := range a.settings {
		s := &a.settings[i]
		a.Values = append(a.Values, spec.AxisValue{Path: a.Path, Text: s.Text, Number: s.Number})
		if s.Span.Multiple != 0 {
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
	f    *format.Faults
	key  *keys.Key
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
		r.f.Add(format.Place(n), "must be a list of values, or a range {from, to} with points and "+
			"scale, step or factor", format.Error{Key: "sweep." + r.key.Path})
		return false
	}
	return ok
}

// list reads values one by one.
func (r *axisReader) list(n *yaml.Node) bool {
	ok := true
	for _, item := range n.Content {
		s := keys.Setting{Name: r.key.Path, At: format.Place(item), State: keys.Broken}
		text, one := format.Scalar(item, "sweep."+r.key.Path, r.key.Allowed(), r.f)
		if one {
			s.Read(r.key, text, r.f)
		}
		ok = ok && s.Has()
		if list := r.axis.settings; ok && r.key.Kind == keys.KindStay && len(list) > 0 &&
			list[0].Timed() != s.Timed() {
			r.f.Add(s.At, "must be a time where others are, and a number of packets where they are",
				format.Error{Key: "sweep." + r.key.Path, Value: s.Raw})
			ok = false
		}
		s.State = keys.Swept
		r.axis.settings = append(r.axis.settings, s)
	}
	return ok
}

// distinct reports values that come twice: their points would have one name.
func (r *axisReader) distinct() bool {
	seen := make(map[string]bool, len(r.axis.settings))
	for i := range r.axis.settings {
		s := &r.axis.settings[i]
		if seen[s.Text] {
			r.f.Add(s.At, "comes twice", format.Error{Key: "sweep." + r.key.Path, Value: s.Raw})
			return false
		}
		seen[s.Text] = true
	}
	return true
}

// choose puts value i of the axis into a draft.
func (a *Axis) choose(d *draft.Draft, i int) {
	for k, t := range a.targets {
		d.Put(t, &a.choices[i][k])
	}
}

// varied are the settings that value i of the axis changes.
func (a *Axis) varied(i int) []spec.AxisValue {
	if a.named == nil {
		return a.Values[i : i+1]
	}
	var list []spec.AxisValue
	for k := range a.choices[i] {
		if s := &a.choices[i][k]; s.Has() {
			list = append(list, spec.AxisValue{Path: s.Name, Text: s.Text, Number: s.Number})
		}
	}
	return list
}

// prepare makes the settings that choose puts into drafts, with the names that they have there.
func (a *Axis) prepare(d *draft.Draft) {
	a.choices = make([][]keys.Setting, len(a.settings))
	for i := range a.choices {
		list := make([]keys.Setting, len(a.targets))
		for k, t := range a.targets {
			list[k] = a.settings[i]
			if a.named != nil {
				list[k] = a.named[i][k]
			}
			list[k].Name = d.At(t).Name
		}
		a.choices[i] = list
	}
}

// eachSetting yields the settings of the axis with their keys; false where there is to be no more.
func (a *Axis) eachSetting(d *draft.Draft, yield func(*keys.Key, *keys.Setting) bool) bool {
	for v := range a.settings {
		switch {
		case a.named == nil:
			if !yield(d.KeyOf(a.targets[0]), &a.settings[v]) {
				return false
			}
		default:
			for k, t := range a.targets {
				if !yield(d.KeyOf(t), &a.named[v][k]) {
					return false
				}
			}
		}
	}
	return true
}

// TextsOf are the values that the axis gives a setting, where it sets it.
func (a *Axis) TextsOf(t draft.Target) (texts []string) {
	at := slices.Index(a.targets, t)
	for v := range a.settings {
		switch {
		case at < 0:
		case a.named == nil:
			texts = append(texts, a.settings[v].Text)
		case a.named[v][at].Has():
			texts = append(texts, a.named[v][at].Text)
		}
	}
	return texts
}

// Texts returns the values of the axis, for faults.
func (a *Axis) Texts() []string {
	list := make([]string, 0, len(a.Values))
	for _, v := range a.Values {
		list = append(list, v.Text)
	}
	return list
}

// find returns the value of the axis that a text means.
func (a *Axis) find(key *keys.Key, text string) (spec.AxisValue, bool) {
	v, ok := key.Parse(text)
	i := slices.IndexFunc(a.Values, func(have spec.AxisValue) bool { return have.Text == v.Text })
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
			list = append(list, a.settings[i].Raw)
		}
	}
	return strings.Join(list, ", ")
}
