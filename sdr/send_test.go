package sdr

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/units"
	"sdrsim/wire"
)

func TestSendWaitsForTheReceive(t *testing.T) {
	p := newPair(testConfig(), units.MiB)
	_, err := p.send.StartStream(p.sendMR, 0, units.MiB, 0)
	wantError(t, err, ErrNoCTS)
	_, _, err = p.send.PostSend(p.sendMR, 0, units.MiB, 0)
	wantError(t, err, ErrNoCTS)

	t.Log("# the credit is a count of receives, and an old announcement does not take it back")
	p.send.HandleCTS(2)
	p.send.HandleCTS(1)
	p.start()
	p.start()
	_, err = p.send.StartStream(p.sendMR, 0, units.MiB, 0)
	wantError(t, err, ErrNoCTS)
}

func TestSendKeepsItsIdUntilReleased(t *testing.T) {
	cfg := testConfig()
	cfg.Split = wire.Split{ID: 1, Offset: 27, User: 4}
	p := newPair(cfg, units.MiB)
	p.send.HandleCTS(100)
	first, second := p.start(), p.start()
	t.Log("# both ids are in use; to release the younger does not help the one whose turn it is")
	second.Release()
	_, err := p.send.StartStream(p.sendMR, 0, units.MiB, 0)
	same(t, "error", err, ErrRetry)
	same(t, "Released", first.Released(), false)
	first.Release()
	first.Release()
	third := p.start()
	same(t, "id", third.Message(), 0)
	same(t, "generation", third.Generation(), 1)
	same(t, "index", third.Index(), 2)
	same(t, "Released", third.Released(), false)
}

func TestStreamAfterItsEndIsRefused(t *testing.T) {
	p := newPair(testConfig(), units.MiB)
	p.send.HandleCTS(3)
	h := p.start()
	must(h.Continue(0, 1))
	same(t, "Ended", h.Ended(), false)
	wantError(t, h.End(), nil)
	same(t, "Ended", h.Ended(), true)
	wantError(t, h.End(), ErrDoubleCompletion)
	_, err := h.Continue(1, 1)
	wantError(t, err, ErrEnded)

	t.Log("# a message posted whole has ended with that, and one that is released too")
	whole, _, err := p.send.PostSend(p.sendMR, 0, units.MiB, 0)
	wantError(t, err, nil)
	wantError(t, whole.End(), ErrDoubleCompletion)
	_, err = whole.Continue(0, 1)
	wantError(t, err, ErrEnded)
	released := p.start()
	released.Release()
	_, err = released.Continue(0, 1)
	wantError(t, err, ErrEnded)
}

func TestContinueRefusesChunksThatDoNotExist(t *testing.T) {
	p := newPair(testConfig(), 10*4*units.KiB)
	p.send.HandleCTS(1)
	h := p.start()
	for _, c := range [][2]int64{{-1, 1}, {0, 0}, {0, -1}, {10, 1}, {5, 6}, {1, 1<<63 - 1}} {
		_, err := h.Continue(c[0], c[1])
		wantError(t, err, ErrOutOfRange)
	}
	t.Log("# nor anything from memory that is gone")
	wantError(t, p.sendMR.Deregister(), nil)
	_, err := h.Continue(0, 1)
	wantError(t, err, ErrUnregistered)
	t.Log("# nor on a handle from before a reset")
	p.send.Reset()
	_, err = h.Continue(0, 1)
	wantError(t, err, ErrInvalidHandle)
	wantError(t, h.End(), ErrInvalidHandle)
}

func TestContinueTurnsChunksIntoPackets(t *testing.T) {
	cfg := testConfig()
	cfg.Chunk = 4 * cfg.MTU
	p := newPair(cfg, 9*cfg.MTU+1)
	p.send.HandleCTS(1)
	h := p.start()
	same(t, "chunks", h.Chunks(), 3)
	same(t, "packets", h.PacketCount(), 10)
	same(t, "work", must(h.Continue(1, 1)), Work{Handle: h, First: 4, Count: 4})
	t.Log("# the last chunk has the packets that are left")
	same(t, "work", must(h.Continue(2, 1)), Work{Handle: h, First: 8, Count: 2})
	same(t, "work", must(h.Continue(1, 2)), Work{Handle: h, First: 4, Count: 6, Repeat: true})
	t.Log("# a mix of new and repeated chunks counts as new")
	same(t, "work", must(h.Continue(0, 3)), Work{Handle: h, First: 0, Count: 10})
}

func TestContinueIsARepeatOnceAllItsChunksWentBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chunks := rapid.Int64Range(1, 200).Draw(t, "chunks")
		p := newPair(testConfig(), units.Bytes(chunks)*4*units.KiB)
		p.send.HandleCTS(1)
		h := must(p.send.StartStream(p.sendMR, 0, p.size, 0))
		before := newMapBitmap(chunks)
		for range rapid.IntRange(1, 20).Draw(t, "calls") {
			first := rapid.Int64Range(0, chunks-1).Draw(t, "first")
			count := rapid.Int64Range(1, chunks-first).Draw(t, "count")
			if rapid.Bool().Draw(t, "in order") {
				first = min(before.next(0, false), chunks-1)
				count = min(count, chunks-first)
			}
			want := before.setRange(first, count) == 0
			same(t, "Repeat", must(h.Continue(first, count)).Repeat, want)
		}
	})
}

func TestRunKeepsTheShortLastPacketApart(t *testing.T) {
	data := make([]byte, 100)
	for i := range data {
		data[i] = byte(i)
	}
	cfg := testConfig()
	cfg.MTU, cfg.Chunk = 16, 16
	p := newPairOn(cfg, data, nil, 100)
	p.send.HandleCTS(2)
	t.Log("# 90 bytes from byte 10 on: five packets of 16 bytes and one of 10")
	h := must(p.send.StartStream(p.sendMR, 10, 90, 0xABCD))
	same(t, "RunLimit(0)", h.RunLimit(0), 5)
	same(t, "RunLimit(5)", h.RunLimit(5), 1)
	full, last := h.Run(1, 5), h.Run(5, 1)
	same(t, "packets", full.Count, 4)
	same(t, "payload", full.Payload, 16)
	same(t, "data", slices.Equal(full.Data, data[26:90]), true)
	same(t, "packets", last.Count, 1)
	same(t, "payload", last.Payload, 10)
	same(t, "data", slices.Equal(last.Data, data[90:]), true)
	same(t, "immediate", last.Imm(cfg.Split), cfg.Split.Pack(0, 5, 0xABCD))

	t.Log("# without a short packet the run goes to the end")
	even := must(p.send.StartStream(p.sendMR, 0, 96, 0))
	same(t, "RunLimit(0)", even.RunLimit(0), 6)
	run := even.Run(0, 6)
	same(t, "packets", run.Count, 6)
	same(t, "message", run.Message, 1)
	for _, r := range [][2]int64{{-1, 1}, {0, 0}, {0, 7}, {6, 1}} {
		wantBug(t, func() { even.Run(r[0], r[1]) })
	}
}
