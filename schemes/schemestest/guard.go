package schemestest

import (
	"fmt"

	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/units"
)

// The clauses of the contract that a call can break.
const (
	clauseHost = "what a scheme does must not depend on its host: on what is reported together, " +
		"and how long before a departure HandleSent tells of it"
	clauseForget    = "Open forgets everything of the last message"
	clauseOwned     = "work belongs to the host; no packet is handed out twice as a first transmission"
	clausePassive   = "a passive control message does not bring the timeout forward"
	clauseDueNow    = "HandleControl and HandleArrival do at once what is due; a timeout lies later"
	clauseEarly     = "HandleTimeout before the deadline changes nothing"
	clauseMalformed = "a control message that is refused changes nothing"
	clauseAsk       = "asking (Ready, Urgent, Quiet, Patience, NextTimeout) changes and sends nothing"
	clauseReady     = "Ready reports what NextSend then does"
	clauseUrgent    = "a sender is urgent if and only if a retransmission is next"
	clauseWork      = "work is packets of a send of the transfer, at least one"
	clauseDone      = "an end that is done sends nothing of its own accord and has no deadline"
	clauseSilent    = "a receiver that promised silence sends nothing and is not done"
	clausePatient   = "within its patience a receiver sends nothing and moves no timeout"
	clauseWithin    = "no timeout that a packet sets expires before one that is reported with it"
	clauseDrained   = "a connection is done as long as there is something to return"
	clauseQuiet     = "Quiet returns between one packet and all, never 0"
	clauseTime      = "deadlines are not in the past once they were served"
	clauseDelivered = "DeliveredAt is known once a receiver is done, and lies in the past"
)

// guard watches one end and fails at the call that breaks a clause.
type guard struct {
	w    *world
	name string
	ep   schemes.Endpoint
}

func (g *guard) broken(clause, format string, args ...any) {
	g.w.t.Helper()
	g.w.t.Fatalf("%s at %v: %s: %s\n  %s", g.name, g.w.now, clause, fmt.Sprintf(format, args...),
		g.ep.State())
}

// face is what can be seen of an end from outside.
type face struct {
	deadline units.Time
	timed    bool
	done     bool
	state    string
}

func (g *guard) face() face {
	at, ok := g.ep.NextTimeout()
	return face{at, ok, g.ep.Done(), g.ep.State()}
}

// deadline is when an end wants to be called, Never where it does not.
func deadline(ep schemes.Endpoint) units.Time {
	if at, ok := ep.NextTimeout(); ok {
		return at
	}
	return units.Never
}

// served checks the deadline after a call before which it was another.
func (g *guard) served(clause string, before units.Time) {
	if at := deadline(g.ep); at <= g.w.now && at != before {
		g.broken(clause, "the next timeout is %v", at)
	}
	if g.isSender() && g.w.done() && deadline(g.ep) != units.Never {
		g.broken(clauseDone, "a timeout at %v", deadline(g.ep))
	}
}

func (g *guard) isSender() bool { _, ok := g.ep.(schemes.Sender); return ok }

// timeout calls HandleTimeout, which must change nothing before the deadline.
func (g *guard) timeout() {
	early, before, said := deadline(g.ep) > g.w.now, g.face(), len(g.w.log)
	g.ep.HandleTimeout(g.w.now)
	if early && (g.face() != before || len(g.w.log) != said) {
		g.broken(clauseEarly, "from %+v to %+v", before, g.face())
	}
	if !early {
		g.served(clauseTime, units.Never)
	}
}

// control hands in a control message that the peer has sent.
func (g *guard) control(msg []byte, passive bool) {
	before := deadline(g.ep)
	if err := g.ep.HandleControl(g.w.now, msg); err != nil {
		g.broken("what the peer sends is understood", "%x: %v", msg, err)
	}
	if after := deadline(g.ep); passive && after < before && !g.ep.Done() && g.defers() {
		g.broken(clausePassive, "from %v to %v", before, after)
	}
	g.served(clauseDueNow, before)
}

// defers reports whether the end may be handed passive control messages late.
func (g *guard) defers() bool { _, ok := g.ep.(schemes.ControlDeferrer); return ok }

// garbage hands in what no peer sends.
func (g *guard) garbage(msg []byte) {
	before, said := g.face(), len(g.w.log)
	err := g.ep.HandleControl(g.w.now, msg)
	if g.face() != before || len(g.w.log) != said {
		g.broken(clauseMalformed, "%x: from %+v to %+v", msg, before, g.face())
	}
	if err == nil && !before.done {
		g.broken("a control message that is malformed or of another message is an error", "%x", msg)
	}
}

// sendGuard watches a sender.
type sendGuard struct {
	guard
	tx    schemes.RunSender
	plain bool // the sender handles no runs
	// firsts are the packets that were handed out as first transmissions.
	firsts map[place]bool
}

// next asks the sender for work, as a host does whose link is free.
func (g *sendGuard) next() (sdr.Work, bool) {
	before, said := g.face(), len(g.w.log)
	ready, urgent := g.tx.Ready(g.w.now), g.tx.Urgent()
	if g.tx.Ready(g.w.now) != ready || g.tx.Urgent() != urgent || g.face() != before ||
		len(g.w.log) != said {
		g.broken(clauseAsk, "from %+v to %+v", before, g.face())
	}
	work, ok := g.tx.NextSend(g.w.now)
	switch {
	case ok != ready && (ok || !g.plain):
		g.broken(clauseReady, "ready %v, work %v", ready, ok)
	case ok && g.w.done():
		g.broken(clauseDone, "hands out %+v", work)
	case ok && urgent != work.Repeat && !g.plain:
		g.broken(clauseUrgent, "hands out %+v", work)
	case ok && (work.Handle == nil || work.Count < 1 || work.First < 0 ||
		work.First+work.Count > work.Handle.PacketCount()):
		g.broken(clauseWork, "%+v", work)
	case ok && !work.Repeat:
		g.own(work)
	}
	return work, ok
}

// own notes a first transmission that was handed out.
func (g *sendGuard) own(work sdr.Work) {
	for i := range work.Count {
		at := place{work.Handle.Index(), work.First + i}
		if g.firsts[at] {
			g.broken(clauseOwned, "packet %d in %+v", at.packet, work)
		}
		g.firsts[at] = true
	}
}

// recvGuard watches a receiver.
type recvGuard struct {
	guard
	rx schemes.RunReceiver
	// patience is how many packets of the receive may still arrive in silence.
	patience int64
	of       *sdr.RecvHandle
}

// quiet asks how many packets of an arrival may be taken together.
func (g *recvGuard) quiet(a sdr.Arrival) (int64, bool) {
	before, said := g.face(), len(g.w.log)
	n, silent := g.rx.Quiet(a)
	if again, still := g.rx.Quiet(a); again != n || still != silent || g.face() != before ||
		len(g.w.log) != said {
		g.broken(clauseAsk, "Quiet says %d %v, then %d %v", n, silent, again, still)
	}
	if n > a.Count || n < 1 {
		g.broken(clauseQuiet, "%d of %d", n, a.Count)
	}
	return n, silent
}

// arrive reports packets of which the last arrives now.
func (g *recvGuard) arrive(a sdr.Arrival, silent bool) {
	before, done, said := deadline(g.rx), g.rx.Done(), len(g.w.log)
	g.within(&a)
	g.rx.HandleArrival(g.w.now, a)
	g.w.after[g.w.now] = deadline(g.rx)
	spoke := len(g.w.log) != said || g.rx.Done() != done
	if silent && spoke {
		g.broken(clauseSilent, "%+v", a)
	}
	if g.of == a.Recv && g.patience >= a.Count {
		if spoke || deadline(g.rx) != before {
			g.broken(clausePatient, "%+v with a patience of %d", a, g.patience)
		}
		g.patience -= a.Count
	} else {
		g.patience = 0
	}
	g.served(clauseDueNow, before)
	if g.rx.Done() {
		if at, ok := g.rx.DeliveredAt(); !ok || at > g.w.now {
			g.broken(clauseDelivered, "%v, %v", at, ok)
		}
		return
	}
	if g.patience == 0 && a.Recv != nil && !a.Discarded {
		was := g.face()
		g.of, g.patience = a.Recv, g.rx.Patience(a.Recv)
		if g.face() != was {
			g.broken(clauseAsk, "Patience changed %+v to %+v", was, g.face())
		}
	}
}

// within checks packets that are reported together against the deadlines that they have set where
// each was reported by itself.
func (g *recvGuard) within(a *sdr.Arrival) {
	for left := a.Count - 1; left > 0 && g.w.single != nil; left-- {
		at := g.w.now.Add(-units.Duration(left) * a.Spacing)
		due, ok := g.w.single.after[at]
		if next := at.Add(a.Spacing); ok && due < next {
			g.broken(clauseWithin, "%+v: one at %v sets a timeout at %v, the next arrives at %v", a, at, due,
				next)
		}
	}
}

// timeout is that of any end, after which patience has to be asked for again.
func (g *recvGuard) timeout() {
	g.guard.timeout()
	g.patience = 0
}
