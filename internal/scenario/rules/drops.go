package rules

import (
	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// checkDrops refuses to drop data that is never sent: messages and units that no scheme has. The
// number of control packets is not known beforehand.
func checkDrops(d point, f *format.Faults) {
	model, per := d.Get("link.loss.model"), d.Get("link.loss.per")
	parts := d.Get("collective.datacenters")
	if !keys.Usable(model, per, d.largestSize(), d.Get("message.count"), d.chunk(),
		d.Get("link.mtu")) || parts.State == keys.Broken || model.Text != spec.LossScript {
		return
	}
	for i := range d.Schemes {
		if !d.Schemes[i].Faultless() {
			return
		}
	}
	for i := range d.Drops {
		d.checkDrop(&d.Drops[i], f)
	}
}

func (d point) checkDrop(drop *draft.Drop, f *format.Faults) {
	messages, units := int64(0), int64(0)
	for i := range d.Schemes {
		sends := int64(d.Schemes[i].Entry.Sends)
		messages = max(messages, d.turns()*sends)
		if drop.Message < d.turns()*sends {
			units = max(units, d.unitsOf(&d.Schemes[i], drop.Message%sends > 0))
		}
	}
	unit := d.Get("link.loss.per").Text
	switch {
	case len(d.Schemes) == 0:
	case drop.Message >= messages:
		f.Blame("there is no message %d: the schemes send %d, counted from 0",
			[]any{drop.Message, messages}, &drop.MessageSetting)
	case drop.First >= units:
		f.Blame("there is no %s %d: message %d has %d, counted from 0",
			[]any{unit, drop.First, drop.Message, units}, &drop.FirstSetting)
	case drop.Last >= units:
		f.Blame("there is no %s %d: message %d has %d, counted from 0",
			[]any{unit, drop.Last, drop.Message, units}, &drop.LastSetting)
	}
}

// unitsOf is how many units of loss a message has under a scheme, or its parity.
func (d point) unitsOf(s *draft.Scheme, parity bool) int64 {
	packets := d.packets()
	if parity {
		packets = d.parityPacketsOf(s)
	}
	if d.Get("link.loss.per").Text == spec.PerPacket {
		return packets
	}
	return units.CeilDiv(packets, units.CeilDiv(d.chunk().Whole, d.Get("link.mtu").Whole))
}
