package scenarios

import (
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// checkDrops refuses to drop data that is never sent: messages and units that no scheme has. The
// number of control packets is not known beforehand.
func checkDrops(d point, f *faults) {
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

func (d point) checkDrop(drop *dropDraft, f *faults) {
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
func (d point) unitsOf(s *schemeDraft, parity bool) int64 {
	packets := d.packets()
	if parity {
		packets = d.parityPacketsOf(s)
	}
	if d.get("link.loss.per").text == spec.PerPacket {
		return packets
	}
	return units.CeilDiv(packets, units.CeilDiv(d.chunk().whole, d.get("link.mtu").whole))
}
