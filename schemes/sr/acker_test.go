package sr

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// ackerTest drives an acker by hand and keeps what it says.
type ackerTest struct {
	acker  Acker
	bitmap sdr.Bitmap
	now    units.Time
	takes  units.Duration // an acknowledgement on the way back
	said   []statement
}

// statement is an acknowledgement, when it was sent, and what had arrived by then.
type statement struct {
	wire.Ack
	at      units.Time
	size    int
	arrived []bool
}

// Send keeps an acknowledgement.
func (a *ackerTest) Send(msg []byte) units.Time {
	s := statement{at: a.now, size: len(msg)}
	if err := wire.DecodeAck(msg, &s.Ack); err != nil {
		panic(err)
	}
	for i := range a.bitmap.Len() {
		s.arrived = append(s.arrived, a.bitmap.Test(i))
	}
	a.said = append(a.said, s)
	return a.now.Add(a.takes)
}

func newAckerTest(cfg AckConfig, chunks int64) *ackerTest {
	a := &ackerTest{}
	a.bitmap.Reset(chunks)
	a.acker.Open(&cfg, &schemes.Transfer{Serial: 9, Path: testPath(), Control: a}, &a.bitmap, 1)
	return a
}

// arrive sets chunks, and tells the acker.
func (a *ackerTest) arrive(now units.Time, first, count int64) {
	a.until(now)
	a.now = now
	a.bitmap.SetRange(first, count)
	a.acker.Note(now, first, first+count-1)
}

// until polls at every deadline up to and including an instant.
func (a *ackerTest) until(now units.Time) {
	for at, ok := a.acker.Deadline(); ok && at <= now; at, ok = a.acker.Deadline() {
		a.now = at
		a.acker.Poll(at)
	}
	a.now = now
}

// learn applies what a statement says to what is known.
func learn(known *sdr.Bitmap, s *statement) {
	if s.Cumulative > 0 {
		known.SetRange(0, s.Cumulative)
	}
	for _, r := range s.Selective {
		known.SetRange(r.First, r.Count)
	}
}

// Whatever arrives in whatever order, and whichever polls are lost, up to as many as there are
// repeats: in the end the sender knows everything, and at no time anything that is not true.
func TestSenderLearnsEverythingThatArrived(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := AckConfig{Interval: units.Span{Fixed: pollEvery},
			Repeat: rapid.IntRange(0, 3).Draw(t, "repeat"),
			Size:   rapid.SampledFrom([]units.Bytes{32, 40, 64, 100, 4096}).Draw(t, "size")}
		chunks := rapid.Int64Range(1, 2000).Draw(t, "chunks")
		a := newAckerTest(cfg, chunks)
		for range rapid.IntRange(1, 60).Draw(t, "arrivals") {
			first := rapid.Int64Range(0, chunks-1).Draw(t, "first")
			count := rapid.Int64Range(1, min(90, chunks-first)).Draw(t, "count")
			wait := rapid.SampledFrom([]units.Duration{0, 1, pollEvery - 1, pollEvery, 100 * pollEvery}).
				Draw(t, "wait")
			if rapid.Bool().Draw(t, "combs") {
				for i := first; i < first+count; i += 2 { // the worst pattern for ranges
					a.arrive(a.now, i, 1)
				}
			}
			a.arrive(a.now.Add(wait), first, count/2+1)
		}
		a.until(a.now.Add(units.Duration(cfg.Repeat+2) * pollEvery))
		wantTrueStatements(t, a, cfg)
		wantAllKnown(t, a, drawLostPolls(t, a, cfg.Repeat))
		if a.acker.Armed() {
			t.Fatal("a poll is due though everything was said often enough")
		}
	})
}

// wantTrueStatements checks every acknowledgement against what had arrived when it was sent.
func wantTrueStatements(t *rapid.T, a *ackerTest, cfg AckConfig) {
	for _, s := range a.said {
		var said sdr.Bitmap
		said.Reset(a.bitmap.Len())
		learn(&said, &s)
		for i, set := range s.arrived {
			if said.Test(int64(i)) && !set {
				t.Fatalf("chunk %d is acknowledged at %v and has not arrived", i, s.at)
			}
		}
		if s.Message != 9 || s.size > int(cfg.Size) {
			t.Fatalf("%d bytes for message %d, at most %d for 9", s.size, s.Message, cfg.Size)
		}
		if s.at%units.Time(pollEvery) != a.acker.start%units.Time(pollEvery) || s.at == a.acker.start {
			t.Fatalf("acknowledged at %v, off the grid of %v", s.at, a.acker.start)
		}
	}
}

// drawLostPolls draws instants at which everything that is said is lost.
func drawLostPolls(t *rapid.T, a *ackerTest, atMost int) (lost []units.Time) {
	for range rapid.IntRange(0, atMost).Draw(t, "lost polls") {
		i := rapid.IntRange(0, len(a.said)-1).Draw(t, "lost")
		if rapid.Bool().Draw(t, "late") {
			i = len(a.said) - 1 - i%min(len(a.said), 4)
		}
		lost = append(lost, a.said[i].at)
	}
	return lost
}

// wantAllKnown checks that the statements that are not lost say everything.
func wantAllKnown(t *rapid.T, a *ackerTest, lost []units.Time) {
	var known sdr.Bitmap
	known.Reset(a.bitmap.Len())
	for _, s := range a.said {
		if !slices.Contains(lost, s.at) {
			learn(&known, &s)
		}
	}
	for i := range a.bitmap.Len() {
		if a.bitmap.Test(i) != known.Test(i) {
			t.Fatalf("chunk %d: arrived %v, known %v; lost polls %v", i, a.bitmap.Test(i),
				known.Test(i), lost)
		}
	}
}

// Every section fits its acknowledgement, whatever has arrived of it: also where the sections
// before are empty and lie far behind.
func TestNothingOfASectionIsLeftOut(t *testing.T) {
	for _, size := range []units.Bytes{32, 64, 100, 1500, 4096} {
		a := newAckerTest(AckConfig{Interval: units.Span{Fixed: pollEvery}, Size: size}, 300_000)
		section := a.acker.section
		t.Logf("# %d B: sections of %d chunks", size, section)
		room := int64(size-wire.AckOverhead) * 8
		if section <= room-64 || section > max(room, 64) || section%64 != 0 {
			t.Errorf("a section of %d chunks for %d B, with room for %d", section, size, room)
		}
		last := (a.bitmap.Len() - 1) / section
		for _, s := range []int64{0, 1, last - 1} {
			start := s * section
			for i := start + 1 - s%2; i < start+section; i += 2 {
				a.bitmap.Set(i)
			}
			a.acker.base, a.said = 0, nil
			a.acker.addSection(s)
			a.acker.flush()
			got := int64(0)
			for _, r := range a.said[0].Selective {
				got += r.Count
			}
			if want := a.bitmap.CountRange(start, section); got != want || a.said[0].size > int(size) {
				t.Errorf("section %d: %d of %d chunks in %d bytes, limit %d", s, got, want,
					a.said[0].size, size)
			}
		}
	}
}

func TestPollsLieOnAGridFromTheFirstArrival(t *testing.T) {
	a := newAckerTest(AckConfig{Interval: units.Span{Fixed: pollEvery}, Size: 4096}, 100)
	if _, ok := a.acker.Deadline(); ok {
		t.Fatal("a poll before anything arrived")
	}
	t.Log("# first arrival at 3 us; several others before the poll at 13 us")
	a.arrive(us(3), 0, 1)
	a.arrive(us(4), 1, 1)
	a.arrive(us(12), 2, 1)
	t.Log("# polling early does nothing")
	a.acker.Poll(us(12))
	a.until(us(30))
	t.Log("# then silence; an arrival at 47 us is polled at 53 us, one at 63 us at 73 us")
	a.arrive(us(47), 5, 1)
	a.arrive(us(63), 7, 1)
	a.until(us(100))
	var at []units.Time
	for _, s := range a.said {
		at = append(at, s.at)
	}
	if want := []units.Time{us(13), us(53), us(73)}; !slices.Equal(at, want) {
		t.Errorf("polled at %v, want %v", at, want)
	}
	if got := a.acker.Sent(); got != 3 {
		t.Errorf("counted %d acknowledgements of 3", got)
	}
}

// A poll that the host handles late is one poll, not all those that were missed.
func TestLatePollIsOnePoll(t *testing.T) {
	a := newAckerTest(AckConfig{Interval: units.Span{Fixed: pollEvery}, Repeat: 1, Size: 4096}, 9)
	a.arrive(us(0), 0, 1)
	a.now = us(77)
	a.acker.Poll(us(77))
	if at, _ := a.acker.Deadline(); len(a.said) != 1 || at != us(80) {
		t.Errorf("%d acknowledgements, the next at %v, want 1 and 80us", len(a.said), at)
	}
}

// Sections in which nothing is new are not repeated, whatever happens in others.
func TestOnlySectionsWithNewsAreAcknowledged(t *testing.T) {
	cfg := AckConfig{Interval: units.Span{Fixed: pollEvery}, Repeat: 1, Size: 32}
	a := newAckerTest(cfg, 640) // ten sections of 64
	t.Log("# chunk 0 is missing; news in section 2, later in section 8, later in both")
	a.arrive(us(0), 130, 3)
	a.until(us(50))
	a.arrive(us(60), 520, 3)
	a.until(us(95))
	a.arrive(us(101), 140, 1)
	a.arrive(us(111), 530, 1)
	a.until(us(200))
	var got []int64
	for _, s := range a.said {
		got = append(got, int64(s.at.Sub(0)/units.Microsecond), s.Selective[0].First/64)
	}
	want := []int64{10, 2, 20, 2, 70, 8, 80, 8, 110, 2, 120, 2, 120, 8, 130, 8}
	if !slices.Equal(got, want) {
		t.Errorf("said (us, section) %v, want %v", got, want)
	}
}

// Sections that have few holes are acknowledged together, one with many by itself.
func TestSectionsShareAnAcknowledgementWhereHolesAreFew(t *testing.T) {
	cfg := AckConfig{Interval: units.Span{Fixed: pollEvery}, Size: 4096}
	a := newAckerTest(cfg, 300_000)
	section := a.acker.section
	t.Log("# chunk 0 is missing, and two more of the first four sections")
	a.arrive(us(0), 1, 4*section-1)
	a.bitmap.ClearRange(section+7, 1)
	a.bitmap.ClearRange(3*section, 2)
	a.until(us(20))
	want := []wire.Range{{First: 1, Count: section + 6},
		{First: section + 8, Count: 2*section - 8}, {First: 3*section + 2, Count: section - 2}}
	if len(a.said) != 1 || !slices.Equal(a.said[0].Selective, want) {
		t.Errorf("said %+v, want %+v at once", a.said, want)
	}
	t.Log("# every other chunk of the third section")
	for i := 2 * section; i < 3*section; i += 2 {
		a.bitmap.ClearRange(i, 1)
	}
	a.said = nil
	a.acker.Note(us(31), 1, 4*section-1)
	a.until(us(50))
	if len(a.said) != 3 {
		t.Errorf("said %d times, want once before the section with the many holes, for it, and after",
			len(a.said))
	}
}

// Where everything is there up to some point, the cumulative part says so even if no section has
// more to tell.
func TestCumulativePartIsSaidWithoutSelective(t *testing.T) {
	cfg := AckConfig{Interval: units.Span{Fixed: pollEvery}, Size: 32}
	a := newAckerTest(cfg, 640)
	a.arrive(us(0), 0, 128)
	a.until(us(50))
	if len(a.said) != 1 || a.said[0].Cumulative != 128 || len(a.said[0].Selective) != 0 {
		t.Errorf("said %+v, want 128 chunks once", a.said)
	}
}

// The poll period is never shorter than the time of a chunk: nothing could be new.
func TestPollPeriodIsAtLeastAChunk(t *testing.T) {
	c := AckConfig{Interval: units.RTTs(units.RTTUnit / 100)}
	if got := c.IntervalOn(testPath(), 1); got != packetTime {
		t.Errorf("a hundredth of the round trip is %v", got)
	}
	if got := c.IntervalOn(testPath(), 16); got != 16*packetTime {
		t.Errorf("with chunks of 16 packets the period is %v", got)
	}
}

// An acker that is opened again has forgotten what it had still to say.
func TestAckerIsAsNewWhenOpenedAgain(t *testing.T) {
	cfg := AckConfig{Interval: units.Span{Fixed: pollEvery}, Repeat: 2, Size: 32}
	a := newAckerTest(cfg, 640)
	a.arrive(us(0), 1, 600)
	a.acker.Final(us(1))
	a.said = nil
	a.bitmap.Reset(640)
	a.acker.Open(&cfg, &schemes.Transfer{Serial: 9, Path: testPath(), Control: a}, &a.bitmap, 1)
	if a.acker.Armed() || a.acker.Sent() != 0 {
		t.Error("a poll is due of the last message")
	}
	t.Log("# news in the first and the last section, of the ten; none of those between")
	a.arrive(us(500), 5, 1)
	a.arrive(us(501), 630, 1)
	a.until(us(510))
	if len(a.said) != 2 || a.said[0].at != us(510) || a.said[0].Final {
		t.Errorf("said %+v, want two sections at 510us", a.said)
	}
}

// A poll waits until the acknowledgement of the last one has left, and then lies on the grid again.
func TestPollsWaitForTheWayBack(t *testing.T) {
	a := newAckerTest(AckConfig{Interval: units.Span{Fixed: pollEvery}, Size: 4096}, 1000)
	a.takes = 35 * units.Microsecond
	for i := range int64(100) {
		a.arrive(us(1+i), i, 1)
	}
	t.Log("# the grid begins at 1 us, with a period of 10")
	var at []units.Time
	for _, s := range a.said {
		at = append(at, s.at)
	}
	if want := []units.Time{us(11), us(51), us(91)}; !slices.Equal(at, want) {
		t.Errorf("polled at %v, want %v", at, want)
	}
}
