package link

import (
	"sdrsim/fabric"
	"sdrsim/internal/ring"
	"sdrsim/units"
	"sdrsim/wire"
)

// Hop is a queue on the way of packets.
type Hop struct {
	Delay units.Duration // before the queue
	Queue *fabric.Queue
	Loss  *Lossy // on the link behind it; nil: nothing is lost there
}

// Route has what the port sends pass queues that it shares with others, and last a delay to the
// inbox. The delays must add up to that of the port. It is called once, before the first Reset.
func (p *Port) Route(hops []Hop, last units.Duration) *fabric.Flow {
	r := &routed{port: p, to: p.inbox, after: last, flow: new(fabric.Flow), from: portSource{p}}
	total := last
	for _, h := range hops {
		r.flow.Route = append(r.flow.Route, h.Queue.Input(r.from, h.Delay))
		if h.Loss != nil {
			r.flow.Route = append(r.flow.Route, h.Loss)
		}
		r.from = h.Queue
		total += h.Delay
	}
	if total != p.cfg.Delay || p.cfg.Changes != nil {
		panic("BUG: link: the delays of a route are not the constant one of its port")
	}
	r.flow.Route = append(r.flow.Route, r)
	p.path, p.inbox.src = r, r
	return r.flow
}

// portSource is a port as the first stage of a route: what has left is final.
type portSource struct{ port *Port }

// Pull implements fabric.Source.
func (s portSource) Pull(now units.Time) { s.port.pull(now) }

// Known implements fabric.Source.
func (s portSource) Known(now units.Time) units.Time { return now }

// Flush implements fabric.Source.
func (s portSource) Flush() { s.port.finish() }

// routed is the path over a route. In the fabric a packet is a number: which it is in its flow.
// What it is, is kept here until it arrives. Data packets keep their order, and so do control
// messages; these may overtake those.
type routed struct {
	port *Port
	to   *Inbox
	flow *fabric.Flow
	from fabric.Source // the last stage before the inbox
	// after is the delay between them.
	after units.Duration
	// known is until when, inclusive, everything that arrives is in the inbox.
	known units.Time
	// sent numbers what was sent, data and control alike; arrived counts what is in the inbox.
	sent, arrived int64
	// next is the number after the last data packet that has arrived: data that is left out does not.
	next    int64
	runs    ring.Ring[numbered]
	control messages
	numbers ring.Ring[int64] // of the messages in control
	piece   fabric.Piece
	run     wire.Run
}

// numbered is packets of a run by their numbers in the flow.
type numbered struct {
	first int64 // the number of the first of them
	run   wire.Run
}

// Pull implements Source.
func (r *routed) Pull(now units.Time) {
	r.from.Pull(now)
	r.known = max(r.known, r.from.Known(now).Add(r.after))
}

// Known implements Source. It pulls: what was known at an earlier instant would have the sink wake
// at once for what may arrive right after that.
func (r *routed) Known(now units.Time) units.Time {
	r.Pull(now)
	return r.known
}

// Earliest implements Source: beyond what is known, or what has not left needs at least.
func (r *routed) Earliest() units.Time {
	if r.sent > r.arrived+r.flow.Stats.Gone() {
		return r.known + 1
	}
	skip, count := r.port.passing()
	if count == 0 {
		return units.Never
	}
	run := &r.port.run
	return run.Depart.Add(units.Duration(skip)*run.Spacing + r.port.delay)
}

// Preview implements Source: when what has not left arrives depends on others.
func (r *routed) Preview() *Flight { return nil }

// Flush implements Source.
func (r *routed) Flush() {
	r.port.finish()
	r.from.Flush()
	r.missing(r.sent)
	r.next = r.sent
}

// take implements taker.
func (r *routed) take(run *wire.Run, count int64) {
	t := r.runs.Tail()
	if t == nil || t.first+t.run.Count != r.sent || !follows(&t.run, run) ||
		r.port.tracer != nil && !continues(&t.run, run) {
		t = r.runs.Push()
		t.first, t.run = r.sent, *run
		t.run.Count = 0
	}
	t.run.Count += count
	p := &r.piece
	*p = fabric.Piece{At: run.Depart, Spacing: run.Spacing, First: r.sent, Count: count,
		Size: run.Payload + r.port.cfg.Overhead, Flow: r.flow}
	r.sent += count
	fabric.Forward(p)
}

// follows reports whether a run has the packets after those of another, and the same in all else
// but time. Bytes are not joined.
func follows(r, next *wire.Run) bool {
	return next.First == r.End() && next.Serial == r.Serial && next.Repeat == r.Repeat &&
		next.Payload == r.Payload && next.Data == nil && r.Data == nil &&
		next.Generation == r.Generation
}

// takeControl implements taker.
func (r *routed) takeControl(depart units.Time, msg []byte) {
	r.control.push(msg)
	r.numbers.Append(r.sent)
	r.piece = fabric.Piece{At: depart, First: r.sent, Count: 1, Control: true, Flow: r.flow,
		Size: units.Bytes(len(msg)) + r.port.cfg.Overhead}
	r.sent++
	fabric.Forward(&r.piece)
	if r.to.prompt || !wire.Passive(msg) || !r.to.ignorePassive {
		r.to.offered(depart.Add(r.port.delay))
	}
}

// Take implements fabric.Taker: packets arrive.
func (r *routed) Take(p *fabric.Piece) {
	if p.Trimmed { // the receiver is not told of headers
		return
	}
	at := p.At.Add(r.after)
	r.arrived += p.Count
	if p.Control { // it may have overtaken data
		for *r.numbers.Head() < p.First {
			r.dropControl()
		}
		r.to.putControl(at, r.control.head())
		r.dropControl()
		return
	}
	r.missing(p.First)
	r.next = p.First + p.Count
	for first, left := p.First, p.Count; left > 0; {
		t := r.runs.Head()
		if first >= t.first+t.run.Count {
			r.runs.Pop()
			continue
		}
		n := min(left, t.first+t.run.Count-first)
		run := &r.run
		*run = t.run
		run.Skip(first - t.first)
		run.Keep(n)
		run.Depart, run.Spacing = at, p.Spacing
		r.to.put(run, at, n)
		at = at.Add(units.Duration(n) * p.Spacing)
		first, left = first+n, left-n
	}
}

// missing has the tracer told of the packets before a number that have not arrived and will not.
func (r *routed) missing(number int64) {
	if r.port.tracer == nil || r.next == number {
		return
	}
	for n := r.runs.First(); n < r.runs.Next(); n++ {
		t := r.runs.At(n)
		from, to := max(r.next, t.first), min(number, t.first+t.run.Count)
		if from < to {
			lost := t.run.Sub(from-t.first, to-from)
			r.port.tracer.Dropped(&lost)
		}
	}
}

// dropControl forgets the oldest control message.
func (r *routed) dropControl() {
	r.control.pop()
	r.numbers.Pop()
}

// reset implements taker. The queues of the route are reset by their owner.
func (r *routed) reset() {
	r.known, r.sent, r.arrived, r.next = -1, 0, 0, 0
	r.flow.Stats = fabric.FlowStats{}
	r.runs.Reset()
	r.numbers.Reset()
	r.control.slabs.Reset()
}

// Lossy is a link between two queues: it loses packets of all flows that pass, in order of service.
type Lossy struct {
	Data, Control LossModel
	run           wire.Run
	piece         fabric.Piece
}

// Take implements fabric.Taker.
func (l *Lossy) Take(p *fabric.Piece) {
	if p.Trimmed { // headers are counted as lost already
		fabric.Forward(p)
		return
	}
	model, lost := l.Data, &p.Flow.Total().Lost
	if p.Control {
		model, lost = l.Control, &p.Flow.Total().LostControl
	}
	r := &l.run
	r.Count, r.First, r.Depart, r.Spacing = p.Count, p.First, p.At, p.Spacing
	if pass, _ := model.Peek(r); pass >= p.Count {
		model.Advance(r, p.Count)
		fabric.Forward(p)
		return
	}
	for done := int64(0); done < p.Count; {
		pass, drop := model.Peek(r)
		step := min(r.Count, pass+drop)
		if pass = min(pass, step); pass > 0 {
			l.piece = *p
			l.piece.Skip(done)
			l.piece.Count = pass
			fabric.Forward(&l.piece)
		}
		model.Advance(r, step)
		*lost += step - pass
		r.Skip(step)
		done += step
	}
}
