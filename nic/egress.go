package nic

import (
	"sdrsim/internal/ring"
	"sdrsim/sim"
	"sdrsim/units"
)

// Egress is the wire that several connections of a host share. Each is a NIC to itself, with a port
// and an inbox; one at a time transmits. Control messages go first, data are served round robin by
// packet, whatever they are: a connection that waits comes behind those that have waited before it.
// One that is alone transmits runs as without an Egress, and is cut at the packet boundary when
// another wants the wire.
//
// Who transmits is decided at the end of an instant, when all that happens at it has happened. So
// it depends on no order of events, and on no grouping of packets.
type Egress struct {
	engine  *sim.Engine
	timer   sim.Timer
	members []*NIC
	holder  *NIC // who was granted the wire last; nil: nobody
	// lines are those that wait, with control messages and with data.
	lines [2]ring.Ring[waiter]
	late  bool // decides at the end of this instant
}

// The lines of an Egress.
const (
	controlLine = iota
	dataLine
)

// waiter is a member that waits, since an instant.
type waiter struct {
	since  units.Time
	member int
}

// NewEgress builds an idle wire.
func NewEgress(engine *sim.Engine) *Egress {
	e := &Egress{engine: engine}
	e.timer.Init(engine, (*freed)(e))
	return e
}

// Share has the NIC transmit over a wire that it shares with others, before the engine runs. Their
// ports must be of one rate.
func (n *NIC) Share(e *Egress) {
	n.egress, n.member = e, len(e.members)
	e.members = append(e.members, n)
}

// Reset forgets who waits. The engine must have been reset.
func (e *Egress) Reset() {
	for i := range e.lines {
		e.lines[i].Reset()
	}
	e.holder, e.late = nil, false
}

// freed is what the timer of an Egress fires: the wire is free.
type freed Egress

// Fire implements sim.Handler.
func (f *freed) Fire(units.Time) { (*Egress)(f).decideLate() }

// decideLate has the wire granted at the end of this instant.
func (e *Egress) decideLate() {
	if !e.late {
		e.late = true
		e.engine.Late(e)
	}
}

// request notes what a member has to transmit.
func (e *Egress) request(n *NIC, now units.Time) {
	if e.busy(now) && e.holder == n {
		if n.preempted() || e.timer.At() != n.out.FreeAt() {
			e.decideLate()
		}
		return
	}
	if e.enlist(n, now) {
		e.decideLate()
	}
}

// busy reports whether a packet is on the wire after now.
func (e *Egress) busy(now units.Time) bool { return e.holder != nil && now < e.holder.out.FreeAt() }

// enlist has a member wait for as much as it has to transmit, and reports whether that is anything.
func (e *Egress) enlist(n *NIC, now units.Time) bool {
	control, data := n.control.len() > 0, n.hasData(now)
	if control {
		e.wait(n, controlLine, now)
	}
	if data {
		e.wait(n, dataLine, now)
	}
	return control || data
}

// wait puts a member into a line, unless it is there. Of one instant the lower number goes first.
func (e *Egress) wait(n *NIC, line int, now units.Time) {
	if n.waits[line] {
		return
	}
	n.waits[line] = true
	r := &e.lines[line]
	r.Append(waiter{now, n.member})
	for i := r.Next() - 1; i > r.First(); i-- {
		a, b := r.At(i-1), r.At(i)
		if a.since < b.since || a.member < b.member {
			break
		}
		*a, *b = *b, *a
	}
}

// waiting is how many wait.
func (e *Egress) waiting() int { return e.lines[controlLine].Len() + e.lines[dataLine].Len() }

// Fire grants the wire at the end of an instant. It implements sim.Handler.
func (e *Egress) Fire(now units.Time) {
	e.late = false
	if e.busy(now) && (e.waiting() > 0 || e.holder.preempted()) {
		e.holder.yield(now)
	}
	if e.busy(now) {
		e.timer.Reset(e.holder.out.FreeAt())
		return
	}
	if e.holder != nil {
		e.enlist(e.holder, now)
	}
	for line := range e.lines {
		for w := e.lines[line].Head(); w != nil; w = e.lines[line].Head() {
			n := e.members[w.member]
			e.lines[line].Pop()
			n.waits[line] = false
			most := int64(1)
			if e.lines[dataLine].Len() == 0 {
				most = wholeRun
			}
			if e.holder != nil && e.holder != n {
				e.holder.out.Settle()
			}
			if n.granted(now, most) {
				e.holder = n
				e.timer.Reset(n.out.FreeAt())
				return
			}
		}
	}
}

// wholeRun is the limit of what is transmitted at a time where nobody else waits.
const wholeRun = 1 << 62

// hasData reports whether the NIC has data to transmit.
func (n *NIC) hasData(now units.Time) bool {
	return n.repeat.left > 0 || n.first.left > 0 || n.anyReady(now)
}

// granted is a turn in which the NIC may use the wire that it shares: for a control message, or for
// so many packets. It reports whether it did.
func (n *NIC) granted(now units.Time, most int64) bool {
	n.awake = true
	n.settle(now)
	n.expire(now)
	n.reap(now)
	sent := n.emit(now, most)
	at := n.next(now)
	n.awake = false
	n.arm(at)
	return sent
}

// yield ends the run under way at the boundary of its current packet, for others that share the
// wire.
func (n *NIC) yield(now units.Time) {
	if n.wire == nil {
		return
	}
	n.awake = true
	n.cut(now)
	at := n.next(now)
	n.awake = false
	n.arm(at)
}
