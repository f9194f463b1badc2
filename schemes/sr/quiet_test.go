package sr

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// delivery is a run that arrives: its packet j at a time of at + j*spacing.
type delivery struct {
	work    sdr.Work
	at      units.Time
	spacing units.Duration
}

func (d *delivery) arrival(i int64) units.Time { return d.at.Add(units.Duration(i) * d.spacing) }

// evenly draws a number from lo to hi, small ones no more often than others.
func evenly(t *rapid.T, lo, hi int64, label string) int64 {
	n := int64(0)
	for range 8 {
		n *= 2
		if rapid.Bool().Draw(t, label) {
			n++
		}
	}
	return lo + n%(hi-lo+1)
}

// drawDeliveries draws what a receiver may see of a message: first transmissions in order, repeats
// of chunks, both with holes, and pauses. In the end everything has arrived.
func drawDeliveries(t *rapid.T, packets, perChunk int64) []delivery {
	s := schedule{t: t, now: us(50), packets: packets}
	for range evenly(t, 0, 25, "parts") {
		switch rapid.SampledFrom([]string{"first", "first", "repeat", "pause"}).Draw(t, "part") {
		case "first":
			n := min(evenly(t, 1, 30, "packets"), packets-s.next)
			s.add(s.next, n, false)
			s.next += n
		case "repeat":
			chunk := evenly(t, 0, (packets-1)/perChunk, "chunk")
			count := evenly(t, 1, 3, "chunks")
			end := min((chunk+count)*perChunk, s.next)
			s.add(chunk*perChunk, end-chunk*perChunk, true)
		case "pause":
			s.now = s.now.Add(units.Duration(rapid.Int64Range(0, 150e6).Draw(t, "ps")))
		}
	}
	s.lossless = true
	s.add(s.next, packets-s.next, false)
	s.now = s.now.Add(units.Duration(rapid.Int64Range(0, 150e6).Draw(t, "ps")))
	s.add(0, packets, true)
	s.add(0, min(packets, 3), true) // late
	return s.out
}

// schedule collects deliveries.
type schedule struct {
	t        *rapid.T
	now      units.Time
	packets  int64
	next     int64 // first packet that was never sent
	lossless bool
	out      []delivery
}

// spacings are the distances at which packets arrive: as they were sent, pressed together, and apart.
var spacings = []units.Duration{packetTime, packetTime, packetTime / 2, packetTime + packetTime/100,
	4 * packetTime}

// add appends packets that are sent back to back, without those that are lost.
func (s *schedule) add(first, count int64, repeat bool) {
	for count > 0 {
		n := count
		if !s.lossless {
			n = min(count, evenly(s.t, 1, 12, "run"))
		}
		spacing := rapid.SampledFrom(spacings).Draw(s.t, "spacing")
		lost := !s.lossless && evenly(s.t, 0, 2, "lost") == 0
		if !lost {
			s.out = append(s.out, delivery{at: s.now, spacing: spacing,
				work: sdr.Work{First: first, Count: n, Repeat: repeat}})
		}
		s.now = s.now.Add(units.Duration(n) * spacing)
		first, count = first+n, count-n
	}
}

// side is a receiver that is shown deliveries, and what it does about them.
type side struct {
	*host
	due []delivery
	did []string
	// owed is what is left of the patience that the receiver has had last, until its deadline.
	owed  int64
	until units.Time
}

func newSide(cfg Config, packets, perChunk int64, due []delivery) *side {
	return &side{host: newHost(discard{}, cfg, packets, perChunk), due: slices.Clone(due)}
}

// run is what is left of the delivery at the front.
func (s *side) run() wire.Run {
	d := &s.due[0]
	run := s.sender.handle.Run(d.work.First, d.work.Count)
	run.Repeat, run.Spacing = d.work.Repeat, d.spacing
	return run
}

// take delivers the next n packets.
func (s *side) take(n int64) {
	run := s.run()
	run.Count = n
	d := &s.due[0]
	s.now = d.arrival(n - 1)
	s.grant(&run)
	s.receiver.HandleArrival(s.now, s.recv.Deliver(&run))
	s.claim(n)
	s.note()
	d.work.First += n
	d.at = d.arrival(n)
	if d.work.Count -= n; d.work.Count == 0 {
		s.due = s.due[1:]
	}
}

// grant asks the receiver for its patience.
func (s *side) grant(run *wire.Run) {
	if s.until != s.deadline() {
		s.owed = 0
	}
	if a := s.recv.Preview(run); a.Recv != nil && !a.Discarded {
		s.owed, s.until = max(s.owed, s.receiver.Patience(a.Recv)), s.deadline()
	}
}

// claim holds the receiver to it, now that n packets have arrived.
func (s *side) claim(n int64) {
	if s.owed -= n; s.owed < 0 {
		s.owed = 0
	} else if len(s.controls) > 0 || s.receiver.Done() || s.deadline() != s.until {
		panic(fmt.Sprintf("a patient receiver has spoken: %q", s.receiver.State()))
	}
}

// note writes down what the receiver has said, and when it was done.
func (s *side) note() {
	for _, c := range s.controls {
		s.did = append(s.did, fmt.Sprintf("%v %x", c.sent, c.msg))
	}
	s.controls = nil
	if at, ok := s.receiver.DeliveredAt(); ok {
		s.did = append(s.did, fmt.Sprintf("delivered %v", at))
	}
}

// deadline is the receiver's next timeout, Never where it has none.
func (s *side) deadline() units.Time {
	if at, ok := s.receiver.NextTimeout(); ok {
		return at
	}
	return units.Never
}

// timeout handles what is due before an instant.
func (s *side) timeout(before units.Time) {
	for at := s.deadline(); at < before; at = s.deadline() {
		s.now = at
		s.receiver.HandleTimeout(at)
		s.note()
	}
}

// single shows one packet after the other.
func (s *side) single() []string {
	for len(s.due) > 0 {
		s.timeout(s.due[0].at)
		s.take(1)
	}
	s.timeout(us(100_000))
	return slices.Compact(s.did)
}

// quiet shows as many packets at a time as the receiver is quiet about: at the time of the last of
// them, or, where it is silent, before the time of any.
func (s *side) quiet(t *rapid.T) []string {
	for len(s.due) > 0 {
		run := s.run()
		a := s.recv.Preview(&run)
		n, silent := s.receiver.Quiet(a)
		if n < 1 || n > run.Count {
			t.Fatalf("quiet about %d packets of %d", n, run.Count)
		}
		known := n
		for known > 0 && s.due[0].arrival(known-1) > s.deadline() {
			known--
		}
		switch said := len(s.did); {
		case known > 0 && silent && !a.Discarded:
			s.take(known)
			if len(s.did) != said {
				t.Fatalf("promised silence about %d packets and did %v", n, s.did[said:])
			}
		case known > 0 && known == n:
			s.take(n)
		default:
			s.interrupt(known)
		}
	}
	s.timeout(us(100_000))
	return slices.Compact(s.did)
}

// interrupt takes what has arrived up to the deadline and handles it.
func (s *side) interrupt(known int64) {
	at := s.deadline()
	if known > 0 {
		s.take(known)
	}
	s.timeout(at + 1)
}

// However packets are grouped, as long as Quiet is heeded, the receiver says and does the same
// things at the same times.
func TestQuietReceiverHasNothingToDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := testConfig()
		cfg.Nack = rapid.Bool().Draw(t, "nack")
		cfg.NackSlack.Fixed = rapid.SampledFrom([]units.Duration{0, 5 * units.Microsecond,
			roundTrip}).Draw(t, "slack")
		cfg.Ack.Interval.Fixed = rapid.SampledFrom([]units.Duration{packetTime, pollEvery,
			pollEvery + 1, roundTrip}).Draw(t, "interval")
		cfg.Ack.Repeat = rapid.IntRange(0, 2).Draw(t, "repeat")
		packets := evenly(t, 1, 120, "packets")
		perChunk := rapid.SampledFrom([]int64{1, 1, 2, 3, 8}).Draw(t, "packets a chunk")
		due := drawDeliveries(t, packets, perChunk)
		want := newSide(cfg, packets, perChunk, due).single()
		got := newSide(cfg, packets, perChunk, due).quiet(t)
		if !slices.Equal(got, want) {
			t.Fatalf("in runs\n%v\none by one\n%v", got, want)
		}
	})
}

// Quiet is worth something: a lossless message is taken in one step for each poll.
func TestLosslessMessageIsTakenInFewSteps(t *testing.T) {
	for _, cfg := range []Config{testConfig(), nackConfig()} {
		h := newHost(t, cfg, 10_000, 4)
		first := h.sender.handle.Run(0, 10_000)
		if n, silent := h.receiver.Quiet(h.recv.Preview(&first)); n != 1 || !silent {
			t.Errorf("nack %v: quiet about %d packets, silent %v; want the first, which sets the poll",
				cfg.Nack, n, silent)
		}
		one := h.sender.handle.Run(0, 1)
		h.receiver.HandleArrival(us(1), h.recv.Deliver(&one))
		rest := h.sender.handle.Run(1, 9_999)
		if n, silent := h.receiver.Quiet(h.recv.Preview(&rest)); n != 9_999 || silent {
			t.Errorf("nack %v: quiet about %d packets, silent %v; want all, to the last", cfg.Nack, n,
				silent)
		}
		short := h.sender.handle.Run(1, 5_000)
		if n, silent := h.receiver.Quiet(h.recv.Preview(&short)); n != 5_000 || !silent {
			t.Errorf("nack %v: quiet about %d packets, silent %v; want silence", cfg.Nack, n, silent)
		}
	}
}

// A repeat can complete its chunk, and so reveal the hole before, ahead of its last packet.
func TestQuietEndsWhereARepeatCompletesAChunk(t *testing.T) {
	h := newHost(t, nackConfig(), 12, 4)
	t.Log("# of three chunks of four only the end of the second arrives; then all of it again")
	late := h.sender.handle.Run(6, 2)
	h.receiver.HandleArrival(us(58), h.recv.Deliver(&late))
	again := h.sender.handle.Run(4, 4)
	again.Repeat = true
	if n, silent := h.receiver.Quiet(h.recv.Preview(&again)); n != 2 || silent {
		t.Errorf("quiet about %d packets, silent %v; want 2, of which the last makes a report", n, silent)
	}
	t.Log("# the third chunk lacks its first packet: nothing that follows in it completes it")
	h.receiver.HandleArrival(us(60), h.recv.Deliver(&again))
	part := h.sender.handle.Run(9, 3)
	if n, silent := h.receiver.Quiet(h.recv.Preview(&part)); n != 3 || !silent {
		t.Errorf("quiet about %d packets, silent %v; want silence about 3", n, silent)
	}
}

// Where packets come slower than at line rate, the tail may be overdue between two of them: a group
// ends there, and no sooner where they do not.
func TestAGroupEndsBeforeTheTailIsOverdue(t *testing.T) {
	for _, slack := range []units.Duration{0, 3 * packetTime} {
		for _, spacing := range []units.Duration{packetTime / 2, packetTime, packetTime + packetTime/100,
			4 * packetTime, 50 * packetTime} {
			for gap := range int64(3) {
				cfg := nackConfig()
				cfg.NackSlack.Fixed = slack
				const packets, n, first = 40, 20, 20
				due := []delivery{{sdr.Work{Count: 1}, us(50), packetTime},
					{sdr.Work{First: 1, Count: first - 1 - gap}, us(51), packetTime},
					{sdr.Work{First: first, Count: n}, us(50).Add(units.Duration(first) * packetTime), spacing}}
				s := newSide(cfg, packets, 1, due)
				for len(s.due) > 1 {
					s.timeout(s.due[0].at)
					s.take(1)
				}
				s.timeout(s.due[0].at)
				if gap > 0 { // revealed by the first
					s.take(1)
				}
				run := s.run()
				quiet, _ := s.receiver.Quiet(s.recv.Preview(&run))
				for got := int64(0); got < quiet && len(s.due) > 0; got++ {
					s.take(1)
					if len(s.due) > 0 && s.receiver.holes.tail < s.due[0].at && got+1 < quiet {
						t.Errorf("slack %v, spacing %v, gap %d: overdue after %d of %d packets that are quiet",
							slack, spacing, gap, got+1, quiet)
					}
				}
				if spacing <= packetTime && quiet != run.Count {
					t.Errorf("spacing %v: quiet about %d of %d packets", spacing, quiet, run.Count)
				}
			}
		}
	}
}
