package scenarios

import (
	"iter"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// decoder turns the tree of a file into a draft.
type decoder struct {
	f       *faults
	draft   *draft
	sweep   *yaml.Node
	figures []*yaml.Node
	checks  []*yaml.Node
	// axesBroken and schemesBroken tell that figures cannot be checked against them.
	axesBroken, schemesBroken bool
	// points are those that the sweep leaves, each as which value of each axis it has.
	points iter.Seq[[]int]
}

// sections are the paths that hold further keys, with the keys that each holds.
var sections = childrenOf(slices.Concat(scalarKeys, listKeys))

// childrenOf lists, for each path that leads to a key of a table, the names below it.
func childrenOf(keys []Key) map[string][]string {
	children := map[string][]string{}
	for _, k := range keys {
		path := k.Path
		for {
			parent, name := splitPath(path)
			if slices.Contains(children[parent], name) {
				break
			}
			children[parent] = append(children[parent], name)
			if parent == "" {
				break
			}
			path = parent
		}
	}
	return children
}

// splitPath cuts the last name off a path.
func splitPath(path string) (parent, name string) {
	i := strings.LastIndexByte(path, '.')
	if i < 0 {
		return "", path
	}
	return path[:i], path[i+1:]
}

func joinPath(parent, name string) string {
	if parent == "" {
		return name
	}
	return parent + "." + name
}

// decodeTree reads every key of a file but the sweep, the figures and the rules of check, which
// need the schemes.
func decodeTree(root *yaml.Node, f *faults) *decoder {
	d := &decoder{f: f, draft: &draft{block: newBlock(rootKeys, "", place(root))}}
	d.draft.dropsAt, d.draft.networkAt = map[string]pos{}, map[string]pos{}
	d.draft.hasRing = findKey(root, "collective") != nil
	d.section(root, "")
	if findKey(root, "schemes") == nil {
		d.schemesBroken = true
		f.add(place(root), "missing; must be a list of schemes", Error{Key: "schemes"})
	}
	return d
}

// findKey returns the value of a key of a mapping, or nil.
func findKey(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// section reads a mapping of keys below path.
func (d *decoder) section(n *yaml.Node, path string) {
	for _, e := range entries(n, path, d.f) {
		d.key(e, path)
	}
}

// key reads one key of a section.
func (d *decoder) key(e entry, parent string) {
	path := joinPath(parent, e.key)
	switch path {
	case networkPath, flowsPath, trafficPath:
		d.draft.networkAt[path] = e.at
	}
	setting := d.draft.lookup(path)
	switch {
	case strings.Contains(e.key, "."), !slices.Contains(sections[parent], e.key):
		addUnknown(d.f, e, parent, sections[parent])
	case setting != nil && !(sections[path] != nil && e.val.Kind == yaml.MappingNode):
		d.scalar(setting, &d.draft.set.keys[d.draft.set.index[path]], e.val)
	case path == "schemes":
		d.schemes(e.val)
	case path == "sweep":
		if d.f.want(e.val, yaml.MappingNode, path, "a mapping of paths to values") {
			d.sweep = e.val
		}
	case path == "figures":
		if d.f.want(e.val, yaml.SequenceNode, path, "a list of figures") {
			d.figures = e.val.Content
		}
	case path == "check":
		if d.f.want(e.val, yaml.SequenceNode, path, "a list of rules") {
			d.checks = e.val.Content
		}
	case path == hopsPath:
		d.hopList(e.val)
	case eventKeys[path] != nil:
		d.eventList(e.val, path)
	case path == "link.loss.drops":
		d.draft.drops = d.dropList(e.val, path)
		d.draft.dropsAt[path] = place(e.val)
	case path == "link.ack_loss.drops":
		d.draft.ackDrops = d.dropList(e.val, path)
		d.draft.dropsAt[path] = place(e.val)
	default:
		d.subsection(e, path)
	}
}

// shortKeys are those that a section stands for where it is a single word.
var shortKeys = []string{".model", ".sampling"}

// subsection reads a mapping, or the model of a loss or the like as a single word.
func (d *decoder) subsection(e entry, path string) {
	d.home(path, e.at)
	for _, key := range shortKeys {
		short := d.draft.lookup(path + key)
		if short != nil && path != workloadPath && e.val.Kind == yaml.ScalarNode {
			d.scalar(short, &d.draft.set.keys[d.draft.set.index[path+key]], e.val)
			return
		}
	}
	if d.f.want(e.val, yaml.MappingNode, path, "a mapping") {
		d.section(e.val, path)
		return
	}
	for i := range d.draft.settings {
		if s := d.draft.settings[i]; strings.HasPrefix(s.name, path+".") {
			s.state = broken
		}
	}
}

// home tells where keys that are missing from a section are missing from.
func (d *decoder) home(path string, at pos) {
	for i := range d.draft.settings {
		s := d.draft.settings[i]
		if !s.wrote() && strings.HasPrefix(s.name, path+".") {
			s.at = at
		}
	}
}

// scalar reads the value of a setting.
func (d *decoder) scalar(s *setting, k *Key, n *yaml.Node) {
	s.at, s.state = place(n), broken
	text, ok := scalar(n, s.name, k.Allowed(), d.f)
	if !ok {
		return
	}
	s.read(k, text, d.f)
}

// read parses a value for a setting whose place is known.
func (s *setting) read(k *Key, text string, f *faults) {
	s.raw, s.state = text, broken
	v, ok := k.parse(text)
	if !ok {
		f.add(s.at, k.refusal(text), Error{
			Key: s.name, Value: text, Suggestion: nearest(text, k.Choices),
		})
		return
	}
	s.value, s.state = v, given
}
