package workload

import "sdrsim/units"

// region is some bytes of a buffer.
type region struct{ offset, bytes units.Bytes }

// part is number i of n parts of a region, which differ by a byte at most.
func (r region) part(i, n int) region {
	from := int64(r.bytes) * int64(i) / int64(n)
	to := int64(r.bytes) * int64(i+1) / int64(n)
	return region{r.offset + units.Bytes(from), units.Bytes(to - from)}
}

// piece is number i of the pieces of some size that a region is cut into; the last may be shorter.
func (r region) piece(i int, size units.Bytes) region {
	from := size * units.Bytes(i)
	return region{r.offset + from, min(size, r.bytes-from)}
}

// primitive is what a rank does with a region: it receives it from some ranks, one copy of it each,
// adds what it has received where reduce is set, and sends the result to some others.
type primitive struct {
	from, to ranks
	reduce   bool
	region
}

// ranks are a few ranks: the neighbours of one in a tree or a ring.
type ranks struct {
	list [3]int32
	n    int
}

func (r *ranks) add(rank int) {
	r.list[r.n] = int32(rank)
	r.n++
}

// only is a single rank.
func only(rank int) ranks { return ranks{list: [3]int32{int32(rank)}, n: 1} }

func (r *ranks) all() []int32 { return r.list[:r.n] }

// step is primitives of a thread that follow each other. Where one receives something, so does the
// last of every step before.
type step struct {
	list   []primitive
	region region // that it is about, where a schedule divides it further
}

func (s *step) add(p primitive) { s.list = append(s.list, p) }

// clear empties a step and keeps its memory.
func (s *step) clear() *step {
	s.list = s.list[:0]
	return s
}

// schedule is what the threads of a collective do. It depends on nothing but its arguments.
type schedule interface {
	threads() int
	// step puts step k of a thread into s, which is empty; false: there is none.
	step(at Place, k int, s *step) bool
}

// steps is the source of a schedule. A primitive is cut into slices: what was received of one is
// sent on when it is there and added, whatever has become of the others.
type steps struct {
	schedule
	ranks int
	// slice is the size of the slices of so many bytes; rate is that of adding, 0: it takes no time.
	slice func(bytes units.Bytes) units.Bytes
	rate  units.Rate
	// sequential has a thread do one operation after the other, as a thread block of a GPU does: a
	// receive waits for the send before it to be posted.
	sequential bool
	// extra is what is sent beside so many bytes of a buffer.
	extra func(bytes units.Bytes) units.Bytes
	// lane is the tag and the channel of the messages of a thread; nil: its number.
	lane func(thread int) int32

	now, prior step // scratch
}

// Ranks implements Source.
func (s *steps) Ranks() int { return s.ranks }

// Threads implements Source.
func (s *steps) Threads() int { return s.threads() }

// Block implements Source.
func (s *steps) Block(at Place, k int, b *Block) bool {
	if !s.step(at, k, s.now.clear()) {
		return false
	}
	w := writer{steps: s, at: at, b: b, before: s.before(at, k, b.First)}
	w.last = w.before.lasts
	for i := range s.now.list {
		w.write(&s.now.list[i])
	}
	return true
}

// finals are the operations that a primitive ends in, slice by slice: each at a distance of every
// from the one before, the first being number first, and all of the slices.
type finals struct {
	first, every int64
	slices       int
	lasts
}

// lasts are the last send and the last receive of a thread before some operation, -1 where there is
// none. Each is posted after the one before it, so that messages meet their receives.
type lasts struct{ sent, received int64 }

// finals are those of a primitive whose first operation has a number.
func (s *steps) finals(p *primitive, first int64) (f finals) {
	each, slices := s.layout(p)
	f = finals{first: first + each - int64(p.to.n) - 1, every: each, slices: slices}
	if f.received = f.of(slices - 1); p.reduce {
		f.received -= int64(p.from.n)
	}
	return f
}

// of is the last operation of a slice.
func (f *finals) of(slice int) int64 { return f.first + int64(min(slice, f.slices-1))*f.every }

// layout is how many operations a slice of a primitive has, and how many slices there are.
func (s *steps) layout(p *primitive) (each int64, slices int) {
	if p.bytes == 0 {
		return 0, 0
	}
	each = int64(p.from.n + p.to.n)
	if p.reduce {
		each += int64(p.from.n)
	}
	return each, int(units.CeilDiv(p.bytes, s.slice(p.bytes)))
}

// before are the results of the last primitive that received something before step k, whose first
// operation has a number. Without slices there is none.
func (s *steps) before(at Place, k int, first int64) (f finals) {
	sent := int64(none)
	for k--; k >= 0; k-- {
		s.step(at, k, s.prior.clear())
		for i := len(s.prior.list) - 1; i >= 0; i-- {
			p := &s.prior.list[i]
			each, slices := s.layout(p)
			if slices == 0 {
				continue
			}
			if p.to.n > 0 && sent == none {
				sent = first - 1
			}
			if first -= each * int64(slices); f.slices == 0 && p.from.n > 0 {
				f = s.finals(p, first)
			}
		}
		if f.slices > 0 {
			f.sent = sent
			return f
		}
	}
	return finals{lasts: lasts{sent, none}}
}

// writer writes the operations of a step.
type writer struct {
	*steps
	at     Place
	b      *Block
	before finals
	last   lasts
}

// write writes a primitive.
func (w *writer) write(p *primitive) {
	_, slices := w.layout(p)
	if slices == 0 {
		return
	}
	first := w.b.First + int64(len(w.b.Ops))
	size := w.slice(p.bytes)
	for i := range slices {
		part := p.piece(i, size)
		result := w.receives(p, part, i, i == slices-1)
		for _, to := range p.to.all() {
			n := w.add(w.message(Send, to, part))
			switch {
			case w.sequential:
				w.follow(n)
			case p.from.n > 0:
				w.results(n, result, p)
			case i == 0:
				w.all(n, 0)
			}
			w.behind(n, &w.last.sent)
		}
	}
	if p.from.n > 0 {
		w.before = w.finals(p, first)
	}
}

// behind has an operation be posted after another, and takes its place.
func (w *writer) behind(n int64, last *int64) {
	if *last != none {
		w.b.RequireStart(n, *last)
	}
	*last = n
}

// all has an operation wait for the results before, from a slice on.
func (w *writer) all(n int64, from int) {
	for k := max(from, 0); k < w.before.slices; k++ {
		w.b.Require(n, w.before.of(k))
	}
}

// receives writes the receives of a slice and what adds them, and returns the last of these. They
// wait for the result of the slice before, the last for all that are left, so that whoever waits
// for a primitive has waited for those before it.
func (w *writer) receives(p *primitive, part region, slice int, end bool) (last int64) {
	first := w.b.First + int64(len(w.b.Ops))
	for _, from := range p.from.all() {
		op := w.message(Receive, from, part)
		op.Staged = p.reduce
		last = w.add(op)
		switch {
		case w.sequential:
			w.follow(last)
		case end:
			w.all(last, min(slice, w.before.slices-1))
		case w.before.slices > 0:
			w.b.Require(last, w.before.of(slice))
		}
		w.behind(last, &w.last.received)
	}
	if !p.reduce {
		return last
	}
	for i := range p.from.n {
		op := Op{Kind: Reduce, Bytes: part.bytes, Offset: part.offset}
		if w.rate > 0 {
			op.Duration = w.rate.TransmitTime(part.bytes)
		}
		last = w.add(op)
		w.b.Require(last, first+int64(i))
		if w.sequential {
			w.follow(last)
		}
	}
	return last
}

// results has a send wait for what the slice was received and added by.
func (w *writer) results(send, last int64, p *primitive) {
	for i := range p.from.n {
		w.b.Require(send, last-int64(i))
	}
}

// follow has an operation wait for the one before it in the thread: for the start of a send, and
// for the end of any other.
func (w *writer) follow(n int64) {
	switch {
	case n == 0:
	case w.last.sent == n-1:
		w.b.RequireStart(n, n-1)
	default:
		w.b.Require(n, n-1)
	}
}

func (w *writer) add(op Op) int64 { return w.b.Add(op) }

// message is a send or a receive of a slice.
func (w *writer) message(kind Kind, peer int32, part region) Op {
	lane := int32(w.at.Thread)
	if w.lane != nil {
		lane = w.lane(w.at.Thread)
	}
	op := Op{Kind: kind, Peer: peer, Tag: lane, Channel: lane, Bytes: part.bytes, Offset: part.offset}
	if w.extra != nil {
		op.Extra = w.extra(part.bytes)
		op.Bytes += op.Extra
	}
	return op
}
