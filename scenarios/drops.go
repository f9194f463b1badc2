package scenarios

import (
	"slices"
	"strings"

	"sdrsim/internal/spec"
	"sdrsim/schemes"

	"gopkg.in/yaml.v3"
)

// dropKeys are the keys of an entry of a script of losses.
var dropKeys = newKeySet([]Key{
	{Path: "message", Kind: schemes.KindCount, Default: "0", Max: 1e9},
	{Path: "first", Kind: schemes.KindCount, Max: 1 << 50},
	{Path: "last", Kind: schemes.KindCount, Max: 1 << 50},
	{Path: "transmission", Kind: schemes.KindCount, Default: "1", Min: 1, Max: 1e9},
})

// everyTransmission is the word for a drop that repeats meet too.
const everyTransmission = "every"

// dropList reads a script of losses. A script of control packets counts them over the whole link,
// and has neither message nor transmission.
func (d *decoder) dropList(n *yaml.Node, path string) (list []dropDraft) {
	if !d.f.want(n, yaml.SequenceNode, path, "a list of mappings {first, last}") {
		return nil
	}
	names := []string{"message", "first", "last", "transmission"}
	if strings.HasSuffix(path, ".ack_loss.drops") {
		names = names[1:3]
	}
	for _, item := range n.Content {
		if d.f.want(item, yaml.MappingNode, path, "a mapping {first, last}") {
			if drop, ok := d.drop(item, path, names); ok {
				list = append(list, drop)
			}
		}
	}
	return list
}

// drop reads one entry of a script.
func (d *decoder) drop(n *yaml.Node, path string, names []string) (dropDraft, bool) {
	b := newBlock(dropKeys, path+".", place(n))
	for _, e := range entries(n, path, d.f) {
		s := b.lookup(e.key)
		switch {
		case s == nil || !slices.Contains(names, e.key):
			addUnknown(d.f, e, path, names)
		case e.key == "transmission" && e.val.Value == everyTransmission:
			s.value, s.state = whole(0), given
		default:
			d.scalar(s, dropKeys.key(e.key), e.val)
		}
	}
	first, last := b.get("first"), b.get("last")
	if first.state == absent {
		d.f.add(first.at, "missing; must be an integer from 0", Error{Key: first.name})
	}
	if last.state == absent {
		last.value, last.state = first.value, first.state
	}
	if usable(first, last) && last.whole < first.whole {
		d.f.blame("last %d must not be below first %d", []any{last.whole, first.whole}, last)
		return dropDraft{}, false
	}
	ok := usable(first, last, b.get("message"), b.get("transmission"))
	return dropDraft{
		Drop: spec.Drop{
			Message: b.get("message").whole, First: first.whole, Last: last.whole,
			Transmission: b.get("transmission").whole,
		},
		message: *b.get("message"), first: *first, last: *last,
	}, ok
}

// dropDraft is an entry of a script with the settings that it was made of.
type dropDraft struct {
	spec.Drop
	message, first, last setting
}
