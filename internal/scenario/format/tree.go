package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

const (
	// maxFile bounds the text of a scenario.
	maxFile = 1 << 20
	// maxSearchedLines bounds the search for the line of a syntax error, which reads the file once
	// for each line.
	maxSearchedLines = 1000
	maxDepth         = 100
)

// Parse reads the text as exactly one document that is a mapping; nil after a fault.
func Parse(data []byte, f *Faults) *yaml.Node {
	if len(data) > maxFile {
		f.Add(Pos{1, 1}, "a scenario has at most 1 MiB", Error{})
		return nil
	}
	if !checkText(data, f) {
		return nil
	}
	data = hideBrackets(data)
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	doc, err := decodeNode(decoder)
	if err == io.EOF || err == nil && len(doc.Content) == 0 {
		f.Add(Pos{1, 1}, "no scenario: the file is empty", Error{})
		return nil
	}
	if err != nil {
		addSyntaxFault(f, data, err)
		return nil
	}
	// A document that follows would be ignored without a word.
	if second, err := decodeNode(decoder); err != io.EOF {
		if err != nil {
			addSyntaxFault(f, data, err)
		} else {
			f.Add(Place(second), "a second document; a scenario is one document", Error{})
		}
		return nil
	}
	return checkRoot(doc.Content[0], f)
}

// checkRoot wants a document to be a mapping that may be read; it returns nil otherwise.
func checkRoot(root *yaml.Node, f *Faults) *yaml.Node {
	switch {
	case !checkTree(root, f, 0):
	case root.Tag == "!!null":
		f.Add(Pos{1, 1}, "no scenario: the file is empty", Error{})
	case root.Kind != yaml.MappingNode:
		f.Add(Place(root), "a scenario must be a mapping of keys to values", Error{})
	default:
		return root
	}
	return nil
}

// checkText refuses bytes by which the lines of YAML and those of an editor would differ.
func checkText(data []byte, f *Faults) bool {
	line, column := 1, 1
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			f.Add(Pos{line, column}, "not UTF-8", Error{})
			return false
		case r == '\r' && !bytes.HasPrefix(data[i:], []byte("\r\n")),
			r == '\u0085', r == '\u2028', r == '\u2029':
			f.Add(Pos{line, column}, fmt.Sprintf("a line break %U; lines end in LF or CR LF", r),
				Error{})
			return false
		case r == '\n':
			line, column = line+1, 0
		}
		i, column = i+size, column+1
	}
	return true
}

// decodeNode reads the next document without interpreting it: a decoder into structs cuts 1.5 to 1
// and loses positions. The parser tells some malformed texts by a panic.
func decodeNode(decoder *yaml.Decoder) (node *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	node = &yaml.Node{}
	err = decoder.Decode(node)
	showBrackets(node)
	return node, err
}

// addSyntaxFault reports a text that is not YAML. The parser's own line is that of an enclosing
// construct, often off by one; the line that is to blame follows the longest part of the file that
// can be read.
func addSyntaxFault(f *Faults, data []byte, err error) {
	lines := bytes.SplitAfter(data, []byte("\n"))
	line := 1
	for n := min(len(lines)-1, maxSearchedLines); n > 0; n-- {
		if readable(bytes.Join(lines[:n], nil)) {
			line = n + 1
			break
		}
	}
	text := string(lines[line-1])
	column := len(text) - len(strings.TrimLeft(text, " ")) + 1
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	if prefix, rest, found := strings.Cut(message, ": "); found &&
		strings.HasPrefix(prefix, "line ") {
		message = rest
	}
	message = "not YAML: " + message
	if strings.HasPrefix(strings.TrimLeft(text, " "), "\t") {
		message = "a tab begins this line; YAML is indented with spaces"
	}
	f.Add(Pos{line, column}, message, Error{})
}

func readable(data []byte) bool {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		if _, err := decodeNode(decoder); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
}

// checkTree refuses what would make the meaning of a file depend on more than its text at one
// place: anchors, aliases and tags. It reports whether the tree may be read.
func checkTree(n *yaml.Node, f *Faults, depth int) bool {
	switch {
	case depth > maxDepth:
		f.Add(Place(n), fmt.Sprintf("nested deeper than %d levels", maxDepth), Error{})
		return false
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		f.Add(Place(n), "anchors and aliases are not allowed; write the value out", Error{})
		return false
	case n.Style&yaml.TaggedStyle != 0:
		f.Add(Place(n), "tags are not allowed", Error{})
		return false
	}
	ok := true
	for _, child := range n.Content {
		ok = checkTree(child, f, depth+1) && ok
	}
	return ok
}

// Place is where a node stands; one that an override brought keeps its mark.
func Place(n *yaml.Node) Pos {
	if n.Line < 0 {
		return Pos{Line: n.Line, column: n.Column}
	}
	return Pos{max(n.Line, 1), max(n.Column, 1)}
}

// Entry is a key of a mapping with its value.
type Entry struct {
	Key       string
	At        Pos // of the key
	node, Val *yaml.Node
}

// Entries returns the keys of a mapping in order. A key that is not a word or comes twice is a
// fault and left out.
func Entries(n *yaml.Node, path string, f *Faults) []Entry {
	var list []Entry
	seen := map[string]Pos{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		e := Entry{Key: n.Content[i].Value, At: Place(n.Content[i]), node: n.Content[i],
			Val: n.Content[i+1]}
		first, twice := seen[e.Key]
		switch {
		case e.node.Kind != yaml.ScalarNode:
			f.Add(e.At, "a key must be a word", Error{Key: path})
		case twice:
			f.Add(e.At, fmt.Sprintf("duplicate key %q, first at line %d", e.Key, first.Line),
				Error{Key: path})
		default:
			seen[e.Key] = e.At
			list = append(list, e)
		}
	}
	return list
}

// Scalar returns the text of a value that must be a single word; reports a fault otherwise.
func Scalar(n *yaml.Node, key, allowed string, f *Faults) (text string, ok bool) {
	switch {
	case n.Kind != yaml.ScalarNode:
		f.Add(Place(n), "must be "+allowed+", not "+kindName(n), Error{Key: key})
		return "", false
	case n.Tag == "!!null" || n.Value == "":
		f.Add(Place(n), "has no value; must be "+allowed, Error{Key: key})
		return "", false
	}
	return n.Value, true
}

func kindName(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	return fmt.Sprintf("%q", n.Value)
}

// Want reports whether a node is of a kind of YAML; it adds a fault otherwise.
func (f *Faults) Want(n *yaml.Node, kind yaml.Kind, key, allowed string) bool {
	if n.Kind == kind {
		return true
	}
	why := "must be " + allowed + ", not " + kindName(n)
	if n.Tag == "!!null" {
		why = "has no value; must be " + allowed
	}
	f.Add(Place(n), why, Error{Key: key})
	return false
}

// AddUnknown reports a key that does not exist, with the one that was probably meant or else all
// that are allowed.
func AddUnknown(f *Faults, e Entry, path string, allowed []string) {
	fault := Error{Key: path, Suggestion: Nearest(e.Key, allowed)}
	fault.Message = fmt.Sprintf("unknown key %q", e.Key)
	if fault.Suggestion == "" {
		fault.Message += "; allowed are " + strings.Join(allowed, ", ")
	}
	f.Add(e.At, fault.Message, fault)
}
