package fabric

import (
	"sdrsim/internal/ring"
	"sdrsim/units"
)

// schedule is what a queue was sent and has not sent on, where it is not first come, first served.
type schedule struct {
	// urgent are control messages and headers, where they have priority; waiting is all else.
	urgent, waiting ring.Ring[Piece]
	// clock is when the packet that was sent last has left.
	clock units.Time
	// queued is what everything takes that has not begun to be sent.
	queued units.Duration
	// held is how much of waiting has not begun to be sent.
	held units.Bytes
	// paused counts who has paused the queue; where nobody has, the last has let go at resumed.
	paused            int
	resumed, pausedAt units.Time
	// pausing says that the queue has paused those before it.
	pausing bool
}

func (s *schedule) reset() {
	s.urgent.Reset()
	s.waiting.Reset()
	s.clock, s.queued, s.held = 0, 0, 0
	s.paused, s.resumed, s.pausing = 0, 0, false
}

// enqueue takes packets that are accepted.
func (q *Queue) enqueue(p *Piece, service units.Duration) {
	q.queued += units.Duration(p.Count) * service
	to := &q.waiting
	if q.cfg.Priority && (p.Control || p.Trimmed) {
		to = &q.urgent
	} else {
		q.held += units.Bytes(p.Count) * p.Size
	}
	if t := to.Tail(); t != nil && t.First+t.Count == p.First && t.join(p, q.cfg.Single) {
		return
	}
	to.Append(*p)
}

// next is when the next packet begins to be sent, as things stand, and whether it is urgent; Never
// where there is none, or it is paused. What has come by then and is urgent goes first.
func (s *schedule) next() (at units.Time, urgent bool) {
	at = units.Never
	if p := s.waiting.Head(); p != nil && s.paused == 0 {
		at = max(s.clock, p.At, s.resumed)
	}
	if p := s.urgent.Head(); p != nil {
		if u := max(s.clock, p.At); u <= at {
			return u, true
		}
	}
	return at, false
}

// start sends what begins to be sent up to an instant, inclusive; all is known that has come by
// then.
func (q *Queue) start(until units.Time) {
	for {
		at, urgent := q.next()
		if at > until || at == units.Never {
			return
		}
		if urgent {
			q.send(&q.urgent, at, 1, 0)
			continue
		}
		p := q.waiting.Head()
		q.takes(p.Size)
		k, spacing, _ := steady(p.Count, at.Sub(p.At), p.Spacing, q.service)
		last := until
		if u := q.urgent.Head(); u != nil {
			last = min(last, u.At-1)
		}
		if q.cfg.Single || last.Sub(at) < spacing {
			k = 1
		} else {
			k = min(k, int64(last.Sub(at)/spacing)+1)
		}
		q.send(&q.waiting, at, k, spacing)
		q.drained(at)
	}
}

// send sends the first k packets of a class, which begin to be sent from at on at equal distances.
func (q *Queue) send(from *ring.Ring[Piece], at units.Time, k int64, spacing units.Duration) {
	p, o := from.Head(), &q.out
	service := q.takes(p.Size)
	*o = *p
	o.At, o.Count, o.Spacing = at.Add(service), k, spacing
	q.clock = o.At.Add(units.Duration(k-1) * spacing)
	q.queued -= units.Duration(k) * service
	if from == &q.waiting {
		q.held -= units.Bytes(k) * p.Size
	}
	if !p.Control && !p.Trimmed {
		q.stats.count(k, at.Sub(p.At), spacing-p.Spacing, service)
	}
	if p.Skip(k); p.Count == 0 {
		from.Pop()
	}
	Forward(o)
}

// plan writes down when the next packet is sent.
func (q *Queue) plan() {
	at, _ := q.next()
	q.domain.order.set(q.slot, at)
}

// Pause is priority flow control: a queue in which more than Xoff bytes wait that have no priority
// has those before it stop sending such, and go on when no more than Xon wait. What is being sent
// does not wait. A pause frame takes as long as a packet from there, and Reaction more. Only queues
// of the same domain stop: a host is paused if it sends through a queue of its own. IEEE 802.1Qbb.
type Pause struct {
	Xoff, Xon units.Bytes // Xoff 0: the queue pauses nobody
	Reaction  units.Duration
}

// frame is a pause frame, or one that ends a pause.
type frame struct {
	at     units.Time
	change int // of the number of those who pause the queue
}

// crowded pauses those before the queue if too much waits.
func (q *Queue) crowded(at units.Time) {
	if q.cfg.Pause.Xoff > 0 && !q.pausing && q.held > q.cfg.Pause.Xoff {
		q.pausing = true
		q.stats.Pauses++
		q.tell(at, 1)
	}
}

// drained has them go on if little waits.
func (q *Queue) drained(at units.Time) {
	if q.pausing && q.held <= q.cfg.Pause.Xon {
		q.pausing = false
		q.tell(at, -1)
	}
}

// tell sends pause frames.
func (q *Queue) tell(at units.Time, change int) {
	d := q.domain
	for _, in := range q.inputs {
		if in.upstream == nil {
			continue
		}
		f := frame{at.Add(in.after + q.cfg.Pause.Reaction), change}
		in.frames.Append(f)
		if in.frames.Len() == 1 {
			d.order.set(len(d.inputs)+in.slot, f.at)
		}
	}
}

// pauses has a pause frame arrive.
func (q *Queue) pauses(at units.Time, change int) {
	if q.paused == 0 {
		q.pausedAt = at
	}
	if q.paused += change; q.paused == 0 {
		q.resumed = at
		q.stats.Paused += at.Sub(q.pausedAt)
	}
	q.plan()
}
