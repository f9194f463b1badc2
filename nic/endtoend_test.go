package nic

import (
	"testing"

	"sdrsim/link"
	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/sim"
	"sdrsim/units"
	"sdrsim/wire"
)

// simplePair is two NICs with a scheme that has no recovery: the sender sends everything once, and
// the receiver acknowledges the whole. It shows what the NICs themselves cost.
type simplePair struct {
	engine      *sim.Engine
	a, b        *NIC
	there, back *link.Port
	qpA, qpB    *sdr.QP
	mrA, mrB    *sdr.MR
	sender      simpleSender
	receiver    simpleReceiver
	completed   units.Time
}

func newSimplePair(t testing.TB, maxRun int64, w Workers) *simplePair {
	p := &simplePair{engine: sim.New()}
	cfg := Config{SinglePackets: maxRun == 1}
	p.a = New(p.engine, cfg)
	cfg.Workers = w
	p.b = New(p.engine, cfg)
	wires := link.Config{Bandwidth: 8 * units.Gbps, Delay: 1000 * delay, Loss: link.None{},
		ControlLoss: link.None{}, MaxRun: maxRun}
	p.there, p.back = link.New(wires), link.New(wires)
	qp := sdr.QPConfig{MTU: mtu, Chunk: mtu, Split: wire.DefaultSplit, Channels: 4, Generations: 2}
	p.qpA, p.mrA = device(t, qp)
	p.qpB, p.mrB = device(t, qp)
	must(t, p.qpA.Connect(p.qpB.Info()))
	must(t, p.qpB.Connect(p.qpA.Info()))
	p.a.Connect(p.qpA, p.there, p.back.Inbox(), p)
	p.b.Connect(p.qpB, p.back, p.there.Inbox(), p)
	return p
}

// run moves a message of so many packets.
func (p *simplePair) run(packets int64) error {
	p.engine.Reset()
	p.there.Reset()
	p.back.Reset()
	p.a.Reset()
	p.b.Reset()
	p.qpA.Reset()
	p.qpB.Reset()
	size := units.Bytes(packets) * mtu
	r, err := p.qpB.PostRecv(p.mrB, 0, size)
	if err != nil {
		return err
	}
	p.qpA.HandleCTS(1)
	h, work, err := p.qpA.PostSend(p.mrA, 0, size, 0)
	if err != nil {
		return err
	}
	p.receiver = simpleReceiver{nic: p.b, handle: r}
	p.sender = simpleSender{work: work, handle: h}
	p.b.AddReceiver(0, &p.receiver)
	p.a.AddSender(0, 0, &p.sender)
	p.engine.Run()
	return nil
}

func (p *simplePair) SenderDone(now units.Time, _ Completion) { p.completed = now }

func (p *simplePair) ReceiverDone(units.Time, schemes.Delivery) {}

type simpleSender struct {
	schemes.RunSender // what is not needed panics
	handle            *sdr.SendHandle
	work              sdr.Work
	done              bool
}

func (s *simpleSender) Start(units.Time)                                {}
func (s *simpleSender) Err() error                                      { return nil }
func (s *simpleSender) Ready(units.Time) bool                           { return s.work.Count > 0 }
func (s *simpleSender) Urgent() bool                                    { return false }
func (s *simpleSender) HandleSent(sdr.Work, units.Time, units.Duration) {}
func (s *simpleSender) NextTimeout() (units.Time, bool)                 { return 0, false }
func (s *simpleSender) Done() bool                                      { return s.done }

func (s *simpleSender) NextSend(units.Time) (work sdr.Work, ok bool) {
	work, s.work = s.work, sdr.Work{}
	return work, work.Count > 0
}

func (s *simpleSender) HandleControl(units.Time, []byte) error {
	s.done = true
	return nil
}

type simpleReceiver struct {
	schemes.RunReceiver
	nic    *NIC
	handle *sdr.RecvHandle
	done   bool
	buf    [32]byte
}

func (r *simpleReceiver) NextTimeout() (units.Time, bool) { return 0, false }
func (r *simpleReceiver) DeliveredAt() (units.Time, bool) { return 0, r.done }
func (r *simpleReceiver) Done() bool                      { return r.done }

func (r *simpleReceiver) Quiet(a sdr.Arrival) (int64, bool) {
	return a.Count, r.handle.Missing() > a.Count
}

func (r *simpleReceiver) Patience(*sdr.RecvHandle) int64 { return r.handle.Missing() - 1 }

func (r *simpleReceiver) HandleArrival(units.Time, sdr.Arrival) {
	if r.handle.Missing() == 0 && !r.done {
		r.done = true
		r.nic.Send(wire.AppendAck(r.buf[:0], &wire.Ack{Cumulative: r.handle.Chunks(), Final: true}, 32))
	}
}

// An acknowledgement of 9 bytes arrives two delays after the last packet has left.
func TestMessageTakesInjectionAndRoundTrip(t *testing.T) {
	for _, maxRun := range []int64{0, 1, 7} {
		p := newSimplePair(t, maxRun, Workers{})
		must(t, p.run(20_000))
		want := us(20_000 + 2*10_000).Add(9 * units.Nanosecond)
		if p.completed != want {
			t.Errorf("runs of at most %d: completed at %v, want %v", maxRun, p.completed, want)
		}
	}
}

func TestMessageAllocatesNothing(t *testing.T) {
	slow := Workers{Count: 2, Channels: 2, PerPacket: packetTime, PerChunk: packetTime / 2}
	for _, c := range []struct {
		maxRun int64
		w      Workers
	}{{0, Workers{}}, {1, Workers{}}, {0, slow}, {1, slow}} {
		p := newSimplePair(t, c.maxRun, c.w)
		n := testing.AllocsPerRun(20, func() { must(t, p.run(3000)) })
		if n != 0 {
			t.Errorf("runs of at most %d, %d workers: %v allocations a message", c.maxRun, c.w.Count, n)
		}
	}
}

// BenchmarkMessage is the cost of a message of 20 000 packets, end to end: in runs, in single
// packets, and with workers that cost time.
func BenchmarkMessage(b *testing.B) {
	slow := Workers{Count: 16, Channels: 16, PerPacket: packetTime, PerChunk: packetTime}
	for _, c := range []struct {
		name   string
		maxRun int64
		w      Workers
	}{{"runs", 0, Workers{}}, {"packets", 1, Workers{}}, {"workers", 0, slow}} {
		b.Run(c.name, func(b *testing.B) {
			const packets = 20_000
			p := newSimplePair(b, c.maxRun, c.w)
			b.ReportAllocs()
			for b.Loop() {
				if err := p.run(packets); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*packets), "ns/packet")
			b.ReportMetric(float64(p.engine.Events()), "events/op")
		})
	}
}
