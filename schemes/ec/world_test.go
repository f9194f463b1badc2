package ec

import (
	"bytes"

	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/sim/units"
)

// world moves single packets and control messages of a host in virtual time, in order and half a
// round trip each way, until the sender is done.
type world struct {
	*host
	now, free units.Time
	first     sdr.Work // what is left of a first transmission, and of a repeat
	repeat    sdr.Work
	there     []flying
	back      []flying
	credits   []flying // clear-to-send, which is never lost
	// dropData and dropControl lose packets; controls counts the control messages.
	dropData    func(p packet) bool
	dropControl func(n int) bool
	controls    int
}

// flying is a packet or a control message on its way.
type flying struct {
	at  units.Time
	p   packet
	msg []byte
	// posted is how many receives a clear-to-send announces.
	posted int64
}

func newWorld(h *host) *world {
	return &world{host: h, dropData: func(packet) bool { return false },
		dropControl: func(int) bool { return false }}
}

// run lets things happen until the sender is done.
func (w *world) run() {
	w.t.Helper()
	w.send1()
	for n := 0; !w.tx.Done(); n++ {
		at := w.next()
		if n > 1_000_000 || at == units.Never {
			w.t.Fatalf("stuck after %d events at %v: %s; %s", n, at, w.tx.State(),
				w.rx.State())
		}
		w.now = at
		w.step()
	}
	if w.out != nil && w.tx.Err() == nil && !bytes.Equal(w.in, w.out) {
		w.t.Fatalf("wrong bytes were delivered")
	}
}

// next is when something happens.
func (w *world) next() units.Time {
	at := min(w.deadline(w.tx), w.deadline(w.rx))
	if w.free > w.now {
		at = min(at, w.free)
	}
	for _, q := range [][]flying{w.there, w.back, w.credits} {
		if len(q) > 0 {
			at = min(at, q[0].at)
		}
	}
	return max(at, w.now)
}

func (w *world) step() {
	w.t.Helper()
	for len(w.there) > 0 && w.there[0].at <= w.now {
		w.arrivesAt(w.now, w.there[0].p)
		w.there = w.there[1:]
	}
	if w.deadline(w.rx) <= w.now {
		w.rx.HandleTimeout(w.now)
	}
	w.post()
	w.answers.each(func(msg []byte) {
		if !w.dropControl(w.controls) {
			w.back = append(w.back, flying{at: w.now.Add(testRTT / 2), msg: bytes.Clone(msg)})
		}
		w.controls++
	})
	for len(w.credits) > 0 && w.credits[0].at <= w.now {
		w.from.HandleCTS(w.credits[0].posted)
		w.credits = w.credits[1:]
		w.tx.(schemes.Poster).Post()
	}
	for len(w.back) > 0 && w.back[0].at <= w.now {
		w.must(w.tx.HandleControl(w.now, w.back[0].msg))
		w.back = w.back[1:]
	}
	if w.deadline(w.tx) <= w.now {
		w.tx.HandleTimeout(w.now)
	}
	if w.free <= w.now {
		w.send1()
	}
}

// post posts what it can where receives were completed, and announces it.
func (w *world) post() {
	before := w.to.Posted()
	if w.freed {
		w.freed = false
		w.rx.(schemes.Poster).Post()
	}
	if posted := w.to.Posted(); posted > before {
		w.credits = append(w.credits, flying{at: w.now.Add(testRTT / 2), posted: posted})
	}
}

// send1 sends a packet, if there is one to send: repeats go first.
func (w *world) send1() {
	work := w.pick()
	if work == nil {
		return
	}
	part := *work
	part.Count = 1
	work.First++
	work.Count--
	w.free = w.now.Add(testPacketTime)
	run := part.Handle.Run(part.First, 1)
	run.Repeat = part.Repeat
	w.tx.HandleSent(part, w.free, testPacketTime)
	p := packet{run: run, depart: w.free, parity: part.Handle.Index()%2 == 1}
	if !w.dropData(p) {
		w.there = append(w.there, flying{at: w.free.Add(testRTT / 2), p: p})
	}
}

// pick is the work that goes next; nil where there is none.
func (w *world) pick() *sdr.Work {
	if w.repeat.Count == 0 && (w.tx.Urgent() || w.first.Count == 0) {
		if work, ok := w.host.next(w.now); ok {
			if work.Repeat {
				w.repeat = work
			} else {
				w.first = work
			}
		}
	}
	switch {
	case w.repeat.Count > 0:
		return &w.repeat
	case w.first.Count > 0:
		return &w.first
	}
	return nil
}
