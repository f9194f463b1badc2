package nic

import "sdrsim/sim/units"

// alarm is what the timer of a NIC wakes: nobody has touched its senders since the last turn.
type alarm NIC

// Fire takes turn after turn, as long as nothing else is scheduled in between.
func (a *alarm) Fire(now units.Time) {
	n := (*NIC)(a)
	at := n.short(now)
	for n.engine.Advance(at) {
		at = n.short(at)
	}
	n.arm(at)
}

// short is a turn that nobody asked for. Mostly there is a lone sender with one thing to do, on a
// link that is free: to send the next piece of what it has begun, or, with many losses, to repeat
// what has timed out. The result is that of turn.
func (n *NIC) short(now units.Time) units.Time {
	if len(n.senders) == 0 {
		return n.listen(now)
	}
	if len(n.senders) != 1 || n.touched || n.control.len() > 0 || len(n.timed) > 0 ||
		now < n.out.FreeAt() || n.pool.active() || n.arrived(now) {
		return n.turn(now)
	}
	s := &n.senders[0]
	switch {
	case s.urgent || n.repeat.left > 0:
	case s.deadline <= now && n.first.left == 0:
		return n.timeout(now)
	case s.deadline > now && n.first.left > 0:
		n.transmit(now, &n.first)
		return n.soon(now, s)
	}
	return n.turn(now)
}

// arrived tells whether something may have arrived.
func (n *NIC) arrived(now units.Time) bool {
	if f := n.in.Head(); f != nil {
		return f.Arrive <= now
	}
	return n.in.Upcoming() != units.Never
}

// listen is a turn without senders. Mostly data has arrived, and no deadline has passed.
func (n *NIC) listen(now units.Time) units.Time {
	f := n.in.Head()
	if f == nil || f.IsControl() || n.control.len() > 0 || n.pool.active() || n.due() <= now {
		return n.turn(now)
	}
	n.awake = true
	n.take(f, f.Arrived(now))
	at := n.due()
	switch {
	case len(n.senders) > 0 || at <= now || n.arrived(now):
		return n.turn(now)
	case n.control.len() > 0:
		n.pump(now)
		at = n.next(now)
	default:
		at = max(now, min(at, n.nextArrival(now)))
	}
	n.awake = false
	return at
}

// due is the first deadline of a receiver.
func (n *NIC) due() units.Time {
	at := units.Never
	for _, tag := range n.timed {
		at = min(at, n.receivers[tag].deadline)
	}
	return at
}

// timeout is a turn that is the timeout of the only sender.
func (n *NIC) timeout(now units.Time) units.Time {
	s := &n.senders[0]
	s.ep.HandleTimeout(now)
	n.touch(s)
	if s.ep.Done() {
		return n.turn(now)
	}
	if work, ok := s.ep.NextSend(now); ok {
		n.transmit(now, n.load(s, work))
	}
	return n.soon(now, s)
}

// soon is next where there is only one sender and no receiver that has a deadline.
func (n *NIC) soon(now units.Time, s *senderSlot) units.Time {
	n.ask()
	at := min(s.deadline, n.nextArrival(now))
	if free := n.out.FreeAt(); now < free && free < at && n.ready(free) {
		at = free
	}
	return max(at, now)
}
