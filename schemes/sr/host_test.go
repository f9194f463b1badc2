package sr

import (
	"testing"

	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// The path of the tests, in round numbers: a packet takes a microsecond, a round trip a hundred.
const (
	packetTime = units.Microsecond
	oneWay     = 50 * units.Microsecond
	roundTrip  = 2 * oneWay
	mtu        = 4 * units.KiB
	pollEvery  = 10 * units.Microsecond
)

// rto is three round trips, as in the evaluation: alpha is 2. arXiv:2505.05366 §5
const rto = 3 * roundTrip

func testPath() schemes.Path { return schemes.Path{RTT: roundTrip, PacketTime: packetTime} }

// testConfig is Selective Repeat with timeouts only.
func testConfig() Config {
	return Config{
		RTO: units.Span{Fixed: rto}, Retries: 5,
		Ack:       AckConfig{Interval: units.Span{Fixed: pollEvery}, Repeat: 2, Size: 4 * units.KiB},
		NackSlack: units.Span{Fixed: 5 * units.Microsecond},
	}
}

// nackConfig is Selective Repeat with reports of holes.
func nackConfig() Config {
	c := testConfig()
	c.Nack = true
	return c
}

// host runs a sender and a receiver by hand, with no simulator around: a clock that jumps to the
// next thing to do, a wire that carries one packet at a time, and a list of what is under way. It
// leaves Quiet and Unsend alone, as a program with a socket would.
type host struct {
	t        testing.TB
	now      units.Time
	sender   *Sender
	receiver *Receiver
	send     *sdr.QP
	recv     *sdr.QP
	perChunk int64

	free   units.Time // when the wire is idle again
	first  sdr.Work   // what is being sent; First and Count are what is left of it
	repeat sdr.Work
	flying []packet
	acks   []control

	// lose and loseControl tell what the wire drops; nil drops nothing.
	lose        func(packet int64, transmission int) bool
	loseControl func(c control) bool

	here, there schemes.Transfer // what the two ends were opened with

	sent     map[int64]int // transmissions of each packet
	packets  []packet      // everything that was sent
	controls []control     // everything that was said
}

// packet is one packet on the wire.
type packet struct {
	run          wire.Run
	arrive       units.Time
	transmission int
	lost         bool
}

// control is a control message on its way back.
type control struct {
	number int // of those the receiver has sent, from 0
	msg    []byte
	sent   units.Time
	arrive units.Time
	lost   bool
}

// ack decodes an acknowledgement; ok is false where the message is another.
func (c control) ack() (a wire.Ack, ok bool) {
	err := wire.DecodeAck(c.msg, &a)
	return a, err == nil
}

// nack decodes a report of holes; ok is false where the message is another.
func (c control) nack() (n wire.Nack, ok bool) {
	err := wire.DecodeNack(c.msg, &n)
	return n, err == nil
}

// Send takes what the receiver says.
func (h *host) Send(msg []byte) units.Time {
	c := control{number: len(h.controls), msg: append([]byte(nil), msg...), sent: h.now,
		arrive: h.now.Add(oneWay)}
	c.lost = h.loseControl != nil && h.loseControl(c)
	h.controls = append(h.controls, c)
	if !c.lost {
		h.acks = append(h.acks, c)
	}
	return h.now
}

// newHost connects a sender and a receiver with a message of so many packets.
func newHost(t testing.TB, cfg Config, packets, perChunk int64) *host {
	h := &host{t: t, perChunk: perChunk, sent: map[int64]int{},
		sender: NewSender(&cfg), receiver: NewReceiver(&cfg)}
	qp := sdr.QPConfig{MTU: mtu, Chunk: mtu * units.Bytes(perChunk), Split: wire.DefaultSplit,
		Channels: 1, Generations: 4}
	var here, there *sdr.MR
	size := units.Bytes(packets) * mtu
	h.send, here = device(t, qp, size)
	h.recv, there = device(t, qp, size)
	check(t, h.send.Connect(h.recv.Info()))
	check(t, h.recv.Connect(h.send.Info()))
	h.open(schemes.Transfer{Serial: 7, QP: h.send, MR: here, Size: size},
		schemes.Transfer{Serial: 7, QP: h.recv, MR: there, Size: size})
	return h
}

// open posts the receive, tells the sender, and opens both ends.
func (h *host) open(here, there schemes.Transfer) {
	here.Path, there.Path = testPath(), testPath()
	here.Control, there.Control = silence{}, h
	h.here, h.there = here, there
	check(h.t, h.receiver.Open(there))
	h.send.HandleCTS(h.recv.Posted())
	check(h.t, h.sender.Open(here))
	h.sender.Start(h.now)
}

// silence is the control channel of a sender, which says nothing.
type silence struct{}

func (silence) Send([]byte) units.Time {
	panic("BUG: a sender of selective repeat sends no control messages")
}

func device(t testing.TB, cfg sdr.QPConfig, size units.Bytes) (*sdr.QP, *sdr.MR) {
	ctx, err := sdr.NewContext(sdr.DeviceConfig{})
	check(t, err)
	qp, err := ctx.CreateQP(cfg)
	check(t, err)
	mr, err := ctx.RegisterMR(size, nil)
	check(t, err)
	return qp, mr
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// run goes on until the sender is done, and returns when.
func (h *host) run() units.Time {
	h.t.Helper()
	h.until(func() bool { return h.sender.Done() })
	return h.now
}

// until goes on until something is the case.
func (h *host) until(over func() bool) {
	h.t.Helper()
	for steps := 0; ; steps++ {
		if h.step(); over() {
			return
		}
		if h.now = h.next(); h.now == units.Never || steps == 1_000_000 {
			h.t.Fatalf("stuck at %v: %s; %s", h.now, h.sender.State(), h.receiver.State())
		}
	}
}

// step does everything that is due now: what has arrived, then what is overdue, then the next
// packet.
func (h *host) step() {
	h.arrive()
	h.timeouts()
	h.transmit()
}

// timeouts does what is overdue.
func (h *host) timeouts() {
	if at, ok := h.sender.NextTimeout(); ok && at <= h.now {
		h.sender.HandleTimeout(h.now)
	}
	if at, ok := h.receiver.NextTimeout(); ok && at <= h.now {
		h.receiver.HandleTimeout(h.now)
	}
}

// arrive takes what has come in by now.
func (h *host) arrive() {
	for len(h.flying) > 0 && h.flying[0].arrive <= h.now {
		p := h.flying[0]
		h.flying = h.flying[1:]
		a := h.recv.Deliver(&p.run)
		if a.Recv != nil {
			h.receiver.HandleArrival(h.now, a)
		}
	}
	for len(h.acks) > 0 && h.acks[0].arrive <= h.now {
		c := h.acks[0]
		h.acks = h.acks[1:]
		check(h.t, h.sender.HandleControl(h.now, c.msg))
	}
}

// transmit puts the next packet on the wire; repeats interrupt first transmissions.
func (h *host) transmit() {
	if h.now < h.free {
		return
	}
	if h.repeat.Count == 0 && h.sender.Urgent() {
		h.repeat = h.ask(true)
	}
	if h.repeat.Count == 0 && h.first.Count == 0 {
		h.first = h.ask(false)
	}
	switch {
	case h.repeat.Count > 0:
		h.put(&h.repeat)
	case h.first.Count > 0:
		h.put(&h.first)
	}
}

// ask takes work from the sender, which must be repeats where those are urgent, and only there.
func (h *host) ask(repeats bool) sdr.Work {
	ready := h.sender.Ready(h.now)
	work, ok := h.sender.NextSend(h.now)
	if ready != ok {
		h.t.Fatalf("at %v the sender is ready: %v, and hands out %+v", h.now, ready, work)
	}
	if ok && work.Repeat != repeats {
		h.t.Fatalf("at %v the sender hands out %+v, repeats: %v", h.now, work, repeats)
	}
	return work
}

// put sends the first packet of the work.
func (h *host) put(work *sdr.Work) {
	p := packet{run: work.Handle.Run(work.First, 1)}
	p.run.Repeat = work.Repeat
	h.free = h.now.Add(packetTime)
	p.run.Depart, p.run.Spacing = h.free, packetTime
	p.arrive = p.run.Depart.Add(oneWay)
	h.sent[work.First]++
	p.transmission = h.sent[work.First]
	p.lost = h.lose != nil && h.lose(work.First, p.transmission)
	h.packets = append(h.packets, p)
	if !p.lost {
		h.flying = append(h.flying, p)
	}
	part := *work
	part.Count = 1
	h.sender.HandleSent(part, p.run.Depart, packetTime)
	work.First++
	work.Count--
}

// next is the next instant at which there is something to do.
func (h *host) next() units.Time {
	at := units.Never
	if len(h.flying) > 0 {
		at = min(at, h.flying[0].arrive)
	}
	if len(h.acks) > 0 {
		at = min(at, h.acks[0].arrive)
	}
	if due, ok := h.sender.NextTimeout(); ok {
		at = min(at, due)
	}
	if due, ok := h.receiver.NextTimeout(); ok {
		at = min(at, due)
	}
	if h.free > h.now && (h.first.Count > 0 || h.repeat.Count > 0 || h.sender.Urgent()) {
		at = min(at, h.free)
	}
	return max(at, h.now)
}

// losePackets drops the given transmission of the given packets.
func losePackets(transmission int, packets ...int64) func(int64, int) bool {
	return func(p int64, n int) bool {
		for _, lost := range packets {
			if p == lost && n == transmission {
				return true
			}
		}
		return false
	}
}

// us is a time in microseconds.
func us(n int64) units.Time { return units.Time(n) * units.Time(units.Microsecond) }

// wantTime fails the test where something did not happen when it should.
func wantTime(t testing.TB, what string, got, want units.Time) {
	t.Helper()
	if got != want {
		t.Errorf("%s at %v, want %v", what, got, want)
	}
}

// acknowledgements are all acknowledgements that the receiver has sent.
func (h *host) acknowledgements() (out []wire.Ack) {
	for _, c := range h.controls {
		if a, ok := c.ack(); ok {
			out = append(out, a)
		}
	}
	return out
}

// reports are all reports of holes that the receiver has sent.
func (h *host) reports() (out []control) {
	for _, c := range h.controls {
		if _, ok := c.nack(); ok {
			out = append(out, c)
		}
	}
	return out
}
