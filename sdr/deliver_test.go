package sdr

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/units"
	"sdrsim/wire"
)

func TestDeliverTellsWhatIsNew(t *testing.T) {
	p := newPair(testConfig(), 10*4*units.KiB)
	s, r := p.open()
	same(t, "first", p.deliver(s, 2, 3), Arrival{Recv: r, First: 2, Count: 3, Fresh: 3})
	same(t, "overlapping", p.deliver(s, 0, 4), Arrival{Recv: r, First: 0, Count: 4, Fresh: 2})
	same(t, "counters", p.recv.Counters(), Counters{Fresh: 5, Duplicates: 2})
}

func TestPreviewChangesNothing(t *testing.T) {
	p := newPair(coarse(), 8*4*units.KiB)
	s, r := p.open()
	run := s.Run(0, 8)
	run.Repeat = true
	want := Arrival{Recv: r, First: 0, Count: 8, Repeat: true}
	same(t, "Preview", p.recv.Preview(&run), want)
	same(t, "Missing", r.Missing(), 8)
	same(t, "counters", p.recv.Counters(), Counters{})
	want.Fresh = 8
	same(t, "Deliver", p.recv.Deliver(&run), want)

	t.Log("# of a message that was completed it says that the packets would be discarded")
	wantError(t, r.Complete(), nil)
	want.Fresh, want.Discarded = 0, true
	same(t, "Preview", p.recv.Preview(&run), want)
	same(t, "counters", p.recv.Counters(), Counters{Fresh: 8})
}

func TestSpuriousChunksCountAtTheirFirstPacket(t *testing.T) {
	p := newPair(coarse(), 14*4*units.KiB)
	s, r := p.open()
	t.Log("# chunks 0, 2 and the short chunk 3 are whole, chunk 1 lacks a packet")
	p.deliver(s, 0, 7)
	p.deliver(s, 8, 6)
	repeat := func(first, count int64) int64 {
		return p.carry(Work{Handle: s, First: first, Count: count, Repeat: true}).Spurious
	}
	same(t, "the tail of chunk 0", repeat(1, 3), 0)
	same(t, "from the tail of chunk 0 into chunk 2", repeat(1, 8), 1)
	t.Log("# packet 7 came with that, so now all are whole")
	same(t, "the first packet of chunk 1", repeat(4, 1), 1)
	same(t, "the whole message", repeat(0, 14), 4)
	same(t, "packets that are not marked as repeats", p.deliver(s, 0, 14).Spurious, 0)
	t.Log("# a repeat after completion is spurious for the chunks that had arrived")
	wantError(t, r.Complete(), nil)
	a := p.carry(Work{Handle: s, First: 0, Count: 14, Repeat: true})
	same(t, "after completion", a,
		Arrival{Recv: r, Count: 14, Spurious: 4, Discarded: true, Repeat: true})
}

func TestRepeatThatCompletesAChunkIsNotSpurious(t *testing.T) {
	p := newPair(coarse(), 8*4*units.KiB)
	s, _ := p.open()
	p.deliver(s, 1, 3)
	w := Work{Handle: s, First: 0, Count: 4, Repeat: true}
	same(t, "the repeat that fills the hole", p.carry(w).Spurious, 0)
	same(t, "the one after", p.carry(w).Spurious, 1)
}

func TestPacketsWithoutAReceiveAreDiscarded(t *testing.T) {
	p := newPair(testConfig(), units.MiB)
	p.send.HandleCTS(5)
	s := p.start()
	want := Arrival{First: 3, Count: 7, Discarded: true}
	same(t, "no receive posted", p.deliver(s, 3, 7), want)
	same(t, "counters", p.recv.Counters(), Counters{Unmatched: 7})

	t.Log("# an id that cannot be, however many receives were posted")
	for range 1025 {
		wantError(t, p.post().Complete(), nil)
	}
	run := s.Run(3, 7)
	run.Message = 1024
	same(t, "strange id", p.recv.Deliver(&run), want)
	same(t, "counters", p.recv.Counters(), Counters{Unmatched: 14})

	t.Log("# after a reset the receive is no longer there")
	p.recv.Reset()
	same(t, "counters", p.recv.Counters(), Counters{})
	same(t, "after a reset", p.deliver(s, 3, 7), want)
}

func TestPacketsPastTheEndOfTheReceiveAreDiscarded(t *testing.T) {
	for name, c := range map[string]struct {
		recv  units.Bytes // in an MTU of 16 bytes
		fits  int64       // packets of the send
		count Counters
	}{
		"two packets longer":             {48, 3, Counters{Fresh: 3, Unmatched: 2}},
		"longer by a part of the packet": {73, 4, Counters{Fresh: 4, Unmatched: 1}},
		"as long":                        {75, 5, Counters{Fresh: 5}},
		"shorter":                        {200, 5, Counters{Fresh: 5}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := testConfig()
			cfg.MTU, cfg.Chunk = 16, 16
			from, to := bytes.Repeat([]byte{1}, 200), make([]byte, 200)
			p := newPairOn(cfg, from, to, 200)
			r := must(p.recv.PostRecv(p.recvMR, 0, c.recv))
			p.send.HandleCTS(1)
			s := must(p.send.StartStream(p.sendMR, 0, 75, 0))
			p.deliver(s, 0, s.PacketCount())
			same(t, "counters", p.recv.Counters(), c.count)
			same(t, "packets", r.PacketBitmap().Count(), c.fits)
			same(t, "bytes", bytes.Count(to, []byte{1}), int(min(75, 16*c.fits)))
		})
	}
}

func TestPacketsForMemoryThatIsGoneAreDiscarded(t *testing.T) {
	p := newPair(testConfig(), units.MiB)
	s, r := p.open()
	wantError(t, p.recvMR.Deregister(), nil)
	same(t, "arrival", p.deliver(s, 0, 2), Arrival{Recv: r, Count: 2, Discarded: true})
	same(t, "counters", p.recv.Counters(), Counters{Discarded: 2})
}

func TestPayloadLandsAtItsOffset(t *testing.T) {
	cfg := testConfig()
	cfg.MTU, cfg.Chunk = 16, 32
	from, to := make([]byte, 120), make([]byte, 120)
	for i := range from {
		from[i] = byte(i + 1)
	}
	p := newPairOn(cfg, from, to, 120)
	r := must(p.recv.PostRecv(p.recvMR, 20, 90))
	p.send.HandleCTS(1)
	s := must(p.send.StartStream(p.sendMR, 5, 90, 0))
	t.Log("# the tail, then the front, then the middle; the bytes around stay as they are")
	p.deliver(s, 5, 1)
	p.deliver(s, 0, 2)
	same(t, "chunk 0", bytes.Equal(r.Bytes(0, 1), from[5:37]), true)
	same(t, "the hole", bytes.Equal(r.Bytes(1, 1), make([]byte, 32)), true)
	p.deliver(s, 2, 3)
	same(t, "all chunks", bytes.Equal(r.Bytes(0, 3), from[5:95]), true)
	same(t, "before", bytes.Equal(to[:20], make([]byte, 20)), true)
	same(t, "after", bytes.Equal(to[110:], make([]byte, 10)), true)

	t.Log("# after completion nothing is written")
	wantError(t, r.Complete(), nil)
	clear(to)
	p.deliver(s, 0, 6)
	same(t, "after completion", bytes.Equal(to, make([]byte, 120)), true)
	same(t, "chunks that do not exist", r.Bytes(0, 4) == nil, true)
}

func TestVirtualMemoryHasNoBytes(t *testing.T) {
	p := newPair(testConfig(), units.MiB)
	s, r := p.open()
	run := s.Run(0, 1)
	same(t, "data of a run", run.Data == nil, true)
	same(t, "bytes of a receive", r.Bytes(0, 1) == nil, true)
}

func TestRunOfSeveralShortPacketsIsABug(t *testing.T) {
	cfg := testConfig()
	cfg.MTU, cfg.Chunk = 16, 16
	p := newPairOn(cfg, make([]byte, 64), make([]byte, 64), 64)
	p.open()
	run := wire.Run{Count: 2, Payload: 8, Data: make([]byte, 16)}
	wantBug(t, func() { p.recv.Deliver(&run) })
}

// Most runs lie within an open receive, which is found quickly. The long way finds the same.
func TestReceiveOfARunIsFoundQuicklyOrTheLongWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := testConfig()
		cfg.Split = wire.Split{ID: 2, Offset: 28, User: 2}
		cfg.Generations = rapid.IntRange(1, 2).Draw(t, "generations")
		p := newPair(cfg, units.Bytes(rapid.IntRange(1, 5).Draw(t, "half packets"))*2*units.KiB)
		for range rapid.IntRange(0, 9).Draw(t, "receives") {
			r, err := p.recv.PostRecv(p.recvMR, 0, p.size)
			if err == nil && rapid.IntRange(0, 3).Draw(t, "complete") > 0 {
				same(t, "Complete", r.Complete(), nil)
			}
		}
		switch rapid.IntRange(0, 5).Draw(t, "afterwards") {
		case 0:
			p.recv.Reset()
		case 1:
			same(t, "Deregister", p.recvMR.Deregister(), nil)
		}
		for range 20 {
			run := wire.Run{
				Message:    rapid.Uint32Range(0, 3).Draw(t, "message"),
				Generation: rapid.Uint32Range(0, 1).Draw(t, "generation"),
				First:      rapid.Int64Range(-1, 4).Draw(t, "first"),
				Count:      rapid.Int64Range(1, 4).Draw(t, "count"),
				Payload:    units.Bytes(rapid.IntRange(1, 2).Draw(t, "half a packet")) * 2 * units.KiB,
				Repeat:     rapid.Bool().Draw(t, "repeat"),
			}
			a, v := p.recv.match(&run)
			want, wantVerdict := p.recv.judge(&run)
			same(t, "arrival", a, want)
			same(t, "verdict", v, wantVerdict)
		}
	})
}
