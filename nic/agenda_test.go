package nic

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/units"
)

// An agenda is held against a map that is searched through.
func TestAgendaIsAMapOfTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a agenda
		want := map[int32]entry{}
		ids := rapid.Int32Range(0, 40)
		t.Repeat(map[string]func(*rapid.T){
			"set": func(t *rapid.T) {
				id := ids.Draw(t, "id")
				// Orders differ, and are not those of the numbers.
				at := units.Time(rapid.IntRange(0, 9).Draw(t, "at"))
				e := entry{at: at, order: uint32(97 - id), id: id}
				a.set(e)
				want[id] = e
			},
			"remove": func(t *rapid.T) {
				id := ids.Draw(t, "id")
				a.remove(id)
				delete(want, id)
			},
			"reset": func(*rapid.T) {
				a.reset()
				clear(want)
			},
			"due": func(t *rapid.T) {
				now := units.Time(rapid.IntRange(0, 9).Draw(t, "now"))
				var due []entry
				for _, e := range want {
					if e.at <= now {
						due = append(due, e)
					}
				}
				sortByOrder(due)
				if got := a.due(now, nil); !slices.Equal(got, due) {
					t.Fatalf("due at %v: %v, want %v", now, got, due)
				}
			},
			"": func(t *rapid.T) {
				first := entry{at: units.Never}
				for _, e := range want {
					if e.before(&first) || first.at == units.Never {
						first = e
					}
				}
				if a.len() != len(want) || a.first() != first.at {
					t.Fatalf("%d, the first at %v; want %d, %v", a.len(), a.first(), len(want), first)
				}
				if len(want) > 0 && *a.head() != first {
					t.Fatalf("first is %v, want %v", *a.head(), first)
				}
			},
		})
	})
}

// However many there are in the heap, a change moves no more than one entry a level.
func TestAgendaMovesOneEntryALevel(t *testing.T) {
	const many, levels = 1 << 16, 9 // 4^8 = 65536
	var a agenda
	a.set(entry{at: units.Never, order: many + 1, id: many + 1}) // so that no other joins the lane
	for id := range int32(many) {
		a.set(entry{at: units.Time(id), order: uint32(id), id: id})
	}
	moves := func(what string, change func()) {
		before := slices.Clone(a.heap)
		change()
		n := 0
		for i := range min(len(before), len(a.heap)) {
			if a.heap[i] != before[i] {
				n++
			}
		}
		if n > levels {
			t.Errorf("%s moves %d entries of %d, want at most %d", what, n, many, levels)
		}
	}
	moves("the first that is put off", func() { a.set(entry{at: many, order: 0, id: 0}) })
	last := entry{at: 0, order: many - 1, id: many - 1}
	moves("the last that is due at once", func() { a.set(last) })
	moves("the first that goes", func() { a.remove(a.heap[0].id) })
	moves("one that comes in", func() { a.set(entry{at: 0, order: many, id: many}) })
	if len(a.heap) != many || a.lane.Len() != 1 {
		t.Errorf("%d entries in the heap, %d in the lane", len(a.heap), a.lane.Len())
	}
	if due := a.due(-1, nil); len(due) != 0 {
		t.Errorf("%v are due before time", due)
	}
}

// Times that are set in order, again and again, need no heap, and leave no more behind than there
// are, even if the first never goes.
func TestAgendaOfPeriodsIsALane(t *testing.T) {
	const many, rounds = 1000, 50
	var a agenda
	a.set(entry{at: -1, id: many})
	for at := range units.Time(rounds * many) {
		id := int32(at) % many
		if at%7 == 0 {
			a.remove(id)
		}
		a.set(entry{at: at, order: uint32(id), id: id})
	}
	if len(a.heap) > 0 || a.len() != many+1 || a.lane.Len() > 2*a.len()+64 {
		t.Errorf("%d in the heap, %d in the lane, %d in all", len(a.heap), a.lane.Len(), a.len())
	}
	a.remove(many)
	if due := a.due(rounds*many, nil); a.first() != (rounds-1)*many || len(due) != many {
		t.Errorf("first at %v, %d are due", a.first(), len(due))
	}
}
