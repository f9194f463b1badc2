package scenarios

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"sdrsim/internal/spec"
	"sdrsim/schemes"

	"gopkg.in/yaml.v3"
)

// KindHosts is some hosts of a side: west, west[3], west[0-7].
const KindHosts schemes.Kind = "hosts"

// hostRange is hosts of a side, from first to last; a last of -1 is that of the side.
type hostRange struct {
	east        bool
	first, last int
}

// parseHosts reads some hosts of a side.
func parseHosts(text string) (r hostRange, ok bool) {
	side, index, some := strings.Cut(text, "[")
	r.east, r.last = side == "east", -1
	if side != "west" && side != "east" {
		return r, false
	}
	if !some {
		return r, true
	}
	index, ok = strings.CutSuffix(index, "]")
	first, last, isRange := strings.Cut(index, "-")
	if !isRange {
		last = first
	}
	var ok1, ok2 bool
	r.first, ok1 = parseIndex(first)
	r.last, ok2 = parseIndex(last)
	return r, ok && ok1 && ok2 && r.first <= r.last
}

// parseIndex reads the number of a host.
func parseIndex(text string) (int, bool) {
	if len(text) == 0 || len(text) > 4 || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	i, err := strconv.Atoi(text)
	return i, err == nil
}

// of are the hosts of a range where a side has n.
func (r hostRange) of(n int) []spec.Host {
	last := r.last
	if last < 0 {
		last = n - 1
	}
	var list []spec.Host
	for i := r.first; i <= last; i++ {
		list = append(list, spec.Host{East: r.east, Index: i})
	}
	return list
}

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
