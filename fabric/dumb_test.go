package fabric

import (
	"container/heap"
	"math/big"

	"sdrsim/sim"
	"sdrsim/units"
)

// The second implementation: one heap, one event for each packet at each stage, and no arithmetic
// but that of a single packet: what waits is a list. It shares no code with the queues that it
// judges.

// What happens at one instant happens in this order.
const (
	comes = iota
	frameComes
	begins
)

// event is a packet that comes to a stage of its flow's route, a pause frame that comes to a queue,
// or the instant at which a queue begins to send.
type event struct {
	at      units.Time
	kind    int
	queue   int // the number of queues and more: it has arrived
	input   int
	order   int
	flow    int
	number  int64
	size    units.Bytes
	hop     int
	marked  bool
	control bool
	trimmed bool
	change  int
	came    units.Time
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	a, b := &e[i], &e[j]
	switch {
	case a.at != b.at:
		return a.at < b.at
	case a.kind != b.kind:
		return a.kind < b.kind
	case a.queue != b.queue:
		return a.queue < b.queue
	case a.input != b.input:
		return a.input < b.input
	}
	return a.order < b.order
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	x := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return x
}

// dumbQueue is a queue of the second implementation.
type dumbQueue struct {
	cfg    QueueConfig
	stream *sim.Stream
	before []upstream // by input

	urgent, waiting []event
	leaves          units.Time // of what is being sent
	paused          int
	pausing         bool

	accepted, dropped, marked, trimmed, pauses, frames int64
	waits                                              []units.Duration
}

// upstream is where an input comes from: a queue, or less than zero.
type upstream struct {
	queue int
	after units.Duration
}

// step is one stage of a route in the network: a queue, the input and the delay before it.
type step struct {
	queue, input int
	after        units.Duration
}

// arrival is a packet at the end of its route.
type arrival struct {
	flow    int
	number  int64
	at      units.Time
	marked  bool
	trimmed bool
}

func (q *dumbQueue) takes(size units.Bytes) units.Duration { return q.cfg.Rate.TransmitTime(size) }

// work is what has not been sent, as a time.
func (q *dumbQueue) work(at units.Time) units.Duration {
	w := max(0, q.leaves.Sub(at))
	for _, list := range [][]event{q.urgent, q.waiting} {
		for _, e := range list {
			w += q.takes(e.size)
		}
	}
	return w
}

func (q *dumbQueue) held() (n units.Bytes) {
	for _, e := range q.waiting {
		n += e.size
	}
	return n
}

// world is a network of the second implementation.
type world struct {
	heap   events
	order  int
	queues []*dumbQueue
	routes [][]step
	last   units.Duration
	out    []arrival
}

func (w *world) push(e event) {
	e.order = w.order
	w.order++
	heap.Push(&w.heap, e)
}

// send has a packet go to the next stage.
func (w *world) send(e event) {
	e.kind = comes
	if e.hop < len(w.routes[e.flow]) {
		s := w.routes[e.flow][e.hop]
		e.queue, e.input = s.queue, s.input
		e.at = e.at.Add(s.after)
	} else {
		e.queue = len(w.queues)
		e.at = e.at.Add(w.last)
	}
	w.push(e)
}

// room reports whether a pool takes a packet.
func (w *world) room(q *dumbQueue, e event) bool {
	if q.cfg.Pool == nil || e.control || e.trimmed {
		return true
	}
	inBytes := func(q *dumbQueue) int64 {
		n := new(big.Int).Mul(big.NewInt(int64(q.work(e.at))), big.NewInt(int64(q.cfg.Rate)))
		return n.Div(n, big.NewInt(8e12)).Int64()
	}
	free := int64(q.cfg.Pool.Size)
	for _, other := range w.queues {
		if other.cfg.Pool == q.cfg.Pool {
			free -= inBytes(other)
		}
	}
	own := inBytes(q) + int64(e.size)
	return int64(e.size) <= free && float64(own) <= q.cfg.Pool.Alpha*float64(free)
}

func (w *world) comes(e event) {
	if e.queue == len(w.queues) {
		w.out = append(w.out, arrival{e.flow, e.number, e.at, e.marked, e.trimmed})
		return
	}
	q := w.queues[e.queue]
	room := q.takes(q.cfg.Buffer)
	reserved := q.takes(q.cfg.Buffer + q.cfg.Reserve)
	if e.control || e.trimmed {
		room = reserved
	}
	work, data := q.work(e.at), !e.control && !e.trimmed
	if work+q.takes(e.size) > room || !w.room(q, e) {
		if !data {
			return
		}
		if q.cfg.Trim == 0 || q.cfg.Trim >= e.size || work+q.takes(q.cfg.Trim) > reserved {
			q.dropped++
			return
		}
		q.trimmed++
		e.trimmed, e.marked, e.size = true, false, q.cfg.Trim
	} else if data {
		low, high := q.takes(q.cfg.Mark.Min), q.takes(q.cfg.Mark.Max)
		if q.cfg.Mark.Max > 0 && work > low && (work > high || q.stream.Float64() <
			float64(float64(work-low)/float64(high-low))*q.cfg.Mark.Probability) {
			q.marked++
			e.marked = true
		}
		q.accepted++
	}
	e.came = e.at
	if q.cfg.Priority && (e.control || e.trimmed) {
		q.urgent = append(q.urgent, e)
	} else {
		q.waiting = append(q.waiting, e)
	}
	if x := q.cfg.Pause.Xoff; x > 0 && !q.pausing && q.held() > x {
		q.pausing = true
		q.pauses++
		w.tell(q, e.at, 1)
	}
	w.push(event{at: max(e.at, q.leaves), kind: begins, queue: e.queue})
}

// tell sends pause frames.
func (w *world) tell(q *dumbQueue, at units.Time, change int) {
	for _, b := range q.before {
		if b.queue >= 0 {
			w.push(event{at: at.Add(b.after + q.cfg.Pause.Reaction), kind: frameComes,
				queue: b.queue, change: change})
		}
	}
}

func (w *world) begins(at units.Time, queue int) {
	q := w.queues[queue]
	if at < q.leaves {
		return
	}
	var e event
	switch {
	case len(q.urgent) > 0:
		e, q.urgent = q.urgent[0], q.urgent[1:]
	case len(q.waiting) > 0 && q.paused == 0:
		e, q.waiting = q.waiting[0], q.waiting[1:]
	default:
		return
	}
	if !e.control && !e.trimmed {
		q.waits = append(q.waits, at.Sub(e.came))
	}
	if q.pausing && q.held() <= q.cfg.Pause.Xon {
		q.pausing = false
		w.tell(q, at, -1)
	}
	q.leaves = at.Add(q.takes(e.size))
	w.push(event{at: q.leaves, kind: begins, queue: queue})
	e.at = q.leaves
	e.hop++
	w.send(e)
}

// dumb runs packets through a network of queues.
func dumb(queues []*dumbQueue, routes [][]step, last units.Duration, packets []event) []arrival {
	w := &world{queues: queues, routes: routes, last: last}
	for _, p := range packets {
		w.send(p)
	}
	for len(w.heap) > 0 {
		switch e := heap.Pop(&w.heap).(event); e.kind {
		case comes:
			w.comes(e)
		case frameComes:
			q := w.queues[e.queue]
			q.paused += e.change
			q.frames++
			w.push(event{at: max(e.at, q.leaves), kind: begins, queue: e.queue})
		default:
			w.begins(e.at, e.queue)
		}
	}
	return w.out
}
