package scenarios

import (
	"slices"
	"strings"

	"sdrsim/internal/spec"
	"sdrsim/schemes"
	"sdrsim/units"

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
			d.scalar(s, &dropKeys.keys[dropKeys.index[e.key]], e.val)
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

// checkDrops refuses to drop data that is never sent: messages and units that no scheme has. The
// number of control packets is not known beforehand.
func checkDrops(d *draft, f *faults) {
	model, per := d.get("link.loss.model"), d.get("link.loss.per")
	parts := d.get("collective.datacenters")
	if !usable(model, per, d.largestSize(), d.get("message.count"), d.chunk(),
		d.get("link.mtu")) || parts.state == broken || model.text != spec.LossScript {
		return
	}
	for i := range d.schemes {
		if !d.schemes[i].faultless() {
			return
		}
	}
	for i := range d.drops {
		d.checkDrop(&d.drops[i], f)
	}
}

func (d *draft) checkDrop(drop *dropDraft, f *faults) {
	messages, units := int64(0), int64(0)
	for i := range d.schemes {
		sends := int64(d.schemes[i].entry.Sends)
		messages = max(messages, d.turns()*sends)
		if drop.Message < d.turns()*sends {
			units = max(units, d.unitsOf(&d.schemes[i], drop.Message%sends > 0))
		}
	}
	unit := d.get("link.loss.per").text
	switch {
	case len(d.schemes) == 0:
	case drop.Message >= messages:
		f.blame("there is no message %d: the schemes send %d, counted from 0",
			[]any{drop.Message, messages}, &drop.message)
	case drop.First >= units:
		f.blame("there is no %s %d: message %d has %d, counted from 0",
			[]any{unit, drop.First, drop.Message, units}, &drop.first)
	case drop.Last >= units:
		f.blame("there is no %s %d: message %d has %d, counted from 0",
			[]any{unit, drop.Last, drop.Message, units}, &drop.last)
	}
}

// unitsOf is how many units of loss a message has under a scheme, or its parity.
func (d *draft) unitsOf(s *schemeDraft, parity bool) int64 {
	packets := d.packets()
	if parity {
		packets = d.parityPacketsOf(s)
	}
	if d.get("link.loss.per").text == spec.PerPacket {
		return packets
	}
	return units.CeilDiv(packets, units.CeilDiv(d.chunk().whole, d.get("link.mtu").whole))
}
