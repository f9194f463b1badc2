package experiment

import "sdrsim/units"

// fireArrivals lets the messages go that the application posts now. They wait as long as others
// are in the way.
func (w *stream) fireArrivals(now units.Time) {
	times := w.traffic.times
	for w.released < len(times) && times[w.released] <= now {
		w.released++
	}
	if w.released < len(times) {
		w.arrive.Reset(times[w.released])
	}
	if w.failure == "" {
		w.postSends(now)
	}
}

// fireReposts posts receives again and announces them.
func (w *stream) fireReposts(now units.Time) {
	for at := w.reposts.Head(); at != nil && *at <= now; at = w.reposts.Head() {
		w.reposts.Pop()
		w.due++
	}
	if at := w.reposts.Head(); at != nil {
		w.repost.Reset(*at)
	}
	w.postDue(now)
}

// postDue posts the receives that are due, as far as there are ids, and announces them.
func (w *stream) postDue(now units.Time) {
	before := w.posted
	if w.due > 0 && w.posted >= w.idWindow {
		w.pair.b.Fire(now) // what has arrived by now met the receives that had the ids before
	}
	if w.feed != nil {
		w.promise(now)
		return
	}
	for w.due > 0 && w.postReceive() {
		w.due--
	}
	if w.posted == before {
		return
	}
	w.credits.Push(now.Add(w.pair.back.DelayAt(now)), uint64(w.pair.qpB.Posted()))
}
