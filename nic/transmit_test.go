package nic

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// wantWire fails the test unless the NIC has sent these, one after the other, from 0 on: full
// packets, repeats as "again", and control messages of a tenth of a packet time.
func wantWire(t *testing.T, s *stand, want ...string) {
	t.Helper()
	s.engine.Run()
	var at units.Time
	for i, w := range want {
		if at = at.Add(packetTime); len(w) == 3 && w[1] != ':' {
			at = at.Add(-9 * packetTime / 10)
		}
		want[i] = fmt.Sprintf("%s@%v", w, at)
	}
	var got []string
	for _, o := range s.wire() {
		got = append(got, o.String())
	}
	if !slices.Equal(got, want) {
		t.Errorf("sent\n%q, want\n%q", got, want)
	}
}

func TestControlGoesFirstThenRepeatsThenTheRest(t *testing.T) {
	s := newStand(t, standConfig{})
	a := s.newSender(4)
	a.again(1, 2)
	s.nic.Send(message("abc"))
	s.nic.Send(message("def"))
	a.host(0)
	wantWire(t, s, "abc", "def", "again 0:1", "again 0:2", "0:0", "0:1", "0:2", "0:3")
}

// A repeat makes room for itself at the boundary of the packet that is being sent.
func TestRepeatCutsAFirstTransmission(t *testing.T) {
	for _, at := range []units.Time{us(2), us(2) + 1, us(3) - 1, us(3)} {
		s := newStand(t, standConfig{})
		a := s.newSender(6)
		a.wake, a.onWake = at, func(units.Time) { a.again(0, 2) }
		a.host(0)
		t.Logf("# wanted at %v", at)
		if at == us(2) {
			wantWire(t, s, "0:0", "0:1", "again 0:0", "again 0:1", "0:2", "0:3", "0:4", "0:5")
			continue
		}
		wantWire(t, s, "0:0", "0:1", "0:2", "again 0:0", "again 0:1", "0:3", "0:4", "0:5")
	}
}

// What a sender was told is what went over the wire, after every cut.
func TestSenderHearsOfTheCut(t *testing.T) {
	s := newStand(t, standConfig{})
	a := s.newSender(10)
	a.wake, a.onWake = us(2)+1, func(units.Time) { a.again(0, 1) }
	a.host(0)
	if len(a.sent) != 10 {
		t.Fatalf("%d packets reported, want all ten ahead of their time", len(a.sent))
	}
	s.engine.RunUntil(us(2) + 1)
	if len(a.sent) != 3 {
		t.Errorf("%d packets count as sent in the third packet time, want 3", len(a.sent))
	}
	s.engine.Run()
	if got := s.wire(); !slices.Equal(got, a.sent) {
		t.Errorf("on the wire\n%v, reported\n%v", got, a.sent)
	}
}

// Control messages cut repeats as well; repeats do not cut each other.
func TestControlCutsEverythingRepeatsDoNotCutRepeats(t *testing.T) {
	s := newStand(t, standConfig{})
	a, b := s.newSender(8), s.newSender(4)
	a.again(0, 3)
	a.wake, a.onWake = us(1)+1, func(units.Time) { s.nic.Send(message("abc")) }
	b.wake, b.onWake = us(2), func(units.Time) { b.again(3, 1) }
	b.firsts = nil
	a.firsts = []sdr.Work{{Handle: a.handle, First: 3, Count: 2}}
	a.host(0)
	b.host(0)
	wantWire(t, s, "again 0:0", "again 0:1", "abc", "again 0:2", "again 1:3", "0:3", "0:4")
}

func TestMessagesTakeTurnsInOrderOfAttachment(t *testing.T) {
	s := newStand(t, standConfig{})
	a, b := s.newSender(3), s.newSender(2)
	t.Log("# the second message is attached while the first is being sent")
	a.host(0)
	s.at(us(1), func(now units.Time) { b.host(now) })
	t.Log("# a repeat of the second then cuts the first, which goes on afterwards")
	b.wake, b.onWake = us(2), func(units.Time) { b.again(0, 1) }
	wantWire(t, s, "0:0", "0:1", "again 1:0", "0:2", "1:0", "1:1")
}

func TestOldestSenderWithARepeatGoesFirst(t *testing.T) {
	s := newStand(t, standConfig{})
	a, b := s.newSender(3), s.newSender(3)
	a.wake, a.onWake = us(1)+2, func(units.Time) { a.again(0, 1) }
	b.wake, b.onWake = us(1)+1, func(units.Time) { b.again(0, 1) }
	a.host(0)
	b.host(0)
	t.Log("# message 1 asks first, message 0 was attached first")
	wantWire(t, s, "0:0", "0:1", "again 0:0", "again 1:0", "0:2", "1:0", "1:1", "1:2")
}

// A short last packet travels alone, and work continues behind it.
func TestShortLastPacketIsARunOfItsOwn(t *testing.T) {
	s := newStand(t, standConfig{})
	_, err := s.peer.PostRecv(s.there, 0, 2500)
	must(t, err)
	s.qp.HandleCTS(s.peer.Posted())
	h, err := s.qp.StartStream(s.here, 0, 2500, 0)
	must(t, err)
	a := &scriptedSender{stand: s, handle: h, wake: units.Never,
		firsts: []sdr.Work{{Handle: h, Count: 3}}}
	a.host(0)
	s.engine.Run()
	got := s.wire()
	if len(got) != 3 || got[2].left != us(2).Add(packetTime/2) {
		t.Errorf("sent %v, want three packets, the last of half a length", got)
	}
	if !slices.Equal(got, a.sent) {
		t.Errorf("reported %v", a.sent)
	}
}

// A message that is acknowledged sends no more, and the next one begins at the packet boundary.
func TestSenderThatIsDoneMakesRoom(t *testing.T) {
	s := newStand(t, standConfig{})
	a, b := s.newSender(9), s.newSender(2)
	a.again(0, 2)
	a.wake, a.onWake = us(3)+1, func(units.Time) { a.done = true }
	a.host(0)
	b.host(0)
	wantWire(t, s, "again 0:0", "again 0:1", "0:0", "0:1", "1:0", "1:1")
	want := []string{"sender 0 done at 3.000001us, started at 0s"}
	if !slices.Equal(s.log, want) {
		t.Errorf("noted %q, want %q", s.log, want)
	}
}

// A message that is given up while a repeat of it was cut drops both, the repeat and what that cut.
func TestAbandonedRepeatDropsTheRest(t *testing.T) {
	s := newStand(t, standConfig{})
	a, b := s.newSender(9), s.newSender(1)
	steps := []func(){
		func() { a.again(0, 5) },
		func() { s.nic.Send(message("abc")) },
		func() { a.done, a.err = true, errors.New("given up") },
	}
	a.wake, a.onWake = us(1), func(now units.Time) {
		steps[0]()
		if steps = steps[1:]; len(steps) > 0 {
			a.wake = now.Add(packetTime + 1)
		}
	}
	t.Log("# repeats from 1 us on, a control message at 3 us, the end just after")
	a.host(0)
	b.host(0)
	wantWire(t, s, "0:0", "again 0:0", "again 0:1", "abc", "1:0")
}

// The application may send the next message from within the end of the last.
func TestNextMessageFromWithinTheEndOfTheLast(t *testing.T) {
	s := newStand(t, standConfig{})
	a := s.newSender(5)
	a.wake, a.onWake = us(2), func(units.Time) { a.done = true }
	var next *scriptedSender
	s.onSenderDone = func(now units.Time, c Completion) {
		if c.Sender != a {
			return
		}
		next = s.newSender(2)
		next.host(now)
	}
	a.host(0)
	wantWire(t, s, "0:0", "0:1", "1:0", "1:1")
	if next.startedAt != us(2) {
		t.Errorf("the next message starts at %v", next.startedAt)
	}
}

// The completion time begins with the first bit of a message, not with its attachment.
func TestStartedIsTheFirstBit(t *testing.T) {
	s := newStand(t, standConfig{})
	a, b := s.newSender(4), s.newSender(1)
	a.host(0)
	s.at(us(1)+7, func(now units.Time) { b.host(now) })
	s.at(us(20), func(units.Time) { a.done, b.done = true, true; s.nic.Fire(us(20)) })
	s.engine.Run()
	want := []string{"sender 0 done at 20us, started at 0s", "sender 1 done at 20us, started at 4us"}
	if !slices.Equal(s.log, want) {
		t.Errorf("noted %q, want %q", s.log, want)
	}
}

// Control messages reach the sender they are for, at the time of their arrival.
func TestControlMessagesAreForOneSender(t *testing.T) {
	s := newStand(t, standConfig{})
	a, b := s.newSender(50), s.newSender(50)
	a.host(0)
	b.host(0)
	ack := func(serial uint32) []byte {
		return wire.AppendAck(nil, &wire.Ack{Message: serial, Final: true}, 100)
	}
	a.onControl = func(units.Time, []byte) error { return errors.New("malformed") }
	b.onControl = func(units.Time, []byte) error { b.done = true; return nil }
	s.at(us(1), func(now units.Time) { s.in.SendControl(now, ack(1)) })
	s.at(us(2), func(now units.Time) { s.in.SendControl(now, ack(0)) })
	t.Log("# one for a message that is done, one for none, one that is no message")
	s.at(us(3), func(now units.Time) { s.in.SendControl(now, ack(1)) })
	s.at(us(4), func(now units.Time) { s.in.SendControl(now, ack(9)) })
	s.at(us(5), func(now units.Time) { s.in.SendControl(now, []byte{1, 2}) })
	s.engine.Run()
	want := []string{"sender 1 got 7 bytes at 11.007us",
		"sender 1 done at 11.007us, started at never", "sender 0 got 7 bytes at 12.007us"}
	if !slices.Equal(s.log, want) {
		t.Errorf("noted %q, want %q", s.log, want)
	}
	if got := s.nic.Stats().Malformed; got != 2 {
		t.Errorf("%d malformed control messages, want 2", got)
	}
}

// A control message may set a timeout, and put one off.
func TestControlMessageMovesTheTimeout(t *testing.T) {
	s := newStand(t, standConfig{})
	a := s.newSender(30)
	a.wake, a.onWake = us(40), func(now units.Time) { s.note("timeout at %v", now) }
	a.host(0)
	a.onControl = func(now units.Time, _ []byte) error {
		a.wake = now.Add(us(1).Sub(0))
		return nil
	}
	nack, _ := wire.AppendNack(nil, &wire.Nack{Missing: []wire.Range{{First: 0, Count: 1}}}, 100)
	s.at(us(1), func(now units.Time) { s.in.SendControl(now, nack) })
	s.engine.Run()
	want := []string{"sender 0 got 8 bytes at 11.008us", "timeout at 12.008us"}
	if !slices.Equal(s.log, want) {
		t.Errorf("noted %q, want %q", s.log, want)
	}
}

// What only spares work need not wake the NIC; it is handed in before anything else is done, with
// the time at which it came.
func TestPassiveAcknowledgementsAreTakenInPassing(t *testing.T) {
	s := newStand(t, standConfig{})
	a := s.newSender(3)
	a.wake, a.onWake = us(50), func(now units.Time) { s.note("timeout at %v", now) }
	a.host(0)
	for i := range int64(5) {
		s.at(us(10+i), func(now units.Time) { s.in.SendControl(now, selective(i)) })
	}
	before := s.engine.Events()
	s.engine.Run()
	var want []string
	for i := range int64(5) {
		want = append(want, fmt.Sprintf("sender 0 got 9 bytes at %d.009us", 20+i))
	}
	want = append(want, "timeout at 50us")
	if !slices.Equal(s.log, want) {
		t.Errorf("noted %q, want %q", s.log, want)
	}
	if n := s.engine.Events() - before; n > 5+2 {
		t.Errorf("%d events for five calls of the test and a timeout", n)
	}
}

// selective is an acknowledgement of message 0 that names a chunk beyond the first i.
func selective(i int64) []byte {
	a := wire.Ack{Cumulative: i, Selective: []wire.Range{{First: i + 1, Count: 1}}}
	return wire.AppendAck(nil, &a, 100)
}

// An acknowledgement that says no more than the next one about its message is left out where both
// have arrived by the time that the sender is called for something else.
func TestStaleAcknowledgementsAreLeftOut(t *testing.T) {
	plain := func(message uint32, upTo int64) []byte {
		return wire.AppendAck(nil, &wire.Ack{Message: message, Cumulative: upTo}, 100)
	}
	for _, c := range []struct {
		name string
		acks [][]byte // sent at 10 us, 11 us and so on; they take 10 us
		wake int64    // when the sender looks, in us
		want []string
	}{
		{"plain ones", [][]byte{plain(0, 1), plain(0, 2), plain(0, 3)}, 50,
			[]string{"7 bytes at 22.007us"}},
		{"one after the look", [][]byte{plain(0, 1), plain(0, 2), plain(0, 3)}, 22,
			[]string{"7 bytes at 21.007us", "7 bytes at 22.007us"}},
		{"one that says more", [][]byte{plain(0, 1), selective(2), plain(0, 3), plain(0, 4)}, 50,
			[]string{"9 bytes at 21.009us", "7 bytes at 23.007us"}},
		{"one of another message", [][]byte{plain(0, 1), plain(9, 2), plain(0, 3)}, 50,
			[]string{"7 bytes at 20.007us", "7 bytes at 22.007us"}},
	} {
		s := newStand(t, standConfig{})
		a := s.newSender(3)
		a.wake = us(c.wake)
		a.onWake = func(now units.Time) {
			if a.wake = units.Never; now < us(50) {
				a.wake = us(50)
			}
		}
		a.host(0)
		for i, ack := range c.acks {
			s.at(us(10+int64(i)), func(now units.Time) { s.in.SendControl(now, ack) })
		}
		s.engine.Run()
		for i := range c.want {
			c.want[i] = "sender 0 got " + c.want[i]
		}
		if !slices.Equal(s.log, c.want) {
			t.Errorf("%s: noted %q, want %q", c.name, s.log, c.want)
		}
	}
}

func TestQueueKeepsOrderAndReusesItsMemory(t *testing.T) {
	var q queue
	round := func() {
		for i := range byte(9) {
			q.add([]byte{i, i, i}[:1+i%3], 1)
			if i%3 == 2 {
				q.pop()
			}
		}
		for i := byte(3); i < 9; i++ {
			msg, ok := q.pop()
			if !ok || len(msg) != 1+int(i%3) || msg[0] != i {
				t.Fatalf("popped %v, want %d", msg, i)
			}
		}
		if _, ok := q.pop(); ok || q.len() != 0 {
			t.Fatal("something is left")
		}
	}
	round()
	if n := testing.AllocsPerRun(20, round); n != 0 {
		t.Errorf("%v allocations", n)
	}
	q.add([]byte{1}, 1)
	if q.reset(); q.len() != 0 {
		t.Error("a message survives a reset")
	}
}
