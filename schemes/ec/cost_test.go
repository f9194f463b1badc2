package ec

import (
	"testing"

	"sdrsim/sdr"
	"sdrsim/units"
)

// at is an instant.
func at(d units.Duration) units.Time { return units.Time(0).Add(d) }

// Parity goes when it is encoded: the encoder takes one submessage after the other from the start,
// while data goes out.
func TestParityWaitsForTheEncoder(t *testing.T) {
	cfg := testConfig(mds, 4, 2)
	// 4 chunks of 64 bytes in 100 us.
	cfg.EncodeRate = units.Rate(4 * 64 * 8 * 10_000)
	h := newHost(t, cfg, shape{size: bytesOf(12)})
	t.Log("# data goes at once, and the parity of nothing")
	w, ok := h.sender.NextSend(0)
	if !ok || w.Count != 12 || w.Handle != h.sender.data {
		t.Fatalf("%+v", w)
	}
	h.transmit(0, w)
	for i := int64(1); i <= 3; i++ {
		ready := at(units.Duration(i) * 100 * units.Microsecond)
		if w, ok := h.next(ready - 1); ok {
			t.Errorf("%+v before it is encoded", w)
		}
		if due := h.deadline(h.sender); due != ready {
			t.Errorf("the sender wakes at %v, want %v", due, ready)
		}
		h.sender.HandleTimeout(ready)
		if due := h.deadline(h.sender); due <= ready {
			t.Errorf("the sender wakes at %v again", due)
		}
		w, ok := h.next(ready)
		if !ok || w.Handle != h.sender.parity || w.First != 2*(i-1) || w.Count != 2 {
			t.Errorf("parity of submessage %d: %+v", i-1, w)
		}
	}
	if due := h.deadline(h.sender); due < at(testRTT) {
		t.Errorf("the sender wakes at %v for nothing", due)
	}
}

// An encoder that was busy while the link was lets all that is ready go in one piece.
func TestEncodedParityGoesTogether(t *testing.T) {
	cfg := testConfig(mds, 4, 2)
	cfg.EncodeRate = units.Rate(4 * 64 * 8 * 1_000_000) // 1 us a submessage
	h := newHost(t, cfg, shape{size: bytesOf(12)})
	h.sender.NextSend(0)
	w, ok := h.sender.NextSend(at(2*units.Microsecond + units.Nanosecond))
	if !ok || w.First != 0 || w.Count != 4 {
		t.Errorf("%+v, want the parity of two submessages", w)
	}
}

// Submessages with losses are decoded one after the other; the message is delivered, and
// acknowledged, when the decoder is done with the last.
func TestDeliveryWaitsForTheDecoder(t *testing.T) {
	cfg := testConfig(mds, 4, 2)
	cfg.DecodeRate = units.Rate(4 * 64 * 8 * 10_000) // 100 us a submessage
	h := newHost(t, cfg, shape{size: bytesOf(12), real: true})
	list := without(h.pump(0), data(0, 9)) // of the first and the last submessage
	h.arrives(list...)
	if h.receiver.Done() || h.answer() != nil {
		t.Fatal("delivered before it is decoded")
	}
	t.Log("# the first parity chunk begins the first decoding; the other follows it")
	done := list[10].depart.Add(testRTT/2 + 200*units.Microsecond)
	if due := h.deadline(h.receiver); due != done {
		t.Errorf("decoded at %v, want %v", due, done)
	}
	h.receiver.HandleTimeout(done - 1)
	if h.receiver.Done() {
		t.Error("delivered early")
	}
	h.receiver.HandleTimeout(done)
	if at, ok := h.receiver.DeliveredAt(); !ok || at != done || !h.wantAck(h.answer()).Final {
		t.Errorf("delivered at %v, %v, want %v", at, ok, done)
	}
	if string(h.in) != string(h.out) {
		t.Error("wrong bytes")
	}
}

// Submessages whose data is whole cost the decoder nothing, nor do those repeated whole.
func TestWholeSubmessagesAreNotDecoded(t *testing.T) {
	cfg := testConfig(mds, 4, 2)
	cfg.DecodeRate = 1
	h := newHost(t, cfg, shape{size: bytesOf(12)})
	h.arrives(h.pump(0)[:12]...)
	if !h.receiver.Done() {
		t.Error("a message without loss waits for the decoder")
	}
}

// With `fallback: missing` a repeat may leave the rest to parity: the decoder then takes its time.
func TestFallbackThatEndsByParityIsDecoded(t *testing.T) {
	cfg := testConfig(mds, 4, 2)
	cfg.Fallback = FallbackMissing
	cfg.DecodeRate = units.Rate(4 * 64 * 8 * 10_000)
	h, now, report := fallenHost(t, cfg)
	h.must(h.sender.HandleControl(now, report))
	sent := h.pump(now)
	h.arrives(sent[1], sent[2], sent[3])
	if h.receiver.Done() {
		t.Error("delivered before it is decoded")
	}
	for due := h.deadline(h.receiver); !h.receiver.Done(); due = h.deadline(h.receiver) {
		h.receiver.HandleTimeout(due)
	}
	// Two submessages, 100 us each, the first from the arrival of its repeat on.
	begun := sent[1].depart.Add(testRTT / 2)
	if got, _ := h.receiver.DeliveredAt(); got != begun.Add(200*units.Microsecond) {
		t.Errorf("delivered at %v, want %v", got, begun.Add(200*units.Microsecond))
	}
}

// What was handed to the link and has not left is taken back: the timeout of a repeat counts from
// its departure in the end, and a probe is finished before repeats are timed.
func TestUnsentRepeatsAreTimedFromTheirDeparture(t *testing.T) {
	h, now, report := fallenHost(t, testConfig(mds, 4, 2))
	h.must(h.sender.HandleControl(now, report))
	w, _ := h.sender.NextSend(now) // chunks 0..3
	h.sender.HandleSent(w, now.Add(testPacketTime), testPacketTime)
	t.Log("# two of the four had left when something else cut in")
	h.sender.Unsend(2)
	rest := sdr.Work{Handle: w.Handle, First: 2, Count: 2, Repeat: true}
	late := now.Add(10 * testPacketTime)
	h.sender.HandleSent(rest, late, testPacketTime)
	due := now.Add(testPacketTime + 3*testRTT)
	if got := h.deadline(h.sender); got != due {
		t.Fatalf("first timeout at %v, want %v", got, due)
	}
	h.sender.HandleTimeout(due.Add(testPacketTime))
	if got := h.deadline(h.sender); got != late.Add(3*testRTT) {
		t.Errorf("third timeout at %v, want %v", got, late.Add(3*testRTT))
	}
}

// A probe of several packets that is cut is reported again, and never timed as a repeat.
func TestUnsentProbeIsReportedAgain(t *testing.T) {
	h := newHost(t, testConfig(mds, 4, 2), shape{size: bytesOf(12), perChunk: 3})
	h.pump(0)
	due := h.deadline(h.sender)
	h.sender.HandleTimeout(due)
	w, _ := h.sender.NextSend(due)
	if w.Count != 3 || !w.Repeat {
		t.Fatalf("probe %+v", w)
	}
	h.sender.HandleSent(w, due.Add(testPacketTime), testPacketTime)
	h.sender.Unsend(1)
	if h.sender.probing != 1 {
		t.Errorf("%d packets of the probe are left, want 1", h.sender.probing)
	}
	last := sdr.Work{Handle: w.Handle, First: 2, Count: 1, Repeat: true}
	h.sender.HandleSent(last, due, testPacketTime)
	if h.sender.probing != 0 || h.sender.Urgent() {
		t.Errorf("%d packets of the probe are left", h.sender.probing)
	}
}

// steady moves one message with virtual payload and fallback, in runs, without a test's lists.
func (h *host) steady() {
	h.open()
	for w, ok := h.sender.NextSend(0); ok; w, ok = h.sender.NextSend(0) {
		h.sender.HandleSent(w, at(testPacketTime), testPacketTime)
		h.carry(w, 5)
	}
	now := h.deadline(h.receiver)
	h.receiver.HandleTimeout(now)
	h.flush(now)
	for w, ok := h.sender.NextSend(now); ok; w, ok = h.sender.NextSend(now) {
		h.sender.HandleSent(w, now.Add(testPacketTime), testPacketTime)
		h.carry(w, 0)
		h.flush(now.Add(testRTT))
	}
}

// carry delivers a piece of work but for its first packets.
func (h *host) carry(w sdr.Work, lost int64) {
	for first, end := w.First+min(lost, w.Count), w.First+w.Count; first < end; {
		run := w.Handle.Run(first, end-first)
		run.Repeat = w.Repeat
		if a := h.to.Deliver(&run); a.Recv != nil {
			h.receiver.Quiet(a)
			h.receiver.HandleArrival(at(testRTT), a)
		}
		first += run.Count
	}
}

func (h *host) flush(now units.Time) {
	from := 0
	for _, end := range h.answers.ends {
		h.must(h.sender.HandleControl(now, h.answers.bytes[from:end]))
		from = end
	}
	h.answers.bytes, h.answers.ends = h.answers.bytes[:0], h.answers.ends[:0]
}

// A message costs no allocation once memory has grown, fallback included.
func TestMessagesCostNoAllocation(t *testing.T) {
	for _, coder := range []string{"mds", "xor"} {
		for _, fallback := range []Fallback{FallbackSubmessage, FallbackMissing} {
			cfg := testConfig(mds, 32, 8)
			if coder == "xor" {
				cfg.NewCoder = xor
			}
			cfg.Fallback = fallback
			h := newHost(t, cfg, shape{size: bytesOf(1000)})
			h.steady()
			if !h.sender.Done() || h.sender.Err() != nil || h.sender.Counters().Fallbacks == 0 {
				t.Fatalf("%s %s: %s; %s", coder, fallback, h.sender.State(), h.receiver.State())
			}
			if n := testing.AllocsPerRun(20, h.steady); n != 0 {
				t.Errorf("%s, fallback %s: %v allocations a message", coder, fallback, n)
			}
		}
	}
}

func BenchmarkMessageWithFallback(b *testing.B) {
	h := newHost(b, testConfig(mds, 32, 8), shape{size: bytesOf(32768)})
	b.ReportAllocs()
	for b.Loop() {
		h.steady()
	}
}
