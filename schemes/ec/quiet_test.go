package ec

import (
	"bytes"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// feed hands a run to the receiver in the steps that it asks for, or packet by packet. Packet j of
// the run arrives at now + j packet times. The run is cut where only some packets of a step are to
// be taken, which the receiver is then asked about; feed returns how many packets there were. Steps
// that the receiver is patient about are taken without asking.
func (h *host) feed(now units.Time, run wire.Run, some func(step int64) int64) (packets int64) {
	packets = run.Count
	for taken := int64(0); taken < packets; {
		part := run.Sub(taken, packets-taken)
		silent := false
		if some == nil {
			part.Count = 1
		} else if n := h.patientAbout(now.Add(units.Duration(taken)*run.Spacing), &part); n > 0 {
			part.Count, silent = n, true
		} else if a := h.to.Preview(&part); a.Recv != nil {
			a.Count, silent = h.receiver.Quiet(a)
			part.Count = max(a.Count, 1) // a host takes one packet at least
			if a.Count = some(part.Count); a.Count < part.Count {
				silent, packets = true, taken+a.Count
				few, _ := h.receiver.Quiet(a)
				part.Count = max(few, 1)
			}
		}
		taken += part.Count
		said, done := len(h.answers.ends), h.receiver.Done()
		h.deliver(now.Add(units.Duration(taken-1)*run.Spacing), &part)
		if silent && (len(h.answers.ends) > said || h.receiver.Done() != done) {
			h.t.Fatalf("a receiver that announced silence has spoken")
		}
	}
	return packets
}

// patientAbout is how many packets of a run the receiver is patient about, if they arrive from now
// on, one after the other, and by its deadline.
func (h *host) patientAbout(now units.Time, run *wire.Run) int64 {
	a := h.to.Preview(run)
	if a.Recv == nil || a.Discarded {
		return 0
	}
	n := min(h.receiver.Patience(a.Recv), a.Count)
	if due, ok := h.receiver.NextTimeout(); ok && due < now {
		return 0
	} else if ok {
		n = min(n, int64(due.Sub(now)/run.Spacing)+1)
	}
	return n
}

// seen is all that a receiver shows.
func (h *host) seen() string {
	r := h.receiver
	at, ok := r.DeliveredAt()
	due, armed := r.NextTimeout()
	return fmt.Sprint(r.State(), r.Counters(), at, ok, due, armed, h.answers)
}

// A receiver that is handed as many packets at a time as it says, or fewer and no more of the run,
// says and does the same as one that is handed every packet by itself, at the same times.
func TestStepsOfAReceiverChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 8).Draw(t, "k")
		cfg := drawConfig(t, mds, k, rapid.IntRange(1, 4).Draw(t, "m"))
		s := drawShape(t, k)
		steps, single := newHost(t, cfg, s), newHost(t, cfg, s)
		now := at(testRTT)
		some := func(step int64) int64 {
			if rapid.IntRange(0, 3).Draw(t, "cut") == 3 {
				return rapid.Int64Range(1, step).Draw(t, "packets before the cut")
			}
			return step
		}
		for range rapid.IntRange(1, 12).Draw(t, "arrivals") {
			handles := []*sdr.SendHandle{steps.sender.data, steps.sender.parity}
			handle := handles[rapid.IntRange(0, 1).Draw(t, "parity")]
			first := travels(handle, rapid.Int64Range(0, handle.PacketCount()-1).Draw(t, "first"))
			run := handle.Run(first, rapid.Int64Range(1, handle.PacketCount()-first).Draw(t, "count"))
			// Packets may arrive faster than they were sent, or slower.
			quarters := rapid.SampledFrom([]units.Duration{4, 2, 5, 16}).Draw(t, "spacing")
			run.Spacing = testPacketTime * quarters / 4
			run.Keep(steps.feed(now, run, some))
			single.feed(now, run, nil)
			now = now.Add(units.Duration(run.Count) * run.Spacing)
			if rapid.Bool().Draw(t, "wait") {
				now = max(now, steps.deadline(steps.receiver)%units.Never)
				steps.receiver.HandleTimeout(now)
				single.receiver.HandleTimeout(now)
			}
			if a, b := steps.seen(), single.seen(); a != b {
				t.Fatalf("after %+v\n in steps %s\n one by one %s", run, a, b)
			}
		}
		if single.receiver.Done() && !bytes.Equal(steps.in, single.in) {
			t.Fatalf("other bytes")
		}
	})
}

// A packet in a place of a shortened parity chunk that does not travel, which only a peer out of
// order sends, changes nothing.
func TestAPacketThatDoesNotTravelChangesNothing(t *testing.T) {
	cfg := testConfig(mds, 1, 2)
	cfg.DecodeRate = 100 * units.Mbps
	h := newHost(t, cfg, shape{size: 4 * testMTU, perChunk: 3})
	parity := h.sender.parity
	_, count := parity.ChunkPacketRange(2)
	if count != 1 || parity.PacketCount() != 12 {
		t.Fatalf("%d packets of 3 travel in chunk 2, %d in all", count, parity.PacketCount())
	}
	data := h.sender.data.Run(0, 1)
	h.feed(at(testRTT), data, nil)
	before := h.seen()
	run := parity.Run(6, 1)
	run.First, run.Spacing = 8, testPacketTime
	h.feed(at(2*testRTT), run, func(step int64) int64 { return step })
	if after := h.seen(); after != before {
		t.Errorf("from %s\nto %s", before, after)
	}
}
