package link

import (
	"testing"

	"sdrsim/sim"
	"sdrsim/units"
	"sdrsim/wire"
)

// benchLink is a link that loses packets with probability p.
func benchLink(p float64, maxRun int64) *Port {
	loss := &IID{P: p}
	loss.Reset(sim.NewStream(1, "bench", 0))
	l := New(Config{Bandwidth: 400 * units.Gbps, Delay: 12500 * units.Microsecond, Loss: loss,
		ControlLoss: None{}, MaxRun: maxRun})
	l.Inbox().SetSink(new(notes))
	return l
}

// carry sends packets over the link and takes them, and returns how many flights they were.
func carry(l *Port, now units.Time, count int64) (flights int) {
	run := wire.Run{Payload: 4 * units.KiB, Count: count}
	for run.Count > 0 {
		took := l.Transmit(max(now, l.FreeAt()), &run)
		run.First += took
		run.Count -= took
	}
	for in := l.Inbox(); in.Next(l.FreeAt()) != nil; flights++ {
		l.Inbox().Pop()
	}
	return flights
}

// BenchmarkTransmitPiece is the time of a piece: from one loss to the next.
func BenchmarkTransmitPiece(b *testing.B) {
	l := benchLink(1e-3, 0)
	b.ReportAllocs()
	for n := 0; n < b.N; {
		n += carry(l, l.FreeAt(), 1<<17)
	}
}

// BenchmarkTransmitPacket is the time of a packet where runs are capped at one.
func BenchmarkTransmitPacket(b *testing.B) {
	l := benchLink(1e-3, 1)
	b.ReportAllocs()
	for n := 0; n < b.N; n += 1 << 10 {
		carry(l, l.FreeAt(), 1<<10)
	}
}

// BenchmarkCut is the time to cut a long transmission and to go on with it.
func BenchmarkCut(b *testing.B) {
	l := benchLink(1e-5, 0)
	run := wire.Run{Payload: 4 * units.KiB}
	b.ReportAllocs()
	for range b.N {
		run.First, run.Count = 0, 1<<17
		at := l.FreeAt()
		l.Transmit(at, &run)
		l.Cut(at.Add(100 * run.Spacing))
		for l.Inbox().Head() != nil {
			l.Inbox().Pop()
		}
	}
}

// BenchmarkControl is the time of a control message.
func BenchmarkControl(b *testing.B) {
	l := benchLink(0, 0)
	msg := make([]byte, 100)
	b.ReportAllocs()
	for range b.N {
		l.SendControl(l.FreeAt(), msg)
		l.Inbox().Pop()
	}
}

func TestLinkAllocatesNothing(t *testing.T) {
	for _, maxRun := range []int64{0, 1} {
		l := benchLink(1e-2, maxRun)
		msg := make([]byte, 100)
		carry(l, 0, 3000)
		for range 5000 { // every slot of a flight comes to have a buffer
			l.SendControl(l.FreeAt(), msg)
			l.Inbox().Pop()
		}
		n := testing.AllocsPerRun(20, func() {
			run := wire.Run{Payload: 4 * units.KiB, Count: 1000}
			at := l.FreeAt()
			l.Transmit(at, &run)
			l.Cut(at.Add(300 * run.Spacing))
			carry(l, l.FreeAt(), 2000)
			l.SendControl(l.FreeAt(), msg)
			l.Inbox().Pop()
		})
		if n != 0 {
			t.Errorf("runs of at most %d: %v allocations", maxRun, n)
		}
	}
}
