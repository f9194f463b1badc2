package sr

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/units"
	"sdrsim/wire"
)

// Each test is named after a sentence of arXiv:2505.05366 and ends with where it stands.

// "[The sender] uses the streaming API to send chunks": the send stays open for repeats until the
// message is acknowledged.
//
// Reference: section 4.1.1.
func TestPaperChunksGoOutAsAStream(t *testing.T) {
	h := newHost(t, testConfig(), 20, 1)
	t.Log("# the whole message is handed out at once, and may be sent again")
	if handle := h.sender.handle; handle.Ended() || handle.Released() {
		t.Error("the send is a one-shot, or over before it began")
	}
	h.lose = losePackets(1, 5)
	h.run()
	if n := len(h.packets); n != 21 || h.packets[20].run.First != 5 {
		t.Errorf("%d packets, the last is %d; want 20 and packet 5 again", n, h.packets[n-1].run.First)
	}
	t.Log("# once it is acknowledged, its id may be used again")
	if !h.sender.handle.Released() {
		t.Error("the message is acknowledged and its id is still held")
	}
}

// "RTO = RTT + alpha*RTT", three round trips in the evaluation, counted from the departure of the
// chunk's last packet.
//
// Reference: sections 4.1.1 and 5.
func TestPaperTimeoutOfEachChunk(t *testing.T) {
	h := newHost(t, testConfig(), 12, 4)
	t.Log("# before anything left there is nothing to wait for")
	if at, ok := h.sender.NextTimeout(); ok {
		t.Errorf("a timeout at %v of nothing", at)
	}
	work, _ := h.sender.NextSend(0)
	t.Log("# the first chunk has left when its fourth packet has, after 4 us")
	h.sender.HandleSent(work, us(1), packetTime)
	for chunk := range int64(3) {
		at, ok := h.sender.NextTimeout()
		wantTime(t, "timeout", at, us(4*(chunk+1)).Add(rto))
		if !ok {
			t.Fatal("no timeout")
		}
		t.Logf("# chunk %d expires; nothing happens before", chunk)
		h.sender.HandleTimeout(at - 1)
		if h.sender.Counters().Timeouts != chunk {
			t.Error("a chunk expired early")
		}
		h.sender.HandleTimeout(at)
		if h.sender.Counters().Timeouts != chunk+1 || !h.sender.Urgent() {
			t.Error("a chunk did not expire in time")
		}
	}
}

// "Upon expiration, the chunk is retransmitted": one lost chunk costs RTO + T_inj and no more.
//
// Reference: sections 4.1.1 and 4.2.1.
func TestPaperLostChunkCostsTimeoutAndInjection(t *testing.T) {
	for _, c := range []struct {
		name              string
		packets, perChunk int64
		lost              int64
		want              units.Time
	}{
		{"first packet, one to a chunk", 50, 1, 0, us(1 + 300 + 1 + 100)},
		{"last packet, one to a chunk", 50, 1, 49, us(50 + 300 + 1 + 100)},
		{"middle packet, one to a chunk", 50, 1, 20, us(21 + 300 + 1 + 100)},
		{"last of a chunk of four", 48, 4, 23, us(24 + 300 + 4 + 100)},
		// The packets that arrived stay arrived: the repeat's first packet is enough.
		{"first of a chunk of four", 48, 4, 20, us(24 + 300 + 1 + 100)},
		{"first of a last chunk of two", 46, 4, 44, us(46 + 300 + 1 + 100)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Logf("# %d packets, packet %d is lost once", c.packets, c.lost)
			h := newHost(t, testConfig(), c.packets, c.perChunk)
			h.lose = losePackets(1, c.lost)
			wantTime(t, "acknowledged", h.run(), c.want)
			n := h.sender.Counters()
			if n.Retransmits != 1 || n.Timeouts != 1 {
				t.Errorf("counted %+v, want one timeout and one retransmission", n)
			}
		})
	}
}

// "X_i = i*T_inj + (RTO + T_inj)(Y_i - 1)" and "T_SR = max X_i + RTT", exact while the message is
// injected within a timeout, so that repeats do not meet first transmissions.
//
// Reference: section 4.2.1, appendix A.
func TestPaperCompletionTimeOfEveryLossPattern(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		chunks := rapid.Int64Range(1, 200).Draw(rt, "M")
		y := make([]int64, chunks) // transmissions that each chunk takes
		for i := range y {
			y[i] = rapid.SampledFrom([]int64{1, 1, 1, 1, 2, 3}).Draw(rt, "Y")
		}
		h := newHost(t, testConfig(), chunks, 1)
		h.lose = func(p int64, n int) bool { return int64(n) < y[p] }
		var want units.Time
		for i := range y {
			x := us(int64(i) + 1).Add(units.Duration(y[i]-1) * (rto + packetTime))
			want = max(want, x.Add(roundTrip))
		}
		if got := h.run(); got != want {
			rt.Fatalf("acknowledged at %v, the model says %v", got, want)
		}
		for p, n := range h.sent {
			if int64(n) != y[p] {
				rt.Fatalf("chunk %d was sent %d times, want %d", p, n, y[p])
			}
		}
	})
}

// "The receiver periodically polls the bitmap and sends an ACK": on a grid from the first arrival,
// and once more when everything is there.
//
// Reference: section 4.1.1.
func TestPaperReceiverPollsTheBitmap(t *testing.T) {
	h := newHost(t, testConfig(), 35, 1)
	h.run()
	t.Log("# the first packet arrives at 51 us, the last at 85 us")
	var at []units.Time
	for _, c := range h.controls {
		at = append(at, c.sent)
	}
	if want := []units.Time{us(61), us(71), us(81), us(85)}; !slices.Equal(at[:4], want) {
		t.Errorf("acknowledgements at %v, want %v", at, want)
	}
}

// "The cumulative part: all chunks before have arrived. The selective part: as much of the bitmap
// from there as fits."
//
// Reference: section 4.1.1.
func TestPaperAcknowledgementIsCumulativeAndSelective(t *testing.T) {
	h := newHost(t, testConfig(), 30, 1)
	h.lose = losePackets(1, 4, 7, 8)
	h.until(func() bool { return len(h.controls) == 2 })
	t.Log("# polled at 61 us, when packets 0..10 are due, and at 71 us")
	for i, want := range []wire.Ack{
		{Message: 7, Cumulative: 4, Selective: []wire.Range{{First: 5, Count: 2}, {First: 9, Count: 2}}},
		{Message: 7, Cumulative: 4, Selective: []wire.Range{{First: 5, Count: 2}, {First: 9, Count: 12}}},
	} {
		got, ok := h.controls[i].ack()
		if !ok || got.Cumulative != want.Cumulative || !slices.Equal(got.Selective, want.Selective) {
			t.Errorf("acknowledged %+v, want %+v", got, want)
		}
	}
}

// The selective part covers everything in flight, however small an acknowledgement is, so a hole at
// the front makes no other chunk be sent again.
//
// Reference: section 4.1.1.
func TestPaperHoleAtTheFrontRepeatsNothingElse(t *testing.T) {
	cfg := testConfig()
	cfg.Ack.Size = 64
	cfg.RTO = units.Span{Fixed: roundTrip + 30*units.Microsecond}
	h := newHost(t, cfg, 4000, 1)
	t.Log("# every third packet of the first 3000 is lost, the first of all five times")
	h.lose = func(p int64, n int) bool { return p%3 == 0 && p < 3000 && n == 1 || p == 0 && n <= 5 }
	h.run()
	lost := int64(1000 + 4)
	if got := int64(len(h.packets)); got != 4000+lost {
		t.Errorf("%d packets sent for 4000 and %d losses", got, lost)
	}
	if n := h.sender.Counters().Retransmits; n != lost {
		t.Errorf("%d retransmissions of %d losses", n, lost)
	}
}

// "[A chunk's bit] is set only when all packets have arrived": a chunk that lacks one packet is not
// acknowledged, and sent again whole.
//
// Reference: section 3.1.1.
func TestPaperChunkIsTheUnitOfRepetition(t *testing.T) {
	h := newHost(t, testConfig(), 40, 8)
	h.lose = losePackets(1, 17)
	h.run()
	for p := range int64(40) {
		want := 1
		if p >= 16 && p < 24 {
			want = 2
		}
		if h.sent[p] != want {
			t.Errorf("packet %d was sent %d times, want %d", p, h.sent[p], want)
		}
	}
	if got := h.sender.Counters().Retransmits; got != 1 {
		t.Errorf("%d chunks sent again", got)
	}
}

// "The message is complete when the ACK of the last chunk arrives": a round trip after the last
// packet has left, without loss.
//
// Reference: section 4.2.
func TestPaperLosslessMessageTakesInjectionAndRoundTrip(t *testing.T) {
	for _, packets := range []int64{1, 2, 9, 10, 11, 300} {
		h := newHost(t, testConfig(), packets, 1)
		wantTime(t, "acknowledged", h.run(), us(packets+100))
		if n := len(h.packets); n != int(packets) {
			t.Errorf("%d packets for %d", n, packets)
		}
	}
}

// "[With NACKs] the receiver reports the missing chunk": at once when the next one is complete. The
// repeat then goes ahead of what was never sent.
//
// Reference: section 5.1, "SR NACK".
func TestPaperNackReportsTheHoleAtOnce(t *testing.T) {
	h := newHost(t, nackConfig(), 400, 1)
	h.lose = losePackets(1, 9)
	h.run()
	nacks := h.reports()
	if len(nacks) != 1 {
		t.Fatalf("%d reports of one hole", len(nacks))
	}
	t.Log("# packet 9 would have arrived at 60 us, packet 10 arrives at 61 us and gives it away")
	n, _ := nacks[0].nack()
	wantTime(t, "report", nacks[0].sent, us(61))
	if !slices.Equal(n.Missing, []wire.Range{{First: 9, Count: 1}}) || n.Submessages {
		t.Errorf("reported %+v", n)
	}
	t.Log("# the report arrives at 111 us, when packet 111 is next")
	again := h.packets[111]
	if again.run.First != 9 || again.run.Depart != us(112) {
		t.Errorf("packet %d leaves at %v, want packet 9 at 112us", again.run.First, again.run.Depart)
	}
	t.Log("# what was interrupted goes on, so the loss costs one packet time and no timeout")
	wantTime(t, "acknowledged", h.now, us(401+100))
	if c := h.sender.Counters(); c.Timeouts != 0 || c.Retransmits != 1 {
		t.Errorf("counted %+v", c)
	}
}

// The model takes a NACK for a timeout of one round trip: "RTO = RTT". The real report costs a
// round trip and what it takes to notice: one chunk.
//
// Reference: section 5.1.
func TestPaperNackCostsARoundTripAndAChunk(t *testing.T) {
	h := newHost(t, nackConfig(), 20, 1)
	h.lose = losePackets(1, 18)
	t.Log("# packet 18 leaves at 19 us; packet 19 gives it away at 70 us, the report is in at 120 us")
	wantTime(t, "acknowledged", h.run(), us(19+1+100+1+100))
}
