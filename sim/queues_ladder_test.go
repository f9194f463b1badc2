package sim

import "sdrsim/units"

// ladder is the ladder queue of Tang, Goh and Thng (TOMACS 15, 2005): far events are kept as they
// come, in top; when they are needed they are dealt to the buckets of a rung, and a bucket that
// holds too many to those of another rung. What is next is sorted, in bottom.
type ladder struct {
	top      []entry
	topStart units.Time
	rungs    []*rung
	spare    []*rung
	bottom   []entry // in descending order
}

type rung struct {
	start, width units.Time
	next         int // the first bucket that has not been taken
	count        int
	buckets      [][]entry
}

// ladderBucket is the greatest number of entries that are sorted.
const ladderBucket = 50

// from is the start of the first bucket that has not been taken.
func (r *rung) from() units.Time { return r.start + units.Time(r.next)*r.width }

func (q *ladder) push(x entry) {
	if x.at >= q.topStart {
		q.top = append(q.top, x)
		return
	}
	for _, r := range q.rungs {
		if x.at >= r.from() {
			r.put(x)
			return
		}
	}
	q.sortIn(x)
}

func (r *rung) put(x entry) {
	b := min(int((x.at-r.start)/r.width), len(r.buckets)-1)
	r.buckets[b] = append(r.buckets[b], x)
	r.count++
}

func (q *ladder) sortIn(x entry) {
	i := len(q.bottom)
	q.bottom = append(q.bottom, x)
	for i > 0 && q.bottom[i-1].before(x) {
		q.bottom[i] = q.bottom[i-1]
		i--
	}
	q.bottom[i] = x
}

func (q *ladder) pop() entry {
	for len(q.bottom) == 0 {
		q.climb()
	}
	x := q.bottom[len(q.bottom)-1]
	q.bottom = q.bottom[:len(q.bottom)-1]
	return x
}

// climb brings events one step nearer to bottom.
func (q *ladder) climb() {
	last := len(q.rungs) - 1
	switch {
	case last < 0:
		least, most := span(q.top)
		q.addRung(q.top, least, (most-least)/units.Time(len(q.top))+1)
		q.top, q.topStart = q.top[:0], most+1
		return
	case q.rungs[last].count == 0:
		q.spare = append(q.spare, q.rungs[last])
		q.rungs = q.rungs[:last]
		return
	}
	r := q.rungs[last]
	for len(r.buckets[r.next]) == 0 {
		r.next++
	}
	start, got := r.from(), r.buckets[r.next]
	r.buckets[r.next] = got[:0]
	r.count -= len(got)
	r.next++
	if len(got) > ladderBucket && r.width > 1 {
		q.addRung(got, start, (r.width-1)/units.Time(len(got))+1)
		return
	}
	q.bottom = append(q.bottom, got...)
	sortEntries(q.bottom)
	for i, j := 0, len(q.bottom)-1; i < j; i, j = i+1, j-1 {
		q.bottom[i], q.bottom[j] = q.bottom[j], q.bottom[i]
	}
}

func span(list []entry) (least, most units.Time) {
	least, most = list[0].at, list[0].at
	for _, x := range list {
		least, most = min(least, x.at), max(most, x.at)
	}
	return least, most
}

// addRung deals a list to as many buckets as it has entries.
func (q *ladder) addRung(list []entry, start, width units.Time) {
	r := &rung{}
	if n := len(q.spare); n > 0 {
		r, q.spare = q.spare[n-1], q.spare[:n-1]
	}
	for len(r.buckets) < len(list)+1 {
		r.buckets = append(r.buckets, nil)
	}
	r.start, r.width, r.next, r.count = start, width, 0, 0
	for _, x := range list {
		r.put(x)
	}
	q.rungs = append(q.rungs, r)
}
