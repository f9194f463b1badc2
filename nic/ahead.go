package nic

import (
	"sdrsim/link"
	"sdrsim/sdr"
	"sdrsim/units"
)

// nextArrival is when the NIC has to look at its inbox again, and promises to do so.
func (n *NIC) nextArrival(now units.Time) units.Time {
	at := n.nextLook(now)
	if n.in.Unordered() {
		at = min(at, n.in.Upcoming())
	}
	n.in.Promise(at)
	return at
}

func (n *NIC) nextLook(now units.Time) units.Time {
	switch {
	case n.pool.active():
		return min(n.pool.next(), n.in.First())
	case n.cfg.SinglePackets:
		return n.in.First()
	}
	return n.lookAhead(now)
}

// lookAhead takes packets ahead of their time, as long as their receivers are silent about them:
// nothing can then happen at the receiver in between. It returns when to wake, which is when a
// receiver has something to say or to do, or when more is known about what arrives.
//
// What can happen in between is bounded in two ways. What arrives up to the horizon is known, and
// can no longer be cut; and a receiver has nothing to do before its own deadline. The number of
// wakes so follows what receivers say, and not how often something is lost.
func (n *NIC) lookAhead(now units.Time) units.Time {
	horizon, wake := n.in.Settled(now), units.Never
	for f := n.in.Next(now); f != nil; f = n.in.Next(now) {
		if f.IsControl() {
			if at := n.in.Call(); at != units.Never {
				return min(wake, at)
			}
			break
		}
		if n.patient && n.followers.waiting.Len() == 0 && n.recent.Owns(&f.Run) {
			r := &n.receivers[n.tagOf(n.recent)]
			if patience := r.ep.Patience(n.recent); patience > 0 {
				limit := min(horizon, r.deadline)
				some, more := n.absorb(now, n.recent, patience, limit)
				switch {
				case more && limit == r.deadline:
					return min(wake, limit)
				case some:
					wake = min(wake, r.deadline)
					continue
				}
			} else {
				n.patient = false
			}
		}
		a := n.qp.Preview(&f.Run)
		if a.Recv == nil {
			return min(wake, f.ArrivalOf(f.Run.Count-1))
		}
		n.notice(a.Recv)
		r := &n.receivers[n.tagOf(a.Recv)]
		limit := min(horizon, r.deadline)
		// What arrives after the limit is asked about when nothing arrives before: one of those that
		// do may put off the timeout, which an answer about all of them passes over.
		arrived := f.Arrived(limit)
		if arrived > 0 && !a.Discarded {
			a.Count = min(a.Count, arrived)
		}
		count, silent := n.quiet(&a)
		count = min(max(count, 1), f.Run.Count)
		// What is discarded may be meant for a receive whose place is about to be taken by another.
		if !silent || a.Discarded || arrived == 0 {
			return min(wake, f.ArrivalOf(count-1))
		}
		a.Count = min(a.Count, count)
		n.accept(f, &a)
		more := arrived < f.Run.Count && a.Count == arrived
		n.in.Take(a.Count)
		if more && limit == r.deadline {
			return min(wake, limit)
		}
		wake = min(wake, r.deadline)
	}
	return min(wake, n.plan())
}

// plan is when to look at what is still being sent, if it goes on: at the packet at which its
// receiver has something to do.
func (n *NIC) plan() units.Time {
	f := n.in.Preview()
	if f == nil {
		return n.in.Upcoming()
	}
	count := f.Run.Count
	if a := n.qp.Preview(&f.Run); a.Recv != nil {
		n.notice(a.Recv)
		count, _ = n.quiet(&a)
		count = min(max(count, 1), f.Run.Count)
	}
	return f.ArrivalOf(count - 1)
}

// notice notes the receive that packets are for.
func (n *NIC) notice(h *sdr.RecvHandle) {
	if n.recent != h {
		n.recent, n.patient = h, true
	}
}

// absorb takes packets for a receive ahead of their time, flight after flight, as long as its
// receiver is patient and they arrive by the limit: what lookAhead does with each flight, without
// asking again. It tells whether there were some, and whether the next arrive after the limit.
func (n *NIC) absorb(now units.Time, h *sdr.RecvHandle, patience int64, limit units.Time) (
	some, more bool) {
	r, said := &n.receivers[n.tagOf(h)], n.said
	f := n.in.Next(now)
	for f != nil && patience > 0 && !more && !f.IsControl() && h.Owns(&f.Run) {
		count := f.Arrived(limit)
		if count > patience {
			break
		}
		more = count < f.Run.Count
		if count == 0 {
			break
		}
		last := f.ArrivalOf(count - 1)
		a, ok := h.Absorb(&f.Run, count)
		if !ok {
			return some, false
		}
		n.stats.Spurious += a.Spurious
		r.clock.advance(last)
		r.ep.HandleArrival(last, a)
		patience -= count
		n.in.Take(count)
		some, f = true, n.in.Next(now)
	}
	if n.said != said {
		panic("BUG: nic: a receiver spoke that had promised silence")
	}
	return some, more
}

// accept delivers packets of the head, about which their receiver is silent.
func (n *NIC) accept(f *link.Flight, a *sdr.Arrival) {
	n.qp.Accept(&f.Run, a)
	n.stats.Spurious += a.Spurious
	said, tag := n.said, n.tagOf(a.Recv)
	r := &n.receivers[tag]
	at := f.ArrivalOf(a.Count - 1)
	r.clock.advance(at)
	r.ep.HandleArrival(at, *a)
	if n.said != said {
		panic("BUG: nic: a receiver spoke that had promised silence")
	}
	n.renew(tag, r)
}
