package nic

import (
	"sdrsim/link"
	"sdrsim/link/wire"
	"sdrsim/sim/units"
)

// settle takes everything that has arrived up to now, in order of arrival.
func (n *NIC) settle(now units.Time) {
	n.in.Settle(now)
	for f := n.in.Head(); f != nil && f.Arrive <= now; f = n.in.Head() {
		if f.IsControl() {
			n.handleControl(f.Arrive, f.Control)
			n.in.Pop()
			continue
		}
		n.take(f, arrived(f, now)-f.Taken)
		if f.Taken < f.Run.Count {
			break
		}
		n.in.Pop()
	}
	n.pool.drain(n, now)
}

// arrived is how many packets of a flight have arrived by now.
func arrived(f *link.Flight, now units.Time) int64 {
	if now < f.Arrive {
		return 0
	}
	if f.Run.Spacing == 0 {
		return f.Run.Count
	}
	return min(f.Run.Count, int64(now.Sub(f.Arrive)/f.Run.Spacing)+1)
}

// take delivers the next count packets of a flight, in steps that end where the receiver may have
// something to do.
func (n *NIC) take(f *link.Flight, count int64) {
	for count > 0 {
		part := f.Run.Sub(n.cfg.Split, f.Taken, count)
		if n.pool.active() {
			part.Count = 1
			n.pool.enqueue(part, f.Arrive.Add(units.Duration(f.Taken)*f.Run.Spacing))
		} else {
			part.Count = n.quiet(&part)
			last := f.Taken + part.Count - 1
			n.deliver(&part, f.Arrive.Add(units.Duration(last)*f.Run.Spacing))
		}
		f.Taken += part.Count
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
	if run.Data != nil {
		run.Data = run.Data[:run.Count*int64(run.Payload)]
	}
	a := n.qp.Deliver(run)
	n.stats.Spurious += a.Spurious
	if a.Recv == nil {
		return units.Never
	}
	tag := a.Recv.Tag()
	r := &n.receivers[tag]
	r.ep.HandleArrival(now, a)
	r.deadline = deadline(r.ep)
	n.report(now, tag)
	return r.deadline
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
		s.deadline = deadline(s.ep)
		return
	}
}

// Drain takes everything that is under way as if it had arrived, without telling any receiver, so
// that what was sent for nothing is counted.
func (n *NIC) Drain() {
	for f := n.in.Head(); f != nil; f = n.in.Head() {
		if !f.IsControl() {
			rest := f.Run.Sub(n.cfg.Split, f.Taken, f.Run.Count-f.Taken)
			n.stats.Spurious += n.qp.Deliver(&rest).Spurious
		}
		n.in.Pop()
	}
}
