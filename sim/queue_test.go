package sim

import (
	"testing"

	"sdrsim/units"
)

func TestEventBeforeACrowdedInstantFiresFirst(t *testing.T) {
	var log []fired
	e := New()
	for i := range 2 * nearMax {
		e.At(100, &record{log: &log, name: i})
	}
	e.At(50, &record{log: &log, name: -1})
	e.At(40, &record{log: &log, name: -2})
	e.Run()
	if len(log) != 2*nearMax+2 {
		t.Fatalf("%d events fired, want %d", len(log), 2*nearMax+2)
	}
	for i, got := range log {
		if want := i - 2; i >= 2 && got.name != want || i < 2 && got.name != -2+i {
			t.Errorf("event %d to fire is %d", i, got.name)
		}
	}
}

func TestEventOutlivesTheCrowdItWasBefore(t *testing.T) {
	var log []fired
	e := New()
	timers := make([]Timer, nearMax+8)
	for i := range timers {
		timers[i].Init(e, nothing{})
		timers[i].Reset(100)
	}
	e.At(60, &record{log: &log, name: 2})
	e.At(50, &record{log: &log, name: 1})
	for i := range timers {
		timers[i].Stop()
	}
	if e.Pending() != 2 {
		t.Errorf("%d pending, want 2", e.Pending())
	}
	e.Run()
	wantNames(t, log, 1, 2)
}

// A timer that is stopped, or moved to an earlier instant, may leave something behind in the queue,
// but not without bound.
func TestTimersThatAreStoppedLeaveLittleBehind(t *testing.T) {
	const pending = 1000
	e := New()
	for i := range units.Time(pending) {
		e.At(1000*i, nothing{})
	}
	var far, near Timer
	far.Init(e, nothing{})
	near.Init(e, nothing{})
	for i := range units.Time(100_000) {
		far.Reset(1<<40 + i)
		near.Reset(1<<40 - i)
		far.Stop()
	}
	if n := len(e.queue.nodes); n > 2*pending+2*nearMax {
		t.Errorf("%d nodes for %d events", n, e.Pending())
	}
	if e.Pending() != pending+1 {
		t.Errorf("%d pending, want %d", e.Pending(), pending+1)
	}
	e.Run()
	if e.Now() != 1<<40-99_999 || e.Events() != pending+1 {
		t.Errorf("ended at %v after %d events", e.Now(), e.Events())
	}
}

func TestManyTimersThatAreAllStoppedLeaveAnEmptyEngine(t *testing.T) {
	e := New()
	timers := make([]Timer, 1000)
	for round := range 3 {
		for i := range timers {
			if round == 0 {
				timers[i].Init(e, nothing{})
			}
			timers[i].Reset(units.Time(i * i))
		}
		for i := range timers {
			timers[i].Stop()
		}
		if e.Pending() != 0 || e.Step() {
			t.Fatalf("round %d: %d pending, of none", round, e.Pending())
		}
	}
	if n := len(e.queue.nodes); n > len(timers)+2*nearMax {
		t.Errorf("%d nodes for %d timers", n, len(timers))
	}
}

// Resetting an engine leaves alone the timers that have moved to another one.
func TestResetUnarmsItsOwnTimersOnly(t *testing.T) {
	a, b := New(), New()
	var moved, many [100]Timer
	for i := range many {
		many[i].Init(a, nothing{})
		many[i].Reset(units.Time(1 << (i % 50)))
		moved[i].Init(a, nothing{})
		moved[i].Reset(units.Time(i))
	}
	a.RunUntil(0)
	for i := range moved {
		moved[i].Stop()
		moved[i].Init(b, nothing{})
		moved[i].Reset(5)
	}
	a.Reset()
	for i := range many {
		if many[i].Armed() || !moved[i].Armed() {
			t.Fatalf("timer %d: armed %v, one of another engine %v", i, many[i].Armed(),
				moved[i].Armed())
		}
	}
	if a.Pending() != 0 || b.Pending() != len(moved) {
		t.Errorf("%d and %d pending, want 0 and %d", a.Pending(), b.Pending(), len(moved))
	}
}

// Buckets follow the events: a few that are far apart make them wide, and then many that are close
// together narrow; else all of these would be in one, and in the heap beside it.
func TestBucketsFollowTheDensityOfEvents(t *testing.T) {
	q := newBareQueue()
	var seq uint64
	push := func(at units.Time) {
		seq++
		q.push(entry{at: at, seq: seq})
	}
	hold := func(n int, spread uint64) {
		s := newSpans("uniform")
		for range n {
			push(q.pop().at + units.Time(uint64(s.next())%spread))
		}
	}
	for i := range units.Time(2 * nearMax) {
		push(i << 40)
	}
	if q.wheel.shift < 39 {
		t.Fatalf("buckets of 2^%d ps for events 2^40 ps apart", q.wheel.shift)
	}
	s := newSpans("uniform")
	for range 10_000 {
		push(units.Time(uint64(s.next()) % (1 << 20)))
	}
	hold(20_000, 1<<20)
	// 10 000 events in 2^20 ps are 2^6.7 ps apart.
	if q.wheel.shift > 9 || len(q.late) > 10 || len(q.run) > 100 {
		t.Errorf("buckets of 2^%d ps, %d late, a run of %d", q.wheel.shift, len(q.late), len(q.run))
	}
	for q.len() > nearMax {
		q.pop()
	}
	for range 1000 {
		hold(1, 2)
		push(q.first().at + units.Time(q.len())<<40)
	}
	for range 2000 {
		push(q.pop().at + 1000<<40)
	}
	if q.wheel.shift < 36 {
		t.Errorf("buckets of 2^%d ps again for events 2^40 ps apart", q.wheel.shift)
	}
}
