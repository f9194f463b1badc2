package nic

import (
	"cmp"
	"slices"

	"sdrsim/internal/ring"
	"sdrsim/units"
)

// agenda is a set of endpoints by their numbers, each with a time, from which the earliest is read
// at once. At one time the one of the lowest order goes first, so that what is read does not depend
// on what was done to the agenda before.
//
// Most times are set in the order in which they come: a period or a timeout after now. Those are in
// a lane, at the end of which the next is put; the others are in a heap.
type agenda struct {
	// lane holds entries in order. One that was changed or taken out since stays there, as its place
	// is another; the head never is one of these.
	lane ring.Ring[entry]
	live int // entries of the lane that count
	// heap is a heap of four children a node: half as deep as one of two, and the children lie side by
	// side in the cache of the processor.
	heap []entry
	// places[id] is where an entry is: above 0 its index in the heap plus one, below 0 the complement
	// of its number in the lane; 0: there is none.
	places   []int64
	earliest units.Time // valid where there is one
}

type entry struct {
	at    units.Time
	order uint32
	id    int32
}

// before tells which of two goes first.
func (e *entry) before(f *entry) bool { return e.at < f.at || e.at == f.at && e.order < f.order }

func (a *agenda) reset() {
	a.lane.Reset()
	a.live, a.heap = 0, a.heap[:0]
	clear(a.places)
}

func (a *agenda) len() int { return a.live + len(a.heap) }

// head is the entry that goes first, nil where there is none.
func (a *agenda) head() *entry {
	e := a.lane.Head()
	if len(a.heap) > 0 && (e == nil || a.heap[0].before(e)) {
		e = &a.heap[0]
	}
	return e
}

// first is the time of the earliest, Never where there is none.
func (a *agenda) first() units.Time {
	if a.live == 0 && len(a.heap) == 0 {
		return units.Never
	}
	return a.earliest
}

// note notes the time of the earliest, after a change.
func (a *agenda) note() {
	if e := a.head(); e != nil {
		a.earliest = e.at
	}
}

// set gives an endpoint another time; one that is not there comes in.
func (a *agenda) set(e entry) {
	for len(a.places) <= int(e.id) {
		a.places = append(a.places, 0)
	}
	place := a.places[e.id]
	last := a.lane.Tail()
	for ; last != nil && a.left(a.lane.Next()-1); last = a.lane.Tail() {
		a.lane.PopTail()
	}
	if last == nil || last.before(&e) {
		a.places[e.id] = ^a.lane.Next()
		a.lane.Append(e)
		a.live++
		a.leave(place)
	} else if place > 0 {
		a.settle(int(place)-1, e)
	} else {
		a.heap = append(a.heap, e)
		a.settle(len(a.heap)-1, e)
		a.leave(place)
	}
	a.note()
}

// remove takes an endpoint out, if it is there.
func (a *agenda) remove(id int32) {
	if int(id) >= len(a.places) || a.places[id] == 0 {
		return
	}
	place := a.places[id]
	a.places[id] = 0
	a.leave(place)
	a.note()
}

// leave gives up the place that an entry had before it was changed or taken out, if it had one.
func (a *agenda) leave(place int64) {
	switch {
	case place > 0:
		last := len(a.heap) - 1
		e := a.heap[last]
		if a.heap = a.heap[:last]; int(place)-1 < last {
			a.settle(int(place)-1, e)
		}
	case place < 0:
		a.live--
		switch {
		case ^place == a.lane.First():
			for a.lane.Len() > 0 && a.left(a.lane.First()) {
				a.lane.Pop()
			}
		case a.lane.Len() > 2*a.live+64:
			a.compact()
		}
	}
}

// left reports whether an entry of the lane has another place by now, or none.
func (a *agenda) left(number int64) bool { return a.places[a.lane.At(number).id] != ^number }

// compact leaves those entries of the lane out that do not count.
func (a *agenda) compact() {
	for number, end := a.lane.First(), a.lane.Next(); number < end; number++ {
		e, left := *a.lane.Head(), a.left(number)
		a.lane.Pop()
		if !left {
			a.places[e.id] = ^a.lane.Next()
			a.lane.Append(e)
		}
	}
}

// settle puts an entry where it belongs in the heap, given that place i is free for it.
func (a *agenda) settle(i int, e entry) {
	for i > 0 {
		up := (i - 1) / 4
		if !e.before(&a.heap[up]) {
			break
		}
		a.put(i, a.heap[up])
		i = up
	}
	for {
		least, end := 4*i+1, min(4*i+5, len(a.heap))
		if least >= end {
			break
		}
		for j := least + 1; j < end; j++ {
			if a.heap[j].before(&a.heap[least]) {
				least = j
			}
		}
		if !a.heap[least].before(&e) {
			break
		}
		a.put(i, a.heap[least])
		i = least
	}
	a.put(i, e)
}

func (a *agenda) put(i int, e entry) {
	a.heap[i] = e
	a.places[e.id] = int64(i) + 1
}

// due appends those whose time has come, in their order.
func (a *agenda) due(now units.Time, into []entry) []entry {
	if a.first() > now {
		return into
	}
	from := len(into)
	for number := a.lane.First(); number < a.lane.Next(); number++ {
		e := a.lane.At(number)
		if e.at > now {
			break
		}
		if !a.left(number) {
			into = append(into, *e)
		}
	}
	lane := len(into)
	if len(a.heap) > 0 && a.heap[0].at <= now {
		into = append(into, a.heap[0])
	}
	for i := lane; i < len(into); i++ { // below one that is not due none is
		at := 4 * (int(a.places[into[i].id]) - 1)
		for j := at + 1; j < min(at+5, len(a.heap)); j++ {
			if e := a.heap[j]; e.at <= now {
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
