package sr

import (
	"cmp"
	"slices"

	"sdrsim/internal/ring"
	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// holes finds the chunks that a receiver misses, and reports them: at once when a later chunk is
// complete, by a timer at the tail, and again while they stay missing.
type holes struct {
	geometry
	recv *sdr.RecvHandle
	// horizon is the end of what has been judged: every chunk before it is complete or was
	// reported.
	horizon int64
	// lastEnd is the end of the packets seen so far.
	lastEnd int64
	// tail is when the chunks from the horizon on are overdue: the packets that have not been seen
	// would have followed those that have, at line rate. Never before there is one.
	tail units.Time
	// reported holds chunks in order of report; those that have arrived since are skipped.
	reported ring.Ring[hole]
	// due is no later than when the oldest of reported that persists is to be reported again, Never
	// where there is none. It is that instant until one of the packets [lost, lostEnd) arrives.
	due           units.Time
	lost, lostEnd int64

	// suspects are gaps that were revealed less than the reordering window ago, in order: what fills
	// one in that time was only overtaken.
	suspects ring.Ring[hole]
	window   units.Duration
	reorders bool // packets may overtake each other

	slack    units.Duration // how late the tail may be, the window included
	patience units.Duration // a round trip, the packet that a repeat waits for, and slack
	// repeats is when the last repeat of what was reported is through at the sender, less the way to
	// it: reports take their time on the way back, and repeats go one after the other.
	repeats               units.Time
	packetTime, chunkTime units.Duration
	fresh                 int // holes at the end of reported that the next report is of
	// left is when the last report has left. The next waits for that: it says more the later it goes.
	left    units.Time
	nack    wire.Nack // what the next report says
	control schemes.Control
	limit   units.Bytes
	buf     []byte
	sent    int64
	// timeouts counts those that expired for want of data.
	timeouts int64
}

// hole is chunks that are missing. Repeats of those that were reported are through at the sender by
// the time of at, less the way to it; a suspect is one from at on.
type hole struct {
	wire.Range
	at units.Time
}

func (h *holes) open(recv *sdr.RecvHandle, t *schemes.Transfer, cfg *Config) {
	window := cfg.NackReorder.Of(t.Path.RTT)
	slack := cfg.NackSlack.Of(t.Path.RTT) + window
	chunkTime := units.Duration(recv.PacketsPerChunk()) * t.Path.PacketTime
	h.reported.Reset()
	h.suspects.Reset()
	*h = holes{
		geometry: geometry{recv.Chunks(), recv.PacketCount(), recv.PacketsPerChunk()},
		recv:     recv, reported: h.reported, suspects: h.suspects, window: window, slack: slack,
		reorders:   t.Path.Reorders,
		patience:   t.Path.RTT + t.Path.PacketTime + slack,
		packetTime: t.Path.PacketTime, chunkTime: chunkTime,
		control: t.Control, limit: cfg.Ack.Size, buf: h.buf,
		nack: wire.Nack{Message: t.Serial, Missing: h.nack.Missing[:0]},
		tail: units.Never, due: units.Never,
	}
}

// judged is the first packet that has not been judged. An arrival that begins there, or before, is
// quiet to its end: every chunk from the horizon on is complete in its turn.
func (h *holes) judged() int64 { return h.horizon * h.perChunk }

// quiet is how many leading packets of an arrival reveal no hole before the last of them, and
// whether nothing is said of one that this reveals.
func (h *holes) quiet(first, count int64) (packets int64, silent bool) {
	if first <= h.judged() {
		return count, true
	}
	if h.perChunk == 1 {
		return 1, h.window > 0
	}
	chunk := h.chunkOf(first)
	bits, start := h.recv.PacketBitmap(), chunk*h.perChunk
	inOrder := bits.CountRange(start, first-start) == first-start
	if chunk == h.horizon && inOrder {
		return count, true
	}
	// The chunk may be complete before its last packet, where that has arrived by a repeat.
	end := min(count, h.lastPacket(chunk)+1-first)
	if last, ok := bits.LastClear(first, end); ok {
		end = last - first + 1
	}
	return end, !inOrder || h.window > 0
}

// inTime is how many leading packets of an arrival come before the tail is overdue that each of
// them sets for the next: where they come slower than at line rate, it may be between two of them.
func (h *holes) inTime(a *sdr.Arrival) int64 {
	late := a.Spacing - h.slack
	if late <= 0 || h.horizon == h.chunks {
		return a.Count
	}
	// Where packets have been seen up to e, the tail is (packets-e)*packetTime + slack later.
	last := h.packets - int64((late+h.packetTime-1)/h.packetTime)
	switch {
	case h.tail == units.Never:
		last = max(last, h.lastEnd) // up to there none sets it
	case h.lastEnd > last:
		return 1
	}
	return min(a.Count, max(1, last+1-a.First))
}

// arrive judges the chunks before those that the packets [first, end) have completed.
func (h *holes) arrive(now units.Time, first, end int64) {
	if end > h.lastEnd || h.lastEnd < h.packets && h.tail != units.Never {
		// A repeat has gone before what has not been seen, and put that off.
		h.lastEnd = max(h.lastEnd, end)
		h.tail = now.Add(units.Duration(h.packets-h.lastEnd)*h.packetTime + h.slack)
	}
	if first < h.lostEnd && end > h.lost {
		h.lostEnd = 0
	}
	switch {
	case end <= h.judged():
		// All of these chunks have been judged. The chunk at the horizon is what it was.
	case h.perChunk == 1:
		h.judgePackets(now, first, end)
	default:
		h.judge(now)
	}
	if h.horizon == h.chunks {
		h.tail = units.Never
	}
}

// judge looks for chunks that are complete, and for holes before them.
func (h *holes) judge(now units.Time) {
	bitmap, before := h.recv.Bitmap(), h.fresh
	for h.horizon < h.chunks && h.lastPacket(h.horizon) < h.lastEnd {
		next := bitmap.NextSet(h.horizon)
		if next == h.chunks {
			break
		}
		if next > h.horizon {
			h.reveal(now, wire.Range{First: h.horizon, Count: next - h.horizon})
		}
		h.horizon = bitmap.NextClear(next)
	}
	if h.fresh > before { // what waits to go has a deadline of its own
		h.report(now)
	}
}

// end judges all that has not been judged: nothing will come but repeats.
func (h *holes) end(now units.Time) {
	bitmap := h.recv.Bitmap()
	for first := bitmap.NextClear(h.horizon); first < h.chunks; {
		next := bitmap.NextSetBefore(first, h.chunks)
		h.reveal(now, wire.Range{First: first, Count: next - first})
		first = bitmap.NextClear(next)
	}
	h.horizon, h.tail = h.chunks, units.Never
	if h.fresh > 0 {
		h.report(now)
	}
}

// judgePackets is judge where chunks are packets. The horizon is then the end of what has been
// seen, so nothing but the arrival itself is beyond.
func (h *holes) judgePackets(now units.Time, first, end int64) {
	horizon := h.horizon
	h.horizon = end
	if first > horizon {
		if h.reveal(now, wire.Range{First: horizon, Count: first - horizon}); h.fresh > 0 {
			h.report(now)
		}
	}
}

// reveal notes a gap, which is a hole at once or a suspect.
func (h *holes) reveal(now units.Time, r wire.Range) {
	if h.window == 0 {
		h.add(r)
		return
	}
	h.suspects.Append(hole{Range: r, at: now.Add(h.window)})
}

// suspected is when the oldest suspect becomes a hole, Never where there is none that is not
// filled.
func (h *holes) suspected() units.Time {
	bitmap := h.recv.Bitmap()
	for s := h.suspects.Head(); s != nil; s = h.suspects.Head() {
		if bitmap.NextClear(s.First) < s.End() {
			return s.at
		}
		h.suspects.Pop()
	}
	return units.Never
}

// add puts a hole into the next report.
func (h *holes) add(r wire.Range) {
	h.nack.Missing = append(h.nack.Missing, r)
	h.reported.Append(hole{Range: r})
	h.fresh++
}

// wait notes until when what was just reported may be missing.
func (h *holes) wait() {
	h.repeats = max(h.repeats, h.left)
	end := h.reported.Next()
	for n := end - int64(h.fresh); n < end; n++ {
		r := h.reported.At(n)
		h.repeats = h.repeats.Add(units.Duration(r.Count) * h.chunkTime)
		r.at = h.repeats
		h.due = min(h.due, r.at.Add(h.patience))
	}
	h.fresh = 0
}

// addMissing puts what is missing of a range into the next report.
func (h *holes) addMissing(r wire.Range) {
	bitmap, end := h.recv.Bitmap(), r.First+r.Count
	for i := bitmap.NextClear(r.First); i < end; {
		stop := bitmap.NextSetBefore(i, end)
		h.add(wire.Range{First: i, Count: stop - i})
		i = bitmap.NextClear(stop)
	}
}

// report sends what was added, in as many messages as it takes, once the last report has left.
func (h *holes) report(now units.Time) {
	if now < h.left {
		return
	}
	if len(h.nack.Missing) > 1 {
		h.nack.Missing = normalize(h.nack.Missing)
	}
	all := h.nack.Missing
	for len(h.nack.Missing) > 0 {
		buf, covered := wire.AppendNack(h.buf[:0], &h.nack, int(h.limit))
		h.buf = buf
		h.left = h.control.Send(buf)
		h.sent++
		h.nack.Missing = h.nack.Missing[covered:]
	}
	h.nack.Missing = all[:0]
	h.wait()
}

// sooner is when a hole has persisted too long, the tail is overdue or a report waits to go, where
// that is before an instant, else that instant. Which hole is the oldest matters only then.
func (h *holes) sooner(than units.Time) units.Time {
	at := min(h.tail, h.suspected(), than)
	if h.fresh > 0 {
		at = min(at, h.left)
	}
	return h.overdue(at)
}

// overdue is when a hole has persisted too long, where that is before an instant, else that
// instant.
func (h *holes) overdue(than units.Time) units.Time {
	if h.due < than && h.lostEnd == 0 {
		h.oldest()
	}
	return min(h.due, than)
}

// oldest is the hole that was reported longest ago and persists, shortened to where it begins.
func (h *holes) oldest() *hole {
	bitmap := h.recv.Bitmap()
	for h.reported.Len() > h.fresh {
		r := h.reported.Head()
		switch {
		case !bitmap.Test(r.First):
		case r.Count == 1:
			r.Count = 0
		default:
			first := min(bitmap.NextClear(r.First), r.End())
			r.First, r.Count = first, r.End()-first
		}
		if r.Count > 0 {
			h.due = r.at.Add(h.patience)
			h.lost, h.lostEnd = r.First*h.perChunk, (r.First+1)*h.perChunk
			return r
		}
		h.reported.Pop()
	}
	h.due, h.lostEnd = units.Never, 0
	return nil
}

// expire reports what is due: suspects that are holes by now, holes that persist, and the tail.
func (h *holes) expire(now units.Time) (expired int64) {
	for h.suspected() <= now {
		s := h.suspects.Head().Range
		h.suspects.Pop()
		h.addMissing(s)
	}
	for ; min(h.tail, h.overdue(now+1)) <= now; expired++ {
		if r := h.oldest(); h.due <= now {
			persists := r.Range
			h.reported.Pop()
			h.lostEnd = 0
			h.addMissing(persists)
			continue
		}
		h.addMissing(wire.Range{First: h.horizon, Count: h.chunks - h.horizon})
		h.horizon, h.tail = h.chunks, units.Never
	}
	h.report(now)
	return expired
}

// normalize puts ranges, at least one, in order and joins those that touch: holes are collected in
// the order in which they were found.
func normalize(ranges []wire.Range) []wire.Range {
	slices.SortFunc(ranges, func(a, b wire.Range) int { return cmp.Compare(a.First, b.First) })
	n := 0
	for _, r := range ranges[1:] {
		if last := &ranges[n]; r.First <= last.End() {
			last.Count = max(last.End(), r.End()) - last.First
			continue
		}
		n++
		ranges[n] = r
	}
	return ranges[:n+1]
}
