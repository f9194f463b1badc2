package experiment

import "sdrsim/units"

// idFree tells whether the id of the next receive is free. It is when the message that had it was
// delivered, which the receiver knows by itself: generations tell repeats of a sender that has not
// heard of that, and whoever received the message still answers them. With one generation it has to
// wait for the sender to tell that it will not repeat anything.
func (w *stream) idFree() bool {
	if w.cfg.SDR.Generations > 1 {
		return w.pair.qpB.CanPost() && len(w.recvFree) > 0 && !w.haunted()
	}
	return w.receiving.Len() < w.idWindow && len(w.recvFree) > 0
}

// haunted reports whether packets may be under way of the message that had the id of the next one
// in the same generation. Where packets keep their order, what is sent later never arrives before.
func (w *stream) haunted() bool {
	return !w.cfg.Even() && w.posted >= w.idWindow*w.cfg.SDR.Generations &&
		int64(w.posted-w.idWindow*w.cfg.SDR.Generations) >= w.gone.First()
}

// bury notes that nothing of a message is under way.
func (w *stream) bury(message int) {
	for w.gone.Next() <= int64(message) {
		w.gone.Append(false)
	}
	*w.gone.At(int64(message)) = true
	for h := w.gone.Head(); h != nil && *h; h = w.gone.Head() {
		w.gone.Pop()
	}
}

// vacate makes the slot of the receiver of a message free for another.
func (w *stream) vacate(message int) {
	receiver := w.receiverOf(message)
	w.receivers[receiver].message = idle
	vacate(&w.receiving, message)
	w.recvFree = append(w.recvFree, receiver)
}

// janitor is the end of the lane of messages that are closed.
type janitor stream

// Receive lets the receiving end know that a sender is done.
func (j *janitor) Receive(now units.Time, message uint64) {
	w := (*stream)(j)
	if w.cfg.SDR.Generations == 1 {
		w.vacate(int(message))
	}
	w.bury(int(message))
	w.postDue(now)
}

// creditor is the end of the lane of credits.
type creditor stream

// Receive lets the sender know of receives.
func (c *creditor) Receive(now units.Time, posted uint64) {
	w := (*stream)(c)
	if w.feed != nil {
		w.feed.granted = int(posted)
		w.supply(now)
		return
	}
	w.pair.qpA.HandleCTS(int64(posted))
	w.postSends(now)
}
