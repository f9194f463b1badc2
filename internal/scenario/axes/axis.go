package axes

import (
	"math"
	"slices"
	"strings"

	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/schemes"
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

// key is the key that values of the axis are read by.
func (a *Axis) key(d *draft.Draft) *keys.Key {
	if a.Path == keys.PointAxis {
		return &keys.PointName
	}
	return d.KeyOf(a.targets[0])
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
