package format

import (
	"bytes"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// FindKey returns the value of a key of a mapping, or nil.
func FindKey(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// Put sets a key of a mapping.
func Put(mapping *yaml.Node, key string, n *yaml.Node) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			mapping.Content[i+1] = n
			return
		}
	}
	name := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key, Line: n.Line}
	mapping.Content = append(mapping.Content, name, n)
}

// Forget removes keys of a mapping.
func Forget(mapping *yaml.Node, keys []string) {
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

// Encode writes a file of which the tree is given, below a comment in place of the one at its head.
func Encode(root *yaml.Node, head string) ([]byte, error) {
	if len(root.Content) > 0 {
		root.HeadComment, root.Content[0].HeadComment = "", ""
	}
	var b bytes.Buffer
	for line := range strings.Lines(head) {
		b.WriteString("# " + line)
	}
	b.WriteString("\n")
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(root); err != nil {
		return nil, err
	}
	return b.Bytes(), e.Close()
}
