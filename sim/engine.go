package sim

import (
	"fmt"
	"math/bits"

	"sdrsim/sim/units"
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
	seq   uint64
	queue queue
	// slots[s] is what the entry with slot s fires; free lists the slots that are not in the queue.
	slots   []slot
	free    []int32
	stopped bool
	// limit is how far Advance may go; advanced is how often it went since the last event that came
	// out of the queue.
	limit    units.Time
	advanced int
	events   int64
	hash     uint64
}

// slot is a scheduled event: one-shot, or the firing of a timer, which then is not nil.
type slot struct {
	handler Handler
	timer   *Timer
}

// New returns an engine at time 0 with nothing scheduled.
func New() *Engine {
	e := &Engine{}
	e.Reset()
	return e
}

// Reset returns the engine to time 0 with nothing scheduled and all counts at zero. Timers become
// unarmed and stay usable. Memory is kept for the next run.
func (e *Engine) Reset() {
	for i := range e.queue.heap {
		if t := e.slots[e.queue.heap[i].slot].timer; t != nil {
			t.armed = false
		}
	}
	clear(e.slots)
	*e = Engine{queue: e.queue, slots: e.slots[:0], free: e.free[:0], hash: hashStart,
		limit: units.Never}
	e.queue.reset()
}

// Now is the instant of the event being fired, or of the last one.
func (e *Engine) Now() units.Time { return e.now }

// Pending is the number of events and armed timers that have not fired.
func (e *Engine) Pending() int { return e.queue.len() }

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
	e.add(at, slot{handler: h})
}

// After schedules h a span after Now; d must not be negative.
func (e *Engine) After(d units.Duration, h Handler) { e.At(e.now.Add(d), h) }

// refuse reports an instant at which nothing can be scheduled.
func (e *Engine) refuse(at units.Time) {
	panic(fmt.Sprintf("BUG: sim: event scheduled at %v, now is %v", at, e.now))
}

// add puts an event into the queue with the next sequence number and returns its slot.
func (e *Engine) add(at units.Time, s slot) int32 {
	e.seq++
	var i int32
	if n := len(e.free); n > 0 {
		i = e.free[n-1]
		e.free = e.free[:n-1]
		e.slots[i] = s
	} else {
		i = int32(len(e.slots))
		e.slots = append(e.slots, s)
	}
	e.queue.push(entry{at: at, seq: e.seq, slot: i})
	return i
}

// release makes a slot that has left the queue available again. Its content stays until then.
func (e *Engine) release(i int32) { e.free = append(e.free, i) }

// Stop makes the Run or RunUntil that is under way return after the current event.
func (e *Engine) Stop() { e.stopped = true }

// Run fires events until none is left or Stop is called.
func (e *Engine) Run() {
	e.stopped = false
	for !e.stopped && e.Step() {
	}
}

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
		if first == nil || first.at > at {
			e.now = at
			return
		}
		e.fire(*first)
	}
}

// Step fires one event; it returns false when none is left.
func (e *Engine) Step() bool {
	first := e.next()
	if first == nil {
		return false
	}
	e.fire(*first)
	return true
}

// fire takes the first entry out of the queue and fires it.
func (e *Engine) fire(first entry) {
	e.queue.takeMin()
	e.release(first.slot)
	s := &e.slots[first.slot]
	if s.timer != nil {
		s.timer.armed = false
	}
	e.advanced = 0
	e.count(first.at, first.seq)
	s.handler.Fire(first.at)
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
	if at > e.limit || at < e.now || at == units.Never || e.stopped || e.advanced == maxAdvance {
		return false
	}
	if first := e.next(); first != nil && first.at <= at {
		return false
	}
	e.advanced++
	e.seq++
	e.count(at, e.seq)
	return true
}

// next returns the first entry, nil when there is none. A timer that was re-armed to a later
// instant still sits at its old place, and is moved only when it comes up here.
func (e *Engine) next() *entry {
	for {
		first := e.queue.min()
		if first == nil {
			return nil
		}
		t := e.slots[first.slot].timer
		if t == nil || t.seq == first.seq {
			return first
		}
		e.queue.update(entry{at: t.at, seq: t.seq, slot: first.slot})
	}
}
