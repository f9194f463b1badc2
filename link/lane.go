package link

import "sdrsim/internal/ring"

// lane holds the flights in order of arrival. Constant delay keeps arrivals in the order of
// departures, so a queue is enough and only its head needs an event.
type lane struct{ ring.Ring[Flight] }

// push appends a flight without a message and returns it. Its Run holds what it held last.
func (q *lane) push() *Flight {
	f := q.Push()
	f.Control, f.taken = f.Control[:0], 0
	return f
}

func (q *lane) pop() {
	if f := q.Head(); f.Run.Data != nil {
		f.Run.Data = nil
	}
	q.Pop()
}

// truncate leaves the first count packets of flight seq, the last one pushed, those included that
// were taken; none drops it.
func (q *lane) truncate(seq, count int64) {
	if q.Len() == 0 || seq != q.Next()-1 {
		panic("BUG: link: only the flight sent last can be cut")
	}
	if count == 0 {
		q.PopTail()
		return
	}
	f := q.At(seq)
	f.Run.Keep(count - f.taken)
}
