package format

import (
	"bytes"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// YAML ends a word at a bracket within {}, so that {from: west[0]} is none. Brackets that follow a
// side are hidden from its parser, behind characters of private use, and shown again in the words
// that it finds. Places stay what they are, and a text that is YAML already keeps its meaning.
const hiddenOpen, hiddenClose = "\ue000", "\ue001"

var (
	bracketed = regexp.MustCompile(`\b(west|east)\[([0-9-]*)\]`)
	hidden    = regexp.MustCompile(`(west|east)` + hiddenOpen + `([0-9-]*)` + hiddenClose)
)

// hideBrackets hides the brackets of hosts.
func hideBrackets(text []byte) []byte {
	if bytes.Contains(text, []byte(hiddenOpen)) {
		return text
	}
	return bracketed.ReplaceAll(text, []byte("${1}"+hiddenOpen+"${2}"+hiddenClose))
}

// showBrackets shows them again in the words of a tree.
func showBrackets(n *yaml.Node) {
	if strings.Contains(n.Value, hiddenOpen) {
		n.Value = hidden.ReplaceAllString(n.Value, "$1[$2]")
	}
	for _, child := range n.Content {
		showBrackets(child)
	}
}
