package sr

import (
	"cmp"
	"slices"

	"sdrsim/internal/ring"
	"sdrsim/link/wire"
	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/sim/units"
)

// holes finds the chunks that a receiver misses, and reports them: at once when a later chunk is
// complete, by a timer at the tail, and again while they stay missing.
type holes struct {
	geometry
	recv *sdr.RecvHandle
	// horizon is the end of what has been judged: every chunk before it is complete or was
	// reported.
	horizon int64
	// lastEnd is the end of the packets seen so far, and lastAt when the last of them arrived.
	lastEnd int64
	lastAt  units.Time
	// reported holds chunks in order of report; those that have arrived since are skipped.
	reported   ring.Ring[hole]
	slack      units.Duration
	patience   units.Duration // a round trip, a chunk and slack
	packetTime units.Duration
	nack       wire.Nack // what the next report says
	control    schemes.Control
	limit      units.Bytes
	buf        []byte
	sent       int64
}

type hole struct {
	wire.Range
	at units.Time
}

func (h *holes) open(recv *sdr.RecvHandle, t *schemes.Transfer, cfg *Config) {
	slack := cfg.NackSlack.Of(t.Path.RTT)
	chunkTime := units.Duration(recv.PacketsPerChunk()) * t.Path.PacketTime
	h.reported.Reset()
	*h = holes{
		geometry: geometry{recv.Chunks(), recv.PacketCount(), recv.PacketsPerChunk()},
		recv:     recv, reported: h.reported, slack: slack, patience: t.Path.RTT + chunkTime + slack,
		packetTime: t.Path.PacketTime, control: t.Control, limit: cfg.Ack.Size, buf: h.buf,
		nack: wire.Nack{Message: t.Serial, Missing: h.nack.Missing[:0]},
	}
}

// quiet is how many leading packets of an arrival reveal no hole before the last of them, and
// whether that one reveals none either.
func (h *holes) quiet(a sdr.Arrival) (packets int64, silent bool) {
	if h.perChunk == 1 && a.First > h.horizon {
		return 1, false
	}
	chunk := h.chunkOf(a.First)
	bits, start := h.recv.PacketBitmap(), chunk*h.perChunk
	inOrder := bits.CountRange(start, a.First-start) == a.First-start
	if chunk < h.horizon || chunk == h.horizon && inOrder {
		return a.Count, true // every chunk from the horizon on is complete in its turn
	}
	// The chunk may be complete before its last packet, where that has arrived by a repeat.
	end := min(a.Count, h.lastPacket(chunk)+1-a.First)
	if last, ok := bits.LastClear(a.First, end); ok {
		end = last - a.First + 1
	}
	return end, !inOrder
}

// arrive judges the chunks before those that an arrival has completed.
func (h *holes) arrive(now units.Time, a sdr.Arrival) {
	if end := a.First + a.Count; end > h.lastEnd {
		h.lastEnd, h.lastAt = end, now
	}
	bitmap := h.recv.Bitmap()
	for h.horizon < h.chunks && h.lastPacket(h.horizon) < h.lastEnd {
		next := bitmap.NextSet(h.horizon)
		if next == h.chunks {
			break
		}
		if next > h.horizon {
			h.add(now, wire.Range{First: h.horizon, Count: next - h.horizon})
		}
		h.horizon = bitmap.NextClear(next)
	}
	h.report()
}

// add puts a hole into the next report.
func (h *holes) add(now units.Time, r wire.Range) {
	h.nack.Missing = append(h.nack.Missing, r)
	h.reported.Append(hole{Range: r, at: now})
}

// addMissing puts what is missing of a range into the next report.
func (h *holes) addMissing(now units.Time, r wire.Range) {
	bitmap, end := h.recv.Bitmap(), r.First+r.Count
	for i := bitmap.NextClear(r.First); i < end; {
		stop := bitmap.NextSetBefore(i, end)
		h.add(now, wire.Range{First: i, Count: stop - i})
		i = bitmap.NextClear(stop)
	}
}

// report sends what was added, in as many messages as it takes.
func (h *holes) report() {
	h.nack.Missing = normalize(h.nack.Missing)
	for len(h.nack.Missing) > 0 {
		buf, covered := wire.AppendNack(h.buf[:0], &h.nack, int(h.limit))
		h.buf = buf
		h.control.Send(buf)
		h.sent++
		rest := copy(h.nack.Missing, h.nack.Missing[covered:])
		h.nack.Missing = h.nack.Missing[:rest]
	}
}

// deadline is when a hole has persisted too long, or the tail is overdue: the packets that have not
// been seen would have followed those that have, at line rate.
func (h *holes) deadline() (at units.Time, ok bool) {
	if r := h.oldest(); r != nil {
		at, ok = r.at.Add(h.patience), true
	}
	if h.horizon < h.chunks && h.lastEnd > 0 {
		tail := h.lastAt.Add(units.Duration(h.packets-h.lastEnd)*h.packetTime + h.slack)
		if !ok || tail < at {
			at, ok = tail, true
		}
	}
	return at, ok
}

// oldest is the hole that was reported longest ago and persists, shortened to where it begins.
func (h *holes) oldest() *hole {
	for r := h.reported.Head(); r != nil; r = h.reported.Head() {
		if !h.recv.Bitmap().Test(r.First) {
			return r
		}
		end := r.First + r.Count
		first := min(h.recv.Bitmap().NextClear(r.First), end)
		r.First, r.Count = first, end-first
		if r.Count > 0 {
			return r
		}
		h.reported.Pop()
	}
	return nil
}

// expire reports what is due: holes that persist, and the tail.
func (h *holes) expire(now units.Time) (expired int64) {
	for at, ok := h.deadline(); ok && at <= now; at, ok = h.deadline() {
		expired++
		if r := h.oldest(); r != nil && r.at.Add(h.patience) <= now {
			persists := r.Range
			h.reported.Pop()
			h.addMissing(now, persists)
			continue
		}
		h.addMissing(now, wire.Range{First: h.horizon, Count: h.chunks - h.horizon})
		h.horizon = h.chunks
	}
	h.report()
	return expired
}

// normalize puts ranges in order and joins those that touch: holes are collected in the order in
// which they were found.
func normalize(ranges []wire.Range) []wire.Range {
	if len(ranges) < 2 {
		return ranges
	}
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
