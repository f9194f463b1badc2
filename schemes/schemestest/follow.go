package schemestest

import (
	"sdrsim/schemes"
	"sdrsim/units"
)

// following is the message posted after the one that is played, as the receiver of this sees it: a
// packet of it comes right behind the last first transmission.
type following struct {
	follower schemes.Follower // nil: nothing follows
	sent     int64            // first transmissions that have left, or are about to
	at       units.Time       // of the packet; Never before all have been sent
}

// follow has another message follow the one that is played, where the receiver makes use of it.
func (w *world) follow(rx schemes.Receiver) {
	w.later.at = units.Never
	if f, ok := rx.(schemes.Follower); ok && w.play.later && f.Follows() {
		w.later.follower = f
	}
}

// first notes that first transmissions were sent, or taken back, of which the last arrives at last.
func (f *following) first(count int64, all int64, last units.Time) {
	f.sent += count
	if f.at = units.Never; f.follower != nil && f.sent == all {
		f.at = last.Add(packetTime)
	}
}

// overtake reports the packet of the message that follows, once it has arrived.
func (w *world) overtake() {
	if w.later.at > w.now {
		return
	}
	f := w.later.follower
	w.later.follower, w.later.at = nil, units.Never
	g := &w.rx
	before, was, said := deadline(g.rx), g.face(), len(w.log)
	f.HandleLater(w.now)
	if was.done && (g.face() != was || len(w.log) != said) {
		g.broken(clauseLater, "done, and changes %+v to %+v", was, g.face())
	}
	g.served(clauseDueNow, before)
	g.patience = 0
	was, said = g.face(), len(w.log)
	if f.HandleLater(w.now); g.face() != was || len(w.log) != said {
		g.broken(clauseLater, "again, and changes %+v to %+v", was, g.face())
	}
}
