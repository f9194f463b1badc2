package ec

import (
	"errors"
	"slices"
	"testing"

	"sdrsim/schemes"
	"sdrsim/units"
	"sdrsim/wire"
)

// Each test is a sentence of arXiv:2505.05366 §4.1.2, or the reading of it that we chose.

// bytesOf is the size of so many chunks of one packet.
func bytesOf(chunks int64) units.Bytes { return units.Bytes(chunks) * testMTU }

// The M chunks of a message are divided into L = M/k data submessages, and each gets m parity
// chunks. We post all data as one SDR message and all parity as another.
// Reference: section 4.1.2.
func TestPaperMessageIsDividedIntoSubmessages(t *testing.T) {
	h := newHost(t, testConfig(mds, 4, 2), shape{size: bytesOf(12)})
	sent := h.pump(0)
	t.Log("# 3 submessages of 4 chunks, with 2 parity chunks each")
	if n := len(without(sent, func(p packet) bool { return p.parity })); n != 12 {
		t.Errorf("%d packets of data, want 12", n)
	}
	if len(sent) != 12+3*2 {
		t.Errorf("%d packets, want 18", len(sent))
	}
	t.Log("# data goes first, then parity, each in order")
	for i, p := range sent {
		if p.parity != (i >= 12) || p.run.First != int64(i%12) || p.run.Repeat {
			t.Errorf("packet %d: %+v", i, p)
		}
	}
	if h.from.Posted() != 0 || h.to.Posted() != 2 {
		t.Errorf("%d receives were posted, want 2", h.to.Posted())
	}
}

// A tail submessage with fewer than k chunks keeps its m parity.
// Reference: section 4.1.2; the paper's messages are multiples of k.
func TestPaperTailSubmessageKeepsItsParity(t *testing.T) {
	h := newHost(t, testConfig(mds, 4, 3), shape{size: bytesOf(5)})
	sent := h.pump(0)
	if len(sent) != 5+2*3 {
		t.Fatalf("%d packets, want 11", len(sent))
	}
	t.Log("# the tail is one chunk; it is lost, and any of its three parity chunks recovers it")
	for keep := range int64(3) {
		h.open()
		h.arrives(without(h.pump(0), func(p packet) bool {
			return data(4)(p) || p.parity && p.run.First >= 3 && p.run.First != 3+keep
		})...)
		if !h.receiver.Done() || h.receiver.Counters().UsefulParity != 1 {
			t.Errorf("parity chunk %d of the tail does not recover it: %s", keep, h.receiver.State())
		}
	}
}

// The receiver sends one positive acknowledgement when all submessages are recoverable.
// Reference: section 4.1.2.
func TestPaperOnePositiveAckWhenEverythingIsRecoverable(t *testing.T) {
	h := newHost(t, testConfig(mds, 4, 2), shape{size: bytesOf(8)})
	t.Log("# chunks 1 and 2 of the first, chunk 7 of the second submessage are lost")
	list := without(h.pump(0), data(1, 2, 7))
	t.Log("# five packets of data, two of parity: the first submessage is recoverable, no word yet")
	h.arrives(list[:7]...)
	if msg := h.answer(); msg != nil || h.receiver.Done() {
		t.Fatalf("an answer before everything is recoverable: %x", msg)
	}
	t.Log("# the first parity chunk of the second: now all are")
	h.arrives(list[7])
	at, ok := h.receiver.DeliveredAt()
	if want := list[7].depart.Add(testRTT / 2); !ok || at != want {
		t.Errorf("delivered at %v, %v, want %v", at, ok, want)
	}
	msg := h.answer()
	if a := h.wantAck(msg); !a.Final || a.Message != 7 {
		t.Errorf("acknowledgement %+v", a)
	}
	t.Log("# the last parity chunk arrives late: it is discarded")
	h.arrives(list[8])
	if n := h.to.Counters().Discarded; n != 1 {
		t.Errorf("%d packets discarded, want 1", n)
	}
	h.must(h.sender.HandleControl(at.Add(testRTT/2), msg))
	if !h.sender.data.Released() || !h.sender.parity.Released() {
		t.Error("the message ids are still held")
	}
	c := h.sender.Counters()
	if !h.sender.Done() || h.sender.Err() != nil || c != (schemes.SenderCounters{}) {
		t.Errorf("%s, %+v", h.sender.State(), c)
	}
}

// Without loss the receiver speaks before any parity has arrived, and the sender drops what it has
// not sent of it: earlier than the paper's base time (M + ceil(M/R)) T_inj + RTT.
func TestLosslessMessageIsAcknowledgedBeforeItsParity(t *testing.T) {
	h := newHost(t, testConfig(mds, 4, 2), shape{size: bytesOf(8)})
	w, _ := h.sender.NextSend(0)
	h.transmit(0, w)
	h.arrives(h.packets...)
	a := h.wantAck(h.answer())
	at, _ := h.receiver.DeliveredAt()
	if want := units.Time(0).Add(8*testPacketTime + testRTT/2); !a.Final || at != want {
		t.Errorf("%+v at %v, want %v", a, at, want)
	}
	h.must(h.sender.HandleControl(at, wire.AppendAck(nil, &a, 4096)))
	if w, ok := h.sender.NextSend(at); ok {
		t.Errorf("a sender that is done sends %+v", w)
	}
}

// The first bit that the receiver sees arms the fallback timeout,
// FTO = (M + parity chunks) T_inj + beta RTT.
// Reference: section 4.1.2.
func TestPaperFirstBitArmsTheFallbackTimeout(t *testing.T) {
	cfg := testConfig(mds, 4, 2)
	cfg.Beta = units.RTTs(1_500_000)
	for _, perChunk := range []int64{1, 3} {
		h := newHost(t, cfg, shape{size: bytesOf(9 * perChunk), perChunk: perChunk})
		if at, ok := h.receiver.NextTimeout(); ok {
			t.Errorf("a timer runs before anything has arrived: %v", at)
		}
		t.Log("# 9 chunks and, for three submessages, 6 of parity")
		fto := 15*units.Duration(perChunk)*testPacketTime + testRTT*3/2
		t.Log("# the first packet to arrive is not the first of the message")
		sent := h.pump(0)
		first := sent[2]
		h.arrives(first)
		want := first.depart.Add(testRTT/2 + fto)
		if at := h.deadline(h.receiver); at != want {
			t.Errorf("%d packets a chunk: fallback at %v, want %v", perChunk, at, want)
		}
		t.Log("# later packets do not move it")
		h.arrives(sent[3:8]...)
		if at := h.deadline(h.receiver); at != want {
			t.Errorf("fallback moved to %v, want %v", at, want)
		}
		t.Log("# calling early is harmless")
		h.receiver.HandleTimeout(want - 1)
		if msg := h.answer(); msg != nil {
			t.Errorf("%x before the timeout", msg)
		}
	}
}

// A bit of parity is as good as a bit of data for arming the timeout.
func TestParityArmsTheFallbackTimeoutToo(t *testing.T) {
	h := newHost(t, testConfig(mds, 4, 2), shape{size: bytesOf(4)})
	p := h.pump(0)[5]
	h.arrives(p)
	want := p.depart.Add(testRTT/2 + 6*testPacketTime + testRTT)
	if at := h.deadline(h.receiver); at != want {
		t.Errorf("fallback at %v, want %v", at, want)
	}
}

// fallenHost is a host whose message of three submessages of four chunks has lost two chunks of
// the first and three of the last, and has fallen back. The report is returned, not delivered.
func fallenHost(t *testing.T, cfg Config) (h *host, now units.Time, report []byte) {
	t.Helper()
	h = newHost(t, cfg, shape{size: bytesOf(12)})
	h.arrives(without(h.pump(0), func(p packet) bool {
		return data(0, 1, 8, 9, 11)(p) || p.parity && (p.run.First == 0 || p.run.First == 4)
	})...)
	if msg := h.answer(); msg != nil {
		t.Fatalf("answer %x before the timeout", msg)
	}
	now = h.deadline(h.receiver)
	h.receiver.HandleTimeout(now)
	return h, now, h.answer()
}

// On expiry a negative acknowledgement lists the failed submessages.
// Reference: section 4.1.2.
func TestPaperNackListsTheFailedSubmessages(t *testing.T) {
	h, now, report := fallenHost(t, testConfig(mds, 4, 2))
	n := h.wantNack(report)
	want := []wire.Range{{First: 0, Count: 1}, {First: 2, Count: 1}}
	if !n.Submessages || n.Message != 7 || !slices.Equal(n.Missing, want) {
		t.Errorf("report %+v, want submessages %v", n, want)
	}
	if c := h.receiver.Counters(); c.Nacks != 1 || c.Timeouts != 1 || c.Acks != 0 {
		t.Errorf("%+v", c)
	}
	t.Log("# it is said again where nothing comes of it for a round trip and a poll")
	again := now.Add(testRTT + testRTT/16)
	if at := h.deadline(h.receiver); at != again {
		t.Errorf("next report at %v, want %v", at, again)
	}
	h.receiver.HandleTimeout(again)
	if m := h.wantNack(h.answer()); !slices.Equal(m.Missing, want) {
		t.Errorf("second report %+v", m)
	}
}

// The failed submessages are then repeated by Selective Repeat: all their chunks, with the RTO of
// Selective Repeat, and the receiver waits for all of them.
// Reference: section 4.1.2, and section 4.2.2 for what is repeated.
func TestPaperFailedSubmessagesAreRepeatedBySelectiveRepeat(t *testing.T) {
	h, now, report := fallenHost(t, testConfig(mds, 4, 2))
	now = now.Add(testRTT / 2)
	h.must(h.sender.HandleControl(now, report))
	if !h.sender.Urgent() {
		t.Error("repeats wait and are not urgent")
	}
	sent := slices.Clone(h.pump(now))
	var offsets []int64
	for _, p := range sent {
		offsets = append(offsets, p.run.First)
		if p.parity || !p.run.Repeat {
			t.Errorf("%+v is not a repeat of data", p.run)
		}
	}
	if want := []int64{0, 1, 2, 3, 8, 9, 10, 11}; !slices.Equal(offsets, want) {
		t.Fatalf("repeats %v, want %v", offsets, want)
	}
	t.Log("# the repeat of chunk 9 is lost; a poll acknowledges the others, and what never fell back")
	h.arrives(without(sent, data(9))...)
	poll := h.deadline(h.receiver)
	h.receiver.HandleTimeout(poll)
	ack := h.answer()
	a := h.wantAck(ack)
	rest := []wire.Range{{First: 10, Count: 2}}
	if a.Final || a.Cumulative != 9 || !slices.Equal(a.Selective, rest) {
		t.Errorf("acknowledgement %+v", a)
	}
	h.must(h.sender.HandleControl(poll.Add(testRTT/2), ack))
	t.Log("# chunk 9 is sent again when its RTO of 3 RTT is over, counted from its departure")
	due := sent[5].depart.Add(3 * testRTT)
	if at := h.deadline(h.sender); at != due {
		t.Fatalf("next timeout of the sender at %v, want %v", at, due)
	}
	h.sender.HandleTimeout(due)
	sent = h.pump(due)
	if len(sent) != 1 || sent[0].run.First != 9 || !sent[0].run.Repeat {
		t.Fatalf("repeats %+v", sent)
	}
	h.arrives(sent...)
	if a := h.wantAck(h.answer()); !a.Final {
		t.Errorf("acknowledgement %+v", a)
	}
	want := schemes.SenderCounters{Retransmits: 9, Timeouts: 1, Fallbacks: 2}
	if c := h.sender.Counters(); c != want {
		t.Errorf("%+v, want %+v", c, want)
	}
	if c := h.receiver.Counters(); c.UsefulParity != 0 {
		t.Errorf("%d parity chunks used in submessages that were repeated whole", c.UsefulParity)
	}
}

// With `fallback: missing` only the chunks that are missing are repeated, and the receiver is
// content as soon as what it has suffices: the bitmap makes possible what the paper's model leaves.
func TestFallbackOfMissingChunksEndsAsSoonAsParitySuffices(t *testing.T) {
	cfg := testConfig(mds, 4, 2)
	cfg.Fallback = FallbackMissing
	h, now, report := fallenHost(t, cfg)
	n := h.wantNack(report)
	want := []wire.Range{{First: 0, Count: 2}, {First: 8, Count: 2}, {First: 11, Count: 1}}
	if n.Submessages || !slices.Equal(n.Missing, want) {
		t.Fatalf("report %+v, want chunks %v", n, want)
	}
	h.must(h.sender.HandleControl(now, report))
	sent := slices.Clone(h.pump(now))
	if len(sent) != 5 {
		t.Fatalf("%d repeats, want 5", len(sent))
	}
	t.Log("# one of two, and two of three are enough, as a parity chunk of each has arrived")
	h.arrives(sent[1], sent[2])
	if h.receiver.Done() {
		t.Error("delivered too early")
	}
	h.arrives(sent[4])
	if a := h.wantAck(h.answer()); !a.Final || !h.receiver.Done() {
		t.Errorf("%+v, %s", a, h.receiver.State())
	}
	if c := h.sender.Counters(); c.Fallbacks != 2 || c.Retransmits != 5 {
		t.Errorf("%+v", c)
	}
}

// A global timeout guards against deadlock: where the sender hears nothing at all, it repeats a
// chunk, and at last gives up.
// Reference: section 4.1.2.
func TestPaperGlobalTimerEndsSilence(t *testing.T) {
	cfg := testConfig(mds, 4, 2)
	h := newHost(t, cfg, shape{size: bytesOf(4)})
	if at, ok := h.sender.NextTimeout(); ok {
		t.Errorf("a timer runs before anything was sent: %v", at)
	}
	sent := h.pump(0)
	at := sent[0].depart.Add(6*testPacketTime + testRTT + 2*testRTT)
	for probe := range cfg.SR.Retries {
		if got := h.deadline(h.sender); got != at {
			t.Fatalf("probe %d is due at %v, want %v", probe, got, at)
		}
		h.sender.HandleTimeout(at)
		if sent = h.pump(at); len(sent) != 1 || sent[0].run.First != 0 || !sent[0].run.Repeat {
			t.Fatalf("probe %d: %+v", probe, sent)
		}
		t.Log("# silence is then as long as a repeat and its answer may take")
		at = at.Add(testPacketTime + 3*testRTT + testRTT)
	}
	h.sender.HandleTimeout(at)
	if !h.sender.Done() || !errors.Is(h.sender.Err(), schemes.ErrRetryLimit) {
		t.Errorf("done %v with %v, want a retry limit", h.sender.Done(), h.sender.Err())
	}
	if c := h.sender.Counters(); c.Retransmits != int64(cfg.SR.Retries) ||
		c.Timeouts != int64(cfg.SR.Retries)+1 {
		t.Errorf("%+v", c)
	}
}

// Codes: with MDS any k of k+m chunks suffice; with XOR parity i covers the data chunks j with
// j mod m = i and repairs one loss.
// Reference: section 4.1.2.
func TestPaperCodesRecoverWhatTheirRuleSays(t *testing.T) {
	for _, c := range []struct {
		name string
		cfg  Config
		lost []int64 // of 6 data chunks and, from 6 on, 2 of parity
		ok   bool
	}{
		{"MDS, two losses of data", testConfig(mds, 6, 2), []int64{0, 2}, true},
		{"MDS, three losses", testConfig(mds, 6, 2), []int64{0, 2, 7}, false},
		{"MDS, all parity", testConfig(mds, 6, 2), []int64{6, 7}, true},
		{"XOR, one loss in each group", testConfig(xor, 6, 2), []int64{0, 5}, true},
		{"XOR, two losses in a group", testConfig(xor, 6, 2), []int64{0, 2}, false},
		{"XOR, a loss and its parity", testConfig(xor, 6, 2), []int64{1, 7}, false},
		{"XOR, a loss and the other's parity", testConfig(xor, 6, 2), []int64{1, 6}, true},
	} {
		h := newHost(t, c.cfg, shape{size: bytesOf(6), real: true})
		h.arrives(without(h.pump(0), func(p packet) bool {
			i := p.run.First
			if p.parity {
				i += 6
			}
			return slices.Contains(c.lost, i)
		})...)
		if h.receiver.Done() != c.ok {
			t.Errorf("%s: delivered %v", c.name, h.receiver.Done())
		}
		if c.ok && !slices.Equal(h.in, h.out) {
			t.Errorf("%s: wrong bytes", c.name)
		}
	}
}

// The wire order is a parameter: parity after all data, or after each submessage.
func TestParityGoesLastOrAfterEachSubmessage(t *testing.T) {
	cfg := testConfig(xor, 2, 1)
	cfg.Order = OrderInterleaved
	h := newHost(t, cfg, shape{size: bytesOf(5)})
	var order []int64 // data from 0, parity from 100
	for _, p := range h.pump(0) {
		i := p.run.First
		if p.parity {
			i += 100
		}
		order = append(order, i)
	}
	if want := []int64{0, 1, 100, 2, 3, 101, 4, 102}; !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
}
