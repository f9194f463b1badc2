package sdr

import (
	"testing"

	"pgregory.net/rapid"

	"sdrsim/units"
	"sdrsim/wire"
)

// coarse is a configuration with chunks of four packets.
func coarse() QPConfig {
	cfg := testConfig()
	cfg.Chunk = 4 * cfg.MTU
	return cfg
}

func TestReceiveNeedsAFreeSlot(t *testing.T) {
	cfg := testConfig()
	cfg.Split = wire.Split{ID: 2, Offset: 26, User: 4}
	p := newPair(cfg, units.MiB)
	t.Log("# four ids, four receives")
	var open []*RecvHandle
	for range 4 {
		open = append(open, p.post())
	}
	_, err := p.recv.PostRecv(p.recvMR, 0, units.MiB)
	same(t, "error", err, ErrRetry)
	t.Log("# receives are posted in order, so a younger one that is complete does not help")
	wantError(t, open[1].Complete(), nil)
	_, err = p.recv.PostRecv(p.recvMR, 0, units.MiB)
	same(t, "error", err, ErrRetry)
	wantError(t, open[0].Complete(), nil)
	h := p.post()
	same(t, "id", h.Message(), 0)
	same(t, "generation", h.Generation(), 1)
	same(t, "Posted", p.recv.Posted(), 5)
}

func TestMaxRecvsLimitsOpenReceives(t *testing.T) {
	cfg := testConfig()
	cfg.MaxRecvs = 2
	p := newPair(cfg, units.MiB)
	_, young := p.post(), p.post()
	_, err := p.recv.PostRecv(p.recvMR, 0, units.MiB)
	same(t, "error", err, ErrRetry)
	t.Log("# here any receive makes room, as the ids are many")
	wantError(t, young.Complete(), nil)
	p.post()
}

func TestResetMakesRoomForReceives(t *testing.T) {
	cfg := testConfig()
	cfg.MaxRecvs = 1
	p := newPair(cfg, units.MiB)
	p.post()
	p.recv.Reset()
	same(t, "Posted", p.recv.Posted(), 0)
	same(t, "index", p.post().Index(), 0)
}

func TestCompletionHappensOnce(t *testing.T) {
	p := newPair(testConfig(), units.MiB)
	h := p.post()
	same(t, "Completed", h.Completed(), false)
	wantError(t, h.Complete(), nil)
	same(t, "Completed", h.Completed(), true)
	wantError(t, h.Complete(), ErrDoubleCompletion)
	wantError(t, h.Rearm(0, 1), ErrCompleted)

	t.Log("# a handle from before a reset is refused")
	h = p.post()
	p.recv.Reset()
	wantError(t, h.Complete(), ErrInvalidHandle)
	wantError(t, h.Rearm(0, 1), ErrInvalidHandle)
}

func TestChunksAtTheEndOfTheMessageMayBeSmaller(t *testing.T) {
	p := newPair(coarse(), 9*4*units.KiB+1)
	s, r := p.open()
	same(t, "Length", r.Length(), p.size)
	same(t, "PacketCount", r.PacketCount(), 10)
	same(t, "Chunks", r.Chunks(), 3)
	same(t, "PacketsPerChunk", r.PacketsPerChunk(), 4)
	same(t, "ChunkOf", r.ChunkOf(8), 2)
	first, count := r.ChunkPacketRange(2)
	same(t, "first packet", first, 8)
	same(t, "packets", count, 2)
	p.deliver(s, 8, 1)
	same(t, "the last chunk", r.Bitmap().Test(2), false)
	p.deliver(s, 9, 1)
	same(t, "the last chunk", r.Bitmap().Test(2), true)
	same(t, "Missing", r.Missing(), 8)
}

func TestExpandChunkShowsItsPackets(t *testing.T) {
	cfg := testConfig()
	cfg.Chunk = 100 * cfg.MTU
	p := newPair(cfg, 230*cfg.MTU)
	s, r := p.open()
	for _, packet := range []int64{99, 101, 162, 165, 199, 200, 229} {
		p.deliver(s, packet, 1)
	}
	t.Log("# packets 100..199 do not start at a word; bits speak of the first 64 of them")
	same(t, "chunk 1", must(r.ExpandChunk(1)),
		Expansion{First: 100, Count: 100, Arrived: 4, Bits: 1<<1 | 1<<62})
	t.Log("# the last chunk has 30 packets")
	same(t, "chunk 2", must(r.ExpandChunk(2)),
		Expansion{First: 200, Count: 30, Arrived: 2, Bits: 1 | 1<<29})
	for _, chunk := range []int64{-1, 3} {
		_, err := r.ExpandChunk(chunk)
		wantError(t, err, ErrOutOfRange)
	}
}

func TestExpandChunkLeavesTheNextChunkOut(t *testing.T) {
	p := newPair(coarse(), 8*4*units.KiB)
	s, r := p.open()
	p.deliver(s, 2, 4)
	same(t, "chunk 0", must(r.ExpandChunk(0)), Expansion{First: 0, Count: 4, Arrived: 2, Bits: 0b1100})
	same(t, "chunk 1", must(r.ExpandChunk(1)), Expansion{First: 4, Count: 4, Arrived: 2, Bits: 0b0011})
}

func TestRearmForgetsChunks(t *testing.T) {
	for name, cfg := range map[string]QPConfig{"packets": testConfig(), "chunks": coarse()} {
		t.Run(name, func(t *testing.T) {
			p := newPair(cfg, 11*cfg.Chunk-1)
			s, r := p.open()
			p.deliver(s, 0, s.PacketCount())
			wantError(t, r.Rearm(9, 2), nil)
			same(t, "chunks", r.Bitmap().Count(), 9)
			same(t, "Missing", r.Missing(), 2*r.PacketsPerChunk())
			t.Log("# the repeat is seen anew")
			w := must(s.Continue(0, 11))
			first, count := r.ChunkPacketRange(9)
			p.carry(Work{Handle: s, First: first, Count: count, Repeat: w.Repeat})
			same(t, "chunk 9", r.Bitmap().Test(9), true)
			same(t, "chunk 10", r.Bitmap().Test(10), false)
			for _, c := range [][2]int64{{-1, 1}, {0, 0}, {10, 2}, {11, 1}} {
				wantError(t, r.Rearm(c[0], c[1]), ErrOutOfRange)
			}
		})
	}
}

func TestUserImmediateComesFromAnyPacketsThatCoverIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		user := rapid.SampledFrom([]uint8{0, 1, 2, 4, 8, 16}).Draw(t, "user bits")
		cfg := testConfig()
		cfg.Split = wire.Split{ID: 4, Offset: 28 - user, User: user}
		imm := rapid.Uint32().Draw(t, "immediate")
		p := newPair(cfg, 40*cfg.MTU)
		r := p.post()
		s := must(p.send.StartStream(p.sendMR, 0, p.size, imm))
		same(t, "of the sender", s.UserImm(), imm)
		fragments := map[int64]bool{}
		for range rapid.IntRange(0, 60).Draw(t, "runs") {
			first := rapid.Int64Range(0, 39).Draw(t, "first")
			count := min(40-first, rapid.Int64Range(1, 4).Draw(t, "count"))
			p.deliver(s, first, count)
			for i := first; i < first+count && user > 0; i++ {
				fragments[i%cfg.Split.Fragments()] = true
			}
			got, ok := r.UserImm()
			whole := user > 0 && int64(len(fragments)) == cfg.Split.Fragments()
			same(t, "whole", ok, whole)
			if whole {
				same(t, "immediate", got, imm)
			}
		}
	})
}

func TestUserImmediateOfTheFormerMessageIsForgotten(t *testing.T) {
	p := newPair(testConfig(), 8*4*units.KiB)
	s, _ := p.open()
	p.deliver(s, 0, 8)
	p.recv.Reset()
	p.send.Reset()
	r := p.post()
	_, ok := r.UserImm()
	same(t, "before a packet", ok, false)
	s = must(p.send.StartStream(p.sendMR, 0, p.size, 1))
	p.deliver(s, 0, 7)
	_, ok = r.UserImm()
	same(t, "after seven", ok, false)
	p.deliver(s, 7, 1)
	imm, _ := r.UserImm()
	same(t, "after eight", imm, 1)
}

func TestHandlesCarryATagOfTheHost(t *testing.T) {
	cfg := testConfig()
	cfg.Split = wire.Split{ID: 1, Offset: 27, User: 4}
	p := newPair(cfg, units.MiB)
	s, r := p.open()
	s.SetTag(7)
	r.SetTag(8)
	same(t, "of the send", s.Tag(), 7)
	same(t, "of the receive", p.deliver(s, 0, 1).Recv.Tag(), 8)

	t.Log("# a slot that is posted again has lost it")
	p.open()
	wantError(t, r.Complete(), nil)
	s.Release()
	s, r = p.open()
	same(t, "of the send", s.Tag(), 0)
	same(t, "of the receive", r.Tag(), 0)
}
