package link

import (
	"math"
	"testing"

	"sdrsim/sim"
	"sdrsim/units"
	"sdrsim/wire"
)

// packetAt is a packet whose first bit is sent at a time.
func packetAt(at units.Time) wire.Run {
	return wire.Run{Count: 1, Depart: at.Add(someSpacing), Spacing: someSpacing}
}

// fateAt sends a packet at a time and reports whether it was lost.
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
	m := &Fading{Bad: 10 * step, Share: 0.2, LossBad: 1}
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
	// Some 76000 bursts, so both are within a percent. A chain that is looked at every so often has
	// changed from bad to good with probability (1-Share) (1 - exp(-step/(Bad (1-Share)))).
	share, length := float64(lost)/n, float64(lost)/float64(bursts)
	want := 1 / (0.8 * (1 - math.Exp(-1.0/8)))
	if math.Abs(share/0.2-1) > 0.015 || math.Abs(length/want-1) > 0.012 {
		t.Errorf("%.4f of the time in bursts of %.3f steps, want 0.2 and %.3f", share, length, want)
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
		if math.Abs(float64(lost)-0.2*replications) > 4*math.Sqrt(replications*0.16) {
			t.Errorf("at %v lost in %d of %d replications, want a fifth", at, lost, replications)
		}
	}
}

// The chain is a function of time: what else is sent changes no fate.
func TestFadingDoesNotFollowTheTraffic(t *testing.T) {
	busy := &Fading{Bad: 20 * units.Microsecond, Share: 0.3, LossBad: 1}
	quiet := &Fading{Bad: 20 * units.Microsecond, Share: 0.3, LossBad: 1}
	silent := &Fading{Bad: 20 * units.Microsecond, Share: 0.3, LossBad: 1} // for many epochs
	for _, m := range []*Fading{busy, quiet, silent} {
		m.Reset(sim.NewStream(1, "fading", 0))
	}
	lost := 0
	for i := range 1_000_000 {
		at := units.Time(i) * units.Time(units.Microsecond)
		is := fateAt(busy, at)
		if i%1000 == 0 && fateAt(quiet, at) != is || i%20_011 == 0 && fateAt(silent, at) != is {
			t.Fatalf("the packet at %v is lost or not by what was sent before", at)
		}
		if is {
			lost++
		}
	}
	if lost < 280_000 || lost > 320_000 {
		t.Errorf("lost %d of 1000000, want about 300000", lost)
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
