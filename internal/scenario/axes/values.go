package axes

import (
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"

	"gopkg.in/yaml.v3"
)

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
