package nic

import (
	"fmt"

	"sdrsim/link"
	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/sim"
	"sdrsim/units"
	"sdrsim/wire"
)

// The links of the tests: a full packet takes a microsecond, the way ten; a control message of a
// hundred bytes takes a tenth.
const (
	mtu        units.Bytes = 1000
	packetTime             = units.Microsecond
	delay                  = 10 * units.Microsecond
)

func us(n int64) units.Time { return units.Time(n) * units.Time(units.Microsecond) }

// reporter is what tests and properties have in common.
type reporter interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// stand is a NIC on the bench: what it sends is written down, what it receives comes from the
// test, and its endpoints do as they are told.
type stand struct {
	t       reporter
	engine  *sim.Engine
	nic     *NIC
	out, in *link.Port
	// qp is that of the NIC, peer that of the other end.
	qp, peer     *sdr.QP
	here, there  *sdr.MR
	log          []string
	onSenderDone func(now units.Time, c Completion)
}

// quietSink takes no notice.
type quietSink struct{}

func (quietSink) ArrivalsChanged() {}

// standConfig is what tests vary.
type standConfig struct {
	nic      Config
	perChunk int64
	maxRun   int64
	loss     link.LossModel // of what the NIC receives
}

func newStand(t reporter, c standConfig) *stand {
	s := &stand{t: t, engine: sim.New()}
	s.nic = New(s.engine, c.nic)
	cfg := link.Config{Bandwidth: 8 * units.Gbps, Delay: delay, Loss: link.None{},
		ControlLoss: link.None{}, MaxRun: c.maxRun}
	s.out = link.New(cfg)
	s.out.Inbox().SetSink(quietSink{})
	if c.loss != nil {
		cfg.Loss = c.loss
	}
	s.in = link.New(cfg)
	qp := sdr.QPConfig{MTU: mtu, Chunk: mtu * units.Bytes(max(c.perChunk, 1)),
		Split:    wire.DefaultSplit,
		Channels: 4, Generations: 2}
	s.qp, s.here = device(t, qp)
	s.peer, s.there = device(t, qp)
	must(t, s.qp.Connect(s.peer.Info()))
	must(t, s.peer.Connect(s.qp.Info()))
	s.nic.Connect(s.qp, s.out, s.in.Inbox(), s)
	return s
}

func device(t reporter, cfg sdr.QPConfig) (*sdr.QP, *sdr.MR) {
	ctx, err := sdr.NewContext(sdr.DeviceConfig{})
	must(t, err)
	qp, err := ctx.CreateQP(cfg)
	must(t, err)
	mr, err := ctx.RegisterMR(1<<28, nil)
	must(t, err)
	return qp, mr
}

func must(t reporter, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (s *stand) note(format string, args ...any) {
	s.log = append(s.log, fmt.Sprintf(format, args...))
}

// SenderDone notes the end of a message.
func (s *stand) SenderDone(now units.Time, c Completion) {
	s.note("sender %d done at %v, started at %v", c.Serial, now, c.Started)
	if s.onSenderDone != nil {
		s.onSenderDone(now, c)
	}
}

// ReceiverDone notes the delivery of a message.
func (s *stand) ReceiverDone(now units.Time, d schemes.Delivery) {
	s.note("receiver %d done at %v", d.Tag, now)
}

// event lets a function be an event.
type event func(now units.Time)

func (e event) Fire(now units.Time) { e(now) }

// at does something at a time.
func (s *stand) at(at units.Time, f func(now units.Time)) { s.engine.At(at, event(f)) }

// outgoing starts a message of the NIC's own, of so many full packets.
func (s *stand) outgoing(packets int64) *sdr.SendHandle {
	return connect(s.t, s.qp, s.here, s.peer, s.there, packets)
}

// connect posts a receive at one end and starts the send that lands in it at the other.
func connect(t reporter, from *sdr.QP, src *sdr.MR, to *sdr.QP, dst *sdr.MR,
	packets int64,
) *sdr.SendHandle {
	_, err := to.PostRecv(dst, 0, units.Bytes(packets)*mtu)
	must(t, err)
	from.HandleCTS(to.Posted())
	h, err := from.StartStream(src, 0, units.Bytes(packets)*mtu, 0)
	must(t, err)
	return h
}

// incoming posts a receive of the NIC's own with a tag, and starts the send that lands in it.
func (s *stand) incoming(tag, packets int64) (*sdr.RecvHandle, *sdr.SendHandle) {
	r, err := s.qp.PostRecv(s.here, 0, units.Bytes(packets)*mtu)
	must(s.t, err)
	r.SetTag(tag)
	s.peer.HandleCTS(s.qp.Posted())
	h, err := s.peer.StartStream(s.there, 0, units.Bytes(packets)*mtu, 0)
	must(s.t, err)
	return r, h
}

// inject puts packets of the peer's message on the wire to the NIC.
func (s *stand) inject(now units.Time, h *sdr.SendHandle, first, count int64, repeat bool) {
	for count > 0 {
		run := h.Run(first, count)
		run.Repeat = repeat
		took := s.in.Transmit(max(now, s.in.FreeAt()), &run)
		first, count = first+took, count-took
	}
}

// sentOut is a packet or a control message that the NIC has sent.
type sentOut struct {
	serial, packet int64
	repeat         bool
	control        string
	left           units.Time
}

func (o sentOut) String() string {
	switch {
	case o.control != "":
		return fmt.Sprintf("%s@%v", o.control, o.left)
	case o.repeat:
		return fmt.Sprintf("again %d:%d@%v", o.serial, o.packet, o.left)
	}
	return fmt.Sprintf("%d:%d@%v", o.serial, o.packet, o.left)
}

// wire is everything that the NIC has sent, in order. It ends what is under way.
func (s *stand) wire() (out []sentOut) {
	in := s.out.Inbox()
	in.Flush()
	for f := in.Head(); f != nil; f = in.Head() {
		if f.IsControl() {
			out = append(out, sentOut{control: string(f.Control[:3]), left: f.Arrive.Add(-delay)})
		}
		for i := range f.Run.Count {
			p := f.Run.First + i
			out = append(out, sentOut{serial: f.Run.Serial, packet: p, repeat: f.Run.Repeat,
				left: f.Run.DepartureOf(p).Add(-delay)})
		}
		in.Pop()
	}
	return out
}

// message is a control message of a hundred bytes that begins with a name of three.
func message(name string) []byte { return append([]byte(name), make([]byte, 97)...) }

// scriptedSender sends what it is told to send.
type scriptedSender struct {
	stand  *stand
	serial int64
	handle *sdr.SendHandle
	// firsts and repeats wait to be handed out.
	firsts, repeats []sdr.Work
	// sent is what the host has reported, less what it has taken back.
	sent []sentOut
	last int64 // packets of the last report
	wake units.Time
	// onWake and onControl are what to do then; nil does nothing.
	onWake    func(now units.Time)
	onControl func(now units.Time, msg []byte) error
	done      bool
	err       error
	startedAt units.Time
}

// newSender is a sender of a message of so many packets, all of which wait to be sent.
func (s *stand) newSender(packets int64) *scriptedSender {
	h := s.outgoing(packets)
	return &scriptedSender{stand: s, serial: h.Index(), handle: h, wake: units.Never,
		firsts: []sdr.Work{{Handle: h, Count: packets}}}
}

// host adds the sender to the NIC.
func (s *scriptedSender) host(now units.Time) {
	s.stand.nic.AddSender(now, uint32(s.serial), s)
}

// again asks for packets to be repeated.
func (s *scriptedSender) again(first, count int64) {
	s.repeats = append(s.repeats, sdr.Work{Handle: s.handle, First: first, Count: count, Repeat: true})
}

func (s *scriptedSender) Open(schemes.Transfer) error { return nil }

func (s *scriptedSender) Start(now units.Time) { s.startedAt = now }

func (s *scriptedSender) Ready(units.Time) bool {
	return !s.done && len(s.firsts)+len(s.repeats) > 0
}

func (s *scriptedSender) Urgent() bool { return !s.done && len(s.repeats) > 0 }

func (s *scriptedSender) NextSend(now units.Time) (work sdr.Work, ok bool) {
	if !s.Ready(now) {
		return work, false
	}
	from := &s.firsts
	if s.Urgent() {
		from = &s.repeats
	}
	work, *from = (*from)[0], (*from)[1:]
	return work, true
}

func (s *scriptedSender) HandleSent(part sdr.Work, depart units.Time, spacing units.Duration) {
	s.last = part.Count
	for i := range part.Count {
		s.sent = append(s.sent, sentOut{serial: s.serial, packet: part.First + i,
			repeat: part.Repeat, left: depart.Add(units.Duration(i) * spacing)})
	}
}

func (s *scriptedSender) Unsend(count int64) {
	if count < 1 || count > s.last {
		s.stand.t.Fatalf("%d packets are taken back of %d", count, s.last)
	}
	s.last -= count
	s.sent = s.sent[:int64(len(s.sent))-count]
}

func (s *scriptedSender) HandleControl(now units.Time, msg []byte) error {
	s.stand.note("sender %d got %d bytes at %v", s.serial, len(msg), now)
	if s.onControl == nil {
		return nil
	}
	return s.onControl(now, msg)
}

// DefersControl implements schemes.ControlDeferrer.
func (s *scriptedSender) DefersControl() {}

func (s *scriptedSender) HandleTimeout(now units.Time) {
	if now >= s.wake {
		s.wake = units.Never
		s.onWake(now)
	}
}

func (s *scriptedSender) NextTimeout() (units.Time, bool) {
	return s.wake, s.wake != units.Never && !s.done
}

func (s *scriptedSender) Done() bool                       { return s.done }
func (s *scriptedSender) Err() error                       { return s.err }
func (s *scriptedSender) State() string                    { return "scripted sender" }
func (s *scriptedSender) Counters() schemes.SenderCounters { return schemes.SenderCounters{} }

// scriptedReceiver notes what arrives.
type scriptedReceiver struct {
	stand  *stand
	tag    int64
	handle *sdr.RecvHandle
	// quiet answers Quiet; nil is quiet about nothing.
	quiet    func(a sdr.Arrival) (int64, bool)
	patience int64 // what Patience answers
	onArrive func(now units.Time, a sdr.Arrival)
	wake     units.Time
	onWake   func(now units.Time)
	done     bool
}

// newReceiver hosts a receiver for a message of so many packets, and returns the peer's send.
func (s *stand) newReceiver(tag, packets int64) (*scriptedReceiver, *sdr.SendHandle) {
	r, h := s.incoming(tag, packets)
	ep := &scriptedReceiver{stand: s, tag: tag, handle: r, wake: units.Never}
	s.nic.AddReceiver(tag, ep)
	return ep, h
}

func (r *scriptedReceiver) Open(schemes.Transfer) error { return nil }

func (r *scriptedReceiver) Quiet(a sdr.Arrival) (int64, bool) {
	if r.quiet == nil {
		return 1, false
	}
	return r.quiet(a)
}

func (r *scriptedReceiver) Patience(*sdr.RecvHandle) int64 { return r.patience }

func (r *scriptedReceiver) HandleArrival(now units.Time, a sdr.Arrival) {
	r.stand.note("%d:%d+%d@%v", r.tag, a.First, a.Count, now)
	if r.onArrive != nil {
		r.onArrive(now, a)
	}
}

func (r *scriptedReceiver) HandleTimeout(now units.Time) {
	if now >= r.wake {
		r.wake = units.Never
		r.stand.note("wake %d@%v", r.tag, now)
		if r.onWake != nil {
			r.onWake(now)
		}
	}
}

func (r *scriptedReceiver) NextTimeout() (units.Time, bool) { return r.wake, r.wake != units.Never }

func (r *scriptedReceiver) HandleControl(units.Time, []byte) error { return nil }

func (r *scriptedReceiver) Done() bool                      { return r.done }
func (r *scriptedReceiver) State() string                   { return "scripted receiver" }
func (r *scriptedReceiver) DeliveredAt() (units.Time, bool) { return 0, r.done }

func (r *scriptedReceiver) Counters() schemes.ReceiverCounters { return schemes.ReceiverCounters{} }
