package sim

import (
	"testing"

	"sdrsim/units"
)

// firedBy lets a function be the handler of an event.
type firedBy func(now units.Time)

func (f firedBy) Fire(now units.Time) { f(now) }

func TestAdvanceStopsAtTheBound(t *testing.T) {
	e := New()
	var reached []units.Time
	e.Bound(10)
	e.At(1, firedBy(func(units.Time) {
		for at := units.Time(5); e.Advance(at); at += 5 {
			reached = append(reached, at)
		}
	}))
	e.Run()
	if len(reached) != 2 || e.Now() != 10 {
		t.Errorf("advanced to %v, now %v; want 5 and 10", reached, e.Now())
	}
	e.Reset()
	e.At(1, firedBy(func(units.Time) {
		if !e.Advance(11) {
			t.Error("the bound outlives a reset")
		}
	}))
	e.Run()
}
