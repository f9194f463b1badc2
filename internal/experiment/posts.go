package experiment

import (
	"sdrsim/schemes"
	"sdrsim/sim"
	"sdrsim/sim/units"
)

// posts is what a stream has beside where its endpoints are schemes.Poster.
//
// Receives are posted in order of message. A message goes on as its own receives are completed, and
// the next one begins when it has posted them all, or is closed at both ends. The id of its last
// receive stays with it until then, so that somebody answers a sender that asks whether it was
// delivered.
type posts struct {
	*stream
	more sim.Timer // something may be posted at this instant
	// heard is when the sender acts on what was announced, the greatest of which is announced.
	heard     sim.Timer
	announced int64
}

func newPosts(w *stream) *posts {
	p := &posts{stream: w}
	p.more.Init(w.pair.engine, fire(w.postDue))
	p.heard.Init(w.pair.engine, fire(p.credited))
	return p
}

func (p *posts) reset() {
	if p != nil {
		p.announced = 0
	}
}

// posting is what endpoints ask; nil where they do not.
func (w *stream) posting() schemes.Posting {
	if w.posts == nil {
		return nil
	}
	return w.posts
}

// Freed implements schemes.Posting. What is posted is posted at the end of the instant, outside of
// what the NIC is doing.
func (p *posts) Freed(now units.Time) {
	if p.due > 0 || !p.newestWhole() {
		p.more.Reset(now)
	}
}

// newest is the slot of the receiver of the message posted last; nil where that is closed.
func (w *stream) newest() *receiverSlot {
	for i := range w.receivers {
		if r := &w.receivers[i]; r.message != idle && r.message == w.posted-1 {
			return r
		}
	}
	return nil
}

// newestWhole tells whether the message posted last has nothing left to post.
func (w *stream) newestWhole() bool {
	r := w.newest()
	return r == nil || r.whole
}

// postRest goes on posting the receives of the message posted last, and tells whether the next
// message may be.
func (w *stream) postRest() bool {
	r := w.newest()
	if r == nil || r.whole {
		return true
	}
	if r.whole = r.ep.(schemes.Poster).Post(); r.whole {
		r.last = w.pair.qpB.Posted() - 1
		w.withhold()
	}
	return r.whole
}

// withhold keeps the ids of last receives from other messages, until theirs are closed.
func (w *stream) withhold() {
	if w.posts == nil {
		return
	}
	limit := int64(1) << 62
	for i := range w.receivers {
		if r := &w.receivers[i]; r.message != idle && r.whole {
			limit = min(limit, r.last+w.cfg.SDR.Split.Messages())
		}
	}
	w.pair.qpB.Withhold(limit)
}

// postNow posts what can be posted, and announces it. What has arrived by now met the receives that
// had the ids before, also where there is nothing to post.
func (w *stream) postNow(now units.Time) {
	before := w.pair.qpB.Posted()
	w.pair.b.Fire(now)
	w.postRest()
	for w.due > 0 && w.postReceive() {
		w.due--
	}
	posted := w.pair.qpB.Posted()
	if posted == before {
		return
	}
	w.credits.Push(now.Add(w.pair.back.DelayAt(now)), uint64(posted))
}

// hear takes a clear-to-send message. The sender acts on it after everything else that happens at
// this instant, so that what goes out does not depend on the order of events at one instant.
func (p *posts) hear(now units.Time, posted int64) {
	p.announced = max(p.announced, posted)
	p.heard.Reset(now)
}

// credited starts the sends whose receives were announced.
func (p *posts) credited(now units.Time) {
	p.pair.a.Fire(now) // what has arrived by now came before
	p.pair.qpA.HandleCTS(p.announced)
	for s := p.senderAfter(idle); s != nil; s = p.senderAfter(s.message) {
		s.ep.(schemes.Poster).Post()
	}
	p.pair.a.Fire(now)
	p.postSends(now)
}

// senderAfter is the slot of the sender of the first message under way behind a given one; nil
// where there is none.
func (w *stream) senderAfter(message int) (next *senderSlot) {
	for i := range w.senders {
		s := &w.senders[i]
		if s.message > message && (next == nil || s.message < next.message) {
			next = s
		}
	}
	return next
}

// sentRest tells whether the message sent last has started all its sends, so that those of the next
// one may follow.
func (w *stream) sentRest() bool {
	if w.posts == nil {
		return true
	}
	for i := range w.senders {
		if s := &w.senders[i]; s.message != idle && s.message == w.next-1 {
			return s.ep.(schemes.Poster).Post()
		}
	}
	return true
}
