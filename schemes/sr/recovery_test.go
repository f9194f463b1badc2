package sr

import (
	"errors"
	"slices"
	"testing"

	"sdrsim/schemes"
	"sdrsim/units"
	"sdrsim/wire"
)

// loseFinals drops the first n acknowledgements of the whole message.
func loseFinals(n int) func(control) bool {
	return func(c control) bool {
		if a, ok := c.ack(); ok && a.Final {
			n--
			return n >= 0
		}
		return false
	}
}

func TestLostAcknowledgementIsMadeUpByTheNext(t *testing.T) {
	h := newHost(t, testConfig(), 400, 1)
	t.Log("# every other acknowledgement of 40 is lost; the timeout is far away")
	h.loseControl = func(c control) bool { return c.number%2 == 0 && c.number < 40 }
	h.run()
	if n := h.sender.Counters(); n != (schemes.SenderCounters{}) {
		t.Errorf("counted %+v, want nothing", n)
	}
}

// The last word is said again at the next polls, so that its loss costs a poll period.
func TestLostFinalAcknowledgementCostsAPoll(t *testing.T) {
	for lost, want := range []units.Time{
		us(55 + 100), // the last packet arrives at 105 us
		us(111 + 50), // polls lie on the grid from 51 us
		us(121 + 50),
	} {
		h := newHost(t, testConfig(), 55, 1)
		h.loseControl = loseFinals(lost)
		t.Logf("# the final acknowledgement is lost %d times", lost)
		wantTime(t, "acknowledged", h.run(), want)
		if len(h.packets) != 55 {
			t.Errorf("%d packets for 55", len(h.packets))
		}
	}
}

// A receiver that is done lingers: a repeat is discarded and answered.
func TestLateRepeatIsAnsweredWithTheFinalAcknowledgement(t *testing.T) {
	h := newHost(t, testConfig(), 55, 1)
	t.Log("# all three final acknowledgements are lost; the last poll was before the last chunks")
	h.loseControl = loseFinals(3)
	got := h.run()
	t.Log("# the oldest chunk that was not acknowledged is repeated, and answered at once")
	oldest := h.packets[55].run.First
	a, ok := h.controls[len(h.controls)-1].ack()
	if !ok || !a.Final || a.Cumulative != 55 {
		t.Errorf("the last answer is %+v", a)
	}
	wantTime(t, "acknowledged", got, us(oldest+1).Add(rto+packetTime+roundTrip))
	if c := h.recv.Counters(); c.Discarded == 0 || c.Fresh != 55 || c.Duplicates != 0 {
		t.Errorf("counted %+v, want the repeats discarded", c)
	}
	if n := h.sender.Counters().Retransmits; n != 55-oldest {
		t.Errorf("%d retransmissions of the chunks from %d on", n, oldest)
	}
}

// Many late repeats are not answered one by one: once at once, then at the polls.
func TestLateRepeatsAreAnsweredOnceAPoll(t *testing.T) {
	h := newHost(t, testConfig(), 100, 1)
	h.run()
	h.until(func() bool { return !h.receiver.acker.Armed() })
	h.controls = nil
	t.Log("# eighteen late repeats, one every microsecond from 1002 us on")
	for i := range int64(18) {
		h.now = us(1002 + i)
		h.timeouts()
		run := h.sender.handle.Run(i, 1)
		run.Repeat = true
		h.receiver.HandleArrival(h.now, h.recv.Deliver(&run))
	}
	for i := range int64(100) {
		h.now = us(1020 + i)
		h.timeouts()
	}
	var at []units.Time
	for _, c := range h.controls {
		if a, ok := c.ack(); !ok || !a.Final {
			t.Errorf("answered %x", c.msg)
		}
		at = append(at, c.sent)
	}
	t.Log("# the grid of polls begins at 51 us")
	if want := []units.Time{us(1002), us(1011), us(1021)}; !slices.Equal(at, want) {
		t.Errorf("answered at %v, want %v", at, want)
	}
}

// A lost report is repeated when the hole has persisted for a round trip, the packet that its
// repeat may wait for, the repeat and the slack.
func TestLostNackCostsARoundTripMore(t *testing.T) {
	h := newHost(t, nackConfig(), 400, 1)
	h.lose = losePackets(1, 9)
	h.loseControl = func(c control) bool { return len(h.reports()) == 0 && isNack(c) }
	h.run()
	nacks := h.reports()
	if len(nacks) != 2 {
		t.Fatalf("%d reports, want two", len(nacks))
	}
	wantTime(t, "first report", nacks[0].sent, us(61))
	wantTime(t, "second report", nacks[1].sent, us(61+100+1+1+5))
	wantTime(t, "acknowledged", h.now, us(401+100))
	if c := h.receiver.Counters(); c.Nacks != 2 || c.Timeouts != 1 {
		t.Errorf("counted %+v, want two reports, one for want of an answer", c)
	}
}

func isNack(c control) bool {
	_, ok := c.nack()
	return ok
}

func TestLostRetransmissionIsReportedAgain(t *testing.T) {
	h := newHost(t, nackConfig(), 400, 1)
	t.Log("# packet 9 is lost twice, then arrives")
	h.lose = func(p int64, n int) bool { return p == 9 && n <= 2 }
	h.run()
	var at []units.Time
	for _, c := range h.reports() {
		at = append(at, c.sent)
	}
	t.Log("# the repeat would have arrived at 162 us; at 168 us patience is over")
	if want := []units.Time{us(61), us(168)}; !slices.Equal(at, want) {
		t.Errorf("reported at %v, want %v", at, want)
	}
	wantTime(t, "acknowledged", h.now, us(402+100))
	if c := h.sender.Counters(); c.Timeouts != 0 || c.Retransmits != 2 {
		t.Errorf("counted %+v, want two retransmissions and no timeout", c)
	}
}

// A report that was overtaken by its own repeat asks for nothing.
func TestReportDoesNotRepeatWhatIsOnItsWay(t *testing.T) {
	cfg := nackConfig()
	cfg.NackSlack = units.Span{} // so that reports come as soon as they may
	h := newHost(t, cfg, 400, 1)
	h.lose = losePackets(1, 9, 50, 51, 120)
	h.run()
	for p, n := range h.sent {
		lost := p == 9 || p == 50 || p == 51 || p == 120
		if want := map[bool]int{false: 1, true: 2}[lost]; n != want {
			t.Errorf("packet %d was sent %d times, want %d", p, n, want)
		}
	}
}

// No later chunk reveals a hole at the tail: a timer does, which knows when the rest was due.
func TestTailHoleIsFoundByATimer(t *testing.T) {
	h := newHost(t, nackConfig(), 40, 1)
	t.Log("# packets 37 to 39 are lost; 36 arrives at 87 us, so the last was due at 90 us")
	h.lose = losePackets(1, 37, 38, 39)
	h.run()
	nacks := h.reports()
	n, _ := nacks[0].nack()
	wantTime(t, "report", nacks[0].sent, us(90+5))
	if !slices.Equal(n.Missing, []wire.Range{{First: 37, Count: 3}}) {
		t.Errorf("reported %v", n.Missing)
	}
	t.Log("# the report is in at 145 us, and the last repeat leaves at 148 us")
	wantTime(t, "acknowledged", h.now, us(148+100))
	if c := h.sender.Counters(); c.Timeouts != 0 || c.Retransmits != 3 {
		t.Errorf("counted %+v", c)
	}
}

// If everything is lost, nobody can report it, and the timeout is the last resort.
func TestMessageLostWholeNeedsTheTimeout(t *testing.T) {
	h := newHost(t, nackConfig(), 5, 1)
	h.lose = func(_ int64, n int) bool { return n == 1 }
	wantTime(t, "acknowledged", h.run(), us(5+300+1+100))
	if c := h.sender.Counters(); c.Timeouts != 5 || c.Retransmits != 5 {
		t.Errorf("counted %+v, want five timeouts", c)
	}
}

func TestRetryLimitGivesUp(t *testing.T) {
	cfg := testConfig()
	cfg.Retries = 3
	h := newHost(t, cfg, 20, 1)
	h.lose = func(p int64, _ int) bool { return p == 7 }
	at := h.run()
	if err := h.sender.Err(); !errors.Is(err, schemes.ErrRetryLimit) {
		t.Fatalf("the error is %v", err)
	}
	t.Log("# sent once and three times again, and given up when the last of these expires")
	if h.sent[7] != 4 {
		t.Errorf("the chunk was sent %d times", h.sent[7])
	}
	wantTime(t, "given up", at, us(8+4*300+3))
	if !h.sender.handle.Released() {
		t.Error("the message id is held by a message that was given up")
	}
	if h.receiver.Done() {
		t.Error("delivered without chunk 7")
	}
	t.Log("# what comes in late changes nothing")
	check(t, h.sender.HandleControl(at, final(7, 20)))
	if !errors.Is(h.sender.Err(), schemes.ErrRetryLimit) || h.sender.Urgent() {
		t.Errorf("after a late acknowledgement the error is %v", h.sender.Err())
	}
	if _, ok := h.sender.NextTimeout(); ok {
		t.Error("a timeout of a message that was given up")
	}
	if _, ok := h.sender.NextSend(at); ok || h.sender.Ready(at) {
		t.Error("something is sent of a message that was given up")
	}
}

// Repeats that reports ask for count too: a link that loses everything ends the message.
func TestRetryLimitHoldsForReports(t *testing.T) {
	cfg := nackConfig()
	cfg.Retries = 2
	h := newHost(t, cfg, 400, 1)
	h.lose = func(p int64, _ int) bool { return p == 7 }
	at := h.run()
	if err := h.sender.Err(); !errors.Is(err, schemes.ErrRetryLimit) || h.sent[7] != 3 {
		t.Fatalf("after %d transmissions the error is %v", h.sent[7], err)
	}
	t.Log("# reports at 59, 166 and 273 us; the third is one too many")
	wantTime(t, "given up", at, us(273+50))
}

// final is the acknowledgement of a whole message.
func final(message uint32, chunks int64) []byte {
	return wire.AppendAck(nil, &wire.Ack{Message: message, Cumulative: chunks, Final: true}, 4096)
}
