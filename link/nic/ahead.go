package nic

import (
	"sdrsim/link"
	"sdrsim/link/wire"
	"sdrsim/sim/units"
)

// nextArrival is when the NIC has to look at its incoming link again.
func (n *NIC) nextArrival(now units.Time) units.Time {
	switch {
	case n.pool.active():
		return min(n.pool.next(), n.nextPacket())
	case n.cfg.SinglePackets:
		return n.nextPacket()
	}
	return n.lookAhead(now)
}

// nextPacket is when the next packet or control message arrives.
func (n *NIC) nextPacket() units.Time {
	f := n.in.Head()
	if f == nil {
		return n.in.Upcoming()
	}
	return arrival(f, f.Taken)
}

// arrival is when packet i of a flight arrives.
func arrival(f *link.Flight, i int64) units.Time {
	return f.Arrive.Add(units.Duration(i) * f.Run.Spacing)
}

// lookAhead takes packets ahead of their time, as long as their receivers are silent about them:
// nothing can then happen at the receiver in between. It returns when to wake, which is when a
// receiver has something to say or to do, or when more is known about what arrives.
//
// What can happen in between is bounded in two ways. What arrives within the propagation delay has
// left and can no longer be cut; and a receiver has nothing to do before its own deadline. The
// number of wakes so follows what receivers say, and not how often something is lost.
func (n *NIC) lookAhead(now units.Time) units.Time {
	n.in.Settle(now)
	horizon, wake := now.Add(n.in.Delay()), units.Never
	for f := n.in.Head(); f != nil; f = n.in.Head() {
		if f.IsControl() {
			return min(wake, n.nextControl())
		}
		part := f.Run.Sub(n.cfg.Split, f.Taken, f.Run.Count-f.Taken)
		count, limit := n.silent(&part)
		known := min(arrived(f, min(horizon, limit))-f.Taken, count)
		if known <= 0 {
			return min(wake, arrival(f, f.Taken+count-1))
		}
		part.Count = known
		said := n.control.len()
		wake = min(wake, n.deliver(&part, arrival(f, f.Taken+known-1)))
		if n.control.len() != said {
			panic("BUG: nic: a receiver spoke that had promised silence")
		}
		if f.Taken += known; f.Taken == f.Run.Count {
			n.in.Pop()
		}
	}
	return min(wake, n.in.Upcoming())
}

// silent is how many leading packets of the run can be taken in one step, and until when they may
// be taken ahead of their time; Never in the past where they may not.
func (n *NIC) silent(run *wire.Run) (count int64, limit units.Time) {
	a := n.qp.Preview(run)
	if a.Recv == nil {
		return run.Count, past
	}
	r := &n.receivers[a.Recv.Tag()]
	count, silent := r.ep.Quiet(a)
	count = min(max(count, 1), run.Count)
	// What is discarded may be meant for a receive whose place is about to be taken by another.
	if !silent || a.Discarded {
		return count, past
	}
	return count, r.deadline
}

// past is before everything.
const past = units.Time(-1)

// nextControl is when a control message arrives that asks for something; the flights that begin
// with one are all control messages where it matters. Others wait until something else happens.
func (n *NIC) nextControl() units.Time {
	first, next := n.in.Flights()
	for n.judged = max(n.judged, first); n.judged < next; n.judged++ {
		f := n.in.Flight(n.judged)
		if !f.IsControl() || !wire.Passive(f.Control) {
			return f.Arrive
		}
	}
	return units.Never
}
