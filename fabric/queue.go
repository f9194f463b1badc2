package fabric

import (
	"math/bits"

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
	Mark   Marking
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

// Queue is an egress port that its inputs share: first come, first served.
//
// It is a virtual clock: free is when everything that was accepted has left, so a packet at t meets
// a backlog of free-t.
type Queue struct {
	cfg    QueueConfig
	inputs []*Input
	order  winners
	// buffer, low and high are Buffer and the bounds of marking as times at Rate.
	buffer, low, high units.Duration
	free              units.Time
	// asked is the last instant of Pull; what came up to done was served.
	asked, done units.Time
	out         Piece
	// size is that of the last packet, and service what it takes.
	size    units.Bytes
	service units.Duration
	stream  *sim.Stream // for marks between Min and Max
	stats   Stats
}

// NewQueue builds a queue without inputs.
func NewQueue(cfg QueueConfig) *Queue {
	if cfg.Rate <= 0 || cfg.Buffer <= 0 || cfg.Mark.Min > cfg.Mark.Max {
		panic("BUG: fabric: a queue needs a rate, a buffer, and Min up to Max")
	}
	q := &Queue{cfg: cfg, buffer: drain(cfg.Rate, cfg.Buffer)}
	q.low, q.high = drain(cfg.Rate, cfg.Mark.Min), drain(cfg.Rate, cfg.Mark.Max)
	if cfg.Mark.Max == 0 {
		q.low, q.high = q.buffer, q.buffer
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
	index int
	// pieces wait to be served; of the head, the packets that were served are gone.
	pieces ring.Ring[Piece]
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
	in := &Input{queue: q, from: from, after: after, index: len(q.inputs)}
	q.inputs = append(q.inputs, in)
	return in
}

// Reset empties the queue, for a sample with a stream of random numbers of its own; nil where it
// does not mark.
func (q *Queue) Reset(stream *sim.Stream) {
	q.free, q.asked, q.done = 0, -1, -1
	q.stream, q.stats = stream, Stats{}
	q.order.reset(len(q.inputs))
	for _, in := range q.inputs {
		in.pieces.Reset()
	}
}

// Stats returns what the queue has counted.
func (q *Queue) Stats() *Stats { return &q.stats }

// Take implements Taker.
func (in *Input) Take(p *Piece) {
	p.At = p.At.Add(in.after)
	if t := in.pieces.Tail(); t != nil && !in.queue.cfg.Single {
		if spacing, ok := t.joins(p); ok {
			t.Count += p.Count
			t.Spacing = spacing
			return
		}
	}
	in.pieces.Append(*p)
	if in.pieces.Len() == 1 {
		in.queue.order.set(in.index, p.At)
	}
}

// Pull implements Source.
func (q *Queue) Pull(now units.Time) {
	if now <= q.asked {
		return
	}
	q.asked = now
	until := units.Never
	for _, in := range q.inputs {
		in.from.Pull(now)
		until = min(until, in.from.Known(now).Add(in.after))
	}
	if until > q.done {
		q.done = until
		q.serveUntil(until)
	}
}

// Known implements Source. What has come up to done was served; what comes later leaves after it,
// and after everything that is queued.
func (q *Queue) Known(units.Time) units.Time { return max(q.done, q.free) }

// Flush implements Source.
func (q *Queue) Flush() {
	for _, in := range q.inputs {
		in.from.Flush()
	}
	q.done = units.Never - 1
	q.serveUntil(q.done)
}

// serveUntil serves what has come up to an instant, inclusive.
func (q *Queue) serveUntil(until units.Time) {
	for {
		first, at := q.order.first()
		if at > until || at == units.Never {
			return
		}
		in := q.inputs[first]
		p := in.pieces.Head()
		n := int64(1)
		if p.Count > 1 && !q.cfg.Single {
			if last := min(until, q.order.before(first)); last.Sub(at) >= p.Spacing {
				n = min(p.Count, int64(last.Sub(at)/p.Spacing)+1)
			}
		}
		q.serve(p, n)
		if p.Count == 0 {
			in.pieces.Pop()
			p = in.pieces.Head()
		}
		next := units.Never
		if p != nil {
			next = p.At
		}
		q.order.set(first, next)
	}
}

// serve serves the first n packets of a piece, with no other between them.
func (q *Queue) serve(p *Piece, n int64) {
	if p.Size != q.size {
		q.size, q.service = p.Size, q.cfg.Rate.TransmitTime(p.Size)
	}
	for n > 0 {
		backlog := max(0, q.free.Sub(p.At))
		var k int64
		if backlog+q.service > q.buffer {
			k = q.drop(p, n, backlog)
		} else {
			k = q.accept(p, n, backlog)
		}
		p.Skip(k)
		n -= k
	}
}

// drop loses the packets that find no room, of n, and returns how many these are: the backlog
// shrinks by the spacing from one to the next.
func (q *Queue) drop(p *Piece, n int64, backlog units.Duration) int64 {
	k := int64(1)
	if n > 1 {
		k = min(n, ceilDiv(backlog+q.service-q.buffer, p.Spacing))
	}
	if p.Control {
		p.Flow.Stats.DroppedControl += k
		return k
	}
	p.Flow.Stats.Dropped += k
	q.stats.Dropped += k
	return k
}

// accept hands on packets that meet a backlog which is linear in their number, are all marked or
// all not, and leave at equal distances; it returns how many these are.
func (q *Queue) accept(p *Piece, n int64, backlog units.Duration) int64 {
	k, spacing := int64(1), q.service
	slope := q.service - p.Spacing // of the backlog, from one packet to the next
	switch {
	case n == 1:
		slope = 0
	case slope > 0: // it grows, until there is no room
		k = min(n, int64((q.buffer-q.service-backlog)/slope)+1)
	case backlog == 0: // nobody waits
		k, spacing, slope = n, p.Spacing, 0
	case slope == 0:
		k = n
	default: // it shrinks, until it is gone
		k = min(n, ceilDiv(backlog, -slope))
	}
	k, marked := q.mark(p, k, backlog, slope)
	first := max(q.free, p.At).Add(q.service)
	q.free = first.Add(units.Duration(k-1) * spacing)
	if !p.Control {
		q.stats.count(k, backlog, slope, q.service)
	}
	o := &q.out
	*o = *p
	o.At, o.Spacing, o.Count = first, spacing, k
	if marked {
		o.Marked = true
		p.Flow.Stats.Marked += k
		q.stats.Marked += k
	}
	Forward(o)
	return k
}

// mark returns how many of k packets share the fate of the first, and whether that is a mark.
func (q *Queue) mark(p *Piece, k int64, backlog, slope units.Duration) (int64, bool) {
	if p.Control {
		return k, false
	}
	// A packet is at or below low, between, or above high; it stays there until the next bound.
	upTo, above := units.Duration(-1), units.Duration(-1)
	marked := false
	switch {
	case backlog <= q.low:
		upTo = q.low
	case backlog <= q.high:
		share := float64(backlog-q.low) / float64(q.high-q.low)
		return 1, q.stream.Float64() < float64(share*q.cfg.Mark.Probability)
	default:
		above, marked = q.high, true
	}
	switch {
	case slope > 0 && upTo >= 0:
		k = min(k, int64((upTo-backlog)/slope)+1)
	case slope < 0 && above >= 0:
		k = min(k, ceilDiv(backlog-above, -slope))
	}
	return k, marked
}

// ceilDiv rounds up; b is positive.
func ceilDiv(a, b units.Duration) int64 { return int64((a + b - 1) / b) }

// winners finds the input whose next packet comes first, the lower one where two come together: a
// tree of which each node is the winner of the two below it.
type winners struct {
	next   []units.Time // by input
	tree   []int32
	leaves int
}

func (w *winners) reset(n int) {
	w.leaves = 1 << bits.Len(uint(max(1, n)-1))
	if len(w.next) != w.leaves {
		w.next, w.tree = make([]units.Time, w.leaves), make([]int32, w.leaves)
	}
	for i := range w.next {
		w.next[i] = units.Never
	}
	for i := w.leaves - 1; i > 0; i-- {
		w.tree[i] = w.at(2 * i)
	}
}

// at is the winner of a node: leaves have the numbers from leaves on.
func (w *winners) at(node int) int32 {
	if node >= w.leaves {
		return int32(node - w.leaves)
	}
	return w.tree[node]
}

// first is the input whose next packet comes first, and when.
func (w *winners) first() (int, units.Time) {
	i := w.at(1)
	return int(i), w.next[i]
}

// set says when the next packet of an input comes.
func (w *winners) set(input int, at units.Time) {
	w.next[input] = at
	for node := (input + w.leaves) / 2; node > 0; node /= 2 {
		a, b := w.at(2*node), w.at(2*node+1)
		if w.next[b] < w.next[a] {
			a = b
		}
		w.tree[node] = a
	}
}

// before is the last instant at which a packet of the input goes before those of all others.
func (w *winners) before(input int) units.Time {
	at := units.Never
	for node := input + w.leaves; node > 1; node /= 2 {
		other := w.at(node ^ 1)
		t := w.next[other]
		if int(other) < input && t != units.Never {
			t--
		}
		at = min(at, t)
	}
	return at
}
