package keys

import (
	"slices"
	"strings"
)

// Sections are the paths that hold further keys, with the keys that each holds.
var Sections = childrenOf(slices.Concat(scalarKeys, Structured))

// childrenOf lists, for each path that leads to a key of a table, the names below it.
func childrenOf(keys []Key) map[string][]string {
	children := map[string][]string{}
	for _, k := range keys {
		path := k.Path
		for {
			parent, name := SplitPath(path)
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

// SplitPath cuts the last name off a path.
func SplitPath(path string) (parent, name string) {
	i := strings.LastIndexByte(path, '.')
	if i < 0 {
		return "", path
	}
	return path[:i], path[i+1:]
}

// JoinPath adds a name to a path.
func JoinPath(parent, name string) string {
	if parent == "" {
		return name
	}
	return parent + "." + name
}

// ShortKeys are those that a section stands for where it is a single word.
var ShortKeys = []string{".model", ".sampling"}

// Prefixes of the paths of scheme parameters.
const (
	EveryScheme = "scheme."  // scheme.rto: of all schemes that have it
	OneScheme   = "schemes." // schemes.<label>.rto
)

// Keys of a sweep that are not paths.
const (
	ZipKey     = "zip"
	PointsKey  = "points"
	ExcludeKey = "exclude"
)

// PointAxis is the path of the axis that named points form.
const PointAxis = "point"

// PointName is the key that a name of a point is read by.
var PointName = Key{Path: PointAxis, Kind: KindName}

// Rivals are the keys of link whose place a path takes, for there are three ways to say how long a
// link is, and a file has one.
func Rivals(path string) []string {
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

// IsNumber reports whether a word stands for a probability, where it may also be the name of a
// model.
func IsNumber(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && text[0] <= '9'
}
