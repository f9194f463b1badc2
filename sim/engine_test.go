package sim

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sdrsim/units"
)

// record is a handler that notes its name and the time.
type record struct {
	log  *[]fired
	name int
	then func()
}

type fired struct {
	at   units.Time
	name int
}

func (r *record) Fire(now units.Time) {
	*r.log = append(*r.log, fired{now, r.name})
	if r.then != nil {
		r.then()
	}
}

// names returns the order in which things fired.
func names(log []fired) []int {
	var out []int
	for _, f := range log {
		out = append(out, f.name)
	}
	return out
}

func wantNames(t *testing.T, log []fired, want ...int) {
	t.Helper()
	if got := names(log); !slices.Equal(got, want) {
		t.Errorf("fired in the order %v, want %v", got, want)
	}
}

// mustPanic checks that f panics.
func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s did not panic", what)
		}
	}()
	f()
}

func TestTenEventsAtOneInstantFireInSchedulingOrder(t *testing.T) {
	var log []fired
	e := New()
	e.At(7, &record{log: &log, name: 99})
	for i := range 10 {
		e.At(5, &record{log: &log, name: i})
	}
	e.Run()
	wantNames(t, log, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 99)
}

func TestEventScheduledForItsOwnInstantFiresAfterTheOthers(t *testing.T) {
	var log []fired
	e := New()
	first := &record{log: &log, name: 1}
	first.then = func() { e.After(0, &record{log: &log, name: 3}) }
	e.At(5, first)
	e.At(5, &record{log: &log, name: 2})
	e.At(6, &record{log: &log, name: 4})
	e.Run()
	wantNames(t, log, 1, 2, 3, 4)
	if e.Now() != 6 || e.Events() != 4 || e.Pending() != 0 {
		t.Errorf("now %v, %d events, %d pending; want 6ps, 4, 0", e.Now(), e.Events(), e.Pending())
	}
}

func TestSchedulingInThePastPanics(t *testing.T) {
	var log []fired
	e := New()
	e.At(10, &record{log: &log})
	e.Run()
	var timer Timer
	timer.Init(e, &record{log: &log})
	mustPanic(t, "At before Now", func() { e.At(9, &record{log: &log}) })
	mustPanic(t, "After a negative span", func() { e.After(-1, &record{log: &log}) })
	mustPanic(t, "After a span that overflows", func() { e.After(1<<63-1, &record{log: &log}) })
	mustPanic(t, "At never", func() { e.At(units.Never, &record{log: &log}) })
	mustPanic(t, "Timer.Reset before Now", func() { timer.Reset(9) })
	mustPanic(t, "RunUntil before Now", func() { e.RunUntil(9) })
	if e.Pending() != 0 {
		t.Errorf("%d events pending after refused calls", e.Pending())
	}
}

func TestRunUntilIncludesItsInstantAndMovesTheClock(t *testing.T) {
	var log []fired
	e := New()
	for i := range 4 {
		e.At(units.Time(10*i), &record{log: &log, name: i})
	}
	e.RunUntil(20)
	wantNames(t, log, 0, 1, 2)
	e.RunUntil(25)
	if e.Now() != 25 || e.Pending() != 1 {
		t.Errorf("now %v with %d pending, want 25ps with 1", e.Now(), e.Pending())
	}
}

func TestStopEndsRunAfterTheCurrentEvent(t *testing.T) {
	var log []fired
	e := New()
	e.At(1, &record{log: &log, name: 1, then: e.Stop})
	e.At(1, &record{log: &log, name: 2})
	e.RunUntil(50)
	wantNames(t, log, 1)
	if e.Now() != 1 {
		t.Errorf("now %v after Stop, want 1ps", e.Now())
	}
	e.Run()
	wantNames(t, log, 1, 2)
}

// chatter schedules a random cascade and is a workload with a reproducible course.
type chatter struct {
	e     *Engine
	rng   *rand.Rand
	timer Timer
	left  int
}

func (c *chatter) Fire(units.Time) {
	if c.left--; c.left <= 0 {
		return
	}
	c.e.After(units.Duration(c.rng.IntN(5)), c)
	if c.rng.IntN(3) == 0 {
		c.timer.Reset(c.e.Now().Add(units.Duration(c.rng.IntN(9))))
	}
}

func runChatter(e *Engine, seed uint64) (hash uint64, events int64) {
	c := &chatter{e: e, rng: rand.New(rand.NewPCG(seed, 0)), left: 500}
	c.timer.Init(e, c)
	e.At(0, c)
	e.Run()
	return e.Hash(), e.Events()
}

func TestResetEngineRepeatsAFreshOneAndHashTellsRunsApart(t *testing.T) {
	fresh, events := runChatter(New(), 1)
	other, _ := runChatter(New(), 2)
	if fresh == other {
		t.Errorf("different runs have the same hash %#x", fresh)
	}
	e := New()
	runChatter(e, 2)
	e.At(e.Now().Add(5), &chatter{}) // left over, must be forgotten
	var armed Timer
	armed.Init(e, &chatter{})
	armed.Reset(e.Now())
	e.Reset()
	if e.Now() != 0 || e.Pending() != 0 || e.Events() != 0 || armed.Armed() {
		t.Errorf("after Reset: now %v, %d pending, %d events, timer armed %v",
			e.Now(), e.Pending(), e.Events(), armed.Armed())
	}
	if again, n := runChatter(e, 1); again != fresh || n != events {
		t.Errorf("reset engine: hash %#x in %d events, fresh one: %#x in %d", again, n, fresh, events)
	}
}

func TestHashDependsOnTimeAndOnSchedulingOrder(t *testing.T) {
	hash := func(times ...units.Time) uint64 {
		e := New()
		for _, at := range times {
			e.At(at, &chatter{})
		}
		e.Run()
		return e.Hash()
	}
	base := hash(1, 2)
	if base == hash(1, 3) || base == hash(2, 1) || base == hash(1) || base != hash(1, 2) {
		t.Error("hash does not follow time and order of scheduling")
	}
}
