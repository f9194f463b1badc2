package nic

import (
	"sdrsim/schemes"
	"sdrsim/units"
)

// AddSender hosts a sender whose message may go at now. Serials ascend from call to call. The
// sender of a connection is hosted once.
func (n *NIC) AddSender(now units.Time, serial uint32, ep schemes.Sender) {
	ep.Start(now)
	if n.joined(ep) {
		n.touch(n.connection)
		if !n.awake {
			n.arm(n.turn(now))
		}
		return
	}
	id := int32(len(n.senders))
	if last := len(n.vacant) - 1; last >= 0 {
		id, n.vacant = n.vacant[last], n.vacant[:last]
	} else {
		n.senders = grow(n.senders)
	}
	s := &n.senders[id]
	*s = senderSlot{serial: serial, single: s.single, started: units.Never, deadline: units.Never,
		idle: true}
	s.host(ep)
	if _, defers := s.ep.(schemes.ControlDeferrer); !defers {
		n.in.HeedPassive()
	}
	if n.enlist(serial, id); s.is&isConnection != 0 {
		n.connection = id
	}
	n.touch(id)
	if !n.awake {
		n.arm(n.turn(now))
	}
}

// enlist notes the slot of a serial.
func (n *NIC) enlist(serial uint32, id int32) {
	if int64(serial) < n.slots.Next() {
		panic("BUG: nic: the serial of a sender is not above those before")
	}
	for n.slots.Next() < int64(serial) {
		n.slots.Append(none)
	}
	n.slots.Append(id)
}

// drop takes a sender out.
func (n *NIC) drop(id int32) {
	*n.slots.At(int64(n.senders[id].serial)) = none
	for h := n.slots.Head(); h != nil && *h == none; h = n.slots.Head() {
		n.slots.Pop()
	}
	n.timeouts.remove(id)
	n.urgent.remove(id)
	n.busy.remove(id)
	n.senders[id] = senderSlot{single: n.senders[id].single}
	n.vacant = append(n.vacant, id)
}

// hosted is how many senders there are.
func (n *NIC) hosted() int { return len(n.senders) - len(n.vacant) }

// entry is a sender in an agenda.
func (s *senderSlot) entry(id int32, at units.Time) entry {
	return entry{at: at, order: s.serial, id: id}
}

// touch notes that something was handed to a sender.
func (n *NIC) touch(id int32) {
	if s := &n.senders[id]; !s.touched {
		s.touched = true
		n.touched = append(n.touched, s.entry(id, 0))
	}
}

// ask asks the senders that were touched for their next timeout.
func (n *NIC) ask() {
	for _, e := range n.touched {
		if s := &n.senders[e.id]; s.touched {
			s.touched = false
			n.renewTimeout(e.id, s)
			n.renewWork(e.id, s)
		}
	}
	n.touched = n.touched[:0]
}

// renewTimeout asks a sender anew when it wants to be called.
func (n *NIC) renewTimeout(id int32, s *senderSlot) {
	if at := deadline(s.ep); at != s.deadline {
		if s.deadline = at; at == units.Never {
			n.timeouts.remove(id)
		} else {
			n.timeouts.set(s.entry(id, at))
		}
	}
}

// renewWork asks a sender that was touched anew whether a repeat waits; it may have something to
// send.
func (n *NIC) renewWork(id int32, s *senderSlot) {
	if s.idle {
		s.idle = false
		n.busy.set(s.entry(id, 0))
	}
	urgent := s.ep.Urgent()
	if urgent == s.urgent {
		return
	}
	if s.urgent = urgent; urgent {
		n.urgent.set(s.entry(id, 0))
	} else {
		n.urgent.remove(id)
	}
}

// rest notes that a sender has nothing to send, before it is touched.
func (n *NIC) rest(id int32) {
	n.senders[id].idle = true
	n.busy.remove(id)
}

// expireSenders lets senders do what is due.
func (n *NIC) expireSenders(now units.Time) {
	for _, e := range n.touched {
		n.renewTimeout(e.id, &n.senders[e.id])
	}
	n.expired = n.timeouts.due(now, n.expired[:0])
	for _, e := range n.expired {
		n.expireSender(now, e.id)
	}
}

// expireSender lets a sender do what is due.
func (n *NIC) expireSender(now units.Time, id int32) {
	s := &n.senders[id]
	s.clock.advance(now)
	s.ep.HandleTimeout(now)
	n.recall(now, id)
	n.touch(id)
}

// recall drops the repeats of a sender that has gone back.
func (n *NIC) recall(now units.Time, id int32) {
	s := &n.senders[id]
	if s.is&isRecaller == 0 || !s.ep.(schemes.Recaller).Recall() || n.repeat.ep != s.ep {
		return
	}
	if n.wire == &n.repeat {
		n.cut(now)
		n.wire = nil
	}
	n.repeat = current{}
}

// reap takes out the senders that are done and tells the application, which may add others.
func (n *NIC) reap(now units.Time) {
	sortByOrder(n.touched)
	for i := 0; i < len(n.touched); i++ {
		id := n.touched[i].id
		if !n.senders[id].ep.Done() || !n.ended(now, id) {
			n.renewWork(id, &n.senders[id])
		}
	}
}
