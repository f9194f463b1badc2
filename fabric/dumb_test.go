package fabric

import (
	"container/heap"
	"sdrsim/sim"
	"sdrsim/units"
)

// The second implementation: one heap, one event for each packet at each stage, and no arithmetic
// but that of a single packet. It shares no code with the queues that it judges.

// event is a packet that comes to a stage of its flow's route.
type event struct {
	at     units.Time
	stage  int // by distance from the sources, so that what comes first is served first
	queue  int // -1: it has arrived
	input  int
	order  int
	flow   int
	number int64
	size   units.Bytes
	hop    int
	marked bool
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	a, b := &e[i], &e[j]
	switch {
	case a.at != b.at:
		return a.at < b.at
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
	free   units.Time
	stream *sim.Stream

	accepted, dropped, marked int64
	waits                     []units.Duration
}

// step is one stage of a route in the network: a queue, the input and the delay before it.
type step struct {
	queue, input int
	after        units.Duration
}

// arrival is a packet at the end of its route.
type arrival struct {
	flow   int
	number int64
	at     units.Time
	marked bool
}

// dumb runs packets through a network of queues.
func dumb(queues []*dumbQueue, routes [][]step, last units.Duration, packets []event) []arrival {
	var h events
	order := 0
	send := func(e event) {
		if e.hop < len(routes[e.flow]) {
			s := routes[e.flow][e.hop]
			e.queue, e.input = s.queue, s.input
			e.at = e.at.Add(s.after)
		} else {
			e.queue = -1
			e.at = e.at.Add(last)
		}
		e.order = order
		order++
		heap.Push(&h, e)
	}
	for _, p := range packets {
		send(p)
	}
	var out []arrival
	for len(h) > 0 {
		e := heap.Pop(&h).(event)
		if e.queue < 0 {
			out = append(out, arrival{e.flow, e.number, e.at, e.marked})
			continue
		}
		q := queues[e.queue]
		service := q.cfg.Rate.TransmitTime(e.size)
		wait := units.Duration(0)
		if q.free > e.at {
			wait = q.free.Sub(e.at)
		}
		if wait+service > q.cfg.Rate.TransmitTime(q.cfg.Buffer) {
			q.dropped++
			continue
		}
		low, high := q.cfg.Rate.TransmitTime(q.cfg.Mark.Min), q.cfg.Rate.TransmitTime(q.cfg.Mark.Max)
		mark := false
		if q.cfg.Mark.Max > 0 && wait > low {
			mark = wait > high || q.stream.Float64() <
				float64(float64(wait-low)/float64(high-low))*q.cfg.Mark.Probability
		}
		if mark {
			q.marked++
			e.marked = true
		}
		q.accepted++
		q.waits = append(q.waits, wait)
		q.free = e.at.Add(wait + service)
		e.at = q.free
		e.hop++
		send(e)
	}
	return out
}
