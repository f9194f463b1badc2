package sim

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/units"
)

func TestTimerFiresOnceWhereItWasLastPut(t *testing.T) {
	for _, moves := range [][]units.Time{{5}, {5, 9}, {9, 5}, {5, 9, 7}, {9, 5, 7}, {3, 8, 8}} {
		var log []fired
		e := New()
		var timer Timer
		timer.Init(e, &record{log: &log, name: 1})
		for _, at := range moves {
			timer.Reset(at)
		}
		want := moves[len(moves)-1]
		if !timer.Armed() || timer.At() != want || e.Pending() != 1 {
			t.Errorf("%v: armed %v at %v, %d pending", moves, timer.Armed(), timer.At(), e.Pending())
		}
		e.Run()
		if !slices.Equal(log, []fired{{want, 1}}) || e.Events() != 1 {
			t.Errorf("%v: fired %v in %d events", moves, log, e.Events())
		}
		if timer.Armed() || timer.At() != units.Never {
			t.Errorf("%v: armed after it fired", moves)
		}
	}
}

func TestRearmedTimerGoesBehindItsInstant(t *testing.T) {
	for _, start := range []units.Time{4, 5, 6} {
		var log []fired
		e := New()
		var timer Timer
		timer.Init(e, &record{log: &log, name: 9})
		timer.Reset(start)
		e.At(5, &record{log: &log, name: 1})
		timer.Reset(5)
		e.At(5, &record{log: &log, name: 2})
		e.Run()
		wantNames(t, log, 1, 9, 2)
	}
}

func TestStoppedTimerDoesNotFire(t *testing.T) {
	var log []fired
	e := New()
	var a, b, idle Timer
	a.Init(e, &record{log: &log, name: 1})
	b.Init(e, &record{log: &log, name: 2})
	idle.Init(e, &record{log: &log, name: 3})
	a.Reset(5)
	b.Reset(3)
	a.Stop()
	a.Stop()
	idle.Stop()
	b.Reset(units.Never)
	if e.Pending() != 0 || a.Armed() || b.Armed() {
		t.Errorf("%d pending after every timer was stopped", e.Pending())
	}
	e.At(4, &record{log: &log, name: 4})
	e.Run()
	wantNames(t, log, 4)
	mustPanic(t, "Init of an armed timer", func() {
		a.Reset(9)
		a.Init(e, &record{log: &log})
	})
}

func TestTimerRearmsItselfFromItsHandler(t *testing.T) {
	var log []fired
	e := New()
	var timer Timer
	tick := &record{log: &log, name: 1}
	tick.then = func() {
		if len(log) < 4 {
			timer.Reset(e.Now().Add(10))
		}
	}
	timer.Init(e, tick)
	timer.Reset(0)
	e.Run()
	if want := []fired{{0, 1}, {10, 1}, {20, 1}, {30, 1}}; !slices.Equal(log, want) {
		t.Errorf("ticks %v, want %v", log, want)
	}
}

// naive is the deliberately dumb engine: a list, searched for its minimum.
type naive struct {
	now   units.Time
	seq   int
	items []naiveItem
	log   []fired
}

type naiveItem struct {
	at   units.Time
	seq  int
	name int
}

func (n *naive) add(at units.Time, name int) {
	n.seq++
	n.items = append(n.items, naiveItem{at, n.seq, name})
}

func (n *naive) drop(name int) {
	n.items = slices.DeleteFunc(n.items, func(x naiveItem) bool { return x.name == name })
}

func (n *naive) step() {
	best := slices.MinFunc(n.items, func(a, b naiveItem) int {
		if a.at != b.at {
			return int(a.at - b.at)
		}
		return a.seq - b.seq
	})
	n.now = best.at
	n.log = append(n.log, fired{best.at, best.name})
	n.items = slices.DeleteFunc(n.items, func(x naiveItem) bool { return x.seq == best.seq })
}

func TestEngineAgreesWithASortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const timers = 12
		var log []fired
		e, dumb := New(), &naive{}
		var timer [timers]Timer
		for i := range timer {
			timer[i].Init(e, &record{log: &log, name: i})
		}
		next := timers // one-shot events have names from here
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			at := e.Now() + units.Time(rapid.IntRange(0, 20).Draw(t, "delay"))
			i := rapid.IntRange(0, timers-1).Draw(t, "timer")
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0, 1:
				e.At(at, &record{log: &log, name: next})
				dumb.add(at, next)
				next++
			case 2, 3, 4, 5:
				timer[i].Reset(at)
				dumb.drop(i)
				dumb.add(at, i)
			case 6:
				timer[i].Stop()
				dumb.drop(i)
			default:
				if e.Step() {
					dumb.step()
				}
			}
			if e.Pending() != len(dumb.items) {
				t.Fatalf("%d pending, want %d", e.Pending(), len(dumb.items))
			}
		}
		for e.Step() {
			dumb.step()
		}
		if len(dumb.items) != 0 || !slices.Equal(log, dumb.log) {
			t.Fatalf("fired %v\nwant  %v", log, dumb.log)
		}
	})
}
