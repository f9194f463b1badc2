package nic

import (
	"cmp"
	"slices"

	"sdrsim/units"
)

// agenda is a set of endpoints by their numbers, each with a time: a heap, from which the earliest
// is read at once. At one time the one of the lowest order goes first, so that what is read does
// not depend on what was done to the agenda before.
type agenda struct {
	// entries are a heap of four children a node: half as deep as one of two, and the children lie
	// side by side in the cache of the processor.
	entries []entry
	// places[id] is the index of an entry, plus one; 0: there is none.
	places []int32
}

type entry struct {
	at    units.Time
	order uint32
	id    int32
}

// before tells which of two goes first.
func (e *entry) before(f *entry) bool { return e.at < f.at || e.at == f.at && e.order < f.order }

func (a *agenda) reset() {
	a.entries = a.entries[:0]
	clear(a.places)
}

func (a *agenda) len() int { return len(a.entries) }

// first is the time of the earliest, Never where there is none.
func (a *agenda) first() units.Time {
	if len(a.entries) == 0 {
		return units.Never
	}
	return a.entries[0].at
}

// set gives an endpoint another time; one that is not there comes in.
func (a *agenda) set(e entry) {
	for len(a.places) <= int(e.id) {
		a.places = append(a.places, 0)
	}
	i := int(a.places[e.id]) - 1
	if i < 0 {
		i = len(a.entries)
		a.entries = append(a.entries, e)
	}
	a.settle(i, e)
}

// remove takes an endpoint out, if it is there.
func (a *agenda) remove(id int32) {
	if int(id) >= len(a.places) || a.places[id] == 0 {
		return
	}
	i := int(a.places[id]) - 1
	a.places[id] = 0
	last := len(a.entries) - 1
	e := a.entries[last]
	if a.entries = a.entries[:last]; i < last {
		a.settle(i, e)
	}
}

// settle puts an entry where it belongs, given that place i is free for it.
func (a *agenda) settle(i int, e entry) {
	for i > 0 {
		up := (i - 1) / 4
		if !e.before(&a.entries[up]) {
			break
		}
		a.put(i, a.entries[up])
		i = up
	}
	for {
		least, end := 4*i+1, min(4*i+5, len(a.entries))
		if least >= end {
			break
		}
		for j := least + 1; j < end; j++ {
			if a.entries[j].before(&a.entries[least]) {
				least = j
			}
		}
		if !a.entries[least].before(&e) {
			break
		}
		a.put(i, a.entries[least])
		i = least
	}
	a.put(i, e)
}

func (a *agenda) put(i int, e entry) {
	a.entries[i] = e
	a.places[e.id] = int32(i) + 1
}

// due appends those whose time has come, in their order.
func (a *agenda) due(now units.Time, into []entry) []entry {
	if a.first() > now {
		return into
	}
	from := len(into)
	into = append(into, a.entries[0])
	for i := from; i < len(into); i++ { // below one that is not due none is
		at := 4 * (int(a.places[into[i].id]) - 1)
		for j := at + 1; j < min(at+5, len(a.entries)); j++ {
			if e := a.entries[j]; e.at <= now {
				into = append(into, e)
			}
		}
	}
	sortByOrder(into[from:])
	return into
}

// sortByOrder sorts by order alone.
func sortByOrder(entries []entry) {
	if len(entries) > 1 {
		slices.SortFunc(entries, func(e, f entry) int { return cmp.Compare(e.order, f.order) })
	}
}
