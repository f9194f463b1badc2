package ec

import (
	"errors"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/schemes"
	"sdrsim/schemes/ec/code"
	"sdrsim/units"
	"sdrsim/wire"
)

// Real bytes survive any losses, for all kinds of codes and messages: short last chunks, tails,
// more parity than data, patterns of several words, codes over the large field.
func TestRealBytesSurviveAnyLosses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.OneOf(rapid.IntRange(1, 9), rapid.IntRange(60, 70)).Draw(t, "k")
		m := rapid.IntRange(1, 12).Draw(t, "m")
		coder := mds
		if rapid.Bool().Draw(t, "xor") {
			m, coder = min(k, m), xor
		} else if rapid.IntRange(0, 9).Draw(t, "large") == 0 {
			k = rapid.IntRange(150, 260).Draw(t, "large k")
			m = rapid.IntRange(100, 200).Draw(t, "large m")
		}
		w := newWorld(newHost(t, drawConfig(t, coder, k, m), drawShape(t, k)))
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "losses"), 0))
		loss := rapid.SampledFrom([]float64{0, 0.05, 0.2, 0.5}).Draw(t, "loss")
		back := rapid.SampledFrom([]float64{0, 0.2, 0.6}).Draw(t, "loss of control")
		w.dropData = func(packet) bool { return random.Float64() < loss }
		w.dropControl = func(int) bool { return random.Float64() < back }
		w.run()
		if err := w.sender.Err(); err != nil || !w.receiver.Done() {
			t.Fatalf("%v, %s", err, w.receiver.State())
		}
	})
}

func drawConfig(t *rapid.T, coder func(k, m int) (code.Coder, error), k, m int) Config {
	cfg := testConfig(coder, k, m)
	fallbacks := []Fallback{FallbackSubmessage, FallbackMissing}
	cfg.Fallback = rapid.SampledFrom(fallbacks).Draw(t, "fallback")
	cfg.Order = rapid.SampledFrom([]Order{OrderParityLast, OrderInterleaved}).Draw(t, "order")
	cfg.EncodeRate = rapid.SampledFrom([]units.Rate{0, 0, 100 * units.Mbps}).Draw(t, "encode")
	cfg.DecodeRate = rapid.SampledFrom([]units.Rate{0, 0, 100 * units.Mbps}).Draw(t, "decode")
	cfg.SR.Retries = 10_000
	cfg.SR.Ack.Size = rapid.SampledFrom([]units.Bytes{64, 4096}).Draw(t, "ack size")
	cfg.SR.Ack.Repeat = rapid.IntRange(0, 2).Draw(t, "ack repeat")
	return cfg
}

// drawShape draws a message of up to three submessages, the last chunk short or not.
func drawShape(t *rapid.T, k int) shape {
	s := shape{real: true, perChunk: rapid.Int64Range(1, 3).Draw(t, "packets a chunk")}
	packets := rapid.Int64Range(1, 3*int64(k)*s.perChunk).Draw(t, "packets")
	s.size = units.Bytes(packets)*testMTU - units.Bytes(rapid.IntRange(0, 63).Draw(t, "short"))
	return s
}

// alternating is a world in which every other of many submessages fails, so that a report of 64
// bytes does not hold them all.
func alternating(t *testing.T, fallback Fallback) *world {
	cfg := testConfig(mds, 2, 1)
	cfg.SR.Ack.Size, cfg.Fallback = 64, fallback
	w := newWorld(newHost(t, cfg, shape{size: bytesOf(400), real: true}))
	w.dropData = func(p packet) bool { return !p.run.Repeat && !p.parity && p.run.First%4 < 2 }
	return w
}

// A report that does not fit one message goes as several, and all of it is repeated.
func TestLongReportsGoAsSeveralMessages(t *testing.T) {
	for _, fallback := range []Fallback{FallbackSubmessage, FallbackMissing} {
		w := alternating(t, fallback)
		w.run()
		c, r := w.sender.Counters(), w.receiver.Counters()
		// 100 ranges of two bytes each, 58 bytes a message.
		if c.Fallbacks != 100 || c.Retransmits != 200 || c.Timeouts != 0 || r.Nacks != 4 {
			t.Errorf("%s: %+v, %+v", fallback, c, r)
		}
	}
}

// Where messages of a report are lost, the rest is repeated first, and the receiver reports again
// what it still misses once no repeat has brought anything for RTO + RTT + a poll.
func TestLostPartsOfAReportAreReportedAgain(t *testing.T) {
	for lost := range 4 {
		w := alternating(t, FallbackSubmessage)
		w.dropControl = func(n int) bool { return n == lost }
		w.run()
		c, r := w.sender.Counters(), w.receiver.Counters()
		// One more repeat: the sender, too, finds the silence long, and provokes an answer.
		if w.sender.Err() != nil || c.Fallbacks != 100 || c.Retransmits != 201 || c.Timeouts != 1 {
			t.Errorf("message %d of 4 lost: %v, %+v", lost, w.sender.Err(), c)
		}
		if r.Timeouts != 2 || r.Nacks < 5 || r.Nacks > 8 {
			t.Errorf("message %d of 4 lost: %+v, want one more report", lost, r)
		}
	}
}

// A sender that missed every report so far repeats a chunk to provoke an answer. Such a repeat
// brings the receiver nothing new, and so does not put off its next report.
func TestProbesDoNotPutOffReports(t *testing.T) {
	w := alternating(t, FallbackSubmessage)
	report := func(n int) bool { return n < 12 } // three reports of four messages
	w.dropControl = report
	w.run()
	if w.sender.Err() != nil || w.sender.Counters().Fallbacks != 100 {
		t.Errorf("%v, %+v", w.sender.Err(), w.sender.Counters())
	}
	// Three in vain, one heard; a report a round trip and a poll after the other.
	if r := w.receiver.Counters(); r.Timeouts != 4 {
		t.Errorf("%+v, want four reports", r)
	}
}

// Repeats that are lost as often as is allowed end the message with an error that says so.
func TestRepeatsLostTooOftenGiveUp(t *testing.T) {
	h := newHost(t, testConfig(xor, 2, 1), shape{size: bytesOf(6)})
	w := newWorld(h)
	sent := 0
	w.dropData = func(p packet) bool {
		if p.parity || p.run.First > 1 {
			return false
		}
		sent++
		return true
	}
	w.run()
	if !errors.Is(w.sender.Err(), schemes.ErrRetryLimit) || w.receiver.Done() {
		t.Fatalf("%v, %s", w.sender.Err(), w.receiver.State())
	}
	// Two chunks, once for the first time and five times again.
	if want := 2 * (1 + h.cfg.SR.Retries); sent != want {
		t.Errorf("they were sent %d times, want %d", sent, want)
	}
	if c := w.sender.Counters(); c.Retransmits != int64(2*h.cfg.SR.Retries) {
		t.Errorf("%+v", c)
	}
}

// While repeats are on their way that have timeouts of their own, silence provokes nothing.
func TestNoProbeWhileRepeatsHaveTimeouts(t *testing.T) {
	w := newWorld(newHost(t, testConfig(xor, 2, 1), shape{size: bytesOf(8)}))
	attempts := map[int64]int{}
	w.dropData = func(p packet) bool {
		if p.parity || p.run.First < 4 || p.run.First > 5 {
			return false
		}
		attempts[p.run.First]++
		return attempts[p.run.First] < 5 // four times in vain, 3 RTT apart
	}
	w.run()
	c := w.sender.Counters()
	if w.sender.Err() != nil || c.Retransmits != 8 || c.Timeouts != 6 {
		t.Errorf("%v, %+v, want each of two chunks repeated four times", w.sender.Err(), c)
	}
}

// A final acknowledgement that is lost is said again at the next polls, and to every repeat.
func TestFinalAcknowledgementIsRepeated(t *testing.T) {
	cfg := testConfig(mds, 4, 2)
	cfg.SR.Ack.Repeat = 2
	w := newWorld(newHost(t, cfg, shape{size: bytesOf(8)}))
	w.dropControl = func(n int) bool { return n < 2 }
	w.run()
	if c := w.sender.Counters(); c.Retransmits != 0 || w.controls != 3 {
		t.Errorf("%d acknowledgements, %+v", w.controls, c)
	}
	w = newWorld(newHost(t, cfg, shape{size: bytesOf(8)}))
	w.dropControl = func(n int) bool { return n < 5 }
	w.run()
	c := w.sender.Counters()
	if w.sender.Err() != nil || c.Retransmits == 0 || c.Fallbacks != 0 {
		t.Errorf("%v, %+v, want repeats that provoke the acknowledgement", w.sender.Err(), c)
	}
	if d := w.to.Counters().Discarded; d < c.Retransmits {
		t.Errorf("%d packets discarded of %d repeats", d, c.Retransmits)
	}
}

// Malformed and foreign control messages are errors and change nothing.
func TestControlMessagesThatMakeNoSenseChangeNothing(t *testing.T) {
	h, now, report := fallenHost(t, testConfig(mds, 4, 2))
	h.must(h.sender.HandleControl(now, report))
	h.pump(now)
	before, due := h.sender.State(), h.deadline(h.sender)
	beyond, _ := wire.AppendNack(nil, &wire.Nack{Message: 7, Submessages: true,
		Missing: []wire.Range{{First: 1, Count: 3}}}, 4096)
	for name, msg := range map[string][]byte{
		"nothing":             {},
		"a cut report":        report[:len(report)-1],
		"a report from afar":  beyond,
		"an unknown kind":     {99, 0, 0, 0, 0, 0, 0},
		"chunks that are not": wire.AppendAck(nil, &wire.Ack{Message: 7, Cumulative: 13}, 4096),
	} {
		if err := h.sender.HandleControl(now.Add(testRTT), msg); err == nil {
			t.Errorf("%s: no error", name)
		}
		if h.sender.State() != before || h.deadline(h.sender) != due {
			t.Errorf("%s changes the sender: %s, before %s", name, h.sender.State(), before)
		}
	}
	if err := h.receiver.HandleControl(now, report); err == nil {
		t.Error("a receiver takes control messages")
	}
}

// An acknowledgement of repeats that overtakes the report which asked for them, because that was
// lost, is neither an error nor the start of anything.
func TestAcknowledgementBeforeTheReportIsIgnored(t *testing.T) {
	h := newHost(t, testConfig(mds, 4, 2), shape{size: bytesOf(12)})
	h.pump(0)
	before, due := h.sender.State(), h.deadline(h.sender)
	early := wire.AppendAck(nil, &wire.Ack{Message: 7, Cumulative: 3}, 4096)
	h.must(h.sender.HandleControl(due-1, early))
	if h.sender.State() != before || h.deadline(h.sender) != due {
		t.Errorf("%s, before %s", h.sender.State(), before)
	}
}

// What arrives after the message has ended changes nothing.
func TestLateControlMessagesChangeNothing(t *testing.T) {
	h, now, report := fallenHost(t, testConfig(mds, 4, 2))
	h.must(h.sender.HandleControl(now, wire.AppendAck(nil, &wire.Ack{Message: 7, Final: true}, 4096)))
	before, counted := h.sender.State(), h.sender.Counters()
	h.must(h.sender.HandleControl(now, report))
	if h.sender.State() != before || h.sender.Counters() != counted || h.sender.Urgent() {
		t.Errorf("%s, before %s", h.sender.State(), before)
	}
}

// With `fallback: missing` a repeat may let parity do the rest: what is then needless of the
// submessage is acknowledged with it, and not sent again when its repeat was lost.
func TestChunksThatParityReplacesAreAcknowledged(t *testing.T) {
	cfg := testConfig(mds, 4, 2)
	cfg.Fallback = FallbackMissing
	h, now, report := fallenHost(t, cfg)
	h.must(h.sender.HandleControl(now, report))
	t.Log("# of the repeats of chunks 0 and 1, 8, 9 and 11, only that of chunk 1 arrives")
	h.arrives(h.pump(now)[1])
	poll := h.deadline(h.receiver)
	h.receiver.HandleTimeout(poll)
	if a := h.wantAck(h.answer()); a.Cumulative != 8 || a.Final {
		t.Errorf("%+v, want both chunks acknowledged", a)
	}
}

// A chunk that had no turn before the receiver lost patience goes as a repeat, with a timeout.
func TestChunksThatWereNeverSentFallBackAsRepeats(t *testing.T) {
	cfg := testConfig(mds, 4, 2)
	cfg.Order = OrderInterleaved
	h := newHost(t, cfg, shape{size: bytesOf(8)})
	w, _ := h.next(0)
	h.transmit(0, w)
	report, _ := wire.AppendNack(nil, &wire.Nack{Message: 7, Submessages: true,
		Missing: []wire.Range{{First: 1, Count: 1}}}, 4096)
	now := at(testRTT)
	h.must(h.sender.HandleControl(now, report))
	w, ok := h.next(now)
	if !ok || !w.Repeat || w.First != 4 || w.Count != 4 {
		t.Fatalf("%+v", w)
	}
	h.transmit(now, w)
	if due, want := h.deadline(h.sender), now.Add(testPacketTime+3*testRTT); due != want {
		t.Errorf("timeout at %v, want %v", due, want)
	}
}
