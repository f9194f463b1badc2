package sdr

import (
	"testing"

	"sdrsim/link/wire"
	"sdrsim/sim/units"
)

// testConfig is the default of the tests: one packet a chunk, the default split.
func testConfig() QPConfig {
	return QPConfig{
		MTU: 4 * units.KiB, Chunk: 4 * units.KiB, Split: wire.DefaultSplit, Channels: 8, Generations: 4,
	}
}

// pair is a sender and a receiver, connected, each with memory for one message of size bytes.
type pair struct {
	send, recv     *QP
	sendMR, recvMR *MR
	size           units.Bytes
}

// must returns a value that the test knows to be there.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// newPair connects two queue pairs with virtual memory.
func newPair(t testing.TB, cfg QPConfig, size units.Bytes) *pair {
	t.Helper()
	return newPairOn(t, cfg, make([][]byte, 2), size)
}

// newPairOn connects two queue pairs, of which the sender's memory is bufs[0], the receiver's
// bufs[1].
func newPairOn(t testing.TB, cfg QPConfig, bufs [][]byte, size units.Bytes) *pair {
	t.Helper()
	here, there := must(NewContext(DeviceConfig{})), must(NewContext(DeviceConfig{}))
	p := &pair{
		send: must(here.CreateQP(cfg)), sendMR: must(here.RegisterMR(size, bufs[0])),
		recv: must(there.CreateQP(cfg)), recvMR: must(there.RegisterMR(size, bufs[1])),
		size: size,
	}
	for _, err := range []error{p.send.Connect(p.recv.Info()), p.recv.Connect(p.send.Info())} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// post posts the next receive and tells the sender.
func (p *pair) post(t testing.TB) *RecvHandle {
	h, err := p.recv.PostRecv(p.recvMR, 0, p.size)
	if err != nil {
		t.Fatalf("PostRecv: %v", err)
	}
	p.send.HandleCTS(p.recv.Posted())
	return h
}

// start starts the next send as a stream.
func (p *pair) start(t testing.TB) *SendHandle {
	h, err := p.send.StartStream(p.sendMR, 0, p.size, 0xC0FFEE42)
	if err != nil {
		t.Fatalf("StartStream: %v", err)
	}
	return h
}

// open posts a receive and starts the send that lands in it.
func (p *pair) open(t testing.TB) (*SendHandle, *RecvHandle) {
	r := p.post(t)
	return p.start(t), r
}

// deliver hands packets [first, first+count) of the send to the receiver, in as few runs as
// possible, and returns the last arrival.
func (p *pair) deliver(h *SendHandle, first, count int64) (a Arrival) {
	for end := first + count; first < end; first += a.Count {
		run := h.Run(first, end-first)
		a = p.recv.Deliver(&run)
	}
	return a
}

// carry delivers a piece of work whole.
func (p *pair) carry(w Work) {
	for first, end := w.First, w.First+w.Count; first < end; {
		run := w.Handle.Run(first, end-first)
		run.Repeat = w.Repeat
		p.recv.Deliver(&run)
		first += run.Count
	}
}

// lossless resets both ends and moves one message.
func (p *pair) lossless(t testing.TB) {
	p.send.Reset()
	p.recv.Reset()
	s, r := p.open(t)
	w, err := s.Continue(0, s.Chunks())
	if err != nil {
		t.Fatal(err)
	}
	p.carry(w)
	if !r.Bitmap().Full() {
		t.Fatal("chunks are missing")
	}
	if err := r.Complete(); err != nil {
		t.Fatal(err)
	}
	s.Release()
}
