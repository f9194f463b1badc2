package ec

import (
	"bytes"

	"sdrsim/sdr"
	"sdrsim/units"
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
}

func newWorld(h *host) *world {
	return &world{host: h, dropData: func(packet) bool { return false },
		dropControl: func(int) bool { return false }}
}

// run lets things happen until the sender is done.
func (w *world) run() {
	w.t.Helper()
	w.send1()
	for n := 0; !w.sender.Done(); n++ {
		at := w.next()
		if n > 1_000_000 || at == units.Never {
			w.t.Fatalf("stuck after %d events at %v: %s; %s", n, at, w.sender.State(),
				w.receiver.State())
		}
		w.now = at
		w.step()
	}
	if w.out != nil && w.sender.Err() == nil && !bytes.Equal(w.in, w.out) {
		w.t.Fatalf("wrong bytes were delivered")
	}
}

// next is when something happens.
func (w *world) next() units.Time {
	at := min(w.deadline(w.sender), w.deadline(w.receiver))
	if w.free > w.now {
		at = min(at, w.free)
	}
	for _, q := range [][]flying{w.there, w.back} {
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
	if w.deadline(w.receiver) <= w.now {
		w.receiver.HandleTimeout(w.now)
	}
	w.answers.each(func(msg []byte) {
		if !w.dropControl(w.controls) {
			w.back = append(w.back, flying{at: w.now.Add(testRTT / 2), msg: bytes.Clone(msg)})
		}
		w.controls++
	})
	for len(w.back) > 0 && w.back[0].at <= w.now {
		w.must(w.sender.HandleControl(w.now, w.back[0].msg))
		w.back = w.back[1:]
	}
	if w.deadline(w.sender) <= w.now {
		w.sender.HandleTimeout(w.now)
	}
	if w.free <= w.now {
		w.send1()
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
	w.sender.HandleSent(part, w.free, testPacketTime)
	p := packet{run: run, depart: w.free, parity: part.Handle.Index()%2 == 1}
	if !w.dropData(p) {
		w.there = append(w.there, flying{at: w.free.Add(testRTT / 2), p: p})
	}
}

// pick is the work that goes next; nil where there is none.
func (w *world) pick() *sdr.Work {
	if w.repeat.Count == 0 && (w.sender.Urgent() || w.first.Count == 0) {
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
