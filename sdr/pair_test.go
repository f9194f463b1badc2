package sdr

import (
	"sdrsim/units"
	"sdrsim/wire"
)

// testConfig is the default of the tests: one packet a chunk, the default split.
func testConfig() QPConfig {
	return QPConfig{
		MTU: 4 * units.KiB, Chunk: 4 * units.KiB, Split: wire.DefaultSplit, Channels: 8, Generations: 4,
	}
}

// must returns a value that the test knows to be there.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// pair is a sender and a receiver, connected, each with memory for one message of size bytes.
type pair struct {
	send, recv     *QP
	sendMR, recvMR *MR
	size           units.Bytes
}

// newPair connects two queue pairs with virtual memory.
func newPair(cfg QPConfig, size units.Bytes) *pair { return newPairOn(cfg, nil, nil, size) }

// newPairOn connects two queue pairs with the memory of the sender and of the receiver.
func newPairOn(cfg QPConfig, from, to []byte, size units.Bytes) *pair {
	here, there := must(NewContext(DeviceConfig{})), must(NewContext(DeviceConfig{}))
	p := &pair{
		send: must(here.CreateQP(cfg)), sendMR: must(here.RegisterMR(size, from)),
		recv: must(there.CreateQP(cfg)), recvMR: must(there.RegisterMR(size, to)),
		size: size,
	}
	for _, err := range []error{p.send.Connect(p.recv.Info()), p.recv.Connect(p.send.Info())} {
		if err != nil {
			panic(err)
		}
	}
	return p
}

// post posts the next receive and tells the sender.
func (p *pair) post() *RecvHandle {
	h := must(p.recv.PostRecv(p.recvMR, 0, p.size))
	p.send.HandleCTS(p.recv.Posted())
	return h
}

// userImm is the user immediate of every message that start starts.
const userImm = 0xC0FFEE42

// start starts the next send as a stream.
func (p *pair) start() *SendHandle {
	return must(p.send.StartStream(p.sendMR, 0, p.size, userImm))
}

// open posts a receive and starts the send that lands in it.
func (p *pair) open() (*SendHandle, *RecvHandle) {
	r := p.post()
	return p.start(), r
}

// deliver hands packets [first, first+count) of the send to the receiver, in as few runs as
// possible, and returns the last arrival.
func (p *pair) deliver(h *SendHandle, first, count int64) (a Arrival) {
	return p.carry(Work{Handle: h, First: first, Count: count})
}

// carry delivers a piece of work whole and returns the last arrival.
func (p *pair) carry(w Work) (a Arrival) {
	for first, end := w.First, w.First+w.Count; first < end; {
		run := w.Handle.Run(first, end-first)
		run.Repeat = w.Repeat
		a = p.recv.Deliver(&run)
		first += run.Count
	}
	return a
}

// lossless resets both ends and moves one message.
func (p *pair) lossless() {
	p.send.Reset()
	p.recv.Reset()
	s, r := p.open()
	p.carry(must(s.Continue(0, s.Chunks())))
	if !r.Bitmap().Full() || r.Complete() != nil {
		panic("the message is not whole")
	}
	s.Release()
}
