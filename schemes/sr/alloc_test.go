package sr

import (
	"testing"

	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/units"
)

// loop hands what a receiver says to its sender at once.
type loop struct {
	sender *Sender
	now    units.Time
	err    error
}

func (l *loop) Send(msg []byte) units.Time {
	if err := l.sender.HandleControl(l.now, msg); err != nil {
		l.err = err
	}
	return l.now
}

// lossyMessage moves a message in which every tenth chunk is lost once, by hand: everything is
// sent, what is missing is found by timeout or report, and repeated.
func lossyMessage(h *host, l *loop, here, there schemes.Transfer) error {
	h.send.Reset()
	h.recv.Reset()
	if err := h.receiver.Open(there); err != nil {
		return err
	}
	h.send.HandleCTS(h.recv.Posted())
	if err := h.sender.Open(here); err != nil {
		return err
	}
	work, _ := h.sender.NextSend(0)
	h.sender.HandleSent(work, us(1), packetTime)
	for chunk := int64(0); chunk < work.Handle.Chunks(); chunk++ {
		if chunk%10 != 0 {
			deliver(h, l, work, chunk*h.perChunk, us((chunk+1)*h.perChunk).Add(oneWay))
		}
	}
	l.now = l.now.Add(2 * rto)
	h.receiver.HandleTimeout(l.now)
	h.sender.HandleTimeout(l.now)
	for {
		again, ok := h.sender.NextSend(l.now)
		if !ok {
			return l.err
		}
		h.sender.HandleSent(again, l.now, packetTime)
		deliver(h, l, again, again.First, l.now.Add(packetTime))
	}
}

// deliver lets a chunk arrive, and polls where that is due.
func deliver(h *host, l *loop, work sdr.Work, first int64, at units.Time) {
	l.now = at
	run := work.Handle.Run(first, h.perChunk)
	run.Repeat = work.Repeat
	h.receiver.HandleArrival(at, h.recv.Deliver(&run))
	if due, ok := h.receiver.NextTimeout(); ok && due <= at {
		h.receiver.HandleTimeout(at)
	}
}

func TestMessageAllocatesNothing(t *testing.T) {
	for name, cfg := range map[string]Config{"timeouts": testConfig(), "reports": nackConfig()} {
		h := newHost(t, cfg, 4000, 4)
		l := &loop{sender: h.sender}
		here, there := h.here, h.there
		there.Control = l
		n := testing.AllocsPerRun(5, func() {
			l.now = 0
			if err := lossyMessage(h, l, here, there); err != nil || !h.sender.Done() {
				t.Fatalf("%s: %v; %s", name, err, h.sender.State())
			}
		})
		if c := h.sender.Counters(); c.Retransmits != 100 || n != 0 {
			t.Errorf("%s: %v allocations, %d retransmissions of 100", name, n, c.Retransmits)
		}
	}
}

func BenchmarkLossyMessage(b *testing.B) {
	for _, c := range []struct {
		name string
		cfg  Config
	}{{"timeouts", testConfig()}, {"reports", nackConfig()}} {
		b.Run(c.name, func(b *testing.B) {
			h := newHost(b, c.cfg, 4000, 4)
			l := &loop{sender: h.sender}
			here, there := h.here, h.there
			there.Control = l
			b.ReportAllocs()
			for b.Loop() {
				l.now = 0
				if err := lossyMessage(h, l, here, there); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
