package rules

import (
	"maps"
	"strings"

	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
)

// onHop returns the draft of the point as one hop sees it: with the link of that hop.
func (d point) onHop(h *draft.Hop) point {
	c := d.clone()
	c.clearWay(h)
	c.DropsAt = maps.Clone(d.DropsAt)
	for _, prefix := range lossPrefixes {
		c.clearLoss(h, prefix)
	}
	for i := range h.Settings {
		if s := h.Settings[i]; s.State != keys.Absent && h.Set.Keys[i].Path != "hop" {
			c.Replace("link."+h.Set.Keys[i].Path, s)
		}
	}
	if at, ok := h.DropsAt["loss.drops"]; ok {
		c.Drops, c.DropsAt["link.loss.drops"] = h.Drops, at
	}
	if at, ok := h.DropsAt["ack_loss.drops"]; ok {
		c.AckDrops, c.DropsAt["link.ack_loss.drops"] = h.AckDrops, at
	}
	return c
}

// clearWay forgets how long the link is where the hop says it for itself. A medium goes with a
// distance, and is kept beside one.
func (d point) clearWay(h *draft.Hop) {
	for _, path := range []string{"distance", "rtt", "delay"} {
		if h.Get(path).State == keys.Absent {
			continue
		}
		for _, other := range append(keys.Rivals("link."+path), path) {
			d.restore("link." + other)
		}
	}
}

// clearLoss forgets the loss model of the link where the hop names one, all but the unit of loss.
func (d point) clearLoss(h *draft.Hop, prefix string) {
	if h.Get(strings.TrimPrefix(prefix, "link.")+".model").State == keys.Absent {
		return
	}
	for _, k := range d.Set.Keys {
		if strings.HasPrefix(k.Path, prefix+".") && k.Path != prefix+".per" {
			d.restore(k.Path)
		}
	}
	delete(d.DropsAt, prefix+".drops")
}

// restore gives a setting back the default that the table of keys has.
func (d point) restore(path string) {
	d.Replace(path, defaults.Get(path))
}

// defaults are the settings of a file that says nothing.
var defaults = keys.NewBlock(keys.Root, "", format.Pos{})
