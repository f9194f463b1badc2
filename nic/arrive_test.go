package nic

import (
	"slices"
	"strings"
	"testing"

	"sdrsim/link"
	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// wantLog runs the engine and fails the test unless the endpoints were told this, and only this.
func (s *stand) wantLog(want ...string) {
	s.t.Helper()
	s.engine.Run()
	if !slices.Equal(s.log, want) {
		s.t.Errorf("noted\n%q, want\n%q", s.log, want)
	}
}

// silentAbout is the answer of a receiver that has nothing to say before packet end.
func silentAbout(end int64) func(a sdr.Arrival) (int64, bool) {
	return func(a sdr.Arrival) (int64, bool) {
		if a.First >= end {
			return 1, false
		}
		return min(a.Count, end-a.First), true
	}
}

// lossy is a script that loses packets of the peer's messages.
func lossy(t *testing.T, drops ...link.Drop) link.LossModel {
	m, err := link.NewScript(drops)
	must(t, err)
	m.Reset(nil)
	return m
}

func TestPacketsAreReportedAsTheyArrive(t *testing.T) {
	s := newStand(t, standConfig{loss: lossy(t, link.Drop{First: 2, Last: 2})})
	_, h := s.newReceiver(0, 5)
	s.at(us(1), func(now units.Time) { s.inject(now, h, 0, 5, false) })
	s.wantLog("0:0+1@12us", "0:1+1@13us", "0:3+1@15us", "0:4+1@16us")
}

// Where the receiver is quiet about packets, they are one report, at the time of the last.
func TestQuietPacketsAreOneReport(t *testing.T) {
	s := newStand(t, standConfig{})
	r, h := s.newReceiver(0, 9)
	r.quiet = func(a sdr.Arrival) (int64, bool) { return 4, false }
	s.at(0, func(now units.Time) { s.inject(now, h, 0, 9, false) })
	s.wantLog("0:0+4@14us", "0:4+4@18us", "0:8+1@19us")
}

// Where it is silent as well, they are taken when they have left: nothing can happen before.
func TestSilentPacketsAreTakenAheadOfTheirTime(t *testing.T) {
	s := newStand(t, standConfig{})
	r, h := s.newReceiver(0, 40)
	r.quiet = silentAbout(39)
	var taken []units.Time
	r.onArrive = func(units.Time, sdr.Arrival) { taken = append(taken, s.engine.Now()) }
	s.at(0, func(now units.Time) { s.inject(now, h, 0, 40, false) })
	t.Log("# something wakes the NIC at 20 us: ten packets have arrived and ten more have left")
	s.at(us(20), s.nic.Fire)
	s.wantLog("0:0+10@20us", "0:10+10@30us", "0:20+19@49us", "0:39+1@50us")
	if want := []units.Time{us(20), us(20), us(49), us(50)}; !slices.Equal(taken, want) {
		t.Errorf("taken at %v, want %v", taken, want)
	}
}

// What is taken in part is asked about anew: the timeout runs from the packet that has moved it,
// not from the last one that was taken with it.
func TestTimeoutMovedInPartOfASilentRunCountsFromItsPacket(t *testing.T) {
	for _, maxRun := range []int64{0, 1} {
		s := newStand(t, standConfig{maxRun: maxRun, nic: Config{SinglePackets: maxRun == 1}})
		r, h := s.newReceiver(0, 40)
		last := func(a sdr.Arrival) (packets int64) {
			for _, p := range []int64{2, 13, 16, 39} { // they put off the timeout
				if p >= a.First && p < a.First+a.Count {
					packets = p + 1 - a.First
				}
			}
			return packets
		}
		r.quiet = func(a sdr.Arrival) (int64, bool) {
			if n := last(a); n > 0 {
				return n, true
			}
			return a.Count, true
		}
		r.onArrive = func(now units.Time, a sdr.Arrival) {
			if last(a) > 0 {
				r.wake = now.Add(12 * units.Microsecond)
			}
		}
		s.at(0, func(now units.Time) { s.inject(now, h, 0, 40, false) })
		t.Log("# the NIC is woken at 20 us: ten packets have arrived and ten more have left")
		s.at(us(20), s.nic.Fire)
		s.engine.Run()
		s.log = slices.DeleteFunc(s.log, func(e string) bool { return !strings.HasPrefix(e, "wake") })
		t.Log("# 12 us after packet 16, before packet 39; and 12 us after that one")
		s.wantLog("wake 0@39us", "wake 0@62us")
	}
}

// A timeout that is put off by what is taken ahead of its time wakes nobody at its former time.
func TestTimeoutThatWasPutOffWakesNobody(t *testing.T) {
	s := newStand(t, standConfig{})
	r, h := s.newReceiver(0, 5)
	r.quiet = func(a sdr.Arrival) (int64, bool) {
		if a.First == 0 {
			return 1, false
		}
		return a.Count, true
	}
	r.onArrive = func(now units.Time, _ sdr.Arrival) { r.wake = now.Add(20 * units.Microsecond) }
	s.at(0, func(now units.Time) { s.inject(now, h, 0, 5, false) })
	s.wantLog("0:0+1@11us", "0:1+4@15us", "wake 0@35us")
	t.Log("# one event sends, one takes all packets, one is the timeout")
	if n := s.engine.Events(); n != 3 {
		t.Errorf("%d events, want 3", n)
	}
}

// Where it is patient, flights are taken whole, one after the other, without being asked about.
func TestAPatientReceiverIsNotAskedAboutEachFlight(t *testing.T) {
	s := newStand(t, standConfig{loss: lossy(t, link.Drop{First: 3, Last: 3},
		link.Drop{First: 7, Last: 8}, link.Drop{First: 12, Last: 12})})
	r, h := s.newReceiver(0, 40)
	asked := 0
	r.quiet = func(a sdr.Arrival) (int64, bool) {
		if asked++; a.First >= 3 && a.First+a.Count <= 9 {
			t.Errorf("asked about packets %d (+%d)", a.First, a.Count)
		}
		return 1, false
	}
	r.patience = 7
	r.onArrive = func(_ units.Time, a sdr.Arrival) { r.patience -= a.Count }
	s.at(0, func(now units.Time) { s.inject(now, h, 0, 16, false) })
	s.at(us(13), s.nic.Fire)
	t.Log("# nobody knows yet that the first of them are a whole flight")
	s.wantLog("0:0+1@11us", "0:1+2@13us", "0:4+3@17us", "0:9+1@20us", "0:10+1@21us",
		"0:11+1@22us", "0:13+1@24us", "0:14+1@25us", "0:15+1@26us")
	if asked == 0 {
		t.Error("never asked")
	}
}

// A timeout ends patience: what arrives later is not taken before it.
func TestPatienceEndsAtTheTimeout(t *testing.T) {
	s := newStand(t, standConfig{loss: lossy(t, link.Drop{First: 3, Last: 3})})
	r, h := s.newReceiver(0, 40)
	r.patience, r.wake = 100, us(15)
	s.nic.AddReceiver(0, r)
	s.at(0, func(now units.Time) { s.inject(now, h, 0, 9, false) })
	s.at(us(12), s.nic.Fire)
	s.engine.Run()
	before := 0
	for _, entry := range s.log {
		if strings.HasPrefix(entry, "wake") {
			break
		}
		before += int(counted(t, []string{entry}))
	}
	if before != 4 {
		t.Errorf("%d packets before the timeout, want 4: %q", before, s.log)
	}
}

// A receiver that has a timeout is told what came before, then of the timeout, then of the rest.
func TestTimeoutsComeInOrderWithArrivals(t *testing.T) {
	t.Log("# six packets arrive every microsecond from 11 us on; the NIC is woken at 5 us")
	for name, quiet := range map[string]func(a sdr.Arrival) (int64, bool){
		"silent": silentAbout(100), "talkative": nil,
		"quiet": func(a sdr.Arrival) (int64, bool) { return a.Count, false },
		"shy":   func(a sdr.Arrival) (int64, bool) { return 0, false },
	} {
		for _, wake := range []units.Time{1, us(11) - 1, us(11), us(13), us(14) - 1, us(17)} {
			s := newStand(t, standConfig{})
			r, h := s.newReceiver(0, 6)
			r.quiet, r.wake = quiet, wake
			s.nic.AddReceiver(0, r)
			s.at(0, func(now units.Time) { s.inject(now, h, 0, 6, false) })
			s.at(us(5), s.nic.Fire)
			s.engine.Run()
			at := slices.IndexFunc(s.log, func(e string) bool { return strings.HasPrefix(e, "wake") })
			if at < 0 {
				t.Fatalf("%s: no timeout in %q", name, s.log)
			}
			want := max(0, int64((wake-us(10))/us(1)))
			before, after := counted(t, s.log[:at]), counted(t, s.log[at+1:])
			if want = min(want, 6); before != want || before+after != 6 {
				t.Errorf("%s: %d packets before the timeout at %v and %d after, want %d: %q", name,
					before, wake, after, want, s.log)
			}
		}
	}
}

// A timeout that is set by what was taken ahead of its time is kept, also where nothing else wakes
// the NIC in between.
func TestTimeoutSetAheadOfTimeIsKept(t *testing.T) {
	for _, follows := range []string{"nothing", "control", "data"} {
		s := newStand(t, standConfig{})
		r, h := s.newReceiver(0, 100)
		r.quiet = silentAbout(100)
		r.onArrive = func(now units.Time, _ sdr.Arrival) {
			if r.wake == units.Never {
				r.wake = now.Add(50 * units.Nanosecond)
			}
		}
		s.at(0, func(now units.Time) { s.inject(now, h, 0, 100, false) })
		t.Logf("# cut after 30 us, with 30 packets; %s follows", follows)
		s.at(us(30), func(now units.Time) {
			s.in.Cut(now)
			switch follows {
			case "control":
				s.in.SendControl(now, message("abc"))
			case "data":
				s.inject(now, h, 50, 10, false)
			}
		})
		s.engine.RunUntil(us(45))
		if want := []string{"0:0+30@40us", "wake 0@40.05us"}; !slices.Equal(s.log[:2], want) {
			t.Errorf("%s: noted %q, want first %q", follows, s.log, want)
		}
	}
}

// What is on its way to a receive that is complete goes to whoever has the place when it arrives.
func TestLatePacketsAreNotTakenAhead(t *testing.T) {
	s := newStand(t, standConfig{})
	r, h := s.newReceiver(0, 40)
	must(t, r.handle.Complete())
	r.quiet = silentAbout(100)
	next := &scriptedReceiver{stand: s, tag: 5, handle: r.handle, wake: units.Never}
	s.at(0, func(now units.Time) { s.inject(now, h, 0, 20, false) })
	s.at(us(12), s.nic.Fire)
	t.Log("# the place is taken by another after two packets, while ten more have left")
	s.at(us(12)+1, func(units.Time) { s.nic.AddReceiver(0, next) })
	s.engine.Run()
	if got := s.log[:2]; !slices.Equal(got, []string{"0:0+2@12us", "5:2+1@13us"}) {
		t.Errorf("noted %q", s.log)
	}
}

// Nothing is under way at first where the first packets are lost.
func TestRunThatBeginsWithLossesIsNotForgotten(t *testing.T) {
	slow := Workers{Count: 1, Channels: 1, PerPacket: units.Nanosecond}
	for name, cfg := range map[string]Config{"runs": {}, "packets": {SinglePackets: true},
		"workers": {Workers: slow}} {
		s := newStand(t, standConfig{nic: cfg, loss: lossy(t, link.Drop{First: 0, Last: 2},
			link.Drop{First: 4, Last: 5})})
		r, h := s.newReceiver(0, 8)
		arrived := map[int64]units.Time{}
		r.onArrive = func(now units.Time, a sdr.Arrival) { arrived[a.First] = now }
		s.at(0, func(now units.Time) { s.inject(now, h, 0, 8, false) })
		s.engine.Run()
		for p, want := range map[int64]units.Time{3: us(14), 6: us(17), 7: us(18)} {
			if got := arrived[p]; got != want && got != want.Add(cfg.Workers.PerPacket) {
				t.Errorf("%s: packet %d is reported at %v, want %v", name, p, got, want)
			}
		}
		if len(arrived) != 3 {
			t.Errorf("%s: %d packets arrived", name, len(arrived))
		}
	}
}

// Data behind an acknowledgement that wakes nobody is still reported in time, also where its first
// packets are lost.
func TestDataBehindAPassiveAcknowledgement(t *testing.T) {
	passive := wire.AppendAck(nil, &wire.Ack{Cumulative: 1}, 100)
	for lost, want := range [][]string{
		{"0:0+1@12us", "0:1+1@13us", "0:2+1@14us"}, {"0:1+1@13us", "0:2+1@14us"}, {"0:2+1@14us"},
	} {
		var drops []link.Drop
		for p := range int64(lost) {
			drops = append(drops, link.Drop{First: p, Last: p})
		}
		s := newStand(t, standConfig{loss: lossy(t, drops...)})
		_, h := s.newReceiver(0, 3)
		s.at(0, func(now units.Time) { s.in.SendControl(now, passive) })
		s.at(us(1), func(now units.Time) { s.inject(now, h, 0, 3, false) })
		s.wantLog(want...)
	}
}

// counted adds up the packets of reports such as "0:3+2@15us".
func counted(t *testing.T, log []string) (n int64) {
	for _, entry := range log {
		_, rest, ok := strings.Cut(entry, "+")
		if !ok || rest[1] != '@' {
			t.Fatalf("%q is no report of up to nine packets", entry)
		}
		n += int64(rest[0] - '0')
	}
	return n
}

func TestReceiverThatBreaksItsSilenceIsABug(t *testing.T) {
	s := newStand(t, standConfig{})
	r, h := s.newReceiver(0, 6)
	r.quiet = silentAbout(100)
	r.onArrive = func(units.Time, sdr.Arrival) { s.nic.Send(message("abc")) }
	defer func() {
		if bug, _ := recover().(string); !strings.HasPrefix(bug, "BUG: nic: ") {
			t.Errorf("panic %q, want a BUG", bug)
		}
	}()
	s.at(0, func(now units.Time) { s.inject(now, h, 0, 6, false) })
	s.at(us(5), s.nic.Fire)
	s.engine.Run()
}

// Every packet goes to the receiver of its message; what belongs to none is nobody's.
func TestArrivalsGoToTheirReceiver(t *testing.T) {
	s := newStand(t, standConfig{})
	_, first := s.newReceiver(3, 2)
	_, second := s.newReceiver(1, 2)
	s.at(0, func(now units.Time) {
		s.inject(now, second, 0, 2, false)
		s.inject(now, first, 1, 1, false)
		stray := first.Run(0, 1)
		stray.Message = 77
		s.in.Transmit(s.in.FreeAt(), &stray)
	})
	s.wantLog("1:0+1@11us", "1:1+1@12us", "3:1+1@13us")
	if c := s.qp.Counters(); c.Unmatched != 1 || c.Fresh != 3 {
		t.Errorf("counted %+v", c)
	}
}

func TestDeliveryIsReportedOnce(t *testing.T) {
	s := newStand(t, standConfig{})
	r, h := s.newReceiver(0, 3)
	r.onArrive = func(_ units.Time, a sdr.Arrival) { r.done = r.handle.Missing() == 0 }
	s.at(0, func(now units.Time) { s.inject(now, h, 0, 3, false) })
	s.at(us(5), func(now units.Time) { s.inject(now, h, 1, 1, true) })
	s.wantLog("0:0+1@11us", "0:1+1@12us", "0:2+1@13us", "receiver 0 done at 13us", "0:1+1@16us")
}

// A receiver that becomes done by a timeout, such as the end of a decoding, is reported as well.
func TestDeliveryByTimeoutIsReported(t *testing.T) {
	s := newStand(t, standConfig{})
	r, h := s.newReceiver(0, 1)
	r.onArrive = func(units.Time, sdr.Arrival) { r.wake = us(30) }
	r.onWake = func(units.Time) { r.done = true }
	s.at(0, func(now units.Time) { s.inject(now, h, 0, 1, false) })
	s.wantLog("0:0+1@11us", "wake 0@30us", "receiver 0 done at 30us")
}

// Chunks that arrive in a repeat though they were complete are counted, also after completion, and
// also where they are still on their way at the end.
func TestSpuriousRepeatsAreCounted(t *testing.T) {
	s := newStand(t, standConfig{perChunk: 2})
	r, h := s.newReceiver(0, 8)
	s.at(0, func(now units.Time) { s.inject(now, h, 0, 8, false) })
	s.at(us(20), func(now units.Time) { s.inject(now, h, 2, 2, true) })
	s.at(us(40), func(now units.Time) {
		must(t, r.handle.Complete())
		s.inject(now, h, 0, 4, true)
	})
	s.engine.Run()
	if got := s.nic.Stats().Spurious; got != 3 {
		t.Errorf("%d chunks repeated in vain, want 3", got)
	}
	s.log = nil
	t.Log("# two more are on their way when the run ends, and a control message")
	s.inject(us(60), h, 4, 4, true)
	s.in.SendControl(us(64), message("abc"))
	s.nic.Drain()
	if got := s.nic.Stats().Spurious; got != 5 {
		t.Errorf("%d chunks repeated in vain, want 5", got)
	}
	if s.in.Inbox().Head() != nil || len(s.log) > 0 {
		t.Errorf("head %v, noted %q; want an empty link and nobody told", s.in.Inbox().Head(), s.log)
	}
}

// What is cut at the far end does not arrive, and what goes in its place does.
func TestCutAtTheFarEndIsNoticed(t *testing.T) {
	for name, quiet := range map[string]func(a sdr.Arrival) (int64, bool){
		"silent": silentAbout(8), "talkative": nil,
	} {
		s := newStand(t, standConfig{})
		r, h := s.newReceiver(0, 9)
		r.quiet = quiet
		arrived := map[int64]units.Time{}
		r.onArrive = func(now units.Time, a sdr.Arrival) {
			for i := range a.Count {
				arrived[a.First+i] = now.Add(-units.Duration(a.Count-1-i) * packetTime)
			}
		}
		s.at(0, func(now units.Time) { s.inject(now, h, 0, 9, false) })
		s.at(us(3)+1, func(now units.Time) {
			if back := s.in.Cut(now); back != 5 {
				t.Fatalf("%d packets back", back)
			}
			s.inject(us(6), h, 4, 5, false)
		})
		s.engine.Run()
		for p := range int64(9) {
			want := us(11 + p)
			if p >= 4 {
				want = us(13 + p)
			}
			if arrived[p] != want {
				t.Errorf("%s: packet %d arrived at %v, want %v", name, p, arrived[p], want)
			}
		}
	}
}

// However long a message is: one timer waits in the engine for each NIC.
func TestOneTimerForEachNIC(t *testing.T) {
	s := newStand(t, standConfig{})
	a, b := s.newSender(1000), s.newSender(1000)
	a.host(0)
	b.host(0)
	r, h := s.newReceiver(0, 1000)
	r.wake = us(500)
	s.nic.AddReceiver(0, r)
	s.inject(0, h, 0, 1000, false)
	for s.engine.Step() {
		if n := s.engine.Pending(); n > 1 {
			t.Fatalf("%d events wait at %v", n, s.engine.Now())
		}
	}
}

// A message costs events for what its receiver says, not for its packets.
func TestLongMessageIsFewEvents(t *testing.T) {
	s := newStand(t, standConfig{})
	a := s.newSender(100_000)
	a.host(0)
	r, h := s.newReceiver(0, 100_000)
	r.quiet = func(a sdr.Arrival) (int64, bool) { return a.Count, false }
	s.inject(0, h, 0, 100_000, false)
	s.engine.Run()
	if n := s.engine.Events(); n > 5 || len(s.log) != 1 {
		t.Errorf("%d events and %d reports for 200000 packets", n, len(s.log))
	}
}

func TestResetForgetsEndpointsAndCounts(t *testing.T) {
	s := newStand(t, standConfig{})
	a := s.newSender(9)
	r, h := s.newReceiver(0, 2)
	r.wake = us(90)
	a.host(0)
	s.nic.Send(message("abc"))
	s.inject(0, h, 0, 2, true)
	s.in.SendControl(us(2), []byte{1})
	s.engine.RunUntil(us(12))
	s.engine.Reset()
	s.in.Reset()
	s.out.Reset()
	s.nic.Reset()
	s.log = nil
	s.nic.Fire(0)
	s.engine.Run()
	if s.nic.Stats() != (Stats{}) || len(s.log) > 0 || len(s.wire()) > 0 {
		t.Errorf("%+v, noted %q", s.nic.Stats(), s.log)
	}
}
