package scenarios

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Override replaces the value of a path of a scenario, as --set path=value does.
type Override struct {
	// Path is a setting (link.loss.p), a parameter of a scheme (schemes.<label>.rto, scheme.rto),
	// a swept path (sweep.link.loss.p), or a whole section (schemes, figures).
	Path string
	// Value is YAML: a word, or a list or range where a path is swept or shall be.
	Value string
}

// ParseOverride reads "path=value".
func ParseOverride(text string) (Override, error) {
	path, value, found := strings.Cut(text, "=")
	path = strings.TrimSpace(path)
	if !found || path == "" {
		return Override{}, fmt.Errorf("--set %q: must be path=value, such as link.loss.p=1e-3", text)
	}
	return Override{Path: path, Value: value}, nil
}

// String prints "path=value".
func (o Override) String() string { return o.Path + "=" + o.Value }

// canonical sorts overrides by path and keeps the last of each path: the order in which paths are
// given does not matter. The sweep as a whole comes first, for what a path is set to depends on
// whether it is swept.
func canonical(overrides []Override) []Override {
	var list []Override
	for i, o := range overrides {
		later := overrides[i+1:]
		if !slices.ContainsFunc(later, func(l Override) bool { return l.Path == o.Path }) {
			list = append(list, o)
		}
	}
	slices.SortStableFunc(list, func(a, b Override) int {
		if whole := "sweep"; (a.Path == whole) != (b.Path == whole) {
			if a.Path == whole {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Path, b.Path)
	})
	return list
}

// pending is an override of a scheme's parameter, which waits for the labels of the schemes, or of
// an entry of a list, which waits for the list.
type pending struct {
	path string
	node *yaml.Node
}

// applyOverrides writes overrides into the tree of a file, so that one reader sees and checks them.
// Nodes that they bring carry the number of the override, negative, in place of a line.
//
// A swept path that is set to a word stays an axis, with that one value: tables keep their columns
// and figures their axes. A path that is set to a list or a range becomes an axis.
func applyOverrides(root *yaml.Node, f *faults) []pending {
	var later []pending
	for i, o := range f.overrides {
		n, ok := parseOverride(o, -(i + 1), f)
		if !ok {
			continue
		}
		path, asAxis := strings.CutPrefix(o.Path, "sweep.")
		scheme := strings.HasPrefix(path, oneScheme) || strings.HasPrefix(path, everyScheme) ||
			ofEvents(path)
		key, isKey := rootKeys.find(path)
		settable := scheme || isKey && !rootKeys.keys[key].Fixed
		axes := findKey(root, "sweep")
		inAxes := axes != nil && findKey(axes, path) != nil
		switch {
		case !asAxis && settable && movesWithOthers(axes, path):
			f.add(place(n), "moves with other paths in the sweep; replace sweep.zip or "+
				"sweep.points as a whole", Error{})
		case isKey && isSection(path) && n.Kind == yaml.MappingNode && findKey(n, "model") != nil:
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
	if zip := findKey(sweep, zipKey); zip != nil {
		groups = append(groups, zip.Content...)
	}
	if points := findKey(sweep, pointsKey); points != nil {
		groups = append(groups, points.Content...)
	}
	return slices.ContainsFunc(groups, func(g *yaml.Node) bool { return findKey(g, path) != nil })
}

// isSection reports whether the path holds a list or a mapping.
func isSection(path string) bool {
	_, section := sections[path]
	return path != "" && section ||
		slices.ContainsFunc(listKeys, func(k Key) bool { return k.Path == path })
}

func addNoSuchPath(f *faults, n *yaml.Node, path string) {
	if ofHops(path) {
		f.add(place(n), "no such path; "+hopsPath+" is set as a whole list", Error{})
		return
	}
	var known []string
	for _, k := range slices.Concat(rootKeys.keys, listKeys) {
		known = append(known, k.Path)
	}
	noSuchPath(f, n, nearestPath(path, known))
}

// noSuchPath reports a path that is set in vain, with what was probably meant.
func noSuchPath(f *faults, n *yaml.Node, suggestion string) {
	text := "no such path"
	if suggestion == "" {
		text += "; \"sdrsim list keys\" has them all"
	}
	f.add(place(n), text, Error{Suggestion: suggestion})
}

// parseOverride reads the value and marks its nodes.
func parseOverride(o Override, mark int, f *faults) (*yaml.Node, bool) {
	decoder := yaml.NewDecoder(bytes.NewReader(hideBrackets([]byte(o.Value))))
	doc, err := decodeNode(decoder)
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	if err == nil && len(doc.Content) == 1 {
		n = doc.Content[0]
	} else if strings.TrimSpace(o.Value) != "" {
		f.add(pos{line: mark}, "the value is not YAML: a word, a list or a mapping", Error{})
		return nil, false
	}
	if !checkMarked(n, mark, 0) {
		f.add(pos{line: mark}, "anchors, aliases, tags and deep nesting are not allowed", Error{})
		return nil, false
	}
	return n, true
}

// checkMarked marks every node of a tree that may be read.
func checkMarked(n *yaml.Node, mark, depth int) bool {
	if depth > maxDepth || n.Kind == yaml.AliasNode || n.Anchor != "" ||
		n.Style&yaml.TaggedStyle != 0 {
		return false
	}
	n.Line = mark
	for _, child := range n.Content {
		if !checkMarked(child, mark, depth+1) {
			return false
		}
	}
	return true
}

// setAxis puts values into the sweep; a word is a list of one.
func setAxis(root *yaml.Node, path string, n *yaml.Node) {
	if n.Kind == yaml.ScalarNode {
		n = &yaml.Node{Kind: yaml.SequenceNode, Line: n.Line, Column: n.Column,
			Content: []*yaml.Node{n}}
	}
	sweep := findKey(root, "sweep")
	if sweep == nil || sweep.Kind != yaml.MappingNode {
		sweep = &yaml.Node{Kind: yaml.MappingNode, Line: n.Line}
		put(root, "sweep", sweep)
	}
	put(sweep, path, n)
}

// setPath puts a value at a dotted path, with the mappings that lead there.
func setPath(root *yaml.Node, path string, n *yaml.Node) {
	if others := rivals(path); others != nil {
		forget(findKey(root, "link"), others)
	}
	at := root
	names := strings.Split(path, ".")
	for _, name := range names[:len(names)-1] {
		next := findKey(at, name)
		if next == nil || next.Kind != yaml.MappingNode {
			short := next
			next = &yaml.Node{Kind: yaml.MappingNode, Line: n.Line, Column: n.Column}
			if short != nil && short.Kind == yaml.ScalarNode && short.Tag != "!!null" {
				key := "model" // loss: iid is short for loss: {model: iid}
				if name == "size" {
					key = "mean" // size: 1MiB is like size: {model: fixed, mean: 1MiB}
				}
				put(next, key, short)
			}
			put(at, name, next)
		}
		at = next
	}
	put(at, names[len(names)-1], n)
}

// put sets a key of a mapping.
func put(mapping *yaml.Node, key string, n *yaml.Node) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			mapping.Content[i+1] = n
			return
		}
	}
	name := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key, Line: n.Line}
	mapping.Content = append(mapping.Content, name, n)
}

// rivals are the keys of link whose place a path takes, for there are three ways to say how long a
// link is, and a file has one.
func rivals(path string) []string {
	switch path {
	case "link.distance":
		return []string{"rtt", "delay"}
	case "link.rtt":
		return []string{"distance", "medium", "delay"}
	case "link.delay":
		return []string{"distance", "medium", "rtt"}
	}
	return nil
}

// forget removes keys of a mapping.
func forget(mapping *yaml.Node, keys []string) {
	if mapping == nil {
		return
	}
	var kept []*yaml.Node
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if !slices.Contains(keys, mapping.Content[i].Value) {
			kept = append(kept, mapping.Content[i], mapping.Content[i+1])
		}
	}
	mapping.Content = kept
}

// applyPending sets parameters of schemes, and of entries of lists.
func (d *decoder) applyPending(list []pending) {
	for _, p := range list {
		targets := d.draft.resolve(p.path)
		if len(targets) == 0 && !d.draft.hopeless(p.path) {
			noSuchPath(d.f, p.node, nearestPath(p.path, d.draft.paths()))
		}
		for _, t := range targets {
			d.scalar(d.draft.at(t), d.draft.keyOf(t), p.node)
		}
	}
}
