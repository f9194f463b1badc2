package nic

import (
	"sdrsim/link"
	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
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
		step := n.step(f, count)
		n.in.Take(step)
		count -= step
	}
}

// step delivers leading packets of the head, at most count, and returns how many.
func (n *NIC) step(f *link.Flight, count int64) int64 {
	if n.pool.active() {
		part := f.Run
		part.Keep(1)
		n.pool.enqueue(part, f.Arrive)
		return 1
	}
	a := n.qp.Preview(&f.Run)
	if n.cfg.SinglePackets {
		count = 1
	} else if count > 1 && a.Recv != nil {
		whole := a
		whole.Count = min(a.Count, count)
		packets, _ := n.quiet(&whole)
		count = min(max(packets, 1), count)
	}
	now := f.ArrivalOf(count - 1)
	if a.Discarded || a.Count < count {
		part := f.Run
		part.Keep(count)
		n.deliver(&part, now)
		return count
	}
	a.Count = count
	n.qp.Accept(&f.Run, &a)
	n.tell(now, a)
	return count
}

// deliver hands packets to the queue pair and reports them to their receiver; the last of them
// arrived at now.
func (n *NIC) deliver(run *wire.Run, now units.Time) { n.tell(now, n.qp.Deliver(run)) }

// tell reports an arrival to its receiver.
func (n *NIC) tell(now units.Time, a sdr.Arrival) {
	n.stats.Spurious += a.Spurious
	if a.Recv == nil {
		return
	}
	n.overtake(now, &a)
	tag := n.tagOf(a.Recv)
	r := &n.receivers[tag]
	r.clock.advance(now)
	r.ep.HandleArrival(now, a)
	n.renew(tag, r)
	n.report(now, tag)
}

// handleControl passes a control message to the sender it is for. One whose sender is done is late
// and ignored.
func (n *NIC) handleControl(now units.Time, msg []byte) {
	_, serial, err := wire.Header(msg)
	if err != nil {
		n.stats.Malformed++
		return
	}
	id := n.slotOf(serial)
	if id == none {
		return
	}
	s := &n.senders[id]
	s.clock.advance(now)
	if s.ep.HandleControl(now, msg) != nil {
		n.stats.Malformed++
	}
	n.recall(now, id)
	n.touch(id)
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
