package draft

import (
	"fmt"
	"slices"
	"strings"

	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"

	"gopkg.in/yaml.v3"
)

// Hop is what one hop of a collective has otherwise than the link. It does not change once it
// has been read, so that drafts share it.
type Hop struct {
	keys.Block             // of hopSet; what is absent is as the link has it
	Path            string // what faults call it, such as collective.hops.1
	Drops, AckDrops []Drop
	DropsAt         map[string]format.Pos // by path, such as loss.drops
}

// Number is which hop it is, from 0.
func (h *Hop) Number() int { return int(h.Get("hop").Whole) }

// hopList reads what single hops have otherwise.
func (d *Decoder) hopList(n *yaml.Node) {
	const allowed = "a list of mappings such as {hop: 0, distance: 5000km}"
	if !d.Faults.Want(n, yaml.SequenceNode, keys.HopsPath, allowed) {
		return
	}
	first := map[int64]format.Pos{}
	for _, item := range n.Content {
		if !d.Faults.Want(item, yaml.MappingNode, keys.HopsPath, allowed) {
			continue
		}
		h := d.hop(item)
		number := h.Get("hop")
		if !number.Has() {
			continue
		}
		if at, twice := first[number.Whole]; twice {
			d.Faults.Add(number.At, fmt.Sprintf("already given %s", at.Words()),
				format.Error{Key: number.Name, Value: number.Raw})
			continue
		}
		first[number.Whole] = number.At
		d.Draft.Hops = append(d.Draft.Hops, h)
	}
}

// hop reads one entry. Its number comes first, as it is part of the names of the others.
func (d *Decoder) hop(n *yaml.Node) *Hop {
	h := &Hop{Path: keys.HopsPath, DropsAt: map[string]format.Pos{}}
	h.Block = keys.NewBlock(keys.HopSet, keys.HopsPath+".", format.Place(n))
	number := h.Get("hop")
	if val := format.FindKey(n, "hop"); val != nil {
		d.Scalar(number, keys.HopSet.Key("hop"), val)
	} else {
		d.Faults.Add(number.At, "missing; must be the number of the hop, from 0",
			format.Error{Key: number.Name})
	}
	if number.Has() {
		h.Path += "." + number.Text
	}
	for i := range h.Settings {
		if s := h.Settings[i]; s != number {
			s.Name = keys.JoinPath(h.Path, keys.HopSet.Keys[i].Path)
		}
	}
	d.hopSection(h, n, "")
	return h
}

// hopSection reads a mapping of the keys of a hop below path.
func (d *Decoder) hopSection(h *Hop, n *yaml.Node, path string) {
	at := h.Path
	if path != "" {
		at = keys.JoinPath(at, path)
	}
	for _, e := range format.Entries(n, at, d.Faults) {
		key := keys.JoinPath(path, e.Key)
		switch {
		case slices.Contains(keys.RingKeys, key):
			d.Faults.Add(e.At, "is the same on every hop, and a key of link",
				format.Error{Key: keys.JoinPath(at, key)})
		case strings.Contains(e.Key, "."), !slices.Contains(keys.HopSections[path], e.Key):
			format.AddUnknown(d.Faults, e, at, keys.HopSections[path])
		case key == "hop":
		default:
			d.hopKey(h, key, keys.JoinPath(at, e.Key), e.Val)
		}
	}
}

// hopKey reads the value of a key of a hop: a word, a script of losses, or a loss model.
func (d *Decoder) hopKey(h *Hop, key, name string, n *yaml.Node) {
	s := h.Lookup(key)
	switch {
	case s != nil:
		d.Scalar(s, keys.HopSet.Key(key), n)
	case h.Lookup(key+".model") != nil && n.Kind == yaml.ScalarNode:
		d.lossWord(&h.Block, key, n)
	case key == "loss.drops":
		h.Drops = d.dropList(n, name)
		h.DropsAt[key] = format.Place(n)
	case key == "ack_loss.drops":
		h.AckDrops = d.dropList(n, name)
		h.DropsAt[key] = format.Place(n)
	case d.Faults.Want(n, yaml.MappingNode, name, "a mapping"):
		d.hopSection(h, n, key)
	default:
		h.Get(key + ".model").State = keys.Broken
	}
}
