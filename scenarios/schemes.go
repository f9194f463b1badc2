package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"sdrsim/internal/spec"
	"sdrsim/schemes"
	"sdrsim/schemes/catalog"

	"gopkg.in/yaml.v3"
)

// schemes reads the list of schemes and gives each its label.
func (d *decoder) schemes(n *yaml.Node) {
	if !d.f.want(n, yaml.SequenceNode, "schemes", "a list of schemes") {
		d.schemesBroken = true
		return
	}
	if len(n.Content) == 0 {
		d.schemesBroken = true
		d.f.add(place(n), "must name at least one scheme", Error{Key: "schemes"})
	}
	for _, item := range n.Content {
		if s, ok := d.scheme(item); ok {
			d.draft.schemes = append(d.draft.schemes, s)
		} else {
			d.schemesBroken = true
		}
	}
	labelSchemes(d.draft.schemes)
	checkLabels(d.draft.schemes, d.f)
}

// scheme reads one scheme: its name alone, or a mapping with name, label and parameters.
func (d *decoder) scheme(n *yaml.Node) (schemeDraft, bool) {
	nameNode := n
	if n.Kind == yaml.MappingNode {
		if nameNode = findKey(n, "name"); nameNode == nil {
			d.f.add(place(n), "missing; must be "+schemeNames(), Error{Key: "schemes.name"})
			return schemeDraft{}, false
		}
	}
	name, ok := scalar(nameNode, "schemes", schemeNames(), d.f)
	if !ok {
		return schemeDraft{}, false
	}
	entry, ok := catalog.Lookup(name)
	if !ok {
		d.f.add(place(nameNode), "unknown scheme; must be "+schemeNames(), Error{
			Key: "schemes", Value: name, Suggestion: nearest(name, entryNames()),
		})
		return schemeDraft{}, false
	}
	s := schemeDraft{entry: entry, label: name, at: place(n)}
	s.block = newBlock(schemeKeys[name], "schemes."+name+".", s.at)
	if n.Kind == yaml.MappingNode {
		d.params(&s, n, "")
	}
	return s, true
}

func entryNames() []string {
	var names []string
	for _, e := range catalog.Entries() {
		names = append(names, e.Name)
	}
	return names
}

func schemeNames() string { return "one of " + strings.Join(entryNames(), ", ") }

// params reads parameters. Nested mappings are flattened: `ack: {interval: 1ms}` is ack.interval.
func (d *decoder) params(s *schemeDraft, n *yaml.Node, prefix string) {
	path := "schemes." + s.entry.Name
	for _, e := range entries(n, path, d.f) {
		param := joinPath(prefix, e.key)
		target := s.lookup(param)
		switch {
		case param == "name":
		case param == "label":
			d.label(s, e.val)
		case target != nil && target.state >= given:
			d.f.add(e.at, fmt.Sprintf("duplicate parameter %q", param), Error{Key: path})
		case target != nil:
			d.scalar(target, s.key(param), e.val)
		case e.val.Kind == yaml.MappingNode && s.hasBelow(param):
			d.params(s, e.val, param)
		default:
			e.key = param
			addUnknown(d.f, e, path, s.names())
		}
	}
}

// label reads the label that the user gives a scheme.
func (d *decoder) label(s *schemeDraft, n *yaml.Node) {
	const allowed = "a word of up to 64 characters without '=', '\"' and line breaks"
	text, ok := scalar(n, "schemes.label", allowed, d.f)
	if !ok {
		return
	}
	if utf8.RuneCountInString(text) > 64 || strings.ContainsAny(text, "=\"\n\r\t") {
		d.f.add(place(n), "must be "+allowed, Error{Key: "schemes.label", Value: text})
		return
	}
	s.label, s.own = text, true
}

// hasBelow reports whether parameters begin with prefix and a dot.
func (s *schemeDraft) hasBelow(prefix string) bool {
	return slices.ContainsFunc(s.set.keys, func(k Key) bool {
		return strings.HasPrefix(k.Path, prefix+".")
	})
}

// names are the parameters that a user may write.
func (s *schemeDraft) names() []string {
	return append([]string{"name", "label"}, s.set.names()...)
}

// labelSchemes tells apart schemes of one name that have no label of their own, by the parameters
// in which they differ: ec-mds(16,4), sr-rto[rto=1RTT].
func labelSchemes(list []schemeDraft) {
	for i := range list {
		s := &list[i]
		if !s.own {
			s.label = s.entry.Name + s.difference(list)
		}
		for k := range s.settings {
			s.settings[k].name = oneScheme + s.label + "." + s.set.keys[k].Path
		}
	}
}

// difference prints the parameters that tell s from others of its name.
func (s *schemeDraft) difference(list []schemeDraft) string {
	differs := func(key int) bool {
		return slices.ContainsFunc(list, func(o schemeDraft) bool {
			return o.entry.Name == s.entry.Name && !o.own &&
				o.settings[key].text != s.settings[key].text
		})
	}
	out, rest := "", []string(nil)
	for i, k := range s.set.keys {
		switch {
		case !differs(i):
		case slices.Contains(s.entry.Split, k.Path):
			var values []string
			for _, param := range s.entry.Split {
				values = append(values, s.get(param).text)
			}
			out = "(" + strings.Join(values, ",") + ")"
		case s.settings[i].wrote():
			rest = append(rest, k.Path+"="+s.settings[i].raw)
		}
	}
	if len(rest) > 0 {
		out += "[" + strings.Join(rest, ",") + "]"
	}
	return out
}

// checkLabels reports schemes that results could not tell apart.
func checkLabels(list []schemeDraft, f *faults) {
	for i := range list {
		for j := range i {
			if list[i].label == list[j].label {
				f.add(list[i].at, "this scheme is already listed; a label: tells them apart",
					Error{Key: "schemes", Value: list[i].label})
				break
			}
		}
	}
}

// values are the parameters of the scheme as the catalog's constructors take them.
func (s *schemeDraft) values() schemes.Values {
	v := make(schemes.Values, len(s.settings))
	for i := range s.settings {
		key, set := &s.set.keys[i], s.settings[i]
		p := schemes.Value{Given: set.wrote()}
		switch {
		case !set.has():
		case key.Kind == schemes.KindSpan:
			p.Span = set.span
		case key.Kind == schemes.KindChoice:
			p.Word = set.text
		default:
			p.Number = set.number
		}
		v[key.Path] = p
	}
	return v
}

// buildSchemes makes the schemes under test of a draft that has been checked.
func (d *draft) buildSchemes() []spec.Scheme {
	list := make([]spec.Scheme, len(d.schemes))
	for i := range d.schemes {
		list[i] = d.schemes[i].build()
	}
	return list
}

// build makes the scheme of a draft that has been checked.
func (s *schemeDraft) build() spec.Scheme {
	if s.params == nil {
		s.params = s.values()
	}
	return spec.Scheme{Name: s.entry.Name, Label: s.label, Params: s.params}
}
