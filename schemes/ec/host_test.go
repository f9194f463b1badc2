package ec

import (
	"bytes"
	"math/rand/v2"

	"sdrsim/schemes"
	"sdrsim/schemes/ec/code"
	"sdrsim/schemes/sr"
	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// A host without a simulator: the state machines, two queue pairs, and lists of what was sent. It
// shows that the code runs wherever someone pumps.

const (
	testRTT        = units.Millisecond
	testPacketTime = units.Microsecond
	testMTU        = 64 * units.Byte
)

func mds(k, m int) (code.Coder, error) { return code.NewMDS(k, m) }
func xor(k, m int) (code.Coder, error) { return code.NewXOR(k, m) }

// testConfig is (k, m) with the defaults, but that an acknowledgement is said once.
func testConfig(coder func(k, m int) (code.Coder, error), k, m int) Config {
	return Config{
		NewCoder: coder, DataChunks: k, ParityChunks: m, Beta: units.RTTs(units.RTTUnit),
		Fallback: FallbackSubmessage, Order: OrderParityLast,
		SR: sr.Config{RTO: units.RTTs(3 * units.RTTUnit), Retries: 5, Ack: sr.AckConfig{
			Interval: units.RTTs(units.RTTUnit / 16), Size: 4096,
		}},
	}
}

// fatal is what a host needs of a test, of testing or of rapid.
type fatal interface {
	Helper()
	Fatalf(format string, args ...any)
}

// mailbox keeps control messages until they are taken.
type mailbox struct {
	bytes []byte
	ends  []int
}

func (m *mailbox) Send(msg []byte) units.Time {
	m.bytes = append(m.bytes, msg...)
	m.ends = append(m.ends, len(m.bytes))
	return 0
}

// each hands out the messages and forgets them.
func (m *mailbox) each(take func(msg []byte)) {
	from := 0
	for _, end := range m.ends {
		take(m.bytes[from:end])
		from = end
	}
	m.bytes, m.ends = m.bytes[:0], m.ends[:0]
}

// host is a sender and a receiver of one message.
type host struct {
	t        fatal
	cfg      Config
	sender   *Sender
	receiver *Receiver
	from, to *sdr.QP
	out, in  []byte // nil with virtual payload
	path     schemes.Path
	send     schemes.Transfer
	recv     schemes.Transfer
	answers  mailbox // of the receiver
	packets  []packet
	patience patience
}

// patience is what is left of that which the receiver has had for the receive of which packets
// arrived last, until its deadline.
type patience struct {
	of    *sdr.RecvHandle
	owed  int64
	until units.Time
}

// deliver is an arrival, at which the receiver is held to its patience.
func (h *host) deliver(now units.Time, run *wire.Run) sdr.Arrival {
	p := &h.patience
	recv := h.to.Preview(run).Recv
	if p.until != h.deadline(h.receiver) || p.of != recv {
		p.owed = 0
	}
	p.of, p.until = recv, h.deadline(h.receiver)
	if recv != nil {
		p.owed = max(p.owed, h.receiver.Patience(recv))
	}
	said, done := len(h.answers.ends), h.receiver.Done()
	a := h.to.Deliver(run)
	if a.Recv == nil {
		return a
	}
	h.receiver.HandleArrival(now, a)
	if p.owed -= a.Count; p.owed < 0 {
		p.owed = 0
	} else if len(h.answers.ends) > said || h.receiver.Done() != done ||
		h.deadline(h.receiver) != p.until {
		h.t.Fatalf("a patient receiver has spoken")
	}
	return a
}

// packet is one packet that has left.
type packet struct {
	run    wire.Run
	depart units.Time // last bit
	parity bool
}

// shape is a message and how it is divided.
type shape struct {
	size     units.Bytes
	mtu      units.Bytes // 0: testMTU
	perChunk int64       // packets; 0: one
	real     bool        // payload
}

func newHost(t fatal, cfg Config, s shape) *host {
	t.Helper()
	if s.mtu == 0 {
		s.mtu = testMTU
	}
	s.perChunk = max(s.perChunk, 1)
	h := &host{t: t, cfg: cfg, path: schemes.Path{RTT: testRTT, PacketTime: testPacketTime}}
	if s.real {
		h.out, h.in = make([]byte, s.size), make([]byte, s.size)
		random := rand.New(rand.NewPCG(1, uint64(s.size)))
		for i := range h.out {
			h.out[i] = byte(random.Uint32())
		}
	}
	qp := sdr.QPConfig{MTU: s.mtu, Chunk: units.Bytes(s.perChunk) * s.mtu, Split: wire.DefaultSplit,
		Channels: 8, Generations: 4}
	h.from, h.send = h.device(qp, s.size, h.out)
	h.to, h.recv = h.device(qp, s.size, h.in)
	h.must(h.from.Connect(h.to.Info()))
	h.must(h.to.Connect(h.from.Info()))
	var err error
	h.sender, err = NewSender(&cfg)
	h.must(err)
	h.receiver, err = NewReceiver(&cfg)
	h.must(err)
	h.recv.Control = &h.answers
	h.open()
	return h
}

func (h *host) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatalf("%v", err)
	}
}

// device makes one end of the connection.
func (h *host) device(cfg sdr.QPConfig, size units.Bytes, buf []byte) (*sdr.QP, schemes.Transfer) {
	ctx, err := sdr.NewContext(sdr.DeviceConfig{})
	h.must(err)
	qp, err := ctx.CreateQP(cfg)
	h.must(err)
	mr, err := ctx.RegisterMR(size, buf)
	h.must(err)
	return qp, schemes.Transfer{Serial: 7, QP: qp, Context: ctx, MR: mr, Size: size, Path: h.path}
}

// open starts on the message, or on the same one again.
func (h *host) open() {
	h.t.Helper()
	h.from.Reset()
	h.to.Reset()
	h.answers.each(func([]byte) {})
	h.packets = h.packets[:0]
	h.must(h.receiver.Open(h.recv))
	h.from.HandleCTS(h.to.Posted())
	h.must(h.sender.Open(h.send))
	h.sender.Start(0)
}

// pump sends all that the sender wants to send, back to back from now on, and returns the packets.
func (h *host) pump(now units.Time) []packet {
	h.packets = h.packets[:0]
	for w, ok := h.next(now); ok; w, ok = h.next(now) {
		now = h.transmit(now, w)
	}
	return h.packets
}

// next asks the sender for work, and makes sure that it knew of it.
func (h *host) next(now units.Time) (sdr.Work, bool) {
	ready := h.sender.Ready(now)
	w, ok := h.sender.NextSend(now)
	if ok != ready {
		h.t.Fatalf("ready %v, but work %v: %s", ready, ok, h.sender.State())
	}
	return w, ok
}

// transmit sends a piece of work from now on and returns when its last packet has left.
func (h *host) transmit(now units.Time, w sdr.Work) units.Time {
	for first, end := w.First, w.First+w.Count; first < end; {
		run := w.Handle.Run(first, end-first)
		run.Repeat = w.Repeat
		part := w
		part.First, part.Count = first, run.Count
		h.sender.HandleSent(part, now.Add(testPacketTime), testPacketTime)
		for i := range run.Count {
			now = now.Add(testPacketTime)
			h.packets = append(h.packets, packet{depart: now, parity: w.Handle.Index()%2 == 1,
				run: run.Sub(i, 1)})
		}
		first += run.Count
	}
	return now
}

// arrives hands packets to the receiver, each half a round trip after it has left.
func (h *host) arrives(list ...packet) {
	for _, p := range list {
		h.arrivesAt(p.depart.Add(testRTT/2), p)
	}
}

func (h *host) arrivesAt(now units.Time, p packet) {
	var n int64
	silent := true
	if a := h.to.Preview(&p.run); a.Recv != nil {
		n, silent = h.receiver.Quiet(a)
	}
	said, done := len(h.answers.ends), h.receiver.Done()
	h.deliver(now, &p.run)
	if spoke := len(h.answers.ends) > said || h.receiver.Done() != done; n > 1 || silent && spoke {
		h.t.Fatalf("%d quiet packets of one, silent %v, but spoke %v", n, silent, spoke)
	}
}

// answer returns the only control message that the receiver has sent since, nil if there is none.
func (h *host) answer() []byte {
	h.t.Helper()
	var found []byte
	h.answers.each(func(msg []byte) {
		if found != nil {
			h.t.Fatalf("two control messages, %x after %x", msg, found)
		}
		found = bytes.Clone(msg)
	})
	return found
}

// wantAck decodes an acknowledgement.
func (h *host) wantAck(msg []byte) (a wire.Ack) {
	h.t.Helper()
	if msg == nil {
		h.t.Fatalf("no acknowledgement")
	}
	h.must(wire.DecodeAck(msg, &a))
	return a
}

// wantNack decodes a report.
func (h *host) wantNack(msg []byte) (n wire.Nack) {
	h.t.Helper()
	if msg == nil {
		h.t.Fatalf("no report")
	}
	h.must(wire.DecodeNack(msg, &n))
	return n
}

// deadline is the next timeout of an endpoint.
func (h *host) deadline(ep schemes.Endpoint) units.Time {
	if at, ok := ep.NextTimeout(); ok {
		return at
	}
	return units.Never
}

// without leaves out the packets for which drop holds.
func without(list []packet, drop func(p packet) bool) (rest []packet) {
	for _, p := range list {
		if !drop(p) {
			rest = append(rest, p)
		}
	}
	return rest
}

// data reports whether a packet is one of the given packets of data.
func data(offsets ...int64) func(p packet) bool {
	return func(p packet) bool {
		for _, i := range offsets {
			if !p.parity && p.run.First == i {
				return true
			}
		}
		return false
	}
}
