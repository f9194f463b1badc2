package nic

import (
	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/units"
)

// joined reports whether a sender is that of the connection which the NIC hosts already: a message
// was posted to it.
func (n *NIC) joined(ep schemes.Sender) bool {
	c, ok := ep.(schemes.ConnectionSender)
	return ok && n.connection != none && n.senders[n.connection].ep == c
}

// slotOf is the slot of the sender that control messages of a serial are for, none where that is
// not under way.
func (n *NIC) slotOf(serial uint32) int32 {
	if n.connection != none {
		return n.connection
	}
	if i := int64(serial); i >= n.slots.First() && i < n.slots.Next() {
		return *n.slots.At(i)
	}
	return none
}

// tagOf is the place among the receivers of the one that has a receive.
func (n *NIC) tagOf(h *sdr.RecvHandle) int64 {
	if n.shared {
		return 0 // a connection has one for all of its messages
	}
	return h.Tag()
}

// ended reports the messages of a sender that have ended, and whether it has more to do.
func (n *NIC) ended(now units.Time, id int32) (over bool) {
	s := n.senders[id]
	if s.is&isConnection == 0 {
		n.abandon(now, s.ep)
		n.drop(id)
		n.app.SenderDone(now, Completion{Sender: s.given(), Outcome: schemes.Outcome{Serial: s.serial,
			Started: s.started, Err: s.given().Err()}})
		return true
	}
	conn := s.ep.(schemes.ConnectionSender)
	for o, ok := conn.Completed(); ok; o, ok = conn.Completed() {
		n.app.SenderDone(now, Completion{Sender: s.given(), Outcome: o})
	}
	if conn.Err() == nil {
		return false
	}
	n.abandon(now, s.ep)
	n.drop(id)
	n.connection = none
	return true
}

// delivered reports the messages that the receiver of a connection has delivered.
func (r *receiverSlot) delivered(now units.Time, app Application) {
	conn := r.ep.(schemes.ConnectionReceiver)
	for d, ok := conn.Delivered(); ok; d, ok = conn.Delivered() {
		app.ReceiverDone(now, d)
	}
}
