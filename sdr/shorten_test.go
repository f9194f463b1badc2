package sdr

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/units"
)

// Of shortened chunks only the first bytes travel, in packets of their own, and a message is whole
// with these; the rest is zeros, whatever was in the memory before.
func TestOnlyTheBytesOfShortenedChunksTravel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := testConfig()
		cfg.Chunk = cfg.MTU * units.Bytes(rapid.IntRange(1, 5).Draw(t, "packets a chunk"))
		chunks := rapid.Int64Range(1, 6).Draw(t, "chunks")
		first := rapid.Int64Range(0, chunks-1).Draw(t, "first")
		length := units.Bytes(rapid.Int64Range(1, int64(cfg.Chunk)).Draw(t, "length"))
		size := units.Bytes(chunks) * cfg.Chunk
		from, to := bytes.Repeat([]byte{7}, int(size)), bytes.Repeat([]byte{9}, int(size))
		p := newPairOn(cfg, from, to, size)
		s, r := p.open()
		same(t, "error", s.Shorten(first, length), nil)
		same(t, "error", r.Shorten(first, length), nil)
		if first+1 < chunks {
			if _, err := s.Continue(first, 2); err == nil {
				t.Fatalf("two shortened chunks go together")
			}
		}
		sent := units.Bytes(0)
		send := func(w Work) {
			for w.Count > 0 {
				run := s.Run(w.First, w.Count)
				sent += units.Bytes(run.Count) * run.Payload
				p.recv.Deliver(&run)
				w.First, w.Count = w.First+run.Count, w.Count-run.Count
			}
		}
		packet := rapid.Int64Range(0, s.PacketCount()-1).Draw(t, "packet")
		if at, count := s.ChunkPacketRange(s.ChunkOf(packet)); packet < at+count {
			run := s.Run(packet, rapid.Int64Range(1, s.PacketCount()-packet).Draw(t, "packets"))
			for i := packet; i < packet+run.Count; i++ {
				at, count := s.ChunkPacketRange(s.ChunkOf(i))
				same(t, "every packet of a run travels", i < at+count, true)
			}
		}
		if first > 0 {
			send(must(s.Continue(0, first)))
		}
		for chunk := first; chunk < chunks; chunk++ {
			same(t, "chunk has arrived", r.Bitmap().Test(chunk), false)
			send(must(s.Continue(chunk, 1)))
			same(t, "chunk has arrived", r.Bitmap().Test(chunk), true)
		}
		same(t, "bytes sent", sent, units.Bytes(first)*cfg.Chunk+units.Bytes(chunks-first)*length)
		same(t, "missing packets", r.Missing(), 0)
		for i, b := range to {
			want := byte(7)
			if c := int64(i) / int64(cfg.Chunk); c >= first && int64(i)-c*int64(cfg.Chunk) >= int64(length) {
				want = 0
			}
			if b != want {
				t.Fatalf("byte %d is %d, want %d", i, b, want)
			}
		}
	})
}

func TestShortenRefusesWhatIsNotThere(t *testing.T) {
	cfg := testConfig()
	p := newPair(cfg, 3*cfg.Chunk)
	s, _ := p.open()
	for _, c := range []struct {
		first  int64
		length units.Bytes
	}{{3, 1}, {-1, 1}, {0, 0}, {0, cfg.Chunk + 1}} {
		if s.Shorten(c.first, c.length) == nil {
			t.Errorf("%d bytes of the chunks from %d", c.length, c.first)
		}
	}
}
