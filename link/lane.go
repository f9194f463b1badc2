package link

import "sdrsim/internal/ring"

// lane holds the flights in order of arrival. Constant delay keeps arrivals in the order of
// departures, so a queue is enough and only its head needs an event.
type lane struct{ ring.Ring[Flight] }

// push appends a flight and returns it, cleared but for the buffer of its control message.
func (q *lane) push() *Flight {
	f := q.Push()
	*f = Flight{Control: f.Control[:0], seq: q.Next() - 1}
	return f
}

func (q *lane) pop() {
	q.Head().Run.Data = nil
	q.Pop()
}

// truncate leaves the first count packets of flight seq, the last one pushed; none drops it.
func (q *lane) truncate(seq, count int64) {
	if q.Len() == 0 || seq != q.Next()-1 {
		panic("BUG: link: only the flight sent last can be cut")
	}
	if count == 0 {
		q.PopTail()
		return
	}
	q.At(seq).Run.Count = count
}
