package sim

import (
	"fmt"
	"math/bits"

	"sdrsim/units"
)

// Handler is what an event does. It is an interface and not a function so that scheduling needs no
// closure, and so no allocation.
type Handler interface {
	// Fire is called at the instant of the event; now equals Engine.Now.
	Fire(now units.Time)
}

// Engine runs events in the order of (time, sequence number). See the package comment.
//
// In the steady state, where no more events are pending than once were, it allocates nothing.
type Engine struct {
	now units.Time
	// seq is the sequence number given last; never reused before Reset.
	seq     uint64
	queue   queue
	stopped bool
	// lane is the one that is handing out values; waiting counts those on all lanes whose lane is
	// not in the queue for them.
	lane    *Lane
	waiting int
	// limit is how far Advance may go; advanced is how often it went since the last event that came
	// out of the queue.
	limit    units.Time
	advanced int
	// late are the handlers that fire at the end of this instant, in the order of the calls.
	late   []Handler
	lateAt int
	events int64
	hash   uint64
}

// New returns an engine at time 0 with nothing scheduled.
func New() *Engine {
	e := &Engine{}
	e.Reset()
	return e
}

// Reset returns the engine to time 0 with nothing scheduled and all counts at zero. Timers become
// unarmed, lanes empty; both stay usable. Memory is kept for the next run.
func (e *Engine) Reset() {
	for i := range e.queue.nodes {
		switch h := e.queue.nodes[i].handler.(type) {
		case *expiry:
			if h.engine == e {
				h.armed = false
			}
		case *head:
			if h.engine == e {
				(*Lane)(h).reset()
			}
		}
	}
	e.queue.reset()
	if e.lane != nil {
		e.lane.reset()
	}
	e.waiting = 0
	e.now, e.seq, e.events, e.hash = 0, 0, 0, hashStart
	e.stopped, e.limit, e.advanced = false, units.Never, 0
	e.late, e.lateAt = e.late[:0], 0
}

// Now is the instant of the event being fired, or of the last one.
func (e *Engine) Now() units.Time { return e.now }

// Pending is the number of events, armed timers and values on lanes that have not fired.
func (e *Engine) Pending() int { return e.queue.len() + e.waiting + len(e.late) - e.lateAt }

// Events is the number of events fired.
func (e *Engine) Events() int64 { return e.events }

// Hash is a running hash of the events fired: of the time of each and of its sequence number,
// which tells the scheduling call it came from. Equal runs have equal hashes; where hashes differ,
// something was scheduled in another order or at another time.
func (e *Engine) Hash() uint64 { return e.hash }

// At schedules h at an instant, which must not be before Now.
func (e *Engine) At(at units.Time, h Handler) {
	if at < e.now || at == units.Never {
		e.refuse(at)
	}
	e.seq++
	e.queue.push(at, e.seq, h, oneShot)
}

// After schedules h a span after Now; d must not be negative.
func (e *Engine) After(d units.Duration, h Handler) { e.At(e.now.Add(d), h) }

// Late has h fire at the end of this instant, when everything else that is scheduled for it has
// fired, and once. What it schedules for the same instant fires before the next that is late.
func (e *Engine) Late(h Handler) { e.late = append(e.late, h) }

// fireLate fires the first handler that is late, where the instant is over but for those.
func (e *Engine) fireLate(next *entry) bool {
	if e.lateAt == len(e.late) || next != nil && next.at <= e.now {
		return false
	}
	h := e.late[e.lateAt]
	if e.lateAt++; e.lateAt == len(e.late) {
		e.late, e.lateAt = e.late[:0], 0
	}
	e.seq++
	e.advanced = 0
	e.count(e.now, e.seq)
	h.Fire(e.now)
	return true
}

// refuse reports an instant at which nothing can be scheduled.
func (e *Engine) refuse(at units.Time) {
	panic(fmt.Sprintf("BUG: sim: event scheduled at %v, now is %v", at, e.now))
}

// Stop makes the Run or RunUntil that is under way return after the current event.
func (e *Engine) Stop() { e.stopped = true }

// Run fires events until none is left or Stop is called.
func (e *Engine) Run() {
	e.stopped = false
	for !e.stopped && e.Step() {
	}
}

// Bound keeps Advance and lanes from going beyond an instant, until the next Reset or RunUntil: an
// event that lies there comes out of the queue, and whoever steps the engine sees that it does.
func (e *Engine) Bound(at units.Time) { e.limit = at }

// RunUntil fires the events up to and including the instant at. The clock is then at that
// instant, unless Stop was called.
func (e *Engine) RunUntil(at units.Time) {
	if at < e.now {
		panic(fmt.Sprintf("BUG: sim: RunUntil %v, now is %v", at, e.now))
	}
	e.stopped, e.limit = false, at
	defer func() { e.limit = units.Never }()
	for !e.stopped {
		first := e.next()
		if e.fireLate(first) {
			continue
		}
		if first == nil || first.at > at {
			e.now = at
			return
		}
		e.fire(*first)
	}
}

// Step fires one event, and what Advance and lanes let follow it; it returns false when none is
// left.
func (e *Engine) Step() bool {
	first := e.next()
	switch {
	case e.fireLate(first):
	case first == nil:
		return false
	default:
		e.fire(*first)
	}
	return true
}

// fire takes the first entry out of the queue and fires it.
func (e *Engine) fire(first entry) {
	q := &e.queue
	q.takeFirst()
	slot := first.slot()
	h := q.nodes[slot].handler
	q.release(slot)
	e.advanced = 0
	e.count(first.at, first.seq)
	if first.timer() {
		t := h.(*expiry)
		t.armed = false
		h = t.handler
	}
	h.Fire(first.at)
}

// count moves the clock to an event.
func (e *Engine) count(at units.Time, seq uint64) {
	e.now = at
	e.events++
	e.hash = bits.RotateLeft64((e.hash^uint64(at))*gammaA, 29) ^ seq*gammaB
}

// maxAdvance is how many events may follow each other without the queue, so that whoever steps the
// engine sees it make progress.
const maxAdvance = 1 << 10

// Advance does for the event that is being fired what scheduling another one at an instant and
// returning would do, at a fraction of the cost, where nothing else is scheduled up to that
// instant: the caller goes on as if fired then. It must be the last thing that the event did. Where
// Advance returns false nothing has happened, and the event is to be scheduled.
func (e *Engine) Advance(at units.Time) bool {
	if at < e.now || at == units.Never {
		return false
	}
	if l := e.lane; l != nil && l.Len() > 0 && l.at(l.first).at <= at {
		return false
	}
	if !e.advance(at, e.seq+1) {
		return false
	}
	e.seq++
	return true
}

// advance counts an event that is not in the queue, if it may fire now: before all that is.
func (e *Engine) advance(at units.Time, seq uint64) bool {
	if at > e.limit || e.stopped || e.advanced == maxAdvance || len(e.late) > 0 {
		return false
	}
	// Most often what comes first lies beyond, whether or not it is a timer that has moved.
	if first := e.queue.first(); first != nil && first.at <= at {
		if first = e.next(); first != nil && first.before(entry{at: at, seq: seq}) {
			return false
		}
	}
	e.advanced++
	e.count(at, seq)
	return true
}

// next returns the first entry, nil when there is none. A timer that was re-armed to a later
// instant still sits at its old place, and is moved only when it comes up here.
func (e *Engine) next() *entry {
	for {
		first := e.queue.first()
		if first == nil || !first.timer() || e.current(first) {
			return first
		}
	}
}

// current tells whether a timer fires at its entry, the first; else it takes the entry out, and
// puts it where it belongs.
func (e *Engine) current(first *entry) bool {
	q, slot := &e.queue, first.slot()
	n := &q.nodes[slot]
	if n.kind == dead {
		q.takeFirst()
		q.dead--
		q.release(slot)
		return false
	}
	t := n.handler.(*expiry)
	if t.seq == first.seq {
		return true
	}
	q.takeFirst()
	n.at, n.seq = t.at, t.seq
	q.insert(slot)
	return false
}
