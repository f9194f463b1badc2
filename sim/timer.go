package sim

import "sdrsim/units"

// Timer is an event that can be moved and called off. It is a value, embedded in its owner, and
// must not be copied once it has been initialised.
//
// The most common thing to happen to a timer is to be re-armed for later. That costs two stores:
// the entry in the queue stays where it is, too early, and is put right when it comes up. Re-arming
// for earlier and stopping move or remove the entry.
type Timer struct {
	engine  *Engine
	handler Handler
	// at and seq are the instant and sequence number of the firing; valid while armed. The entry in
	// the queue is never after them.
	at    units.Time
	seq   uint64
	slot  int32
	armed bool
}

// expiry is a timer as what a node fires. The engine takes it apart; only the name is its own, so
// that a timer has no method Fire.
type expiry Timer

// Fire is what makes it a Handler; the engine calls that of the timer.
func (t *expiry) Fire(units.Time) { panic("BUG: sim: a timer was fired as an event") }

// Init ties the timer to an engine and to what it fires. A timer is initialised once; one that is
// armed must not be initialised again.
func (t *Timer) Init(e *Engine, h Handler) {
	if t.armed {
		panic("BUG: sim: Init of an armed timer")
	}
	*t = Timer{engine: e, handler: h}
}

// Reset arms the timer to fire once at an instant, which must not be before Now; an armed timer is
// re-armed. Either way it gets a new sequence number. Reset to units.Never is Stop.
func (t *Timer) Reset(at units.Time) {
	if at == units.Never {
		t.Stop()
		return
	}
	e := t.engine
	if at < e.now {
		e.refuse(at)
	}
	e.seq++
	t.at, t.seq = at, e.seq
	if t.armed {
		if at >= e.queue.nodes[t.slot].at {
			return
		}
		e.queue.remove(t.slot)
	}
	t.slot, t.armed = e.queue.push(at, t.seq, (*expiry)(t), ofTimer), true
}

// Stop disarms the timer. It is harmless on a timer that is not armed.
func (t *Timer) Stop() {
	if !t.armed {
		return
	}
	t.armed = false
	t.engine.queue.remove(t.slot)
}

// Armed reports whether the timer is going to fire.
func (t *Timer) Armed() bool { return t.armed }

// At is when the timer fires; units.Never when it is not armed.
func (t *Timer) At() units.Time {
	if !t.armed {
		return units.Never
	}
	return t.at
}
