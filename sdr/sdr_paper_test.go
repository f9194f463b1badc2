package sdr

import (
	"errors"
	"math"
	"testing"

	"sdrsim/units"
	"sdrsim/wire"
)

// Each test here checks a statement of arXiv:2505.05366 about what SDR does, in the order of its
// sections 2 and 3.

// "One lost packet fails the whole message" of UC. SDR's receive bitmap tells the layer above which
// chunks of a posted receive have arrived. Reference: section 2.
func TestPaperALostPacketCostsItsChunkOnly(t *testing.T) {
	p := newPair(coarse(), 400*4*units.KiB)
	s, r := p.open()
	p.deliver(s, 0, 137)
	p.deliver(s, 138, 400-138)
	same(t, "chunks", r.Bitmap().Count(), 99)
	same(t, "the one that is missing", r.Bitmap().FirstClear(), 137/4)
}

// The bit of a chunk is set only when all its packets have arrived. Reference: section 3.
func TestPaperAChunkIsSetByItsLastPacket(t *testing.T) {
	p := newPair(coarse(), 8*4*units.KiB)
	s, r := p.open()
	for i, packet := range []int64{6, 4, 7, 5} {
		same(t, "before packet", r.Bitmap().Test(1), false)
		same(t, "packets", r.PacketBitmap().Count(), int64(i))
		p.deliver(s, packet, 1)
	}
	same(t, "after the fourth", r.Bitmap().Test(1), true)
	same(t, "chunks", r.Bitmap().Count(), 1)
}

// P_chunk = 1 - (1 - P_packet)^N: the sum over all patterns of loss of a chunk of N packets, each
// by its probability. Reference: figure 15.
func TestPaperChunkLossFollowsFromPacketLoss(t *testing.T) {
	const n, loss = 8, 0.03
	cfg := testConfig()
	cfg.Chunk = n * cfg.MTU
	p := newPair(cfg, cfg.Chunk)
	missing := 0.0
	for pattern := range 1 << n {
		p.send.Reset()
		p.recv.Reset()
		s, r := p.open()
		chance := 1.0
		for packet := range int64(n) {
			if pattern>>packet&1 == 1 {
				chance *= loss
			} else {
				chance *= 1 - loss
				p.deliver(s, packet, 1)
			}
		}
		if !r.Bitmap().Test(0) {
			missing += chance
		}
	}
	if want := 1 - math.Pow(1-loss, n); math.Abs(missing-want) > 1e-12 {
		t.Errorf("a chunk is lost with probability %v, want %v", missing, want)
	}
}

// The i-th send lands in the i-th posted receive, in whatever order packets arrive.
// Reference: section 3.
func TestPaperMatchingIsByOrder(t *testing.T) {
	p := newPair(testConfig(), 4*4*units.KiB)
	var recvs []*RecvHandle
	var sends []*SendHandle
	for range 5 {
		recvs = append(recvs, p.post())
	}
	for range 5 {
		sends = append(sends, p.start())
	}
	for _, i := range []int{3, 0, 4, 1, 2} {
		a := p.deliver(sends[i], 0, 4)
		same(t, "receive", a.Recv, recvs[i])
		same(t, "index of the send", sends[i].Index(), int64(i))
		same(t, "index of the receive", a.Recv.Index(), int64(i))
	}
}

// The receive must be posted first; the receiver announces it with clear-to-send, and the sender
// may write only after that. Reference: section 3.
func TestPaperTheSenderWritesOnlyAfterClearToSend(t *testing.T) {
	p := newPair(testConfig(), units.MiB)
	must(p.recv.PostRecv(p.recvMR, 0, units.MiB))
	t.Log("# posted, but the announcement is under way")
	_, _, err := p.send.PostSend(p.sendMR, 0, units.MiB, 0)
	same(t, "error", err, ErrNoCTS)
	p.send.HandleCTS(p.recv.Posted())
	_, _, err = p.send.PostSend(p.sendMR, 0, units.MiB, 0)
	same(t, "error", err, nil)
}

// A stream is a send whose chunks go out one by one, at offsets counted in chunks; a one-shot send
// is the same message at once. Reference: section 3.
func TestPaperAStreamIsAOneShotSendInPieces(t *testing.T) {
	p := newPair(coarse(), 10*4*units.KiB)
	stream, first := p.open()
	second := p.post()
	shot, work, err := p.send.PostSend(p.sendMR, 0, p.size, userImm)
	same(t, "error", err, nil)
	for _, chunk := range []int64{2, 0, 1} {
		p.carry(must(stream.Continue(chunk, 1)))
	}
	p.carry(work)
	for _, r := range []*RecvHandle{first, second} {
		same(t, "Full", r.Bitmap().Full(), true)
		imm, _ := r.UserImm()
		same(t, "immediate", imm, userImm)
	}
	a, b := stream.Run(4, 4), shot.Run(4, 4)
	same(t, "payload", a.Payload, b.Payload)
	same(t, "packet", a.First, b.First)
}

// Every packet is a write with immediate of its own, so packets may overtake each other without
// failing the message. Reference: section 3.
func TestPaperReorderingDoesNotFailAMessage(t *testing.T) {
	p := newPair(coarse(), 64*4*units.KiB)
	s, r := p.open()
	for i := range int64(64) {
		p.deliver(s, i*37%64, 1)
	}
	same(t, "Full", r.Bitmap().Full(), true)
	same(t, "counters", p.recv.Counters(), Counters{Fresh: 64})
}

// The immediate is message id 10 (1024 in flight), packet offset 18 (1 GiB at 4 KiB MTU), user
// fragment 4. Reference: section 3.
func TestPaperTheDefaultSplitAllows1024MessagesOf1GiB(t *testing.T) {
	p := newPair(testConfig(), units.GiB+1)
	for range 1024 {
		must(p.recv.PostRecv(p.recvMR, 0, units.GiB))
	}
	_, err := p.recv.PostRecv(p.recvMR, 0, units.GiB)
	same(t, "the 1025th", err, ErrRetry)
	_, err = p.recv.PostRecv(p.recvMR, 0, units.GiB+1)
	same(t, "a byte more than 1 GiB", errors.Is(err, ErrMessageTooLarge), true)

	p.send.HandleCTS(p.recv.Posted())
	for range 1023 {
		must(p.send.StartStream(p.sendMR, 0, units.GiB, 0))
	}
	h := must(p.send.StartStream(p.sendMR, 0, units.GiB, 0xF0000000))
	run := h.Run(262143, 1)
	id, offset, fragment := wire.DefaultSplit.Unpack(run.Imm(wire.DefaultSplit))
	same(t, "id", id, 1023)
	same(t, "offset", offset, 262143)
	same(t, "fragment", fragment, 0xF)
}

// Other splits must be possible, e.g. 8+22+2: fewer messages, each of up to 16 GiB.
// Reference: section 3.
func TestPaperAnotherSplitAllowsLargerMessages(t *testing.T) {
	cfg := testConfig()
	cfg.Split = wire.Split{ID: 8, Offset: 22, User: 2}
	p := newPair(cfg, 16*units.GiB)
	for range 256 {
		p.post()
	}
	_, err := p.recv.PostRecv(p.recvMR, 0, 16*units.GiB)
	same(t, "the 257th", err, ErrRetry)
}

// The user immediate of 32 bits is reassembled from fragments of 4, so it takes 8 packets.
// Reference: section 3.
func TestPaperTheUserImmediateTakesEightPackets(t *testing.T) {
	p := newPair(testConfig(), 20*4*units.KiB)
	s, r := p.open()
	t.Log("# any eight in a row will do")
	p.deliver(s, 5, 7)
	_, ok := r.UserImm()
	same(t, "after seven", ok, false)
	p.deliver(s, 12, 1)
	imm, ok := r.UserImm()
	same(t, "after eight", ok, true)
	same(t, "immediate", imm, userImm)

	t.Log("# a message of seven packets never carries it")
	p = newPair(testConfig(), 7*4*units.KiB)
	s, r = p.open()
	p.deliver(s, 0, 7)
	_, ok = r.UserImm()
	same(t, "of a whole small message", ok, false)
}

// The root memory key is zero-based and indirect: message id i owns offsets [i*Mmax, (i+1)*Mmax).
// Reference: section 3.
func TestPaperEachMessageIdOwnsARangeOfTheRootKey(t *testing.T) {
	p := newPair(testConfig(), units.GiB)
	p.send.HandleCTS(3)
	for i := range units.Bytes(3) {
		h := p.start()
		same(t, "first byte", h.RemoteOffset(0), i*units.GiB)
		same(t, "last packet", h.RemoteOffset(262143), (i+1)*units.GiB-4*units.KiB)
	}
}

// Two bitmaps: the backend with a bit per packet, the frontend with a bit per chunk. With chunks of
// one packet there is no need for two. Reference: section 3.
func TestPaperThereIsABitmapOfPacketsAndOneOfChunks(t *testing.T) {
	p := newPair(coarse(), 10*4*units.KiB)
	r := p.post()
	same(t, "packets", r.PacketBitmap().Len(), 10)
	same(t, "chunks", r.Bitmap().Len(), 3)

	r = newPair(testConfig(), 10*4*units.KiB).post()
	same(t, "one bitmap", r.Bitmap(), r.PacketBitmap())
	same(t, "packets", r.Bitmap().Len(), 10)
}

// One chunk can be expanded to packet granularity. Reference: section 3.
func TestPaperAChunkCanBeExpanded(t *testing.T) {
	p := newPair(coarse(), 8*4*units.KiB)
	s, r := p.open()
	p.deliver(s, 5, 2)
	same(t, "chunk", r.Bitmap().Test(1), false)
	same(t, "its packets", must(r.ExpandChunk(1)),
		Expansion{First: 4, Count: 4, Arrived: 2, Bits: 0b0110})
}

// On completion the key of the slot becomes the NULL key: the payload of late packets is discarded,
// but a completion still appears. Reference: section 3.
func TestPaperLatePacketsMeetTheNullKey(t *testing.T) {
	p := newPair(testConfig(), 10*4*units.KiB)
	s, r := p.open()
	p.deliver(s, 0, 8)
	t.Log("# completed early: the layer above could recover the rest")
	wantError(t, r.Complete(), nil)
	a := p.deliver(s, 8, 2)
	same(t, "the completion", a, Arrival{Recv: r, First: 8, Count: 2, Discarded: true})
	same(t, "packets in the bitmap", r.PacketBitmap().Count(), 8)
	same(t, "counters", p.recv.Counters(), Counters{Fresh: 8, Discarded: 2})
}

// wrap moves as many messages as there are ids, so that the next message has the id of the first.
func (p *pair) wrap() {
	for range p.recv.ids {
		s, r := p.open()
		p.carry(must(s.Continue(0, s.Chunks())))
		if err := r.Complete(); err != nil {
			panic(err)
		}
		s.Release()
	}
}

// Every message slot has a generation; a completion of another generation is dropped.
// Reference: section 3.
func TestPaperPacketsOfAnotherGenerationAreDropped(t *testing.T) {
	p := newPair(testConfig(), 2*4*units.KiB)
	s, r := p.open()
	old := s.Run(0, 1)
	wantError(t, r.Complete(), nil)
	s.Release()
	for range 1023 {
		s, r = p.open()
		wantError(t, r.Complete(), nil)
		s.Release()
	}
	t.Log("# the id of the first message is posted again, and now a packet of the first arrives")
	s, r = p.open()
	same(t, "id", r.Message(), old.Message)
	a := p.recv.Deliver(&old)
	same(t, "discarded", a.Discarded, true)
	same(t, "packets of the new message", r.PacketBitmap().Count(), 0)
	t.Log("# the host is told whose they are")
	same(t, "index", a.Recv.Index(), 0)
	same(t, "counters", p.recv.Counters(), Counters{Stale: 1})
	t.Log("# its own packets are taken")
	same(t, "receive", p.deliver(s, 0, 2).Recv, r)
}

// Generations are few, e.g. 4, so they only defer the mistake: after 4 times 1024 messages a packet
// of the first passes for new. Reference: section 3.
func TestPaperGenerationsWrapToo(t *testing.T) {
	for _, generations := range []int{1, 4} {
		cfg := testConfig()
		cfg.Generations = generations
		p := newPair(cfg, 2*4*units.KiB)
		p.send.HandleCTS(1)
		old := p.start().Run(0, 1)
		p.send.Reset()
		for range generations {
			p.wrap()
		}
		r := p.post()
		same(t, "receive", p.recv.Deliver(&old).Recv, r)
		same(t, "packets of the new message", r.PacketBitmap().Count(), 1)
	}
}

// The generation is implied by the internal queue pair, it is not in the immediate.
// Reference: section 3.
func TestPaperTheGenerationIsNotInTheImmediate(t *testing.T) {
	p := newPair(testConfig(), 2*4*units.KiB)
	p.send.HandleCTS(1025)
	first := p.start()
	early := first.Run(0, 1)
	first.Release()
	for range 1023 {
		p.start()
	}
	late := p.start().Run(0, 1)
	same(t, "immediate", late.Imm(wire.DefaultSplit), early.Imm(wire.DefaultSplit))
	same(t, "generation of the first", early.Generation, 0)
	same(t, "generation of the 1025th", late.Generation, 1)
}

// The packets of a message go round-robin over the channels. Reference: section 3.
func TestPaperPacketsGoRoundRobinOverChannels(t *testing.T) {
	q := newPair(testConfig(), units.MiB).send
	for packet := range int64(20) {
		same(t, "channel", q.Channel(packet), int(packet%8))
	}
}

// A queue pair may be used in one direction only, or in both, which do not touch each other.
// Reference: section 3.
func TestPaperBothDirectionsAreIndependent(t *testing.T) {
	p := newPair(testConfig(), 4*4*units.KiB)
	back := &pair{
		send: p.recv, recv: p.send, sendMR: p.recvMR, recvMR: p.sendMR, size: p.size,
	}
	s, r := p.open()
	s2, r2 := back.open()
	p.deliver(s, 0, 3)
	back.deliver(s2, 3, 1)
	same(t, "there", r.Bitmap().Count(), 3)
	same(t, "back", r2.Bitmap().Count(), 1)
}

// With 1024 ids and a bandwidth-delay product of 1.25 GB (400 Gbit/s, 25 ms) one queue pair needs
// messages of at least 1.16 MiB to fill the pipe. Reference: section 3.
func TestPaperIdsBoundWhatIsInFlight(t *testing.T) {
	const product = 400e9 / 8 * 25e-3 // bytes
	for size, fills := range map[units.Bytes]bool{units.MiB: false, 1_220_704: true} {
		p := newPair(testConfig(), size)
		var flight units.Bytes
		p.send.HandleCTS(1 << 20)
		for {
			h, err := p.send.StartStream(p.sendMR, 0, size, 0)
			if err != nil {
				same(t, "error", err, ErrRetry)
				break
			}
			flight += h.Length()
		}
		same(t, "fills the pipe", float64(flight) >= product, fills)
	}
}
