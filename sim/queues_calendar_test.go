package sim

import (
	"slices"

	"sdrsim/units"
)

// calendar is the calendar queue of Brown (CACM 31, 1988): a year of days, each a sorted list, into
// which events of all years go. The number of days follows that of the events, and their length the
// distance of the next ones.
type calendar struct {
	days  [][]entry // each in descending order
	width units.Time
	count int
	today int
	end   units.Time // of today
}

func newCalendar() *calendar { return &calendar{days: make([][]entry, 2), width: 1, end: 1} }

func (q *calendar) push(x entry) {
	q.put(x)
	if x.at < q.end-q.width {
		q.turn(x.at)
	}
	if q.count++; q.count > 2*len(q.days) {
		q.resize(2 * len(q.days))
	}
}

func (q *calendar) put(x entry) {
	d := &q.days[int(x.at/q.width)&(len(q.days)-1)]
	i := len(*d)
	for i > 0 && (*d)[i-1].before(x) {
		i--
	}
	*d = slices.Insert(*d, i, x)
}

// turn makes the day of an instant today.
func (q *calendar) turn(at units.Time) {
	q.today = int(at/q.width) & (len(q.days) - 1)
	q.end = at/q.width*q.width + q.width
}

func (q *calendar) pop() entry {
	x := q.take()
	if q.count--; q.count < len(q.days)/2 && len(q.days) > 2 {
		q.resize(len(q.days) / 2)
	}
	return x
}

func (q *calendar) take() entry {
	for range q.days {
		if d := q.days[q.today]; len(d) > 0 && d[len(d)-1].at < q.end {
			q.days[q.today] = d[:len(d)-1]
			return d[len(d)-1]
		}
		q.today = (q.today + 1) & (len(q.days) - 1)
		q.end += q.width
	}
	// Nothing this year: look for the next event.
	var least *entry
	for _, d := range q.days {
		if len(d) > 0 && (least == nil || d[len(d)-1].before(*least)) {
			least = &d[len(d)-1]
		}
	}
	q.turn(least.at)
	return q.take()
}

// resize makes days as long as three times the mean distance of the next events.
func (q *calendar) resize(days int) {
	sample := make([]entry, 0, 25)
	today, end := q.today, q.end
	for range min(q.count, cap(sample)) {
		sample = append(sample, q.take())
	}
	for _, x := range sample {
		q.put(x)
	}
	q.today, q.end = today, end
	now := sample[0].at
	if span := sample[len(sample)-1].at - now; span > 0 {
		q.width = max(1, 3*span/units.Time(len(sample)))
	}
	old := q.days
	q.days = make([][]entry, days)
	for _, d := range old {
		for _, x := range slices.Backward(d) {
			q.put(x)
		}
	}
	q.turn(now)
}
