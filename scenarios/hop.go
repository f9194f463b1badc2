package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"sdrsim/schemes"

	"gopkg.in/yaml.v3"
)

// hopDraft is what one hop of a collective has otherwise than the link. It does not change once it
// has been read, so that drafts share it.
type hopDraft struct {
	block                  // of hopSet; what is absent is as the link has it
	path            string // what faults call it, such as collective.hops.1
	drops, ackDrops []dropDraft
	dropsAt         map[string]pos // by path, such as loss.drops
}

func (h *hopDraft) number() int { return int(h.get("hop").whole) }

// ringKeys are the keys of link that are the same on every hop: a packet keeps its size, and what
// happens in time happens to all.
var ringKeys = []string{"mtu", "encapsulation", "outages", "changes", "paths", "spread",
	"flowlet_gap"}

// hopSet is the table of the keys of a hop: its number, and the keys of link without their
// defaults, which are the settings of the link itself.
var hopSet = func() *keySet {
	keys := []Key{{Path: "hop", Kind: schemes.KindCount, Max: maxDatacenters - 1}}
	for _, k := range scalarKeys {
		path, ofLink := strings.CutPrefix(k.Path, "link.")
		if ofLink && !slices.Contains(ringKeys, path) {
			k.Path, k.Default = path, ""
			keys = append(keys, k)
		}
	}
	return newKeySet(keys)
}()

// hopSections are the keys of a hop, and of the mappings in it.
var hopSections = childrenOf(append(slices.Clone(hopSet.keys),
	Key{Path: "loss.drops"}, Key{Path: "ack_loss.drops"}))

const hopsPath = "collective.hops"

// hopList reads what single hops have otherwise.
func (d *decoder) hopList(n *yaml.Node) {
	const allowed = "a list of mappings such as {hop: 0, distance: 5000km}"
	if !d.f.want(n, yaml.SequenceNode, hopsPath, allowed) {
		return
	}
	first := map[int64]pos{}
	for _, item := range n.Content {
		if !d.f.want(item, yaml.MappingNode, hopsPath, allowed) {
			continue
		}
		h := d.hop(item)
		number := h.get("hop")
		if !number.has() {
			continue
		}
		if at, twice := first[number.whole]; twice {
			d.f.add(number.at, fmt.Sprintf("already given %s", at.words()),
				Error{Key: number.name, Value: number.raw})
			continue
		}
		first[number.whole] = number.at
		d.draft.hops = append(d.draft.hops, h)
	}
}

// words says where a place is, for a fault of another place.
func (p pos) words() string {
	if p.line < 0 {
		return "before"
	}
	return fmt.Sprintf("at line %d", p.line)
}

// hop reads one entry. Its number comes first, as it is part of the names of the others.
func (d *decoder) hop(n *yaml.Node) *hopDraft {
	h := &hopDraft{path: hopsPath, dropsAt: map[string]pos{}}
	h.block = newBlock(hopSet, hopsPath+".", place(n))
	number := h.get("hop")
	if val := findKey(n, "hop"); val != nil {
		d.scalar(number, hopSet.key("hop"), val)
	} else {
		d.f.add(number.at, "missing; must be the number of the hop, from 0",
			Error{Key: number.name})
	}
	if number.has() {
		h.path += "." + number.text
	}
	for i := range h.settings {
		if s := h.settings[i]; s != number {
			s.name = joinPath(h.path, hopSet.keys[i].Path)
		}
	}
	d.hopSection(h, n, "")
	return h
}

// hopSection reads a mapping of the keys of a hop below path.
func (d *decoder) hopSection(h *hopDraft, n *yaml.Node, path string) {
	at := h.path
	if path != "" {
		at = joinPath(at, path)
	}
	for _, e := range entries(n, at, d.f) {
		key := joinPath(path, e.key)
		switch {
		case slices.Contains(ringKeys, key):
			d.f.add(e.at, "is the same on every hop, and a key of link", Error{Key: joinPath(at, key)})
		case strings.Contains(e.key, "."), !slices.Contains(hopSections[path], e.key):
			addUnknown(d.f, e, at, hopSections[path])
		case key == "hop":
		default:
			d.hopKey(h, key, joinPath(at, e.key), e.val)
		}
	}
}

// hopKey reads the value of a key of a hop: a word, a script of losses, or a loss model.
func (d *decoder) hopKey(h *hopDraft, key, name string, n *yaml.Node) {
	target := key
	if h.lookup(key) == nil && n.Kind == yaml.ScalarNode {
		target = key + ".model" // loss: iid is short for loss: {model: iid}
	}
	s := h.lookup(target)
	switch {
	case s != nil:
		d.scalar(s, hopSet.key(target), n)
	case key == "loss.drops":
		h.drops = d.dropList(n, name)
		h.dropsAt[key] = place(n)
	case key == "ack_loss.drops":
		h.ackDrops = d.dropList(n, name)
		h.dropsAt[key] = place(n)
	case d.f.want(n, yaml.MappingNode, name, "a mapping"):
		d.hopSection(h, n, key)
	default:
		h.get(key + ".model").state = broken
	}
}
