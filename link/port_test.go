package link

import (
	"slices"
	"testing"

	"sdrsim/sim"
	"sdrsim/units"
	"sdrsim/wire"
)

// The link of the tests: a full packet takes a microsecond, the way ten.
const (
	mtu        units.Bytes = 1000
	packetTime             = units.Microsecond
	delay                  = 10 * units.Microsecond
)

// notes counts the calls of a sink.
type notes int

func (n *notes) ArrivalsChanged() { *n++ }

// newTestLink is a link that loses what the models lose.
func newTestLink(loss, control LossModel) (*Port, *notes) {
	l := New(Config{Bandwidth: 8 * units.Gbps, Delay: delay, Loss: loss, ControlLoss: control})
	sink := new(notes)
	l.Inbox().SetSink(sink)
	return l, sink
}

// drops is a script that loses single packets of message 0, whenever they are sent.
func drops(packets ...int64) LossModel {
	var list []Drop
	for _, p := range packets {
		list = append(list, Drop{First: p, Last: p})
	}
	m, err := NewScript(list)
	if err != nil {
		panic(err)
	}
	m.Reset(nil)
	return m
}

// packets is a run of full packets of message 0.
func packets(first, count int64) *wire.Run {
	return &wire.Run{First: first, Count: count, Payload: mtu}
}

func us(n int64) units.Time { return units.Time(n) * units.Time(units.Microsecond) }

// arrivalOf is a packet that gets through, or a control message.
type arrivalOf struct {
	packet  int64
	at      units.Time
	control string
}

// drain takes all flights there will ever be.
func drain(l *Port) (out []arrivalOf) {
	l.Inbox().Flush()
	for f := l.Inbox().Head(); f != nil; f = l.Inbox().Head() {
		if f.IsControl() {
			out = append(out, arrivalOf{packet: -1, at: f.Arrive, control: string(f.Control)})
		}
		for i := range f.Run.Count {
			at := f.Arrive.Add(units.Duration(i) * f.Run.Spacing)
			out = append(out, arrivalOf{packet: f.Run.First + i, at: at})
		}
		l.Inbox().Pop()
	}
	return out
}

// expected is what arrives of packets first..end-1, of which the first leaves at a time, without
// those that are lost.
func expected(first, end int64, depart units.Time, lost ...int64) (out []arrivalOf) {
	for p := first; p < end; p++ {
		if !slices.Contains(lost, p) {
			at := depart.Add(units.Duration(p-first)*packetTime + delay)
			out = append(out, arrivalOf{packet: p, at: at})
		}
	}
	return out
}

func TestPacketsArriveBackToBack(t *testing.T) {
	l, sink := newTestLink(None{}, None{})
	run := packets(7, 4)
	t.Log("# four packets from 5 us on")
	if took := l.Transmit(us(5), run); took != 4 {
		t.Errorf("took %d packets of 4", took)
	}
	if run.Depart != us(6) || run.Spacing != packetTime || l.FreeAt() != us(9) {
		t.Errorf("the first leaves at %v, the others %v apart, the link is free at %v", run.Depart,
			run.Spacing, l.FreeAt())
	}
	if *sink != 1 {
		t.Errorf("the sink was told %d times of a first flight", *sink)
	}
	if got, want := drain(l), expected(7, 11, us(6)); !slices.Equal(got, want) {
		t.Errorf("arrived %v, want %v", got, want)
	}
}

// Headers and a short payload count for what they are.
func TestPacketTimeIsPayloadAndOverhead(t *testing.T) {
	l := New(Config{Bandwidth: 8 * units.Gbps, Overhead: 100, Loss: None{}, ControlLoss: None{}})
	for payload, want := range map[units.Bytes]units.Duration{
		1000: 1100 * units.Nanosecond, 1: 101 * units.Nanosecond, 0: 100 * units.Nanosecond,
	} {
		if got := l.PacketTime(payload); got != want {
			t.Errorf("%d bytes take %v, want %v", payload, got, want)
		}
	}
}

// Whenever a transmission is cut, what has begun ends, and what has not goes back.
func TestCutAtEveryInstant(t *testing.T) {
	for at := units.Time(0); at <= us(6); at += units.Time(packetTime) / 4 {
		for _, near := range []units.Time{at - 1, at, at + 1} {
			if near < 0 {
				continue
			}
			l, _ := newTestLink(drops(2), None{})
			l.Transmit(0, packets(0, 6))
			begun := min((int64(near)+int64(packetTime)-1)/int64(packetTime), 6)
			back := l.Cut(near)
			if back != 6-begun || l.FreeAt() != us(begun) {
				t.Errorf("cut at %v: %d packets back, free at %v; %d had begun", near, back, l.FreeAt(),
					begun)
			}
			if again := l.Cut(near); again != 0 {
				t.Errorf("cut at %v again: %d packets back", near, again)
			}
			if got, want := drain(l), expected(0, begun, us(1), 2); !slices.Equal(got, want) {
				t.Errorf("cut at %v: arrived %v, want %v", near, got, want)
			}
			lost := min(max(begun-2, 0), 1)
			want := Stats{Packets: begun, Lost: lost, WireBytes: units.Bytes(begun) * mtu}
			if got := l.Stats(); got != want {
				t.Errorf("cut at %v: counted %+v, want %+v", near, got, want)
			}
		}
	}
}

// The sink is told where something may arrive before it has promised to look, and only there.
func TestSinkIsToldOfWhatComesBeforeItLooks(t *testing.T) {
	l, sink := newTestLink(drops(3, 4), None{})
	told := func(n notes, when string) {
		t.Helper()
		if *sink != n {
			t.Errorf("told %d times after %s, want %d", *sink, when, n)
		}
	}
	l.Transmit(0, packets(0, 6))
	told(1, "a first transmission")
	l.Inbox().Promise(us(16))
	t.Log("# the last packet that is left arrives at 12 us, long before 16 us")
	l.Cut(us(2))
	told(2, "a cut")
	l.Transmit(us(2), packets(2, 4))
	told(2, "another, which arrives later than was promised then")
	l.Inbox().Promise(us(14))
	l.Cut(us(4))
	told(2, "a cut of what arrives at 14 us")
	l.Inbox().Promise(units.Never)
	l.SendControl(us(4), []byte("?"))
	told(3, "a message where there was nothing")
}

// What was cut goes later, after something more urgent, and its fate is that of then.
func TestWhatWasCutIsSentAgainLater(t *testing.T) {
	first, err := NewScript([]Drop{{First: 4, Last: 4, Transmission: 1}})
	if err != nil {
		t.Fatal(err)
	}
	first.Reset(nil)
	l, _ := newTestLink(first, None{})
	l.Transmit(0, packets(0, 6))
	t.Log("# cut in the middle of packet 2; a repeat of packet 0 goes in between")
	if back := l.Cut(us(2) + 5); back != 3 {
		t.Fatalf("%d packets back, want 3", back)
	}
	again := packets(0, 1)
	again.Repeat = true
	l.Transmit(us(3), again)
	l.Transmit(us(4), packets(3, 3))
	want := slices.Concat(expected(0, 3, us(1)), expected(0, 1, us(4)), expected(3, 6, us(5), 4))
	if got := drain(l); !slices.Equal(got, want) {
		t.Errorf("arrived %v, want %v", got, want)
	}
	if s := l.Stats(); s.Packets != 7 || s.Lost != 1 {
		t.Errorf("counted %+v, want 7 packets and the loss of packet 4", s)
	}
}

// What has left is in the inbox, and nothing else; what follows can be planned by.
func TestFlightsAppearAsTheyLeave(t *testing.T) {
	l, _ := newTestLink(drops(0, 1, 5), None{})
	in := l.Inbox()
	if in.Upcoming() != units.Never || in.First() != units.Never || in.Preview() != nil {
		t.Errorf("something arrives at %v of nothing", in.Upcoming())
	}
	l.Transmit(0, packets(0, 9))
	t.Log("# packets 0 and 1 are lost; packet 2 leaves at 3 us and arrives at 13 us")
	if in.Head() != nil || in.Upcoming() > us(13) || in.Next(us(3)-1) != nil {
		t.Errorf("head %v, upcoming %v", in.Head(), in.Upcoming())
	}
	if f := in.Preview(); f == nil || f.Run.First != 2 || f.Arrive != us(13) {
		t.Errorf("preview %+v, want packet 2 at 13us", f)
	}
	if f := in.Next(us(3)); f == nil || f.Run.First != 2 || f.Run.Count != 1 || f.Arrive != us(13) {
		t.Fatalf("head %+v, want packet 2 at 13us", f)
	}
	if f := in.Preview(); f == nil || f.Run.First != 3 || f.Run.Count != 2 || f.Arrive != us(14) {
		t.Errorf("preview %+v, want packets 3 and 4 from 14us on", f)
	}
	t.Log("# packet 5 is lost, 6 to 8 follow; what continues a flight is joined to it")
	l.pull(us(7))
	if q := &in.packed; q.Len() != 2 || q.Head().count != 3 || q.Tail().first != 6 {
		t.Errorf("%d flights, of %d packets and from %d on", q.Len(), q.Head().count, q.Tail().first)
	}
	if in.Settled(us(7)) != us(17) || in.Upcoming() != us(18) {
		t.Errorf("known until %v, upcoming %v", in.Settled(us(7)), in.Upcoming())
	}
	l.pull(us(9))
	if in.Upcoming() != units.Never {
		t.Errorf("upcoming %v after the last", in.Upcoming())
	}
}

func TestCapOnRunsTakesLess(t *testing.T) {
	l := New(Config{Bandwidth: 8 * units.Gbps, Delay: delay, Loss: drops(3), ControlLoss: None{},
		MaxRun: 4})
	l.Inbox().SetSink(new(notes))
	if took := l.Transmit(0, packets(0, 9)); took != 4 || l.FreeAt() != us(4) {
		t.Errorf("took %d packets until %v, want 4 of 9", took, l.FreeAt())
	}
	if got, want := drain(l), expected(0, 4, us(1), 3); !slices.Equal(got, want) {
		t.Errorf("arrived %v, want %v", got, want)
	}
}

// The last packet lost, the first packet lost, all packets lost.
func TestLossesAtTheEndsOfARun(t *testing.T) {
	for _, lost := range [][]int64{{0}, {4}, {0, 4}, {0, 1, 2, 3, 4}, {1, 3}} {
		l, _ := newTestLink(drops(lost...), None{})
		l.Transmit(0, packets(0, 5))
		if got, want := drain(l), expected(0, 5, us(1), lost...); !slices.Equal(got, want) {
			t.Errorf("%v lost: arrived %v, want %v", lost, got, want)
		}
		if s := l.Stats(); s.Packets != 5 || s.Lost != int64(len(lost)) {
			t.Errorf("%v lost: counted %+v", lost, s)
		}
	}
}

// Every packet carries its own bytes and immediate, wherever the run is divided.
func TestPiecesCarryTheBytesOfTheirPackets(t *testing.T) {
	l, _ := newTestLink(drops(1), None{})
	run := packets(0, 4)
	run.User = 0xABCD1234
	run.Data = make([]byte, 4*mtu)
	for i := range run.Data {
		run.Data[i] = byte(i / int(mtu))
	}
	l.Transmit(0, run)
	l.pull(us(2))
	t.Log("# packet 3 is cut away")
	l.Cut(us(3))
	l.pull(us(3))
	for _, p := range []int64{0, 2} {
		f := l.Inbox().Head()
		if f == nil || f.Run.First != p || units.Bytes(len(f.Run.Data)) < mtu {
			t.Fatalf("head %+v, want packet %d with its bytes", f, p)
		}
		if f.Run.Data[0] != byte(p) || f.Run.Data[mtu-1] != byte(p) {
			t.Errorf("packet %d carries the bytes of packet %d", p, f.Run.Data[0])
		}
		if want := wire.DefaultSplit.Pack(0, p, run.User); f.Run.Imm(wire.DefaultSplit) != want {
			t.Errorf("packet %d has the immediate %#x, want %#x", p, f.Run.Imm(wire.DefaultSplit), want)
		}
		l.Inbox().Pop()
	}
}

func TestControlMessagesShareTheWire(t *testing.T) {
	l, sink := newTestLink(None{}, None{})
	l.Transmit(0, packets(0, 3))
	l.Inbox().Promise(us(11))
	before := *sink
	msg := []byte("an acknowledgement of 25.")
	t.Log("# 25 bytes at 8 Gbit/s take 25 ns")
	l.SendControl(us(3), msg)
	msg[0] = '?'
	if l.FreeAt() != us(3).Add(25*units.Nanosecond) {
		t.Errorf("free at %v", l.FreeAt())
	}
	if *sink != before {
		t.Errorf("the sink was told of a message that arrives after packets it knows of")
	}
	l.Transmit(us(4), packets(3, 1))
	got := drain(l)
	want := expected(0, 3, us(1))
	want = append(want, arrivalOf{packet: -1, at: us(13).Add(25 * units.Nanosecond),
		control: "an acknowledgement of 25."})
	want = append(want, expected(3, 4, us(5))...)
	if !slices.Equal(got, want) {
		t.Errorf("arrived %v, want %v", got, want)
	}
	if s := l.Stats(); s.Packets != 4 || s.Control != 1 || s.WireBytes != 4*mtu {
		t.Errorf("counted %+v", s)
	}
}

// A message that wants a look is news where nobody looks before; one that does not, where it is
// heeded.
func TestTheSinkIsToldOfMessagesThatWantALook(t *testing.T) {
	l, sink := newTestLink(None{}, None{})
	l.Inbox().IgnorePassive()
	ack := wire.AppendAck(nil, &wire.Ack{Cumulative: 1}, 100)
	for i, c := range []struct {
		msg  []byte
		told notes
	}{{ack, 0}, {ack, 0}, {[]byte("?"), 1}, {[]byte("?"), 1}, {ack, 1}} {
		l.SendControl(us(int64(i)), c.msg)
		if *sink != c.told {
			t.Errorf("told %d times after message %d, want %d", *sink, i, c.told)
		}
	}
	l.Inbox().Promise(units.Never)
	l.Inbox().HeedPassive()
	if l.SendControl(us(9), ack); *sink != 2 {
		t.Errorf("told %d times where every message is heeded, want twice", *sink)
	}
}

// Control messages have fates of their own, whatever happens to data.
func TestControlLossIsItsOwn(t *testing.T) {
	l, _ := newTestLink(drops(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), drops(1, 2))
	for i := range int64(5) {
		l.SendControl(us(10*i), []byte{byte('a' + i)})
		l.Transmit(us(10*i+1), packets(i, 1))
	}
	var got string
	for _, a := range drain(l) {
		got += a.control
	}
	if got != "ade" {
		t.Errorf("arrived %q, want %q: messages 1 and 2 are lost", got, "ade")
	}
	if s := l.Stats(); s.Control != 5 || s.Lost != 5 || s.Packets != 5 {
		t.Errorf("counted %+v", s)
	}
}

// One control message after the other meets the model, as packets do.
func TestControlLossFollowsItsModel(t *testing.T) {
	model, single := &IID{P: 0.3}, &IID{P: 0.3}
	model.Reset(sim.NewStream(1, "control", 0))
	single.Reset(sim.NewStream(1, "control", 0))
	l, _ := newTestLink(None{}, model)
	for i, lost := range offer(single, wire.Run{Count: 300}, 1) {
		l.SendControl(l.FreeAt(), []byte{1})
		if arrives := l.Inbox().Head() != nil; arrives == lost {
			t.Fatalf("control message %d arrives: %v, lost: %v", i, arrives, lost)
		} else if arrives {
			l.Inbox().Pop()
		}
	}
}

// A look at the statistics settles what is under way: it can no longer be cut.
func TestStatsEndsWhatIsUnderWay(t *testing.T) {
	l, _ := newTestLink(drops(3), None{})
	l.Transmit(0, packets(0, 5))
	if s := l.Stats(); s.Packets != 5 || s.Lost != 1 {
		t.Errorf("counted %+v", s)
	}
	if back := l.Cut(us(1)); back != 0 {
		t.Errorf("%d packets back after the count", back)
	}
	if got, want := drain(l), expected(0, 5, us(1), 3); !slices.Equal(got, want) {
		t.Errorf("arrived %v, want %v", got, want)
	}
}

func TestResetForgetsEverything(t *testing.T) {
	l, _ := newTestLink(None{}, drops(0))
	l.SendControl(0, []byte("lost"))
	l.Transmit(us(1), packets(0, 5))
	l.Reset()
	if l.Inbox().Head() != nil || l.FreeAt() != 0 || l.Stats() != (Stats{}) || l.Inbox().Upcoming() != units.Never {
		t.Errorf("head %v, free at %v, %+v", l.Inbox().Head(), l.FreeAt(), l.Stats())
	}
	t.Log("# control messages are numbered anew")
	l.SendControl(0, []byte("lost too"))
	if l.Inbox().Head() != nil {
		t.Error("the first control message after a reset is not the first")
	}
}

func TestMisuseIsABug(t *testing.T) {
	busy := func(f func(l *Port)) func() {
		return func() {
			l, _ := newTestLink(None{}, None{})
			l.Transmit(us(1), packets(0, 2))
			f(l)
		}
	}
	config := func(c Config) func() { return func() { New(c) } }
	for name, f := range map[string]func(){
		"transmit on a busy link": busy(func(l *Port) { l.Transmit(us(3)-1, packets(2, 1)) }),
		"control on a busy link":  busy(func(l *Port) { l.SendControl(us(2), []byte("x")) }),
		"no bandwidth":            config(Config{Loss: None{}, ControlLoss: None{}}),
		"a negative delay": config(Config{Bandwidth: 1, Delay: -1, Loss: None{},
			ControlLoss: None{}}),
		"no loss model":         config(Config{Bandwidth: 1, ControlLoss: None{}}),
		"no control loss model": config(Config{Bandwidth: 1, Loss: None{}}),
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}
