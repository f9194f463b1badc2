package link

import (
	"testing"

	"pgregory.net/rapid"

	"sdrsim/units"
	"sdrsim/wire"
)

// arrivals sends packets at the given times, or as soon as the link is free, and returns when each
// begins and arrives.
func arrivals(l *Port, at []units.Time) (sent, got []units.Time) {
	for i, t := range at {
		t = max(t, l.FreeAt())
		l.Transmit(t, &wire.Run{First: int64(i), Count: 1, Payload: mtu})
		sent = append(sent, t)
	}
	l.Inbox().Flush()
	for f := l.Inbox().Head(); f != nil; f = l.Inbox().Head() {
		for j := range f.Run.Count {
			got = append(got, f.ArrivalOf(j))
		}
		l.Inbox().Pop()
	}
	return sent, got
}

func newChanging(changes ...Change) *Port {
	l := New(Config{Bandwidth: 8 * units.Gbps, Delay: delay, Loss: None{}, ControlLoss: None{},
		Changes: changes})
	l.Inbox().SetSink(new(notes))
	return l
}

func TestBandwidthChangesFromTheNextPacketOn(t *testing.T) {
	l := newChanging(Change{At: units.Time(packetTime) + 1, Bandwidth: 2 * units.Gbps, Delay: delay})
	run := wire.Run{Count: 10, Payload: mtu}
	if took := l.Transmit(0, &run); took != 2 || l.FreeAt() != 2*units.Time(packetTime) {
		t.Fatalf("took %d packets until %v", took, l.FreeAt())
	}
	t.Log("# the second packet had begun when the link became slower; the third takes longer")
	run.Skip(2)
	if took := l.Transmit(l.FreeAt(), &run); took != 8 || run.Spacing != 4*packetTime {
		t.Errorf("took %d packets, %v apart", took, run.Spacing)
	}
	if l.Reset(); l.PacketTime(mtu) != packetTime {
		t.Errorf("after a reset, a packet takes %v", l.PacketTime(mtu))
	}
}

func TestPacketsQueueBehindThoseOfALongerWay(t *testing.T) {
	shorter := Change{At: 10 * units.Time(packetTime), Bandwidth: 8 * units.Gbps,
		Delay: delay - 5*packetTime}
	const p = units.Time(packetTime)
	at := []units.Time{8 * p, 9 * p, 10 * p, 11 * p, 14 * p, 30 * p}
	_, got := arrivals(newChanging(shorter), at)
	d := units.Time(delay)
	// The fourth is back to back with the one before; the fifth comes after a silence of two
	// packets, of the five by which the way has become shorter.
	want := []units.Time{9*p + d, 10*p + d, 11*p + d, 12*p + d, 13*p + d, 26*p + d}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("packet %d arrives at %v, want %v", i, got[i], want[i])
		}
	}
	longer := shorter
	longer.Delay = 2 * delay
	if _, got := arrivals(newChanging(longer), at); got[1] != want[1] || got[2] != 11*p+2*d {
		t.Errorf("a longer way: %v", got)
	}
	t.Log("# what has taken the old way before anything was sent is nothing to wait for")
	if _, got := arrivals(newChanging(shorter), at[3:4]); got[0] != 12*p+d-5*p {
		t.Errorf("the first packet arrives at %v", got[0])
	}
}

// However the way changes, packets arrive in order, as far apart as they were sent or more where
// the link was not idle, and never before the way would have them.
func TestArrivalsStayInOrderWhenTheDelayChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var changes []Change
		for now := units.Time(0); len(changes) < 4; {
			now = now.Add(units.Duration(rapid.Int64Range(1, 20*int64(packetTime)).Draw(t, "wait")))
			changes = append(changes, Change{At: now, Delay: units.Duration(
				rapid.Int64Range(1, 10*int64(packetTime)).Draw(t, "delay")),
				Bandwidth: units.Rate(rapid.SampledFrom([]int{2, 8, 16}).Draw(t, "rate")) * units.Gbps})
		}
		var at []units.Time
		for now := units.Time(0); len(at) < 40; {
			now = now.Add(units.Duration(rapid.Int64Range(0, 3*int64(packetTime)).Draw(t, "idle")))
			at = append(at, now)
		}
		l := newChanging(changes...)
		sent, got := arrivals(l, at)
		for i := 1; i < len(got); i++ {
			if got[i] < got[i-1] || got[i].Sub(sent[i]) < l.LeastDelay() {
				t.Fatalf("sent %v, arrives %v", sent, got)
			}
		}
		if before, after := l.DelayAt(sent[0]), l.DelayAt(sent[1]); sent[0].Add(before) >
			sent[1].Add(after) {
			t.Fatalf("what takes no time to send overtakes: %v after %v", before, after)
		}
	})
}
