// Package format reads the text of a scenario strictly, and collects what is wrong with it.
//
//	text --> Parse --> tree of YAML nodes, each with its place --> Entries, Scalar
//	                        ^
//	     Override{path, value}: its nodes have the number of the override for a place
//
// A text is one document of at most 1 MiB, a mapping, without anchors, aliases and tags: what a
// value means follows from the text at its place. Every fault is an Error with file, line, column,
// key, value, what is allowed and what was probably meant. Faults collects up to a hundred of them,
// one for each place and reason.
//
// Limitations: nodes are those of gopkg.in/yaml.v3, by whose rules a text is parsed. The line of a
// text that is not YAML is found by reading ever shorter parts of it.
package format
