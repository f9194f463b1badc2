package fabric

import (
	"sdrsim/internal/ring"
	"sdrsim/sim"
	"sdrsim/units"
)

// QueueConfig describes an egress port of a switch or router.
type QueueConfig struct {
	Rate units.Rate
	// Buffer is how much may wait, a packet that is accepted included. Drop-tail: what does not fit
	// is lost.
	Buffer units.Bytes
	// Reserve is room beyond Buffer for control messages and the headers of trimmed packets.
	Reserve units.Bytes
	Mark    Marking
	// Priority has control messages, and the headers of trimmed packets, go before data that waits.
	// The packet that is being sent is finished.
	Priority bool
	// Trim has a packet that finds no room lose all but so many bytes, its header, which goes on
	// with
	// the priority of control messages; 0: it is dropped. It needs Priority.
	Trim units.Bytes
	// Pool is a buffer that the queue shares with others of its domain, beside the limit of its
	// own;
	// nil: it does not.
	Pool  *Pool
	Pause Pause
	// Domain is that of the queues on which this one depends; nil: there are none.
	Domain *Domain
	// Single serves packets one by one. It never changes a result.
	Single bool
}

// Marking is when a queue marks packets, by the backlog that they meet: never up to Min, with a
// probability that grows to Probability at Max, and always beyond Max. Min equal to Max is a step.
// Zero never marks. Floyd and Jacobson 1993, on the instantaneous backlog as in DCTCP and DCQCN.
type Marking struct {
	Min, Max    units.Bytes
	Probability float64
}

// Queue is an egress port that its inputs share: first come, first served, but for Priority.
//
// It is a virtual clock: free is when everything that was accepted has left, so a packet at t meets
// a backlog of free-t, whatever goes before whatever. Pauses alone have it stand still.
type Queue struct {
	cfg    QueueConfig
	domain *Domain
	slot   int // in the domain, of the next packet that is sent
	inputs []*Input
	// buffer, reserve, low and high are Buffer, Reserve and the bounds of marking as times at Rate.
	buffer, reserve, low, high units.Duration
	free                       units.Time
	out                        Piece
	// size is that of the last packet, and service what it takes.
	size    units.Bytes
	service units.Duration
	stream  *sim.Stream // for marks between Min and Max
	stats   Stats
	ordered bool // what leaves when is for the schedule to say
	schedule
}

// NewQueue builds a queue without inputs.
func NewQueue(cfg QueueConfig) *Queue {
	if cfg.Rate <= 0 || cfg.Buffer <= 0 || cfg.Mark.Min > cfg.Mark.Max {
		panic("BUG: fabric: a queue needs a rate, a buffer, and Min up to Max")
	}
	if cfg.Trim > 0 && !cfg.Priority || cfg.Domain == nil && (cfg.Pool != nil || cfg.Pause.Xoff > 0) {
		panic("BUG: fabric: trimming needs priority, a pool and pauses a domain")
	}
	q := &Queue{cfg: cfg, domain: cfg.Domain, buffer: drain(cfg.Rate, cfg.Buffer)}
	q.low, q.high = drain(cfg.Rate, cfg.Mark.Min), drain(cfg.Rate, cfg.Mark.Max)
	q.reserve = drain(cfg.Rate, cfg.Buffer+cfg.Reserve) - q.buffer
	if cfg.Mark.Max == 0 {
		q.low, q.high = q.buffer+q.reserve, q.buffer+q.reserve
	}
	if q.domain == nil {
		q.domain = NewDomain()
	}
	q.domain.queues = append(q.domain.queues, q)
	q.domain.built = false
	if cfg.Pool != nil {
		cfg.Pool.queues = append(cfg.Pool.queues, q)
	}
	return q
}

// drain is how long a rate takes for so many bytes, at most longestDrain: what takes longer does so
// beyond the end of any sample.
func drain(rate units.Rate, b units.Bytes) units.Duration {
	if float64(b)*8e12 > float64(rate)*float64(longestDrain) {
		return longestDrain
	}
	return rate.TransmitTime(b)
}

// longestDrain is an eighth of what the clock spans.
const longestDrain = units.Duration(units.Never / 8)

// Input is one way into a queue: packets of a source, so long after they passed there.
type Input struct {
	queue *Queue
	from  Source
	after units.Duration
	slot  int // in the domain
	// upstream is from, where that is a queue of the same domain.
	upstream *Queue
	// pieces wait to be served; of the head, the packets that were served are gone.
	pieces ring.Ring[Piece]
	// frames are pauses on their way back.
	frames ring.Ring[frame]
}

// Input is the way into the queue from a source over a delay, which is added where there is none
// yet, before the first Reset. What comes at one instant is served in the order in which inputs
// were added.
func (q *Queue) Input(from Source, after units.Duration) *Input {
	for _, in := range q.inputs {
		if in.from == from && in.after == after {
			return in
		}
	}
	in := &Input{queue: q, from: from, after: after}
	q.inputs = append(q.inputs, in)
	q.domain.built = false
	return in
}

// Reset empties the queue, for a sample with a stream of random numbers of its own; nil where it
// does not mark. All queues of a domain are reset before the first Pull.
func (q *Queue) Reset(stream *sim.Stream) {
	d := q.domain
	if !d.built {
		d.build()
	}
	d.asked, d.done = -1, -1
	q.free = 0
	q.stream, q.stats = stream, Stats{}
	q.schedule.reset()
	for _, in := range q.inputs {
		in.pieces.Reset()
		in.frames.Reset()
		d.order.set(in.slot, units.Never)
		if !d.alone {
			d.order.set(len(d.inputs)+in.slot, units.Never)
		}
	}
	if !d.alone {
		d.order.set(q.slot, units.Never)
	}
}

// Stats returns what the queue has counted.
func (q *Queue) Stats() *Stats { return &q.stats }

// Take implements Taker.
func (in *Input) Take(p *Piece) {
	p.At = p.At.Add(in.after)
	if t := in.pieces.Tail(); t != nil {
		if t.First+t.Count == p.First && t.join(p, in.queue.cfg.Single) {
			return
		}
		in.pieces.Append(*p)
		return
	}
	in.pieces.Append(*p)
	in.queue.domain.order.set(in.slot, p.At)
}

// Pull implements Source.
func (q *Queue) Pull(now units.Time) { q.domain.pull(now) }

// Known implements Source. What has come up to done was served; what comes later leaves after it,
// and after everything that is queued, or, where others may go first, after what is being sent.
func (q *Queue) Known(units.Time) units.Time {
	if q.ordered {
		return max(q.domain.done, q.clock)
	}
	return max(q.domain.done, q.free)
}

// Flush implements Source.
func (q *Queue) Flush() { q.domain.flush() }

// takes is the time that a packet takes at Rate.
func (q *Queue) takes(size units.Bytes) units.Duration {
	if size != q.size {
		q.size, q.service = size, q.cfg.Rate.TransmitTime(size)
	}
	return q.service
}

// serve takes the first n packets of a piece, which came over an input with no other between them.
func (q *Queue) serve(p *Piece, n int64) {
	q.takes(p.Size)
	at := p.At
	for n > 0 {
		backlog, room := q.backlog(p.At), q.buffer
		small := p.Control || p.Trimmed
		if small {
			room += q.reserve
		}
		var k int64
		switch {
		case backlog+q.service > room:
			k = q.refuse(p, n, backlog-room)
		case q.cfg.Pool != nil && !small && !q.cfg.Pool.takes(q, p.At, 1, p.Size):
			k = q.refuse(p, 1, 0)
		default:
			k = q.accept(p, n, backlog, room)
		}
		p.Skip(k)
		n -= k
	}
	if q.ordered && !q.domain.alone {
		q.crowded(at)
		q.plan()
	}
}

// backlog is what a packet at an instant would wait for, as a time at Rate.
func (q *Queue) backlog(at units.Time) units.Duration {
	if q.ordered && !q.domain.alone { // it may have been paused
		return q.queued + max(0, q.clock.Sub(at))
	}
	return max(0, q.free.Sub(at))
}

// refuse loses the packets that find no room, of n, or all of them but their headers. It returns
// how many these are: over is what the backlog is beyond the room, which shrinks by the spacing
// from
// one to the next.
func (q *Queue) refuse(p *Piece, n int64, over units.Duration) int64 {
	flow := p.Flow.whole()
	switch {
	case p.Control:
		flow.Stats.DroppedControl++
		return 1
	case p.Trimmed: // it was lost already
		flow.Stats.DroppedHeaders++
		return 1
	case q.cfg.Trim > 0 && q.cfg.Trim < p.Size && q.trim(p):
		return 1
	case q.cfg.Trim > 0:
		n = 1
	}
	k := int64(1)
	if n > 1 {
		k = min(n, ceilDiv(over+q.service, p.Spacing))
	}
	flow.Stats.Dropped += k
	q.stats.Dropped += k
	return k
}

// trim has the header of the first packet go on, if there is room for it.
func (q *Queue) trim(p *Piece) bool {
	o := &q.out
	*o = *p
	o.Count, o.Size, o.Trimmed, o.Marked = 1, q.cfg.Trim, true, false
	service := q.cfg.Rate.TransmitTime(o.Size)
	if q.backlog(p.At)+service > q.buffer+q.reserve {
		return false
	}
	q.stats.Trimmed++
	p.Flow.whole().Stats.Trimmed++
	q.free = max(q.free, p.At).Add(service)
	q.enqueue(o, service)
	return true
}

// accept takes packets that meet a backlog which is linear in their number, and are all marked or
// all not. It returns how many these are.
func (q *Queue) accept(p *Piece, n int64, backlog, room units.Duration) int64 {
	k, spacing, slope := steady(n, backlog, p.Spacing, q.service)
	if slope > 0 { // the backlog grows, until there is no room
		k = min(k, int64((room-q.service-backlog)/slope)+1)
	}
	k, marked := q.mark(p, k, backlog, slope)
	o := &q.out
	*o = *p
	o.Count = k
	if marked {
		o.Marked = true
		p.Flow.whole().Stats.Marked += k
		q.stats.Marked += k
	}
	first := max(q.free, p.At).Add(q.service)
	q.free = first.Add(units.Duration(k-1) * spacing)
	if small := p.Control || p.Trimmed; !small {
		q.stats.reach(max(backlog, backlog+units.Duration(k-1)*slope) + q.service)
		if !q.ordered {
			q.stats.count(k, backlog, slope, q.service)
		}
	}
	if q.ordered {
		q.enqueue(o, q.service)
		return k
	}
	o.At, o.Spacing = first, spacing
	Forward(o)
	return k
}

// steady is how many of n packets, which come a spacing apart to a backlog, leave at equal
// distances
// and wait times that are linear in their number; what these distances are, and how much longer one
// waits than that before it.
func steady(n int64, backlog, spacing, service units.Duration) (
	k int64, out, slope units.Duration) {
	slope = service - spacing
	switch {
	case n == 1:
		return 1, service, 0
	case slope > 0: // the backlog grows
		return n, service, slope
	case backlog == 0: // nobody waits
		return n, spacing, 0
	case slope == 0:
		return n, service, 0
	}
	return min(n, ceilDiv(backlog, -slope)), service, slope // it shrinks, until it is gone
}

// mark returns how many of k packets share the fate of the first, and whether that is a mark.
func (q *Queue) mark(p *Piece, k int64, backlog, slope units.Duration) (int64, bool) {
	if p.Control || p.Trimmed {
		return k, false
	}
	// A packet is at or below low, between, or above high; it stays there until the next bound.
	switch {
	case backlog <= q.low:
		if slope > 0 {
			k = min(k, int64((q.low-backlog)/slope)+1)
		}
		return k, false
	case backlog <= q.high:
		share := float64(backlog-q.low) / float64(q.high-q.low)
		return 1, q.stream.Float64() < float64(share*q.cfg.Mark.Probability)
	}
	if slope < 0 {
		k = min(k, ceilDiv(backlog-q.high, -slope))
	}
	return k, true
}

// ceilDiv rounds up; b is positive.
func ceilDiv(a, b units.Duration) int64 { return int64((a + b - 1) / b) }
