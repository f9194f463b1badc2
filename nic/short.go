package nic

import "sdrsim/units"

// alarm is what the timer of a NIC wakes: nobody has touched its senders since the last turn.
type alarm NIC

// Fire takes turn after turn, as long as nothing else is scheduled in between.
func (a *alarm) Fire(now units.Time) {
	n := (*NIC)(a)
	if n.egress != nil {
		n.arm(n.turn(now))
		return
	}
	at := n.short(now)
	for n.engine.Advance(at) {
		at = n.short(at)
	}
	n.arm(at)
}

// short is a turn that nobody asked for. Mostly there is a lone sender, or there are none and data
// arrives. The result is that of turn.
func (n *NIC) short(now units.Time) units.Time {
	switch {
	case len(n.touched) > 0 || n.control.len() > 0 || n.pool.active():
	case n.hosted() == 0:
		return n.listen(now)
	case n.hosted() == 1 && n.deadlines.len() == 0:
		return n.lone(now)
	}
	return n.turn(now)
}

// lone is a turn with one sender and no receiver that has a deadline, and further turns as long as
// nothing else is scheduled before them.
func (n *NIC) lone(now units.Time) units.Time {
	id := *n.slots.Head()
	s := &n.senders[id]
	for more := true; more; {
		if n.arrived(now) && !n.heed(now) {
			return n.turn(now)
		}
		if s.deadline <= now {
			n.expireSender(now, id)
		}
		if s.touched {
			if s.ep.Done() {
				return n.turn(now)
			}
			n.renewWork(id, s)
		}
		now, more = n.drive(now, id, s)
	}
	return now
}

// drive transmits what a lone sender has, one piece after the other. It returns when there is
// something else to do, and whether that is now.
func (n *NIC) drive(now units.Time, id int32, s *senderSlot) (at units.Time, due bool) {
	free := n.out.FreeAt()
	if now < free && s.urgent && n.wire == &n.first {
		n.cut(now)
		if free = n.out.FreeAt(); now < free && free < s.deadline && n.calm(free) &&
			n.engine.Advance(free) {
			now = free
		}
	}
	for {
		if now >= free {
			n.wire = nil
			if c := n.pickOf(now, id, s); c != nil {
				n.transmit(now, c, wholeRun)
				free = n.out.FreeAt()
			}
		}
		n.ask()
		at := min(s.deadline, n.nextArrival(now))
		if now >= free || free >= at ||
			n.first.left == 0 && n.repeat.left == 0 && (s.idle || !s.urgent && !s.ep.Ready(free)) {
			return max(at, now), false
		}
		if !n.engine.Advance(free) {
			return free, false
		}
		if now = free; n.arrived(now) {
			return now, true
		}
	}
}

// calm tells that nothing arrives up to some time. It may say no where yes is true.
func (n *NIC) calm(until units.Time) bool { return n.in.First() > until }

// pickOf is pick where there is one sender.
func (n *NIC) pickOf(now units.Time, id int32, s *senderSlot) *current {
	switch {
	case n.repeat.left > 0:
		return &n.repeat
	case n.first.left > 0 && !s.urgent:
		return &n.first
	case s.idle:
		return nil
	}
	work, ok := s.nextSend(now)
	switch {
	case ok:
		return n.load(id, work)
	case n.first.left > 0:
		return &n.first
	}
	n.rest(id)
	return nil
}

// arrived tells whether something has arrived, or may have.
func (n *NIC) arrived(now units.Time) bool { return n.in.First() <= now }

// heed takes the control messages that have arrived by now, but for those that are stale; false
// where there is something else.
func (n *NIC) heed(now units.Time) bool {
	for {
		n.in.DropStale(now)
		f := n.in.Next(now)
		if f == nil || f.Arrive > now {
			return true
		}
		if !f.IsControl() {
			return false
		}
		n.handleControl(f.Arrive, f.Control)
		n.in.Pop()
	}
}

// listen is a turn without senders, and further turns as long as nothing else is scheduled before
// them. Mostly data has arrived, or a receiver is due.
func (n *NIC) listen(now units.Time) units.Time {
	n.awake = true
	for {
		if n.arrived(now) {
			f := n.in.Next(now)
			if f == nil || f.IsControl() {
				return n.turn(now)
			}
			if n.take(f, f.Arrived(now)); n.hosted() > 0 || n.arrived(now) {
				return n.turn(now)
			}
		}
		if n.deadlines.first() <= now {
			if n.expireReceivers(now); n.hosted() > 0 {
				return n.turn(now)
			}
		}
		at := units.Never
		if n.control.len() > 0 {
			if n.pump(now); n.control.len() > 0 {
				at = n.out.FreeAt()
			}
		}
		at = min(at, n.nextArrival(now)) // what is taken ahead may put off what is due
		at = max(now, min(at, n.deadlines.first()))
		if n.control.len() > 0 || !n.engine.Advance(at) {
			n.awake = false
			return at
		}
		now = at
	}
}
