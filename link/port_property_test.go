package link

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/sim"
	"sdrsim/units"
	"sdrsim/wire"
)

// sentPacket is a packet that was handed to the link, as a run of one.
type sentPacket struct {
	run   wire.Run
	start units.Time // when its first bit is sent
}

// linkTest drives a link with random runs and cuts, and writes down which packets that comes to.
type linkTest struct {
	link *Port
	now  units.Time
	sent []sentPacket
	// next is the first packet of each message that was not sent yet, or was cut.
	next [3]int64
	got  []string
}

func newLinkTest(t *rapid.T, loss, control LossModel) *linkTest {
	cap := rapid.SampledFrom([]int64{0, 0, 1, 3}).Draw(t, "cap")
	l := New(Config{Bandwidth: 8 * units.Gbps, Delay: delay, Loss: loss, ControlLoss: control,
		MaxRun: cap})
	l.Inbox().SetSink(new(notes))
	return &linkTest{link: l}
}

// transmit hands over a run, of new packets or of old ones.
func (l *linkTest) transmit(t *rapid.T) {
	l.now = max(l.now, l.link.FreeAt())
	serial := rapid.Int64Range(0, 2).Draw(t, "message")
	run := wire.Run{Serial: serial, Message: uint32(serial), First: l.next[serial], Payload: mtu,
		Count: rapid.Int64Range(1, 40).Draw(t, "count")}
	if run.First > 0 && rapid.Bool().Draw(t, "repeat") {
		run.First = rapid.Int64Range(0, run.First-1).Draw(t, "first")
		run.Count = min(run.Count, l.next[serial]-run.First)
		run.Repeat = true
	}
	took := l.link.Transmit(l.now, &run)
	for i := range took {
		one := run.Sub(i, 1)
		start := l.now.Add(units.Duration(i) * packetTime)
		l.sent = append(l.sent, sentPacket{run: one, start: start})
	}
	if !run.Repeat {
		l.next[serial] += took
	}
}

// cut ends what is under way, at some time in it.
func (l *linkTest) cut(t *rapid.T) {
	l.wait(t)
	back := l.link.Cut(l.now)
	for range back {
		last := l.sent[len(l.sent)-1].run
		l.sent = l.sent[:len(l.sent)-1]
		if !last.Repeat {
			l.next[last.Serial] = last.First
		}
	}
	for _, p := range l.sent {
		if end := p.start.Add(packetTime); end > l.link.FreeAt() {
			t.Fatalf("packet %d is sent until %v, the link is free at %v", p.run.First, end,
				l.link.FreeAt())
		}
	}
	if back > 0 && l.link.FreeAt() >= l.now.Add(packetTime) {
		t.Fatalf("cut at %v, free only at %v", l.now, l.link.FreeAt())
	}
}

// wait lets some time pass.
func (l *linkTest) wait(t *rapid.T) {
	ps := rapid.Int64Range(0, 12).Draw(t, "half packets") * int64(packetTime) / 2
	l.now = l.now.Add(units.Duration(ps + rapid.Int64Range(-1, 1).Draw(t, "ps")))
	l.now = max(l.now, 0)
}

// take takes what has left by now, as a NIC may.
func (l *linkTest) take() {
	in := l.link.Inbox()
	for f := in.Next(l.now); f != nil; f = in.Next(l.now) {
		l.pop()
	}
}

// pop writes down the packets of the head.
func (l *linkTest) pop() {
	f := l.link.Inbox().Head()
	for i := range f.Run.Count {
		one := f.Run.Sub(i, 1)
		l.got = append(l.got, describe(&one))
	}
	l.link.Inbox().Pop()
}

// describe is everything that the receiver sees of a packet.
func describe(r *wire.Run) string {
	return fmt.Sprintf("packet %d of %d, imm %x, repeat %v, at %v", r.First, r.Serial,
		r.Imm(wire.DefaultSplit), r.Repeat, r.Depart)
}

// oneByOne shows the packets to a loss model one by one, and describes those that get through.
func oneByOne(m LossModel, sent []sentPacket) (passed []string, lost int64) {
	for _, p := range sent {
		p.run.Depart, p.run.Spacing = p.start.Add(packetTime), packetTime
		pass, _ := m.Peek(&p.run)
		m.Advance(&p.run, 1)
		if pass == 0 {
			lost++
			continue
		}
		p.run.Depart = p.run.Depart.Add(delay)
		passed = append(passed, describe(&p.run))
	}
	return passed, lost
}

// Whatever is sent and cut and when, and whenever somebody looks: every packet that was sent has
// the fate, and the time, that it would have had by itself.
func TestFatesDoNotDependOnCuts(t *testing.T) {
	var names []string
	for name := range modelFactories {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				model, single := modelFactories[name](), modelFactories[name]()
				seed := rapid.Uint64().Draw(t, "seed")
				model.Reset(sim.NewStream(seed, "loss", 0))
				single.Reset(sim.NewStream(seed, "loss", 0))
				l := newLinkTest(t, model, None{})
				l.drive(t)
				want, lost := oneByOne(single, l.sent)
				for in := l.link.Inbox(); in.Next(l.link.FreeAt()) != nil; {
					l.pop()
				}
				if !slices.Equal(l.got, want) {
					t.Fatalf("sent %d packets\n got %q\nwant %q", len(l.sent), l.got, want)
				}
				total := Stats{Packets: int64(len(l.sent)), Lost: lost,
					WireBytes: units.Bytes(len(l.sent)) * mtu}
				if got := l.link.Stats(); got != total {
					t.Fatalf("counted %+v, want %+v", got, total)
				}
			})
		})
	}
}

// drive does random things.
func (l *linkTest) drive(t *rapid.T) {
	for range rapid.IntRange(1, 30).Draw(t, "steps") {
		switch rapid.SampledFrom([]string{"transmit", "cut", "cut", "take", "wait", "stats"}).
			Draw(t, "step") {
		case "transmit":
			l.transmit(t)
		case "cut":
			l.cut(t)
		case "take":
			l.take()
		case "wait":
			l.wait(t)
		case "stats":
			if rapid.IntRange(0, 9).Draw(t, "stats") == 0 {
				l.link.Stats()
			}
		}
	}
}
