package ec

import (
	"fmt"
	"testing"

	"sdrsim/sim/units"
)

// pieces is (k, m) with a send for the data of each submessage and one for its parity, and a
// fallback timeout that no stall outlasts.
func pieces(k, m int, order Order) Config {
	cfg := testConfig(mds, k, m)
	cfg.Sends, cfg.Order, cfg.Beta = SendsSubmessage, order, units.RTTs(100*units.RTTUnit)
	return cfg
}

func TestPaperEverySubmessageAndItsParityIsASend(t *testing.T) {
	orders := map[Order][]int64{ // packets of each send
		OrderParityLast:  {4, 4, 2, 3, 3, 3},
		OrderInterleaved: {4, 3, 4, 3, 2, 3},
	}
	for order, want := range orders {
		h := newHost(t, pieces(4, 3, order), shape{size: bytesOf(10)})
		if n := h.to.Posted(); n != 6 {
			t.Errorf("%s: %d receives are posted, want 2L", order, n)
		}
		var got []int64
		for i, p := range h.pump(0) {
			if int64(len(got)) == p.run.Serial {
				got = append(got, 0)
			}
			got[p.run.Serial]++
			if depart := at(units.Duration(i+1) * testPacketTime); p.depart != depart {
				t.Errorf("%s: packet %d leaves at %v, want %v", order, i, p.depart, depart)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: sends of %v packets, want %v", order, got, want)
		}
	}
}

// As long as ids suffice, a message without loss takes as long as with two sends.
func TestWithIDsSubmessagesTakeNoLonger(t *testing.T) {
	for _, order := range []Order{OrderParityLast, OrderInterleaved} {
		for _, packets := range []int64{1, 4, 7, 64} {
			var took [2]units.Time
			for i, sends := range []Sends{SendsMessage, SendsSubmessage} {
				cfg := pieces(4, 2, order)
				cfg.Sends = sends
				w := newWorld(newHost(t, cfg, shape{size: bytesOf(packets), real: true}))
				w.run()
				took[i] = w.now
			}
			if took[0] != took[1] {
				t.Errorf("%s, %d packets: %v by submessage, want %v", order, packets, took[1], took[0])
			}
		}
	}
}

// With n ids, n sends go, and each further one when the receive of the n-th before it was completed
// and posted again: a round trip after its last packet has left. Here six submessages of four
// packets, a microsecond each, and no loss.
func TestSendsWaitForIDs(t *testing.T) {
	const us = units.Microsecond
	cases := []struct {
		order  Order
		idBits uint8
		want   units.Duration
	}{
		{OrderParityLast, 3, 24*us + testRTT},
		// Two windows of four and of two submessages; the second begins a round trip after the end of
		// the first submessage.
		{OrderParityLast, 2, 4*us + testRTT + 8*us + testRTT},
		// Three windows of two.
		{OrderParityLast, 1, 2*(4*us+testRTT) + 8*us + testRTT},
		// Parity takes ids too: windows of four submessages and of two. That of the last is not waited
		// for.
		{OrderInterleaved, 3, 4*us + testRTT + 6*us + 4*us + testRTT},
		{OrderInterleaved, 1, 6*(4*us) + 6*testRTT},
	}
	for _, c := range cases {
		s := shape{size: bytesOf(24), real: true, idBits: c.idBits}
		w := newWorld(newHost(t, pieces(4, 2, c.order), s))
		w.run()
		if got := w.now.Sub(0); got != c.want {
			t.Errorf("%s, %d ids: %v, want %v", c.order, 1<<c.idBits, got, c.want)
		}
		if n, ids := w.to.Posted(), int64(1)<<c.idBits; n <= ids && ids < 12 {
			t.Errorf("%s: %d receives posted with %d ids, none was used again", c.order, n, ids)
		}
		if r := w.rx.Counters(); r.Nacks != 0 || r.UsefulParity != 0 {
			t.Errorf("%s, %d ids: %+v", c.order, 1<<c.idBits, r)
		}
	}
}

// Where a loss keeps the ids of as many submessages as there are, and parity comes last, nothing
// goes on before the fallback timeout. Then the two that have receives are repeated, and the others
// follow as data only, as their ids become free.
func TestSubmessagesThatWaitForParityHoldTheirIDs(t *testing.T) {
	cfg := pieces(4, 2, OrderParityLast)
	cfg.Beta = units.RTTs(units.RTTUnit)
	for _, fallback := range []Fallback{FallbackSubmessage, FallbackMissing} {
		cfg.Fallback = fallback
		w := newWorld(newHost(t, cfg, shape{size: bytesOf(16), real: true, idBits: 1}))
		w.dropData = func(p packet) bool { return !p.run.Repeat && p.run.Serial < 2 && p.run.First == 0 }
		w.run()
		// The first arrival at 2 us + RTT/2 arms FTO = 24 us + RTT, and the report takes RTT/2. The
		// first repeats of both submessages end 4 us and 8 us, or 1 us and 2 us, after that. A round
		// trip later their ids are free, and the last submessage takes another.
		heard := 2*units.Microsecond + testRTT/2 + 24*units.Microsecond + testRTT + testRTT/2
		want, repeats := heard+8*units.Microsecond+testRTT, int64(8)
		if fallback == FallbackMissing {
			// The third submessage is under way when the id of the fourth is free.
			want, repeats = heard+1*units.Microsecond+testRTT+4*units.Microsecond, 2
		}
		want += 4*units.Microsecond + testRTT
		c, r := w.tx.Counters(), w.rx.Counters()
		if w.now.Sub(0) != want || c.Fallbacks != 4 || c.Retransmits != repeats || c.Timeouts != 0 ||
			r.Nacks != 1 || r.Timeouts != 1 || r.UsefulParity != 0 {
			t.Errorf("%s: %v, want %v; %+v, %+v", fallback, w.now.Sub(0), want, c, r)
		}
	}
}

// Whichever packet is lost, what is delivered is right, with ids for everything, for some, and for
// one submessage at a time.
func TestAnyPacketOfASubmessageMayBeLost(t *testing.T) {
	for _, order := range []Order{OrderParityLast, OrderInterleaved} {
		for _, fallback := range []Fallback{FallbackSubmessage, FallbackMissing} {
			for _, idBits := range []uint8{1, 2, 5} {
				for lost := range 3 * 6 {
					cfg := pieces(4, 2, order)
					cfg.Fallback, cfg.Beta = fallback, units.RTTs(units.RTTUnit)
					s := shape{size: bytesOf(12) - 1, real: true, idBits: idBits}
					w := newWorld(newHost(t, cfg, s))
					n := 0
					w.dropData = func(packet) bool { n++; return n-1 == lost }
					w.run()
					if w.tx.Err() != nil || !w.rx.Done() {
						t.Errorf("%s, %s, %d id bits, packet %d: %s; %s", order, fallback, idBits, lost,
							w.tx.State(), w.rx.State())
					}
				}
			}
		}
	}
}

// With parity behind each submessage a loss costs nothing but the wait for it, however few ids
// there are: a submessage is recovered by the packet that replaces the lost one, and frees its ids.
func TestInterleavedParityFreesIDs(t *testing.T) {
	cfg := pieces(4, 2, OrderInterleaved)
	w := newWorld(newHost(t, cfg, shape{size: bytesOf(12), real: true, idBits: 1}))
	w.dropData = func(p packet) bool { return p.run.Serial%2 == 0 && p.run.First == 1 }
	w.run()
	// The first parity packet of each of three submessages is the fifth to leave.
	if want := 3 * (5*units.Microsecond + testRTT); w.now.Sub(0) != want {
		t.Errorf("%v, want %v", w.now.Sub(0), want)
	}
	if r := w.rx.Counters(); r.UsefulParity != 3 || r.Nacks != 0 {
		t.Errorf("%+v", r)
	}
}

// A receive is completed when its submessage is recovered: what still arrives for it is discarded,
// and the parity of data that came whole is not waited for.
func TestRecoveredSubmessagesCompleteTheirReceives(t *testing.T) {
	h := newHost(t, pieces(4, 2, OrderInterleaved), shape{size: bytesOf(8), real: true})
	packets := h.pump(0)
	h.arrives(packets[:4]...)
	if !h.freed {
		t.Errorf("the host was not told")
	}
	h.arrives(packets[4:6]...)
	if n := h.to.Counters().Discarded; n != 2 {
		t.Errorf("%d packets of parity were discarded, want 2", n)
	}
	h.arrives(packets[6:]...)
	if !h.rx.Done() || h.wantAck(h.answer()).Cumulative != 8 {
		t.Errorf("%s", h.rx.State())
	}
}

// A message whose acknowledgement is lost is asked for by a probe to a receive that still answers,
// also where the first ids were used again.
func TestProbesFindAReceiveThatAnswers(t *testing.T) {
	for _, order := range []Order{OrderParityLast, OrderInterleaved} {
		cfg := pieces(4, 2, order)
		cfg.Beta = units.RTTs(10 * units.RTTUnit)
		w := newWorld(newHost(t, cfg, shape{size: bytesOf(16), real: true, idBits: 1}))
		w.dropControl = func(int) bool { return w.now < at(9*testRTT) } // answers to late parity
		w.run()
		if c := w.tx.Counters(); w.tx.Err() != nil || c.Retransmits != 1 || c.Timeouts != 1 {
			t.Errorf("%s: %v, %+v, want one probe", order, w.tx.Err(), c)
		}
	}
}

// The endpoints take on one message after the other, and the sends that a message did not need are
// passed over at both ends alike.
func TestNextMessagesFollowWhereTheLastOneEnded(t *testing.T) {
	cfg := pieces(4, 2, OrderParityLast)
	w := newWorld(newHost(t, cfg, shape{size: bytesOf(24), real: true, idBits: 2}))
	w.run()
	first := w.to.Posted()
	if first >= 12 {
		t.Fatalf("all %d receives are posted", first)
	}
	for range 5 {
		w.must(w.rx.Open(w.recv))
		w.from.HandleCTS(w.to.Posted())
		w.must(w.tx.Open(w.send))
		w.tx.Start(w.now)
		clear(w.in)
		w.there, w.credits, w.back = nil, nil, nil
		w.run()
	}
}
