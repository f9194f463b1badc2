package fabric

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/sim"
	"sdrsim/units"
)

// feed is a source of given pieces: what has passed by now is final.
type feed struct {
	pieces []Piece // in order of time
	next   int
}

// Pull implements Source.
func (f *feed) Pull(now units.Time) {
	for f.next < len(f.pieces) && f.pieces[f.next].At <= now {
		p := &f.pieces[f.next]
		part := *p
		if p.Count > 1 && p.Last() > now {
			part.Count = int64(now.Sub(p.At)/p.Spacing) + 1
		}
		p.Skip(part.Count)
		if p.Count == 0 {
			f.next++
		}
		Forward(&part)
	}
}

// Known implements Source.
func (f *feed) Known(now units.Time) units.Time { return now }

// Flush implements Source.
func (f *feed) Flush() { f.Pull(units.Never - 1) }

// sink is the end of a route.
type sink struct {
	flow  int
	last  units.Duration
	taken []arrival
}

// Take implements Taker.
func (s *sink) Take(p *Piece) {
	for j := range p.Count {
		at := p.At.Add(units.Duration(j)*p.Spacing + s.last)
		s.taken = append(s.taken, arrival{s.flow, p.First + j, at, p.Marked, p.Trimmed})
	}
}

// network is a random one: queues in order, each flow through some of them in that order.
type network struct {
	configs []QueueConfig
	routes  [][]step
	last    units.Duration
	pieces  [][]Piece // by flow
	pulls   []units.Time
	seed    uint64
	domain  bool // the queues are in one
	pool    *Pool
	inputs  [][]upstream // by queue
}

const horizon = 400 * units.Microsecond

func drawNetwork(t *rapid.T) *network {
	n := &network{seed: rapid.Uint64().Draw(t, "seed"), domain: rapid.Bool().Draw(t, "domain")}
	if n.domain && rapid.Bool().Draw(t, "pool") {
		n.pool = &Pool{Size: units.Bytes(rapid.Int64Range(1500, 40000).Draw(t, "shared")),
			Alpha: rapid.SampledFrom([]float64{0.125, 0.5, 1, 8}).Draw(t, "alpha")}
	}
	delays := []units.Duration{0, 1, units.Microsecond, 7777777}
	delay := rapid.SampledFrom(delays)
	n.last = delay.Draw(t, "last")
	for range rapid.IntRange(1, 3).Draw(t, "queues") {
		c := QueueConfig{
			Rate: units.Rate(rapid.SampledFrom([]int64{1e9, 3e9, 10e9, 25e9}).Draw(t, "rate")),
			Buffer: units.Bytes(
				rapid.SampledFrom([]int64{1500, 6000, 30000, 1e6}).Draw(t, "buffer")),
		}
		if rapid.Bool().Draw(t, "marks") {
			c.Mark.Min = units.Bytes(rapid.Int64Range(0, 8000).Draw(t, "min"))
			c.Mark.Max = c.Mark.Min +
				units.Bytes(rapid.SampledFrom([]int64{0, 1, 9000}).Draw(t, "ramp"))
			c.Mark.Probability = rapid.Float64Range(0, 1).Draw(t, "probability")
		}
		n.drawClasses(t, &c)
		n.configs = append(n.configs, c)
	}
	for range rapid.IntRange(1, 5).Draw(t, "flows") {
		var route []step
		for q := range n.configs {
			if rapid.IntRange(0, 3).Draw(t, "through") > 0 {
				route = append(route, step{queue: q, after: delay.Draw(t, "delay")})
			}
		}
		n.routes = append(n.routes, route)
		n.pieces = append(n.pieces, drawPieces(t))
	}
	for range rapid.IntRange(0, 40).Draw(t, "pulls") {
		// At any time, or right before or at a packet.
		at := units.Time(rapid.Int64Range(0, int64(horizon)).Draw(t, "pull"))
		if f := rapid.IntRange(-1, len(n.pieces)-1).Draw(t, "at a packet of"); f >= 0 {
			p := rapid.SampledFrom(n.pieces[f]).Draw(t, "piece")
			at = p.At.Add(units.Duration(rapid.Int64Range(0, p.Count-1).Draw(t, "packet"))*p.Spacing -
				units.Duration(rapid.Int64Range(0, 1).Draw(t, "before")))
		}
		n.pulls = append(n.pulls, at)
	}
	slices.Sort(n.pulls)
	n.wire()
	return n
}

// drawClasses draws what a queue does beyond first come, first served.
func (n *network) drawClasses(t *rapid.T, c *QueueConfig) {
	c.Priority = rapid.Bool().Draw(t, "priority")
	c.Reserve = units.Bytes(rapid.SampledFrom([]int64{0, 0, 640, 10000}).Draw(t, "reserve"))
	if c.Priority {
		c.Trim = units.Bytes(rapid.SampledFrom([]int64{0, 64, 1200}).Draw(t, "trim"))
	}
	if !n.domain {
		return
	}
	if n.pool != nil && rapid.Bool().Draw(t, "shares") {
		c.Pool = n.pool
	}
	if rapid.Bool().Draw(t, "pauses") {
		c.Pause = Pause{Xoff: units.Bytes(rapid.Int64Range(1, 20000).Draw(t, "xoff")),
			Reaction: units.Duration(rapid.SampledFrom([]int64{0, 1, 1234567}).Draw(t, "reaction"))}
		c.Pause.Xon = units.Bytes(rapid.Int64Range(0, int64(c.Pause.Xoff)).Draw(t, "xon"))
	}
}

var (
	spacings = rapid.SampledFrom([]int64{120000, 480000, 1200000, 1234567})
	gaps     = rapid.SampledFrom([]int64{0, 0, 1, 5e6})
)

func drawPieces(t *rapid.T) (list []Piece) {
	at, first := units.Time(0), int64(0)
	for range rapid.IntRange(1, 6).Draw(t, "pieces") {
		p := Piece{First: first, Count: rapid.Int64Range(1, 40).Draw(t, "count"),
			Size:    units.Bytes(rapid.SampledFrom([]int64{64, 1000, 1500}).Draw(t, "size")),
			Spacing: units.Duration(spacings.Draw(t, "spacing"))}
		at = at.Add(p.Spacing + units.Duration(gaps.Draw(t, "gap")))
		if rapid.IntRange(0, 3).Draw(t, "control") == 0 {
			p.Control, p.Count, p.Size = true, 1, 64
		}
		p.At = at
		at, first = p.Last(), first+p.Count
		list = append(list, p)
	}
	return list
}

// wire numbers the inputs of queues: one for each flow and the stage that it comes from. What comes
// from one queue over different delays comes over different inputs.
func (n *network) wire() {
	type edge struct {
		from  int // a queue, or -1-flow
		after units.Duration
	}
	inputs := make([][]edge, len(n.configs))
	for f, route := range n.routes {
		from := -1 - f
		for i := range route {
			s := &route[i]
			e := edge{from, s.after}
			s.input = slices.Index(inputs[s.queue], e)
			if s.input < 0 {
				s.input = len(inputs[s.queue])
				inputs[s.queue] = append(inputs[s.queue], e)
			}
			from = s.queue
		}
	}
	n.inputs = make([][]upstream, len(inputs))
	for q, list := range inputs {
		for _, e := range list {
			n.inputs[q] = append(n.inputs[q], upstream{e.from, e.after})
		}
	}
}

// outcome is what a network does with its packets.
type outcome struct {
	arrivals []arrival
	stats    []Stats
}

// build makes its queues.
func (n *network) build(single bool) (queues []*Queue) {
	var domain *Domain
	var pool *Pool
	if n.domain {
		domain = NewDomain()
	}
	if n.pool != nil {
		pool = &Pool{Size: n.pool.Size, Alpha: n.pool.Alpha}
	}
	for _, c := range n.configs {
		c.Single, c.Domain = single, domain
		if c.Pool != nil {
			c.Pool = pool
		}
		queues = append(queues, NewQueue(c))
	}
	return queues
}

// fast runs it through queues.
func (n *network) fast(single bool) outcome {
	queues := n.build(single)
	var sinks []*sink
	var feeds []*feed
	inputs := make([]map[int]*Input, len(queues))
	for f, route := range n.routes {
		flow := &Flow{}
		source := &feed{pieces: slices.Clone(n.pieces[f])}
		for i := range source.pieces {
			source.pieces[i].Flow = flow
		}
		var from Source = source
		for _, s := range route {
			if inputs[s.queue] == nil {
				inputs[s.queue] = map[int]*Input{}
			}
			in := inputs[s.queue][s.input]
			if in == nil {
				in = queues[s.queue].Input(from, s.after)
				inputs[s.queue][s.input] = in
			}
			flow.Route = append(flow.Route, in)
			from = queues[s.queue]
		}
		end := &sink{flow: f, last: n.last}
		flow.Route = append(flow.Route, end)
		sinks, feeds = append(sinks, end), append(feeds, source)
	}
	for i, q := range queues {
		q.Reset(sim.NewStream(n.seed, "mark", uint64(i)))
	}
	pull := func(visit func(Source)) {
		for _, q := range slices.Backward(queues) {
			visit(q)
		}
		for _, f := range feeds {
			visit(f)
		}
	}
	for _, at := range n.pulls {
		pull(func(s Source) { s.Pull(at) })
	}
	pull(Source.Flush)
	var out outcome
	for _, s := range sinks {
		for i := 1; i < len(s.taken); i++ {
			if s.taken[i].at <= s.taken[i-1].at {
				panic("what arrives goes back")
			}
		}
		out.arrivals = append(out.arrivals, s.taken...)
	}
	sortArrivals(out.arrivals)
	for _, q := range queues {
		out.stats = append(out.stats, *q.Stats())
	}
	return out
}

// slow runs it through the second implementation.
func (n *network) slow() ([]arrival, []*dumbQueue) {
	var queues []*dumbQueue
	for i, c := range n.configs {
		queues = append(queues, &dumbQueue{cfg: c, before: n.inputs[i],
			stream: sim.NewStream(n.seed, "mark", uint64(i))})
	}
	var packets []event
	for f, list := range n.pieces {
		for _, p := range list {
			for j := range p.Count {
				packets = append(packets, event{flow: f, number: p.First + j, size: p.Size, control: p.Control,
					at: p.At.Add(units.Duration(j) * p.Spacing)})
			}
		}
	}
	slices.SortStableFunc(packets, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	out := dumb(queues, n.routes, n.last, packets)
	sortArrivals(out)
	return out, queues
}

func sortArrivals(list []arrival) {
	slices.SortFunc(list, func(a, b arrival) int {
		return cmp.Or(cmp.Compare(a.flow, b.flow), cmp.Compare(a.number, b.number))
	})
}

// Networks of queues agree with the second implementation to the picosecond, served in pieces or
// one by one.
func TestQueuesAgreeWithADumbNetwork(t *testing.T) {
	var packets, drops, marks, trims, pauses int64
	rapid.Check(t, func(t *rapid.T) {
		n := drawNetwork(t)
		want, dumb := n.slow()
		for _, single := range []bool{false, true} {
			got := n.fast(single)
			if !slices.Equal(got.arrivals, want) {
				for i := range min(len(want), len(got.arrivals)) {
					if got.arrivals[i] != want[i] {
						t.Fatalf("single %v: arrival %d is %+v, want %+v", single, i,
							got.arrivals[i], want[i])
					}
				}
				t.Fatalf("single %v: %d arrive, want %d", single, len(got.arrivals), len(want))
			}
			for i := range got.stats {
				judge(t, &got.stats[i], dumb[i])
			}
		}
		for _, q := range dumb {
			packets, drops, marks = packets+q.accepted, drops+q.dropped, marks+q.marked
			trims, pauses = trims+q.trimmed, pauses+q.frames
		}
	})
	if drops < packets/100 || marks < packets/100 || trims < packets/200 ||
		pauses < packets/1000 {
		t.Errorf("of %d packets only %d are dropped, %d marked, %d trimmed, with %d pause frames: "+
			"the test shows little", packets, drops, marks, trims, pauses)
	}
}

// judge compares what a queue has counted.
func judge(t *rapid.T, s *Stats, q *dumbQueue) {
	if s.Trimmed != q.trimmed || s.Pauses != q.pauses {
		t.Fatalf("%d trimmed, %d pauses; want %d, %d", s.Trimmed, s.Pauses, q.trimmed, q.pauses)
	}
	if s.Accepted != q.accepted || s.Dropped != q.dropped || s.Marked != q.marked {
		t.Fatalf("%d accepted, %d dropped, %d marked; want %d, %d, %d", s.Accepted, s.Dropped,
			s.Marked, q.accepted, q.dropped, q.marked)
	}
	total := units.Duration(0)
	for _, w := range q.waits {
		total += w
	}
	if n := float64(len(q.waits)); n > 0 && s.MeanWait() != float64(total)/n {
		t.Fatalf("mean wait %v, want %v", s.MeanWait(), float64(total)/n)
	}
	slices.Sort(q.waits)
	for _, p := range []float64{0.5, 0.9, 0.99} {
		if len(q.waits) == 0 {
			break
		}
		want := q.waits[int(math.Ceil(p*float64(len(q.waits))))-1]
		if got := s.WaitQuantile(p); got < want || got > want+want/64+1 {
			t.Fatalf("%v quantile %v, want %v", p, got, want)
		}
	}
}

// A wait lies in its bucket, and buckets follow each other.
func TestBucketsCoverEveryWait(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := units.Duration(rapid.Int64Range(0, 1<<62).Draw(t, "wait"))
		b := bucketOf(w)
		if w > highest(b) || b > 0 && w <= highest(b-1) || b >= buckets {
			t.Fatalf("%d is in bucket %d, which ends with %d", w, b, highest(b))
		}
	})
}
