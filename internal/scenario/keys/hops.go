package keys

import (
	"slices"
	"strings"

	"sdrsim/schemes"
)

// RingKeys are the keys of link that are the same on every hop: a packet keeps its size, and what
// happens in time happens to all.
var RingKeys = []string{"mtu", "encapsulation", "outages", "changes", "paths", "spread",
	"flowlet_gap"}

// HopSet is the table of the keys of a hop: its number, and the keys of link without their
// defaults, which are the settings of the link itself.
var HopSet = func() *Table {
	keys := []Key{{Path: "hop", Kind: schemes.KindCount, Max: maxDatacenters - 1}}
	for _, k := range scalarKeys {
		path, ofLink := strings.CutPrefix(k.Path, "link.")
		if ofLink && !slices.Contains(RingKeys, path) {
			k.Path, k.Default = path, ""
			keys = append(keys, k)
		}
	}
	return NewTable(keys)
}()

// HopSections are the keys of a hop, and of the mappings in it.
var HopSections = childrenOf(append(slices.Clone(HopSet.Keys),
	Key{Path: "loss.drops"}, Key{Path: "ack_loss.drops"}))

// HopsPath is the list of what single hops of a collective have otherwise.
const HopsPath = "collective.hops"

// OfHops reports whether a path leads to single hops, which have none of their own.
func OfHops(path string) bool {
	return path == HopsPath || strings.HasPrefix(path, HopsPath+".")
}
