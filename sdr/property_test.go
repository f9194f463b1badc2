package sdr

import (
	"testing"

	"pgregory.net/rapid"

	"sdrsim/units"
	"sdrsim/wire"
)

// drawConfig draws chunks of one or more packets, with an MTU of 16 bytes.
func drawConfig(t *rapid.T) QPConfig {
	cfg := testConfig()
	cfg.MTU = 16
	packets := rapid.SampledFrom([]units.Bytes{1, 2, 3, 16, 64, 100})
	cfg.Chunk = cfg.MTU * packets.Draw(t, "packets a chunk")
	return cfg
}

// total is what a sequence of arrivals adds up to.
type total struct{ fresh, spurious int64 }

func (s *total) add(a Arrival) {
	s.fresh += a.Fresh
	s.spurious += a.Spurious
}

// One queue pair is given runs, another the same packets one by one, and a dumb model judges both.
func TestGroupingIntoRunsDoesNotChangeTheOutcome(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		size := units.Bytes(rapid.Int64Range(1, 5000).Draw(t, "bytes"))
		runs, singles := newPair(cfg, size), newPair(cfg, size)
		s, r := runs.open()
		s1, r1 := singles.open()
		packets := newMapBitmap(r.PacketCount())
		for range rapid.IntRange(1, 15).Draw(t, "runs") {
			step := drawStep(t, r)
			var sum, sum1 total
			want := step.predict(r, packets)
			step.run(runs, s, &sum)
			for i := range step.count {
				one := step
				one.first, one.count = step.first+i, 1
				one.run(singles, s1, &sum1)
			}
			same(t, "sums of runs", sum, want)
			same(t, "sums of single packets", sum1, want)
			if rapid.IntRange(0, 9).Draw(t, "rearm") == 0 {
				c := rapid.Int64Range(0, r.Chunks()-1).Draw(t, "chunk")
				first, count := r.ChunkPacketRange(c)
				packets.clearRange(first, count)
				if r.Rearm(c, 1) != nil || r1.Rearm(c, 1) != nil {
					t.Fatalf("Rearm failed")
				}
			}
			compareReceive(t, r, packets)
			compareReceive(t, r1, packets)
		}
		same(t, "counters", runs.recv.Counters(), singles.recv.Counters())
		imm, ok := r.UserImm()
		imm1, ok1 := r1.UserImm()
		same(t, "user immediate", imm, imm1)
		same(t, "user immediate is whole", ok, ok1)
	})
}

// Completing is the first packet after which the number of chunks that are complete has grown.
func TestCompletingIsTheFirstPacketThatMakesAChunkComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPair(drawConfig(t), units.Bytes(rapid.Int64Range(1, 5000).Draw(t, "bytes")))
		s, r := p.open()
		for range rapid.IntRange(1, 15).Draw(t, "runs") {
			step := drawStep(t, r)
			got, ok := r.Completing(step.first, step.count)
			want, before := int64(0), r.Bitmap().Count()
			for i := range step.count {
				p.deliver(s, step.first+i, 1)
				if want == 0 && r.Bitmap().Count() > before {
					want = i + 1
				}
			}
			same(t, "whether a chunk is complete", ok, want > 0)
			same(t, "packet", got, want)
		}
	})
}

// step is a delivery of packets.
type step struct {
	first, count int64
	repeat       bool
}

func drawStep(t *rapid.T, r *RecvHandle) step {
	first := rapid.Int64Range(0, r.PacketCount()-1).Draw(t, "first")
	return step{
		first: first, count: rapid.Int64Range(1, r.PacketCount()-first).Draw(t, "count"),
		repeat: rapid.Bool().Draw(t, "repeat"),
	}
}

func (s step) run(p *pair, h *SendHandle, sum *total) {
	for first, end := s.first, s.first+s.count; first < end; {
		run := h.Run(first, end-first)
		run.Repeat = s.repeat
		sum.add(p.recv.Deliver(&run))
		first += run.Count
	}
}

// predict says what a step adds up to, packet by packet, and notes it in the model.
func (s step) predict(r *RecvHandle, packets *mapBitmap) (sum total) {
	for i := s.first; i < s.first+s.count; i++ {
		first, count := r.ChunkPacketRange(r.ChunkOf(i))
		if s.repeat && i == first && packets.countRange(first, count) == count {
			sum.spurious++
		}
		sum.fresh += packets.setRange(i, 1)
	}
	return sum
}

// compareReceive holds both bitmaps of a receive against the packets that have arrived.
func compareReceive(t failer, r *RecvHandle, packets *mapBitmap) {
	t.Helper()
	compare(t, r.PacketBitmap(), packets)
	chunks := newMapBitmap(r.Chunks())
	for c := range r.Chunks() {
		first, count := r.ChunkPacketRange(c)
		if packets.countRange(first, count) == count {
			chunks.set[c] = true
		}
	}
	compare(t, r.Bitmap(), chunks)
	same(t, "Missing", r.Missing(), r.PacketCount()-int64(len(packets.set)))
}

// world is a dumb model of the slots of two queue pairs with few ids, and packets under way.
type world struct {
	*pair
	ids, generations    int64
	posted, sent        int64
	announced           int64
	completed, released map[int64]bool
	retired             map[int64]bool
	recvs               map[int64]*RecvHandle // by index, as long as they are valid
	sends               map[int64]*SendHandle
	wire                []packet
	want                Counters
}

// packet is under way; from is the index of the send that it belongs to.
type packet struct {
	from int64
	run  wire.Run
}

// Messages wrap around their ids while packets of any age arrive, twice, or never.
func TestEveryPacketLandsInTheReceiveOfItsSendOrNowhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := testConfig()
		cfg.Split = wire.Split{ID: rapid.Uint8Range(1, 2).Draw(t, "id bits")}
		cfg.Split.Offset = 32 - cfg.Split.ID
		cfg.Generations = rapid.IntRange(1, 3).Draw(t, "generations")
		w := &world{
			pair: newPair(cfg, 3*cfg.MTU), ids: cfg.Split.Messages(), generations: int64(cfg.Generations),
			completed: map[int64]bool{}, released: map[int64]bool{},
			retired: map[int64]bool{},
			recvs:   map[int64]*RecvHandle{}, sends: map[int64]*SendHandle{},
		}
		t.Repeat(map[string]func(*rapid.T){
			"post":     w.postNext,
			"announce": func(*rapid.T) { w.announced = w.posted; w.pair.send.HandleCTS(w.posted) },
			"send":     w.sendNext,
			"arrive":   w.arrive,
			"complete": w.complete,
			"release":  w.release,
			"retire":   w.retire,
		})
		same(t, "counters", w.recv.Counters(), w.want)
	})
}

func (w *world) postNext(t *rapid.T) {
	h, err := w.recv.PostRecv(w.recvMR, 0, w.size)
	if old := w.posted - w.ids; old >= 0 && !w.completed[old] {
		same(t, "error", err, ErrRetry)
		return
	}
	same(t, "error", err, nil)
	same(t, "index", h.Index(), w.posted)
	delete(w.recvs, w.posted-2*w.ids)
	w.recvs[w.posted] = h
	w.posted++
}

func (w *world) sendNext(t *rapid.T) {
	h, err := w.pair.send.StartStream(w.sendMR, 0, w.size, 0)
	old := w.sent - w.ids
	switch {
	case w.sent >= w.announced:
		same(t, "error", err, ErrNoCTS)
		return
	case old >= 0 && !w.released[old]:
		same(t, "error", err, ErrRetry)
		return
	}
	same(t, "error", err, nil)
	delete(w.sends, old)
	w.sends[w.sent] = h
	for i := range int64(3) {
		w.wire = append(w.wire, packet{from: w.sent, run: h.Run(i, 1)})
	}
	w.sent++
}

// arrive delivers any packet that was ever sent, be it for the second time.
func (w *world) arrive(t *rapid.T) {
	if len(w.wire) == 0 {
		t.Skip("nothing is under way")
	}
	p := rapid.SampledFrom(w.wire).Draw(t, "packet")
	holder := (w.posted-1-p.from)/w.ids*w.ids + p.from // the receive that holds the id now
	want := Arrival{First: p.run.First, Count: 1, Discarded: true}
	switch {
	case (holder-p.from)/w.ids%w.generations != 0:
		// The use before is told apart, and what is of its generation passes for it.
		before := holder - w.ids
		if (before-p.from)/w.ids%w.generations == 0 && !w.retired[before] {
			want.Recv = w.recvs[before]
		}
		w.want.Stale++
	case w.retired[holder]:
		w.want.Stale++
	case w.completed[holder]:
		want.Recv = w.recvs[holder]
		w.want.Discarded++
	default:
		// Where ids have wrapped as often as there are generations, this is the wrong message: the
		// limit that the paper accepts.
		want.Recv, want.Discarded = w.recvs[holder], false
		if !want.Recv.PacketBitmap().Test(p.run.First) {
			want.Fresh = 1
		}
		w.want.Fresh += want.Fresh
		w.want.Duplicates += 1 - want.Fresh
	}
	same(t, "arrival", w.recv.Deliver(&p.run), want)
}

func (w *world) complete(t *rapid.T) {
	i := rapid.Int64Range(max(0, w.posted-w.ids), max(0, w.posted-1)).Draw(t, "index")
	h := w.recvs[i]
	switch {
	case h == nil || w.retired[i]:
		t.Skip("there is no handle")
	case w.completed[i]:
		same(t, "error", h.Complete(), ErrDoubleCompletion)
	default:
		same(t, "error", h.Complete(), nil)
		w.completed[i] = true
	}
}

func (w *world) release(t *rapid.T) {
	i := rapid.Int64Range(max(0, w.sent-w.ids), max(0, w.sent-1)).Draw(t, "index")
	if w.sends[i] == nil {
		t.Skip("there is no handle")
	}
	w.sends[i].Release()
	w.released[i] = true
	delete(w.sends, i)
}

// retire is asked of any receive, also of such as are not completed, or there no longer.
func (w *world) retire(t *rapid.T) {
	i := rapid.Int64Range(-1, w.posted).Draw(t, "index")
	w.recv.Retire(i)
	kept := w.ids // handles, and twice as many where generations tell two uses of an id apart
	if w.generations > 1 {
		kept *= 2
	}
	if i >= max(0, w.posted-kept) && w.completed[i] {
		w.retired[i] = true
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	for name, cfg := range map[string]QPConfig{"packets": testConfig(), "chunks": coarse()} {
		t.Run(name, func(t *testing.T) {
			cfg.Split = wire.Split{ID: 2, Offset: 26, User: 4}
			p := newPair(cfg, 1000*cfg.Chunk+1)
			round := func() {
				s, r := p.open()
				p.carry(must(s.Continue(500, 500))) // skips chunks
				p.carry(must(s.Continue(0, 501)))
				if r.Rearm(3, 10) != nil || s.End() != nil || r.Complete() != nil {
					t.Fatal("Rearm, End or Complete failed")
				}
				p.deliver(s, 0, 100) // late
				s.Release()
			}
			warm := func() {
				for range p.send.ids {
					round()
				}
			}
			warm()
			same(t, "allocations of messages", testing.AllocsPerRun(20, warm), 0)
			again := func() {
				p.send.Reset()
				p.recv.Reset()
				warm()
			}
			same(t, "allocations with resets", testing.AllocsPerRun(20, again), 0)
			same(t, "allocations of a refusal", testing.AllocsPerRun(20, func() {
				if _, err := p.send.StartStream(p.sendMR, 0, p.size, 0); err != ErrNoCTS {
					t.Fatal(err)
				}
			}), 0)
		})
	}
}
