package nic

import (
	"sdrsim/link"
	"sdrsim/link/wire"
	"sdrsim/sim/units"
)

// settle takes everything that has arrived up to now, in order of arrival.
func (n *NIC) settle(now units.Time) {
	for f := n.in.Next(now); f != nil && f.Arrive <= now; f = n.in.Next(now) {
		if f.IsControl() {
			n.handleControl(f.Arrive, f.Control)
			n.in.Pop()
			continue
		}
		n.take(f, f.Arrived(now))
	}
	n.pool.drain(n, now)
}

// take delivers the first count packets of the head, in steps that end where the receiver may have
// something to do.
func (n *NIC) take(f *link.Flight, count int64) {
	for count > 0 {
		part := f.Run
		part.Keep(count)
		if n.pool.active() {
			part.Keep(1)
			n.pool.enqueue(part, f.Arrive)
		} else {
			part.Keep(n.quiet(&part))
			n.deliver(&part, f.ArrivalOf(part.Count-1))
		}
		n.in.Take(part.Count)
		count -= part.Count
	}
}

// quiet is how many leading packets of the run can be taken in one step.
func (n *NIC) quiet(run *wire.Run) int64 {
	if n.cfg.SinglePackets {
		return 1
	}
	a := n.qp.Preview(run)
	if a.Recv == nil {
		return run.Count
	}
	packets, _ := n.receivers[a.Recv.Tag()].ep.Quiet(a)
	return min(max(packets, 1), run.Count)
}

// deliver hands packets to the queue pair and reports them to their receiver; the last of them
// arrived at now. It returns the deadline of the receiver.
func (n *NIC) deliver(run *wire.Run, now units.Time) units.Time {
	a := n.qp.Deliver(run)
	n.stats.Spurious += a.Spurious
	if a.Recv == nil {
		return units.Never
	}
	tag := a.Recv.Tag()
	r := &n.receivers[tag]
	r.ep.HandleArrival(now, a)
	at := deadline(r.ep)
	n.setDeadline(tag, at)
	n.report(now, tag)
	return at
}

// handleControl passes a control message to the sender it is for. One whose sender is done is late
// and ignored.
func (n *NIC) handleControl(now units.Time, msg []byte) {
	_, serial, err := wire.Header(msg)
	if err != nil {
		n.stats.Malformed++
		return
	}
	for i := range n.senders {
		s := &n.senders[i]
		if s.serial != serial {
			continue
		}
		if s.ep.HandleControl(now, msg) != nil {
			n.stats.Malformed++
		}
		n.touch(s)
		return
	}
}

// Drain takes everything that is under way as if it had arrived, without telling any receiver, so
// that what was sent for nothing is counted.
func (n *NIC) Drain() {
	for f := n.in.Head(); f != nil; f = n.in.Head() {
		if !f.IsControl() {
			n.stats.Spurious += n.qp.Deliver(&f.Run).Spurious
		}
		n.in.Pop()
	}
}
