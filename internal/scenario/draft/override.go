package draft

import (
	"slices"
	"strings"

	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"

	"gopkg.in/yaml.v3"
)

// pending is an override of a scheme's parameter, which waits for the labels of the schemes, or of
// an entry of a list, which waits for the list.
type pending struct {
	path string
	node *yaml.Node
}

// ApplyOverrides writes overrides into the tree of a file, so that one reader sees and checks them.
// Nodes that they bring carry the number of the override, negative, in place of a line.
//
// A swept path that is set to a word stays an axis, with that one value: tables keep their columns
// and figures their axes. A path that is set to a list or a range becomes an axis.
func ApplyOverrides(root *yaml.Node, f *format.Faults) []pending {
	var later []pending
	for i, o := range f.Overrides {
		n, ok := format.ParseValue(o, -(i + 1), f)
		if !ok {
			continue
		}
		path, asAxis := strings.CutPrefix(o.Path, "sweep.")
		scheme := strings.HasPrefix(path, keys.OneScheme) || strings.HasPrefix(path, keys.EveryScheme) ||
			keys.OfEntries(path)
		key, isKey := keys.Root.Find(path)
		settable := scheme || isKey && !keys.Root.Keys[key].Fixed
		axes := format.FindKey(root, "sweep")
		inAxes := axes != nil && format.FindKey(axes, path) != nil
		switch {
		case !asAxis && settable && movesWithOthers(axes, path):
			f.Add(format.Place(n), "moves with other paths in the sweep; replace sweep.zip or "+
				"sweep.points as a whole", format.Error{})
		case isKey && isSection(path) && n.Kind == yaml.MappingNode && format.FindKey(n, "model") != nil:
			setPath(root, path, n) // sizes that differ
		case asAxis || settable && (inAxes || n.Kind != yaml.ScalarNode):
			setAxis(root, path, n)
		case scheme:
			later = append(later, pending{path, n})
		case isKey || isSection(path):
			setPath(root, path, n)
		default:
			addNoSuchPath(f, n, path)
		}
	}
	return later
}

// movesWithOthers reports whether a path is in a zip group or in a named point of a sweep.
func movesWithOthers(sweep *yaml.Node, path string) bool {
	if sweep == nil {
		return false
	}
	var groups []*yaml.Node
	if zip := format.FindKey(sweep, keys.ZipKey); zip != nil {
		groups = append(groups, zip.Content...)
	}
	if points := format.FindKey(sweep, keys.PointsKey); points != nil {
		groups = append(groups, points.Content...)
	}
	return slices.ContainsFunc(groups, func(g *yaml.Node) bool {
		return format.FindKey(g,
			path) != nil
	})
}

// isSection reports whether the path holds a list or a mapping.
func isSection(path string) bool {
	_, section := keys.Sections[path]
	return path != "" && section ||
		slices.ContainsFunc(keys.Structured, func(k keys.Key) bool { return k.Path == path })
}

func addNoSuchPath(f *format.Faults, n *yaml.Node, path string) {
	if keys.OfHops(path) {
		f.Add(format.Place(n), "no such path; "+keys.HopsPath+" is set as a whole list", format.Error{})
		return
	}
	var known []string
	for _, k := range slices.Concat(keys.Root.Keys, keys.Structured) {
		known = append(known, k.Path)
	}
	noSuchPath(f, n, format.NearestPath(path, known))
}

// noSuchPath reports a path that is set in vain, with what was probably meant.
func noSuchPath(f *format.Faults, n *yaml.Node, suggestion string) {
	text := "no such path"
	if suggestion == "" {
		text += "; \"sdrsim list keys\" has them all"
	}
	f.Add(format.Place(n), text, format.Error{Suggestion: suggestion})
}

// setAxis puts values into the sweep; a word is a list of one.
func setAxis(root *yaml.Node, path string, n *yaml.Node) {
	if n.Kind == yaml.ScalarNode {
		n = &yaml.Node{Kind: yaml.SequenceNode, Line: n.Line, Column: n.Column,
			Content: []*yaml.Node{n}}
	}
	sweep := format.FindKey(root, "sweep")
	if sweep == nil || sweep.Kind != yaml.MappingNode {
		sweep = &yaml.Node{Kind: yaml.MappingNode, Line: n.Line}
		format.Put(root, "sweep", sweep)
	}
	format.Put(sweep, path, n)
}

// setPath puts a value at a dotted path, with the mappings that lead there.
func setPath(root *yaml.Node, path string, n *yaml.Node) {
	if others := keys.Rivals(path); others != nil {
		format.Forget(format.FindKey(root, "link"), others)
	}
	at := root
	names := strings.Split(path, ".")
	for _, name := range names[:len(names)-1] {
		next := format.FindKey(at, name)
		if next == nil || next.Kind != yaml.MappingNode {
			short := next
			next = &yaml.Node{Kind: yaml.MappingNode, Line: n.Line, Column: n.Column}
			if short != nil && short.Kind == yaml.ScalarNode && short.Tag != "!!null" {
				key := "model" // loss: iid is short for loss: {model: iid}
				switch {
				case name == "size":
					key = "mean" // size: 1MiB is like size: {model: fixed, mean: 1MiB}
				case keys.IsNumber(short.Value): // loss: 1e-3 for loss: {model: iid, p: 1e-3}
					key = "p"
					format.Put(next, "model", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str",
						Value: spec.LossIID, Line: short.Line, Column: short.Column})
				}
				format.Put(next, key, short)
			}
			format.Put(at, name, next)
		}
		at = next
	}
	format.Put(at, names[len(names)-1], n)
}

// ApplyPending sets parameters of schemes, and of entries of lists.
func (d *Decoder) ApplyPending(list []pending) {
	for _, p := range list {
		if d.pendingLoss(p) {
			continue
		}
		targets := d.Draft.Resolve(p.path)
		if len(targets) == 0 && !d.Draft.Hopeless(p.path) {
			noSuchPath(d.Faults, p.node, format.NearestPath(p.path, d.Draft.Paths()))
		}
		for _, t := range targets {
			d.Scalar(d.Draft.At(t), d.Draft.KeyOf(t), p.node)
		}
	}
}

// pendingLoss sets the loss of an entry by a word, as the file may: link.paths.0.loss=1e-3.
func (d *Decoder) pendingLoss(p pending) bool {
	for i := range d.Draft.Events {
		e := &d.Draft.Events[i]
		if p.path == e.Path+".loss" && e.Lookup("loss.model") != nil &&
			p.node.Kind == yaml.ScalarNode {
			d.lossWord(&e.Block, "loss", p.node)
			return true
		}
	}
	return false
}
