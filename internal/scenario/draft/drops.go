package draft

import (
	"slices"
	"strings"

	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"

	"gopkg.in/yaml.v3"
)

// dropList reads a script of losses. A script of control packets counts them over the whole link,
// and has neither message nor transmission.
func (d *Decoder) dropList(n *yaml.Node, path string) (list []Drop) {
	if !d.Faults.Want(n, yaml.SequenceNode, path, "a list of mappings {first, last}") {
		return nil
	}
	names := []string{"message", "first", "last", "transmission"}
	if strings.HasSuffix(path, ".ack_loss.drops") {
		names = names[1:3]
	}
	for _, item := range n.Content {
		if d.Faults.Want(item, yaml.MappingNode, path, "a mapping {first, last}") {
			if drop, ok := d.drop(item, path, names); ok {
				list = append(list, drop)
			}
		}
	}
	return list
}

// drop reads one entry of a script.
func (d *Decoder) drop(n *yaml.Node, path string, names []string) (Drop, bool) {
	b := keys.NewBlock(keys.DropKeys, path+".", format.Place(n))
	for _, e := range format.Entries(n, path, d.Faults) {
		s := b.Lookup(e.Key)
		switch {
		case s == nil || !slices.Contains(names, e.Key):
			format.AddUnknown(d.Faults, e, path, names)
		case e.Key == "transmission" && e.Val.Value == keys.EveryTransmission:
			s.Value, s.State = keys.Whole(0), keys.Given
		default:
			d.Scalar(s, keys.DropKeys.Key(e.Key), e.Val)
		}
	}
	first, last := b.Get("first"), b.Get("last")
	if first.State == keys.Absent {
		d.Faults.Add(first.At, "missing; must be an integer from 0", format.Error{Key: first.Name})
	}
	if last.State == keys.Absent {
		last.Value, last.State = first.Value, first.State
	}
	if keys.Usable(first, last) && last.Whole < first.Whole {
		d.Faults.Blame("last %d must not be below first %d", []any{last.Whole, first.Whole}, last)
		return Drop{}, false
	}
	ok := keys.Usable(first, last, b.Get("message"), b.Get("transmission"))
	return Drop{
		Drop: spec.Drop{
			Message: b.Get("message").Whole, First: first.Whole, Last: last.Whole,
			Transmission: b.Get("transmission").Whole,
		},
		MessageSetting: *b.Get("message"), FirstSetting: *first, LastSetting: *last,
	}, ok
}

// Drop is an entry of a script with the settings that it was made of.
type Drop struct {
	spec.Drop
	MessageSetting, FirstSetting, LastSetting keys.Setting
}
