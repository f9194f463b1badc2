package sim

import (
	"fmt"

	"sdrsim/units"
)

// Receiver takes what comes out of a Lane.
type Receiver interface {
	// Receive is called at the instant for which the value was pushed; now equals Engine.Now.
	Receive(now units.Time, value uint64)
}

// Lane is a pipe of events that are in order of time as they are pushed, as those behind a constant
// delay are. Only its head is in the queue of the engine, and often not even that: an event costs
// the same whatever is on its way. Order and sequence numbers are as if each value had been
// scheduled by Engine.At when it was pushed, and so is Engine.Hash.
//
// A value is a number: an amount, or where its receiver keeps the rest. Nothing on a lane can be
// called off. It is a value, embedded in its owner, and must not be copied once it has been
// initialised.
type Lane struct {
	engine   *Engine
	receiver Receiver
	// slots is a ring, its length a power of two or zero: value n, first <= n < next, is at n mod
	// its length. Values are in order of (at, seq).
	slots       []parcel
	first, next uint64
	last        units.Time // of value next-1
	// firing tells that the engine is in the lane, so that the head is not in the queue.
	firing bool
}

// parcel is a value on a lane.
type parcel struct {
	at    units.Time
	seq   uint64
	value uint64
}

// head is a lane as what a node of the queue fires.
type head Lane

// Init ties the lane to an engine and to what takes its values. A lane with something on it must
// not be initialised again.
func (l *Lane) Init(e *Engine, r Receiver) {
	if l.Len() > 0 {
		panic("BUG: sim: Init of a lane that is not empty")
	}
	*l = Lane{engine: e, receiver: r, slots: l.slots}
}

// Len is the number of values on the lane.
func (l *Lane) Len() int { return int(l.next - l.first) }

// Push lets a value come out at an instant, which must be neither before Now nor before that of the
// value pushed last, if this is still on the lane.
func (l *Lane) Push(at units.Time, value uint64) {
	e := l.engine
	if at < e.now || at == units.Never {
		e.refuse(at)
	}
	n := l.next
	if n != l.first && at < l.last {
		panic(fmt.Sprintf("BUG: sim: lane: %v pushed after %v", at, l.last))
	}
	e.seq++
	if n == l.first && !l.firing {
		e.queue.push(at, e.seq, (*head)(l), oneShot)
	} else {
		e.waiting++
	}
	if n-l.first == uint64(len(l.slots)) {
		l.grow()
	}
	*l.at(n) = parcel{at, e.seq, value}
	l.next, l.last = n+1, at
}

func (l *Lane) at(n uint64) *parcel { return &l.slots[n&uint64(len(l.slots)-1)] }

func (l *Lane) grow() {
	bigger := Lane{slots: make([]parcel, max(8, 2*len(l.slots)))}
	for n := l.first; n < l.next; n++ {
		*bigger.at(n) = *l.at(n)
	}
	l.slots = bigger.slots
}

// reset forgets what is on the lane.
func (l *Lane) reset() { l.first, l.next = 0, 0 }

// Fire hands out the head of the lane, and what follows it as long as nothing else comes before.
func (h *head) Fire(now units.Time) {
	l := (*Lane)(h)
	e := l.engine
	l.firing, e.lane = true, l
	for {
		value := l.at(l.first).value
		l.first++
		l.receiver.Receive(now, value)
		if l.first == l.next {
			break
		}
		x := l.at(l.first)
		e.waiting--
		if !e.advance(x.at, x.seq) {
			e.queue.push(x.at, x.seq, h, oneShot)
			break
		}
		now = x.at
	}
	l.firing, e.lane = false, nil
}
