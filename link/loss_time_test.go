package link

import (
	"math"
	"testing"

	"sdrsim/link/wire"
	"sdrsim/sim"
	"sdrsim/sim/units"
)

// packetAt is a packet whose first bit is sent at a time.
func packetAt(at units.Time) wire.Run {
	return wire.Run{Count: 1, Depart: at.Add(someSpacing), Spacing: someSpacing}
}

// fateAt sends a packet at a time and tells whether it was lost.
func fateAt(m LossModel, at units.Time) bool {
	r := packetAt(at)
	pass, _ := m.Peek(&r)
	m.Advance(&r, 1)
	return pass == 0
}

// The stays of the chain have the means that were asked for, and a packet is lost as often at any
// time: at the start, and after a silence.
func TestFadingHasItsShareAndStays(t *testing.T) {
	const step, n = units.Microsecond, 4_000_000
	m := &Fading{Bad: 200 * step, Share: 0.1, LossBad: 1}
	m.Reset(sim.NewStream(1, "fading", 0))
	lost, bursts, was := 0, 0, false
	for i := range n {
		is := fateAt(m, units.Time(i)*units.Time(step))
		if is {
			lost++
		}
		if is && !was {
			bursts++
		}
		was = is
	}
	// 2000 bursts: the share is within 3 %, the mean length, one step longer as bursts that no
	// packet meets are not seen, too.
	share, length := float64(lost)/n, float64(lost)/float64(bursts)
	if math.Abs(share/0.1-1) > 0.12 || math.Abs(length/200.5-1) > 0.1 {
		t.Errorf("%.4f of the time in bursts of %.4g steps, want 0.1 and 200", share, length)
	}
	for _, at := range []units.Time{0, units.Time(units.Second)} {
		const replications = 20000
		lost := 0
		for i := range uint64(replications) {
			m.Reset(sim.NewStream(1, "start", i))
			if at > 0 && fateAt(m, 0) {
				fateAt(m, units.Time(step))
			}
			if fateAt(m, at) {
				lost++
			}
		}
		if math.Abs(float64(lost)-0.1*replications) > 4*math.Sqrt(replications*0.09) {
			t.Errorf("at %v lost in %d of %d replications, want a tenth", at, lost, replications)
		}
	}
}

// The chain is a function of time: what else is sent changes no fate.
func TestFadingDoesNotFollowTheTraffic(t *testing.T) {
	busy := &Fading{Bad: 20 * units.Microsecond, Share: 0.3, LossBad: 1}
	quiet := &Fading{Bad: 20 * units.Microsecond, Share: 0.3, LossBad: 1}
	busy.Reset(sim.NewStream(1, "fading", 0))
	quiet.Reset(sim.NewStream(1, "fading", 0))
	lost := 0
	for i := range 100_000 {
		at := units.Time(i) * units.Time(units.Microsecond)
		is := fateAt(busy, at)
		if i%1000 == 0 && fateAt(quiet, at) != is {
			t.Fatalf("the packet at %v is lost or not by what was sent before", at)
		}
		if is {
			lost++
		}
	}
	if lost < 20_000 || lost > 40_000 {
		t.Errorf("lost %d of 100000, want about 30000", lost)
	}
}

// A packet is lost if any of its bits is sent while the link is down.
func TestOutagesLoseWhatTheyTouch(t *testing.T) {
	const length = units.Time(someSpacing)
	m, err := NewOutages(None{}, []Outage{{At: 10 * length, For: 2 * someSpacing,
		Every: 100 * someSpacing}})
	if err != nil {
		t.Fatal(err)
	}
	m.Reset(nil)
	for _, c := range []struct {
		at   units.Time
		lost bool
	}{
		{0, false}, {9 * length, false}, {9*length + 1, true}, {10 * length, true},
		{12*length - 1, true}, {12 * length, false}, {109 * length, false},
		{109*length + 1, true}, {112*length - 1, true}, {112 * length, false}, {1210 * length, true},
	} {
		if got := fateAt(m, c.at); got != c.lost {
			t.Errorf("a packet that begins at %v: lost is %v", c.at, got)
		}
	}
}
