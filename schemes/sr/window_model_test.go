package sr

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// windowModel is Window as one would write it at first: a record per chunk, and a search wherever
// something is to be found.
type windowModel struct {
	packets, perChunk int64
	chunks            map[int64]*chunkModel
	left              map[int64]units.Time // when each packet left for the first time
	waiting           []int64
	retries           int
	failed            bool
}

type chunkModel struct {
	acked   bool
	attempt int
	depart  units.Time // of the last transmission asked for; Never before
}

func newWindowModel(packets, perChunk int64, retries int) *windowModel {
	m := &windowModel{packets: packets, perChunk: perChunk, retries: retries,
		chunks: map[int64]*chunkModel{}, left: map[int64]units.Time{}}
	for c := int64(0); c*perChunk < packets; c++ {
		m.chunks[c] = &chunkModel{attempt: 1, depart: units.Never}
	}
	return m
}

// last is the last packet of a chunk.
func (m *windowModel) last(chunk int64) int64 { return min((chunk+1)*m.perChunk, m.packets) - 1 }

// depart notes that a packet leaves at a time; Never takes it back.
func (m *windowModel) depart(packet int64, at units.Time, repeat bool) {
	if !repeat {
		m.left[packet] = at
	}
	if chunk := packet / m.perChunk; m.last(chunk) == packet {
		m.chunks[chunk].depart = at
	}
}

func (m *windowModel) deadline() units.Time {
	at := units.Never
	for _, c := range m.chunks {
		if !c.acked && c.depart != units.Never {
			at = min(at, c.depart.Add(rto))
		}
	}
	return at
}

// expire asks for a repeat of whatever is due, the oldest first.
func (m *windowModel) expire(now units.Time) (n int64) {
	for at := m.deadline(); at <= now; at = m.deadline() {
		for chunk := range int64(len(m.chunks)) {
			if c := m.chunks[chunk]; !c.acked && c.depart != units.Never && c.depart.Add(rto) == at {
				m.request(chunk)
				n++
				break
			}
		}
	}
	return n
}

func (m *windowModel) request(chunk int64) {
	c := m.chunks[chunk]
	c.attempt++
	c.depart = units.Never
	m.failed = m.failed || c.attempt > m.retries+1
	m.waiting = append(m.waiting, chunk)
}

// reported asks for a repeat unless the report cannot be of the last transmission.
func (m *windowModel) reported(now units.Time, chunk int64) {
	c := m.chunks[chunk]
	first, sent := m.left[m.last(chunk)]
	switch {
	case c.acked, !sent || first > now:
	case c.attempt > 1 && (c.depart == units.Never || now < c.depart.Add(roundTrip)):
	default:
		m.request(chunk)
	}
}

// nextRepeat takes consecutive chunks from the front of those that wait.
func (m *windowModel) nextRepeat() (first, count int64) {
	m.waiting = slices.DeleteFunc(m.waiting, func(c int64) bool { return m.chunks[c].acked })
	for len(m.waiting) > 0 && (count == 0 || m.waiting[0] == first+count) {
		if count == 0 {
			first = m.waiting[0]
		}
		count++
		m.waiting = m.waiting[1:]
	}
	return first, count
}

func (m *windowModel) acked() (n int64) {
	for _, c := range m.chunks {
		if c.acked {
			n++
		}
	}
	return n
}

// windowTest drives a window and its model side by side, as a host would: one piece at a time on
// the wire, cut at the boundary of a packet.
type windowTest struct {
	window Window
	model  *windowModel
	now    units.Time
	free   units.Time     // when the piece on the wire has left
	start  units.Time     // when its first bit is sent
	piece  sdr.Work       // on the wire
	gap    units.Duration // between its packets
	next   int64          // first packet that was never sent
	// repeat is what is left of the repeats that were handed out last.
	repeat sdr.Work
	// offered is the chunks that were offered, where the window is that of a fallback.
	offered map[int64]bool
}

func newWindowTest(t *rapid.T) *windowTest {
	w := &windowTest{}
	packets := rapid.Int64Range(1, 60).Draw(t, "packets")
	perChunk := rapid.SampledFrom([]int64{1, 1, 2, 3, 8}).Draw(t, "packets a chunk")
	retries := rapid.IntRange(1, 3).Draw(t, "retries")
	h := newHost(discard{}, testConfig(), packets, perChunk)
	w.window.Open(h.sender.handle, rto, retries)
	w.model = newWindowModel(packets, perChunk, retries)
	return w
}

// discard is a testing.TB for a host whose set-up cannot fail.
type discard struct{ testing.TB }

func (discard) Helper() {}

// send puts a piece of a work on the wire. Its packets are as good as sent.
func (w *windowTest) send(t *rapid.T, work sdr.Work) {
	work.Count = rapid.Int64Range(1, work.Count).Draw(t, "piece")
	w.gap = rapid.SampledFrom([]units.Duration{packetTime, packetTime, packetTime / 2}).Draw(t, "gap")
	w.piece, w.start = work, w.now
	w.window.Sent(work, w.now.Add(w.gap), w.gap)
	for i := range work.Count {
		w.model.depart(work.First+i, w.now.Add(units.Duration(i+1)*w.gap), work.Repeat)
	}
	w.free = w.now.Add(units.Duration(work.Count) * w.gap)
	w.advance(work.Count)
}

// advance goes on in the work that is being sent, or back.
func (w *windowTest) advance(count int64) {
	if w.piece.Repeat {
		w.repeat.First += count
		w.repeat.Count -= count
		return
	}
	w.next += count
}

// sendFirst sends packets that were never sent.
func (w *windowTest) sendFirst(t *rapid.T) {
	if w.now < w.free || w.next == w.model.packets {
		return
	}
	w.send(t, sdr.Work{First: w.next, Count: w.model.packets - w.next})
}

// sendRepeat sends what waits, or goes on with it.
func (w *windowTest) sendRepeat(t *rapid.T) {
	if w.now < w.free {
		return
	}
	if w.repeat.Count == 0 {
		wantFirst, wantCount := w.model.nextRepeat()
		first, count, ok := w.window.NextRepeat()
		if ok != (wantCount > 0) || ok && (first != wantFirst || count != wantCount) {
			t.Fatalf("chunks %d (+%d) are next, want %d (+%d)", first, count, wantFirst, wantCount)
		}
		if !ok {
			return
		}
		end := w.model.last(first+count-1) + 1
		w.repeat = sdr.Work{First: first * w.model.perChunk, Count: end - first*w.model.perChunk,
			Repeat: true}
	}
	w.send(t, w.repeat)
}

// cut takes back the packets of the piece that have not begun.
func (w *windowTest) cut(t *rapid.T) {
	if w.now >= w.free {
		return
	}
	begun := (w.now.Sub(w.start) + w.gap - 1) / w.gap
	back := w.piece.Count - int64(begun)
	if back == 0 {
		return
	}
	some := rapid.Int64Range(1, back).Draw(t, "back")
	if w.window.Unsend(some); some < back {
		w.window.Unsend(back - some)
	}
	for i := range back {
		p := w.piece.First + w.piece.Count - 1 - i
		w.model.depart(p, units.Never, w.piece.Repeat)
		if !w.piece.Repeat {
			delete(w.model.left, p)
		}
	}
	w.piece.Count -= back
	w.free = w.start.Add(begun * w.gap)
	w.advance(-back)
}

// ack acknowledges chunks that have left: a few, or all before one.
func (w *windowTest) ack(t *rapid.T) {
	left := w.lastLeft() + 1
	if left == 0 {
		return
	}
	first := rapid.Int64Range(0, left-1).Draw(t, "chunk")
	count := rapid.Int64Range(1, min(3, left-first)).Draw(t, "count")
	if rapid.IntRange(0, 9).Draw(t, "below") == 0 {
		first, count = 0, first+1
		w.window.AckBelow(count)
	} else {
		w.window.Ack(first, count)
	}
	for c := first; c < first+count; c++ {
		w.model.chunks[c].acked = true
	}
}

// lastLeft is the last chunk that has left, -1 for none.
func (w *windowTest) lastLeft() int64 {
	for c := int64(len(w.model.chunks)) - 1; c >= 0; c-- {
		if at, sent := w.model.left[w.model.last(c)]; sent && at <= w.now {
			return c
		}
	}
	return -1
}

func (w *windowTest) report(t *rapid.T) {
	chunk := rapid.Int64Range(0, int64(len(w.model.chunks))-1).Draw(t, "chunk")
	w.window.Reported(w.now, wire.Range{First: chunk, Count: 1}, roundTrip)
	w.model.reported(w.now, chunk)
}

func (w *windowTest) expire(t *rapid.T) {
	if got, want := w.window.Expire(w.now), w.model.expire(w.now); got != want {
		t.Fatalf("%d chunks expired at %v, want %d", got, w.now, want)
	}
}

// wait lets time pass: a little, to the end of the piece, or to the next deadline.
func (w *windowTest) wait(t *rapid.T) {
	switch rapid.SampledFrom([]string{"bit", "free", "rtt", "deadline"}).Draw(t, "until") {
	case "bit":
		d := rapid.Int64Range(1, int64(3*packetTime)).Draw(t, "ps")
		w.now = w.now.Add(units.Duration(d))
	case "free":
		w.now = max(w.now, w.free)
	case "rtt":
		w.now = w.now.Add(roundTrip)
	case "deadline":
		if at := w.model.deadline(); at != units.Never {
			w.now = max(w.now, at)
		}
	}
}

// check compares everything that can be asked.
func (w *windowTest) check(t *rapid.T) {
	at, ok := w.window.Deadline()
	if !ok {
		at = units.Never
	}
	if want := w.model.deadline(); at != want {
		t.Fatalf("the next deadline is %v, want %v", at, want)
	}
	missing := func(c int64) bool { return !w.model.chunks[c].acked }
	waits := slices.ContainsFunc(w.model.waiting, missing)
	if w.window.Waiting() != waits {
		t.Fatalf("waiting %v, want %v of %v", !waits, waits, w.model.waiting)
	}
	acked := w.model.acked()
	if w.window.Acked() != acked || w.window.Done() != (acked == int64(len(w.model.chunks))) {
		t.Fatalf("%d acknowledged, want %d", w.window.Acked(), acked)
	}
	if w.window.Failed() != w.model.failed {
		t.Fatalf("failed is %v", w.window.Failed())
	}
}

func TestWindowIsARecordPerChunk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWindowTest(t)
		steps := []func(*rapid.T){w.sendFirst, w.sendRepeat, w.sendRepeat, w.cut, w.ack, w.report,
			w.expire, w.wait, w.wait}
		for range rapid.IntRange(1, 150).Draw(t, "steps") {
			rapid.SampledFrom(steps).Draw(t, "step")(t)
			w.check(t)
		}
	})
}

// offer asks for chunks that were never asked for.
func (w *windowTest) offer(t *rapid.T) {
	chunks := int64(len(w.model.chunks))
	first := rapid.Int64Range(0, chunks-1).Draw(t, "offered")
	count := rapid.Int64Range(1, chunks-first).Draw(t, "count")
	for c := first; c < first+count; c++ {
		if w.offered[c] {
			return
		}
	}
	w.window.Offer(first, count)
	for c := first; c < first+count; c++ {
		w.offered[c] = true
		w.model.chunks[c].acked = false
		w.model.waiting = append(w.model.waiting, c)
	}
}

// The fallback of erasure coding: everything counts as acknowledged but what is offered.
func TestWindowOfOfferedChunksIsARecordPerChunk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWindowTest(t)
		w.offered = map[int64]bool{}
		w.window.AckBelow(int64(len(w.model.chunks)))
		for _, c := range w.model.chunks {
			c.acked = true
		}
		for p := range w.model.packets {
			w.model.left[p] = 0
		}
		steps := []func(*rapid.T){w.offer, w.sendRepeat, w.sendRepeat, w.cut, w.ack, w.expire,
			w.wait, w.wait}
		for range rapid.IntRange(1, 150).Draw(t, "steps") {
			rapid.SampledFrom(steps).Draw(t, "step")(t)
			w.check(t)
		}
	})
}
