package sim

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/units"
)

// movable lets entries of a rival be moved and removed by their id: what is out of date stays in
// the rival, and is passed over when it comes up.
type movable struct {
	rival
	current map[int64]uint64 // the sequence number of each id that is in the queue
}

func (m *movable) update(x entry) {
	m.current[x.ref] = x.seq
	m.push(x)
}

func (m *movable) remove(id int64) { delete(m.current, id) }

func (m *movable) popCurrent() entry {
	for {
		x := m.pop()
		if m.current[x.ref] == x.seq {
			delete(m.current, x.ref)
			return x
		}
	}
}

// idOf is for the queue of the engine, which gives out slots of its own.
type idOf struct {
	*bareQueue
	ids map[int64]int64
}

func (q *idOf) push(x entry) {
	q.ids[int64(q.queue.push(x.at, x.seq, nil, oneShot))] = x.ref
}

func (q *idOf) pop() entry {
	x := q.bareQueue.pop()
	x.ref = q.ids[x.ref]
	return x
}

// crowd draws spans as they make trouble: nothing, close together, or of any order of magnitude.
func crowd(t *rapid.T) units.Time {
	switch rapid.IntRange(0, 3).Draw(t, "scale") {
	case 0:
		return 0
	case 1:
		return units.Time(rapid.IntRange(0, 3).Draw(t, "near"))
	case 2:
		return 1 << 20
	}
	return units.Time(rapid.Uint64Range(0, 1<<rapid.IntRange(1, 50).Draw(t, "magnitude")).
		Draw(t, "far"))
}

func TestQueuesPopTheSameEntries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var queues []*movable
		for _, r := range rivals {
			q := r.make()
			if bare, ok := q.(*bareQueue); ok {
				q = &idOf{bare, map[int64]int64{}}
			}
			queues = append(queues, &movable{q, map[int64]uint64{}})
		}
		var now units.Time
		var seq uint64
		live := map[int64]bool{}
		pop := func() {
			first := queues[0].popCurrent()
			for i, q := range queues[1:] {
				if x := q.popCurrent(); x.at != first.at || x.seq != first.seq || x.ref != first.ref {
					t.Fatalf("%s pops %v, want %v", rivals[i+1].name, x, first)
				}
			}
			delete(live, first.ref)
			now = first.at
		}
		for range rapid.IntRange(1, 40).Draw(t, "bursts") {
			what := rapid.IntRange(0, 5).Draw(t, "what")
			for range rapid.IntRange(1, 60).Draw(t, "many") {
				id := int64(rapid.IntRange(1, 400).Draw(t, "id"))
				switch {
				case what < 3: // a push, or an update where the id is there
					seq++
					x := entry{at: now + crowd(t), seq: seq, ref: id}
					for _, q := range queues {
						q.update(x)
					}
					live[id] = true
				case what == 3:
					for _, q := range queues {
						q.remove(id)
					}
					delete(live, id)
				case len(live) > 0:
					pop()
				}
			}
		}
		for len(live) > 0 {
			pop()
		}
	})
}

// sortedList is what the engine is held against: the least (time, sequence number) of a list.
type sortedList []entry

func (l *sortedList) drop(ref int64) {
	*l = slices.DeleteFunc(*l, func(x entry) bool { return x.ref == ref })
}

func (l *sortedList) pop() entry {
	i := 0
	for k := range *l {
		if (*l)[k].before((*l)[i]) {
			i = k
		}
	}
	x := (*l)[i]
	*l = slices.Delete(*l, i, i+1)
	return x
}

// nothing is a handler for events whose order alone matters.
type nothing struct{}

func (nothing) Fire(units.Time) {}

// TestEngineWithManyTimersAgreesWithAList has hundreds of events and timers pending, so that the
// wheel is open, and follows the hash: that of the times and sequence numbers of the list.
func TestEngineWithManyTimersAgreesWithAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e, want := New(), New()
		timers := make([]Timer, rapid.IntRange(1, 300).Draw(t, "timers"))
		for i := range timers {
			timers[i].Init(e, nothing{})
		}
		var list sortedList
		var seq uint64
		step := func() {
			if e.Step() != (len(list) > 0) {
				t.Fatalf("%d in the list when the engine was asked to step", len(list))
			}
			if len(list) > 0 {
				x := list.pop()
				want.count(x.at, x.seq)
			}
		}
		for range rapid.IntRange(1, 30).Draw(t, "bursts") {
			what := rapid.IntRange(0, 6).Draw(t, "what")
			for range rapid.IntRange(1, 60).Draw(t, "many") {
				at := e.Now() + crowd(t)
				i := rapid.IntRange(0, len(timers)-1).Draw(t, "timer")
				switch what {
				case 0, 1:
					e.At(at, nothing{})
					seq++
					list = append(list, entry{at: at, seq: seq, ref: -1})
				case 2, 3:
					timers[i].Reset(at)
					list.drop(int64(i))
					seq++
					list = append(list, entry{at: at, seq: seq, ref: int64(i)})
				case 4:
					timers[i].Stop()
					list.drop(int64(i))
				default:
					step()
				}
				if e.Pending() != len(list) {
					t.Fatalf("%d pending, want %d", e.Pending(), len(list))
				}
			}
		}
		for len(list) > 0 {
			step()
		}
		if e.Step() || e.Hash() != want.Hash() || e.Events() != want.Events() {
			t.Fatalf("hash %#x after %d events, want %#x after %d",
				e.Hash(), e.Events(), want.Hash(), want.Events())
		}
	})
}

// TestQueueFollowsItsLoad takes the queue of the engine through phases of other densities, from
// events a picosecond apart to some that are days away, and through fewer and more of them, so that
// its buckets have to become wider, narrower, more and less. container/heap is what judges it.
func TestQueueFollowsItsLoad(t *testing.T) {
	q, judge := newBareQueue(), &containerHeap{}
	for round := range 3 {
		s := newSpans("bimodal")
		var now units.Time
		var seq uint64
		push := func(magnitude uint) {
			seq++
			x := entry{at: now + units.Time(uint64(s.next())<<20>>magnitude), seq: seq}
			q.push(x)
			judge.push(x)
		}
		pop := func() {
			x, want := q.pop(), judge.pop()
			if x.at != want.at || x.seq != want.seq {
				t.Fatalf("round %d: pops %v, want %v", round, x, want)
			}
			now = x.at
		}
		for phase := range uint(60) {
			magnitude := phase * 29 % 48
			for range phase * 311 % 4000 {
				push(magnitude)
			}
			for range phase * 733 % 9000 { // holds
				pop()
				push((magnitude + uint(seq)%3*uint(round)*5) % 48)
			}
			for range min(q.len(), int(phase*523%4000)) {
				pop()
			}
			if q.len() == 0 {
				push(0)
			}
		}
		if round < 2 { // the last one is popped to its end
			q.reset()
			judge.boxes = nil
		}
		for q.len() > 0 {
			pop()
		}
		if q.len() != len(judge.boxes) {
			t.Fatalf("%d left, want %d", q.len(), len(judge.boxes))
		}
	}
}
