package sim

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/units"
)

// pipe is a constant delay, on a lane or, to judge that, by an event for each value.
type pipe struct {
	p     *plant
	name  int
	delay units.Duration
	lane  Lane
	byAt  bool
}

// single is one value under way by At.
type single struct {
	to    Receiver
	value uint64
}

func (s *single) Fire(now units.Time) { s.to.Receive(now, s.value) }

func (l *pipe) send(value uint64) {
	at := l.p.e.Now().Add(l.delay)
	if l.byAt {
		l.p.e.At(at, &single{l, value})
		return
	}
	l.lane.Push(at, value)
}

func (l *pipe) Receive(now units.Time, value uint64) { l.p.take(now, l.name, value) }

// plant is a random program of pipes, events and timers that draws what it does from its own
// course: equal courses stay equal, and others soon differ.
type plant struct {
	e     *Engine
	rng   uint64
	pipes []pipe
	timer Timer
	left  int
	log   []fired
	// pending is what Engine.Pending said at each event.
	pending []int
}

func (p *plant) draw(n uint64) uint64 {
	p.rng = p.rng*6364136223846793005 + 1442695040888963407
	return p.rng >> 33 % n
}

func (p *plant) Fire(now units.Time) { p.take(now, -1, 0) }

func (p *plant) take(now units.Time, name int, value uint64) {
	p.log = append(p.log, fired{now, name*1_000_003 + int(value)})
	p.pending = append(p.pending, p.e.Pending())
	if now != p.e.Now() {
		panic("the clock is wrong")
	}
	for range p.draw(4) {
		if p.left == 0 {
			return
		}
		p.left--
		at := now + units.Time(p.draw(7))
		switch p.draw(8) {
		case 0:
			p.e.At(at, p)
		case 1:
			p.timer.Reset(at)
		case 2:
			p.timer.Stop()
		case 3:
			if p.draw(9) == 0 {
				p.e.Stop()
			}
		default:
			p.pipes[p.draw(uint64(len(p.pipes)))].send(p.draw(100))
		}
	}
	if next := now + units.Time(p.draw(5)); p.draw(6) == 0 && p.left > 0 {
		p.left--
		if p.e.Advance(next) {
			p.take(next, -2, 0)
		} else {
			p.e.At(next, p)
		}
	}
}

// run starts a course on an engine and ends it in steps of some kind.
func (p *plant) run(e *Engine, steps uint64) {
	p.e = e
	p.timer.Init(e, p)
	for i := range p.pipes {
		l := &p.pipes[i]
		l.p, l.name = p, i
		l.lane.Init(e, l)
		l.send(uint64(i))
	}
	for e.Pending() > 0 {
		switch steps {
		case 0:
			e.Run()
		case 1:
			e.Step()
		default:
			e.RunUntil(e.Now() + units.Time(steps))
		}
	}
}

func TestLanesAndEventsFireInTheSameOrder(t *testing.T) {
	lanes, events := New(), New()
	rapid.Check(t, func(t *rapid.T) {
		delays := rapid.SliceOfN(rapid.IntRange(0, 40), 1, 5).Draw(t, "delays")
		seed, left := rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 4000).Draw(t, "left")
		steps := rapid.Uint64Range(0, 20).Draw(t, "steps")
		course := func(e *Engine, byAt bool) *plant {
			e.Reset()
			p := &plant{rng: seed, left: left, pipes: make([]pipe, len(delays))}
			for i, d := range delays {
				p.pipes[i].delay, p.pipes[i].byAt = units.Duration(d), byAt
			}
			p.run(e, steps)
			return p
		}
		a, b := course(lanes, false), course(events, true)
		if !slices.Equal(a.log, b.log) || lanes.Hash() != events.Hash() {
			t.Fatalf("lanes gave %v\nevents gave %v", a.log, b.log)
		}
		if !slices.Equal(a.pending, b.pending) || lanes.Events() != events.Events() {
			t.Fatalf("pending on lanes %v\nby events %v", a.pending, b.pending)
		}
	})
}

// taker notes what comes out of a lane.
type taker struct {
	log  []fired
	then func()
}

func (r *taker) Receive(now units.Time, value uint64) {
	r.log = append(r.log, fired{now, int(value)})
	if r.then != nil {
		r.then()
	}
}

func TestLaneRefusesWhatIsOutOfOrder(t *testing.T) {
	var r taker
	var l Lane
	e := New()
	l.Init(e, &r)
	l.Push(10, 1)
	mustPanic(t, "Push before the value pushed last", func() { l.Push(9, 0) })
	mustPanic(t, "Push at never", func() { l.Push(units.Never, 0) })
	mustPanic(t, "Init of a lane in use", func() { l.Init(e, &r) })
	e.Run()
	mustPanic(t, "Push before Now", func() { l.Push(9, 0) })
	l.Push(10, 2)
	if l.Len() != 1 || e.Pending() != 1 {
		t.Errorf("%d on the lane, %d pending, want 1 and 1", l.Len(), e.Pending())
	}
	e.Run()
	if want := []fired{{10, 1}, {10, 2}}; !slices.Equal(r.log, want) {
		t.Errorf("took %v, want %v", r.log, want)
	}
}

func TestResetEmptiesLanes(t *testing.T) {
	e := New()
	var idle, busy, firing Lane
	var r, last taker
	idle.Init(e, &r)
	busy.Init(e, &r)
	firing.Init(e, &last)
	for i := range units.Time(20) {
		busy.Push(50+i, 1)
		firing.Push(5, uint64(i))
	}
	last.then = func() {
		if len(last.log) == 3 {
			e.Reset()
		}
	}
	e.Run()
	if busy.Len() != 0 || firing.Len() != 0 || e.Pending() != 0 || len(last.log) != 3 {
		t.Fatalf("%d and %d on lanes, %d pending, %d taken", busy.Len(), firing.Len(), e.Pending(),
			len(last.log))
	}
	for _, l := range []*Lane{&idle, &busy, &firing} {
		l.Push(3, 7)
	}
	e.Run()
	if len(r.log) != 2 || len(last.log) != 4 || e.Now() != 3 {
		t.Errorf("after Reset: took %v and %v", r.log, last.log)
	}
}

// conveyor keeps a number of values on a lane.
type conveyor struct {
	holder
	lane Lane
}

func (c *conveyor) Receive(now units.Time, value uint64) {
	if c.left--; c.left <= 0 {
		c.e.Stop()
	}
	c.lane.Push(now.Add(meanSpan), value)
}

// BenchmarkLane is the hold model with a constant span, on a lane and by Engine.At, in a queue that
// has something else in it.
func BenchmarkLane(b *testing.B) {
	for _, n := range []int{1, 1000, 100000} {
		c := &conveyor{holder: holder{e: New(), spans: newSpans("equal")}}
		c.lane.Init(c.e, c)
		c.e.At(1<<61, c)
		for i := range n {
			c.lane.Push(units.Time(i), 1)
		}
		b.Run(fmt.Sprintf("flight=%d/by=lane", n), func(b *testing.B) {
			b.ReportAllocs()
			c.left = b.N
			c.e.Run()
		})
		h := &holder{e: New(), spans: newSpans("equal")}
		h.e.At(1<<61, h)
		for i := range n {
			h.e.At(units.Time(i), h)
		}
		b.Run(fmt.Sprintf("flight=%d/by=at", n), func(b *testing.B) {
			b.ReportAllocs()
			h.left = b.N
			h.e.Run()
		})
	}
}

func TestLaneAllocatesNothing(t *testing.T) {
	c := &conveyor{holder: holder{e: New(), spans: newSpans("equal")}}
	c.lane.Init(c.e, c)
	c.e.At(500, c) // a holder of its own
	for i := range units.Time(100) {
		c.lane.Push(1000*i, 1)
	}
	run := func() {
		c.left = 1000
		c.e.Run()
	}
	run()
	before := c.e.Events()
	if n := testing.AllocsPerRun(1, run); n != 0 {
		t.Errorf("%v allocations in 1000 events", n)
	}
	if c.e.Events()-before < 2000 || c.lane.Len() != 100 {
		t.Errorf("%d events, %d on the lane", c.e.Events()-before, c.lane.Len())
	}
}

// What follows on a lane without the queue stays within the bound and the instant of RunUntil, and
// whoever steps the engine comes to see it now and then.
func TestLaneStopsWhereTheEngineDoes(t *testing.T) {
	var r taker
	var l Lane
	e := New()
	l.Init(e, &r)
	push := func() {
		for i := range units.Time(4 * maxAdvance) {
			l.Push(i, 0)
		}
	}
	push()
	if e.RunUntil(20); len(r.log) != 21 || e.Now() != 20 {
		t.Errorf("%d values until 20 ps, now %v", len(r.log), e.Now())
	}
	if e.Step(); len(r.log) != 21+1+maxAdvance {
		t.Errorf("%d values after a step", len(r.log))
	}
	e.Reset()
	r.log = nil
	e.Bound(20)
	push()
	for i := range 5 {
		if e.Step(); len(r.log) != 21+i {
			t.Errorf("%d values after %d steps with a bound", len(r.log), i+1)
		}
	}
	r.then = e.Stop
	before := len(r.log)
	if e.Run(); len(r.log) != before+1 {
		t.Errorf("%d values after Stop", len(r.log)-before)
	}
}
