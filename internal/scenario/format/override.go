package format

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

// Canonical sorts overrides by path and keeps the last of each path: the order in which paths are
// given does not matter. The sweep as a whole comes first, for what a path is set to depends on
// whether it is swept.
func Canonical(overrides []Override) []Override {
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

// ParseValue reads the value and marks its nodes.
func ParseValue(o Override, mark int, f *Faults) (*yaml.Node, bool) {
	decoder := yaml.NewDecoder(bytes.NewReader(hideBrackets([]byte(o.Value))))
	doc, err := decodeNode(decoder)
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	if err == nil && len(doc.Content) == 1 {
		n = doc.Content[0]
	} else if strings.TrimSpace(o.Value) != "" {
		f.Add(Pos{Line: mark}, "the value is not YAML: a word, a list or a mapping", Error{})
		return nil, false
	}
	if !checkMarked(n, mark, 0) {
		f.Add(Pos{Line: mark}, "anchors, aliases, tags and deep nesting are not allowed", Error{})
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
