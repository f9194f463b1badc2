package draft

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/schemes"
	"sdrsim/schemes/catalog"

	"gopkg.in/yaml.v3"
)

// schemes reads the list of schemes and gives each its label.
func (d *Decoder) schemes(n *yaml.Node) {
	if !d.Faults.Want(n, yaml.SequenceNode, "schemes", "a list of schemes") {
		d.SchemesBroken = true
		return
	}
	if len(n.Content) == 0 {
		d.SchemesBroken = true
		d.Faults.Add(format.Place(n), "must name at least one scheme", format.Error{Key: "schemes"})
	}
	for _, item := range n.Content {
		if s, ok := d.scheme(item); ok {
			d.Draft.Schemes = append(d.Draft.Schemes, s)
		} else {
			d.SchemesBroken = true
		}
	}
	labelSchemes(d.Draft.Schemes)
	checkLabels(d.Draft.Schemes, d.Faults)
}

// scheme reads one scheme: its name alone, or a mapping with name, label and parameters.
func (d *Decoder) scheme(n *yaml.Node) (Scheme, bool) {
	nameNode := n
	if n.Kind == yaml.MappingNode {
		if nameNode = format.FindKey(n, "name"); nameNode == nil {
			d.Faults.Add(format.Place(n), "missing; must be "+keys.SchemeNames(),
				format.Error{Key: "schemes.name"})
			return Scheme{}, false
		}
	}
	name, ok := format.Scalar(nameNode, "schemes", keys.SchemeNames(), d.Faults)
	if !ok {
		return Scheme{}, false
	}
	entry, ok := catalog.Lookup(name)
	if !ok {
		d.Faults.Add(format.Place(nameNode), "unknown scheme; must be "+keys.SchemeNames(), format.Error{
			Key: "schemes", Value: name, Suggestion: format.Nearest(name, keys.EntryNames()),
		})
		return Scheme{}, false
	}
	s := Scheme{Entry: entry, Label: name, at: format.Place(n)}
	s.Block = keys.NewBlock(keys.SchemeKeys[name], "schemes."+name+".", s.at)
	if n.Kind == yaml.MappingNode {
		d.params(&s, n, "")
	}
	return s, true
}

// params reads parameters. Nested mappings are flattened: `ack: {interval: 1ms}` is ack.interval.
func (d *Decoder) params(s *Scheme, n *yaml.Node, prefix string) {
	path := "schemes." + s.Entry.Name
	for _, e := range format.Entries(n, path, d.Faults) {
		param := keys.JoinPath(prefix, e.Key)
		target := s.Lookup(param)
		switch {
		case param == "name":
		case param == "label":
			d.label(s, e.Val)
		case target != nil && target.State >= keys.Given:
			d.Faults.Add(e.At, fmt.Sprintf("duplicate parameter %q", param), format.Error{Key: path})
		case target != nil:
			d.Scalar(target, s.Key(param), e.Val)
		case e.Val.Kind == yaml.MappingNode && s.hasBelow(param):
			d.params(s, e.Val, param)
		default:
			e.Key = param
			format.AddUnknown(d.Faults, e, path, s.names())
		}
	}
}

// label reads the label that the user gives a scheme.
func (d *Decoder) label(s *Scheme, n *yaml.Node) {
	const allowed = "a word of up to 64 characters without '=', '\"' and line breaks"
	text, ok := format.Scalar(n, "schemes.label", allowed, d.Faults)
	if !ok {
		return
	}
	if utf8.RuneCountInString(text) > 64 || strings.ContainsAny(text, "=\"\n\r\t") {
		d.Faults.Add(format.Place(n), "must be "+allowed, format.Error{Key: "schemes.label", Value: text})
		return
	}
	s.Label, s.own = text, true
}

// hasBelow reports whether parameters begin with prefix and a dot.
func (s *Scheme) hasBelow(prefix string) bool {
	return slices.ContainsFunc(s.Set.Keys, func(k keys.Key) bool {
		return strings.HasPrefix(k.Path, prefix+".")
	})
}

// names are the parameters that a user may write.
func (s *Scheme) names() []string {
	return append([]string{"name", "label"}, s.Set.Names()...)
}

// labelSchemes tells apart schemes of one name that have no label of their own, by the parameters
// in which they differ: ec-mds(16,4), sr-rto[rto=1RTT].
func labelSchemes(list []Scheme) {
	for i := range list {
		s := &list[i]
		if !s.own {
			s.Label = s.Entry.Name + s.difference(list)
		}
		for k := range s.Settings {
			s.Settings[k].Name = keys.OneScheme + s.Label + "." + s.Set.Keys[k].Path
		}
	}
}

// difference prints the parameters that tell s from others of its name.
func (s *Scheme) difference(list []Scheme) string {
	differs := func(key int) bool {
		return slices.ContainsFunc(list, func(o Scheme) bool {
			return o.Entry.Name == s.Entry.Name && !o.own &&
				o.Settings[key].Text != s.Settings[key].Text
		})
	}
	out, rest := "", []string(nil)
	for i, k := range s.Set.Keys {
		switch {
		case !differs(i):
		case slices.Contains(s.Entry.Split, k.Path):
			var values []string
			for _, param := range s.Entry.Split {
				values = append(values, s.Get(param).Text)
			}
			out = "(" + strings.Join(values, ",") + ")"
		case s.Settings[i].Wrote():
			rest = append(rest, k.Path+"="+s.Settings[i].Raw)
		}
	}
	if len(rest) > 0 {
		out += "[" + strings.Join(rest, ",") + "]"
	}
	return out
}

// checkLabels reports schemes that results could not tell apart.
func checkLabels(list []Scheme, f *format.Faults) {
	for i := range list {
		for j := range i {
			if list[i].Label == list[j].Label {
				f.Add(list[i].at, "this scheme is already listed; a label: tells them apart",
					format.Error{Key: "schemes", Value: list[i].Label})
				break
			}
		}
	}
}

// values are the parameters of the scheme as the catalog's constructors take them.
func (s *Scheme) values() schemes.Values {
	v := make(schemes.Values, len(s.Settings))
	for i := range s.Settings {
		key, set := &s.Set.Keys[i], s.Settings[i]
		p := schemes.Value{Given: set.Wrote()}
		switch {
		case !set.Has():
		case key.Kind == schemes.KindSpan:
			p.Span = set.Span
		case key.Kind == schemes.KindChoice:
			p.Word = set.Text
		default:
			p.Number = set.Number
		}
		v[key.Path] = p
	}
	return v
}

// BuildSchemes makes the schemes under test of a draft that has been checked.
func (d *Draft) BuildSchemes() []spec.Scheme {
	list := make([]spec.Scheme, len(d.Schemes))
	for i := range d.Schemes {
		list[i] = d.Schemes[i].Build()
	}
	return list
}

// Build makes the scheme of a draft that has been checked.
func (s *Scheme) Build() spec.Scheme {
	if s.params == nil {
		s.params = s.values()
	}
	return spec.Scheme{Name: s.Entry.Name, Label: s.Label, Params: s.params}
}
