package fabric

import "sdrsim/units"

// Domain is queues that are served together, in order of time, because what one does depends on
// what another holds: they share a buffer, or pause each other. Other queues have one of their own.
// Inside a domain routes may have cycles.
//
// What may happen next is in slots: the next packet of each input, the next pause frame on its way
// back over each, and the next packet that each queue sends, which of one instant happen in this
// order, each by the order of the queues and of their inputs.
type Domain struct {
	queues []*Queue
	inputs []*Input
	order  winners
	// built says that the slots are those of all queues and inputs.
	built bool
	// alone is a domain of a queue that depends on no other.
	alone bool
	// lookahead is the least delay from one queue of the domain to another: what is sent at t comes
	// later than t+lookahead.
	lookahead   units.Duration
	asked, done units.Time
}

// NewDomain builds a domain without queues.
func NewDomain() *Domain { return new(Domain) }

// build makes the slots.
func (d *Domain) build() {
	d.inputs, d.lookahead = d.inputs[:0], units.Duration(units.Never/2)
	d.alone = len(d.queues) == 1
	for _, q := range d.queues {
		q.ordered = q.cfg.Priority
		d.inputs = append(d.inputs, q.inputs...)
	}
	for i, in := range d.inputs {
		in.slot = i
		if in.upstream, _ = in.from.(*Queue); in.upstream != nil && in.upstream.domain != d {
			in.upstream = nil
		}
		if in.upstream != nil {
			d.lookahead = min(d.lookahead, in.after)
		}
	}
	for _, in := range d.inputs {
		if in.queue.cfg.Pause.Xoff > 0 {
			d.alone, in.queue.ordered = false, true
			if in.upstream != nil {
				in.upstream.ordered = true
			}
		}
	}
	d.order.reset(2*len(d.inputs) + len(d.queues))
	if d.alone {
		d.order.reset(len(d.inputs))
	}
	for i, q := range d.queues {
		q.slot = 2*len(d.inputs) + i
	}
	d.built = true
}

// Pull implements Source for the queues.
func (d *Domain) pull(now units.Time) {
	if now <= d.asked {
		return
	}
	d.asked = now
	until := units.Never
	for _, in := range d.inputs {
		if in.upstream == nil {
			in.from.Pull(now)
			until = min(until, in.from.Known(now).Add(in.after))
		}
	}
	if until > d.done {
		d.done = until
		d.serve(until)
	}
}

// flush serves everything that was sent.
func (d *Domain) flush() {
	if d.done == units.Never-1 {
		return
	}
	d.done = units.Never - 1
	for _, in := range d.inputs {
		if in.upstream == nil {
			in.from.Flush()
		}
	}
	d.serve(d.done)
}

// serve has happen what happens up to an instant, inclusive.
func (d *Domain) serve(until units.Time) {
	last := -1
	for {
		slot, at := d.order.first()
		if at > until || at == units.Never {
			break
		}
		if slot >= len(d.inputs) {
			d.act(slot, at)
			last = -1
			continue
		}
		in := d.inputs[slot]
		p, n := in.pieces.Head(), int64(1)
		// Packets most often alternate. One that follows its own input may have more behind it.
		if slot == last && p.Count > 1 {
			n = d.upTo(in, p, until)
		}
		last = slot
		in.queue.serve(p, n)
		if p.Count == 0 {
			in.pieces.Pop()
			p = in.pieces.Head()
		}
		next := units.Never
		if p != nil {
			next = p.At
		}
		d.order.set(slot, next)
	}
	if d.alone && d.queues[0].ordered {
		d.queues[0].start(until)
	}
}

// upTo is how many packets of a piece come before everything else.
func (d *Domain) upTo(in *Input, p *Piece, until units.Time) int64 {
	q := in.queue
	if q.cfg.Single || q.ordered && !d.alone {
		return 1
	}
	last := min(until, d.order.before(in.slot), p.At.Add(d.lookahead))
	if last.Sub(p.At) < p.Spacing {
		return 1
	}
	n := min(p.Count, int64(last.Sub(p.At)/p.Spacing)+1)
	if q.cfg.Pool != nil && !q.cfg.Pool.takes(q, p.At, n, p.Size) {
		return 1
	}
	return n
}

// act does what is in a slot that is not a packet of an input.
func (d *Domain) act(slot int, at units.Time) {
	if slot >= 2*len(d.inputs) {
		q := d.queues[slot-2*len(d.inputs)]
		q.start(at)
		q.plan()
		return
	}
	in := d.inputs[slot-len(d.inputs)]
	in.upstream.pauses(at, in.frames.Head().change)
	in.frames.Pop()
	next := units.Never
	if f := in.frames.Head(); f != nil {
		next = f.at
	}
	d.order.set(slot, next)
}
