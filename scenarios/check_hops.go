package scenarios

import (
	"maps"
	"strings"
)

// onHop returns the draft of the point as one hop sees it: with the link of that hop.
func (d point) onHop(h *hopDraft) point {
	c := d.clone()
	c.clearWay(h)
	c.dropsAt = maps.Clone(d.dropsAt)
	for _, prefix := range lossPrefixes {
		c.clearLoss(h, prefix)
	}
	for i := range h.settings {
		if s := h.settings[i]; s.state != absent && h.set.keys[i].Path != "hop" {
			c.replace("link."+h.set.keys[i].Path, s)
		}
	}
	if at, ok := h.dropsAt["loss.drops"]; ok {
		c.drops, c.dropsAt["link.loss.drops"] = h.drops, at
	}
	if at, ok := h.dropsAt["ack_loss.drops"]; ok {
		c.ackDrops, c.dropsAt["link.ack_loss.drops"] = h.ackDrops, at
	}
	return c
}

// clearWay forgets how long the link is where the hop says it for itself. A medium goes with a
// distance, and is kept beside one.
func (d point) clearWay(h *hopDraft) {
	for _, path := range []string{"distance", "rtt", "delay"} {
		if h.get(path).state == absent {
			continue
		}
		for _, other := range append(rivals("link."+path), path) {
			d.restore("link." + other)
		}
	}
}

// clearLoss forgets the loss model of the link where the hop names one, all but the unit of loss.
func (d point) clearLoss(h *hopDraft, prefix string) {
	if h.get(strings.TrimPrefix(prefix, "link.")+".model").state == absent {
		return
	}
	for _, k := range d.set.keys {
		if strings.HasPrefix(k.Path, prefix+".") && k.Path != prefix+".per" {
			d.restore(k.Path)
		}
	}
	delete(d.dropsAt, prefix+".drops")
}

// restore gives a setting back the default that the table of keys has.
func (d point) restore(path string) {
	d.replace(path, defaults.get(path))
}

// defaults are the settings of a file that says nothing.
var defaults = newBlock(rootKeys, "", pos{})
