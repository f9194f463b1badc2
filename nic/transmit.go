package nic

import (
	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/units"
)

// pump transmits. Control messages go first, then repeats, then first transmissions; the first two
// cut a first transmission that is under way, at the packet boundary.
func (n *NIC) pump(now units.Time) {
	if n.egress != nil {
		n.egress.request(n, now)
		return
	}
	if now < n.out.FreeAt() && n.preempted() {
		n.cut(now)
	}
	if now < n.out.FreeAt() {
		return
	}
	n.emit(now, wholeRun)
}

// emit transmits a control message, or at most so many packets, and reports whether there was
// something.
func (n *NIC) emit(now units.Time, most int64) bool {
	n.wire = nil
	if msg, ok := n.control.pop(); ok {
		n.out.SendControl(now, msg)
		return true
	}
	c := n.pick(now)
	if c == nil {
		return false
	}
	n.transmit(now, c, most)
	return true
}

// ready tells whether there will be something to transmit when the link is free.
func (n *NIC) ready(free units.Time) bool {
	return n.control.len() > 0 || n.repeat.left > 0 || n.first.left > 0 || n.anyReady(free)
}

// anyReady reports whether a sender has something to hand out.
func (n *NIC) anyReady(free units.Time) bool {
	for n.busy.len() > 0 {
		id := n.busy.head().id
		if n.senders[id].ep.Ready(free) {
			return true
		}
		n.rest(id)
	}
	return false
}

// preempted tells whether what is on the wire should make room.
func (n *NIC) preempted() bool {
	if n.wire == nil {
		return false
	}
	return n.control.len() > 0 || n.wire == &n.first && n.urgent.len() > 0
}

// cut ends the piece on the wire at the boundary of its current packet. A packet of a sender that
// handles no runs is left alone, even where its first bit is due at now.
func (n *NIC) cut(now units.Time) {
	if n.wire.single {
		return
	}
	back := n.out.Cut(now)
	if back == 0 {
		return
	}
	n.wire.ep.Unsend(back)
	n.wire.next -= back
	n.wire.left += back
	n.wire.run.Count = 0
	n.touch(n.wire.slot)
}

// abandon drops the work of a sender that is done; what is on the wire ends with its packet.
func (n *NIC) abandon(now units.Time, ep schemes.RunSender) {
	if n.wire != nil && n.wire.ep == ep {
		if back := n.out.Cut(now); back > 0 {
			ep.Unsend(back)
		}
		n.wire = nil
	}
	for _, c := range []*current{&n.first, &n.repeat} {
		if c.ep == ep {
			*c = current{}
		}
	}
}

// pick decides what goes next. Work that was begun is finished before other work of its class is
// asked for, so the choice does not depend on where pieces end.
func (n *NIC) pick(now units.Time) *current {
	if n.repeat.left > 0 {
		return &n.repeat
	}
	if n.urgent.len() > 0 {
		id := n.urgent.head().id
		if work, ok := n.senders[id].nextSend(now); ok {
			return n.load(id, work)
		}
	}
	if n.first.left > 0 {
		return &n.first
	}
	for n.busy.len() > 0 {
		id := n.busy.head().id
		if work, ok := n.senders[id].nextSend(now); ok {
			return n.load(id, work)
		}
		n.rest(id)
	}
	return nil
}

func (n *NIC) load(id int32, work sdr.Work) *current {
	c := &n.first
	if work.Repeat {
		c = &n.repeat
	}
	s := &n.senders[id]
	c.ep, c.slot, c.work, c.single = s.ep, id, work, s.ep == s.single
	c.next, c.left, c.run.Count = work.First, work.Count, 0
	return c
}

// transmit puts the next piece of the work on the wire, of so many packets at most.
func (n *NIC) transmit(now units.Time, c *current, most int64) {
	run := &c.run
	if run.Count == 0 {
		c.work.Handle.Fill(run, c.next, c.left)
		run.Repeat = c.work.Repeat
	}
	if most < run.Count {
		run.Keep(most)
	}
	took := n.out.Transmit(now, run)
	part := c.work
	part.First, part.Count = c.next, took
	c.next += took
	c.left -= took
	n.wire = c
	depart := run.Depart
	if run.Count == took {
		run.Count = 0
	} else {
		run.Skip(took)
	}
	c.ep.HandleSent(part, depart, run.Spacing)
	n.touch(c.slot)
	if s := &n.senders[c.slot]; s.started == units.Never {
		s.started = now
	}
}
