package nic

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sdrsim/units"
)

// sharing is NICs on the bench that share a wire.
func sharing(t *testing.T, members int, maxRun int64) []*stand {
	stands := make([]*stand, members)
	var e *Egress
	for i := range stands {
		s := newStand(t, standConfig{nic: Config{SinglePackets: maxRun == 1}, maxRun: maxRun})
		if i == 0 {
			e = NewEgress(s.engine)
		} else {
			s.rehost(stands[0])
		}
		s.nic.Share(e)
		stands[i] = s
	}
	return stands
}

// rehost has a stand use the engine of another.
func (s *stand) rehost(other *stand) {
	s.engine = other.engine
	s.nic = New(s.engine, s.nic.cfg)
	s.nic.Connect(s.qp, s.out, s.in.Inbox(), s)
}

// merged is what all have sent, in order of time, each with its number.
func merged(stands []*stand) []string {
	type sent struct {
		left units.Time
		text string
	}
	var all []sent
	for i, s := range stands {
		for _, o := range s.wire() {
			text, _, _ := strings.Cut(o.String(), "@")
			all = append(all, sent{o.left, fmt.Sprintf("%c%s", 'a'+i, text)})
		}
	}
	slices.SortStableFunc(all, func(a, b sent) int { return int(a.left - b.left) })
	var out []string
	for i, s := range all {
		if i > 0 && s.left < all[i-1].left+1 {
			out = append(out, "OVERLAP")
		}
		out = append(out, s.text)
	}
	return out
}

// Connections of a host are served round robin by packet, whatever the grouping; one that comes
// later cuts a run at the packet boundary and is served behind those that wait.
func TestConnectionsOfAHostShareItsWire(t *testing.T) {
	want := "[a0:0 b0:0 a0:1 b0:1 a0:2 c0:0 b0:2 a0:3 c0:1 a0:4 a0:5]"
	for _, maxRun := range []int64{0, 1, 3} {
		s := sharing(t, 3, maxRun)
		senders := []*scriptedSender{s[0].newSender(6), s[1].newSender(3), s[2].newSender(2)}
		s[0].at(0, func(now units.Time) { senders[1].host(now) })
		s[0].at(0, func(now units.Time) { senders[0].host(now) })
		s[0].at(us(4)-1, func(now units.Time) { senders[2].host(now) })
		s[0].engine.RunUntil(us(50))
		if got := fmt.Sprint(merged(s)); got != want {
			t.Errorf("runs of at most %d:\n got %s\nwant %s", maxRun, got, want)
		}
	}
}

// A control message of one connection goes ahead of the data of another.
func TestControlOfOneConnectionGoesAheadOfDataOfAnother(t *testing.T) {
	for _, maxRun := range []int64{0, 1} {
		s := sharing(t, 2, maxRun)
		a := s[0].newSender(4)
		s[0].at(0, func(now units.Time) { a.host(now) })
		s[0].at(us(1)+1, func(units.Time) { s[1].nic.Send(message("ack")) })
		s[0].engine.RunUntil(us(50))
		if got := fmt.Sprint(merged(s)); got != "[a0:0 a0:1 back a0:2 a0:3]" {
			t.Errorf("runs of at most %d: %s", maxRun, got)
		}
	}
}

// A packet time after the one before: the wire is never idle while somebody waits.
func TestSharedWireIsNeverIdleWhileSomebodyWaits(t *testing.T) {
	s := sharing(t, 2, 0)
	a, b := s[0].newSender(50), s[1].newSender(50)
	s[0].at(0, func(now units.Time) { a.host(now) })
	s[0].at(us(7)+3, func(now units.Time) { b.host(now) })
	s[0].engine.RunUntil(us(200))
	last := units.Time(0)
	for _, one := range s {
		for _, o := range one.wire() {
			last = max(last, o.left)
		}
	}
	if want := us(100); last != want {
		t.Errorf("100 packets have left at %v, want %v", last, want)
	}
}
