package sr

import (
	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// Acker acknowledges what a bitmap says, at polls that lie on a grid from the first arrival on. A
// poll waits until the acknowledgements of the last one have left.
//
// The bitmap is divided into sections, each small enough for its selective part to fit one
// acknowledgement whatever its pattern. A section is acknowledged at the poll after something
// arrived in it, and again at Repeat further polls; sections with few holes share an
// acknowledgement. A poll without news says nothing, so the number of acknowledgements is bounded
// by both the time and the arrivals: one a poll, and more only where losses are many.
type Acker struct {
	// What a poll of a message that is complete reads lies side by side: where many linger, none of
	// it is in the cache of the processor.
	sent     int64
	at       units.Time // of the next poll; valid while armed
	armed    bool
	begun    bool       // start is set
	final    bool       // everything is there
	pending  bool       // ack was begun and not sent
	finals   int32      // how often to say so again
	busy     units.Time // what was said last has left: a poll before would only wait behind it
	start    units.Time // of the grid; set by the first arrival
	interval units.Duration
	control  schemes.Control
	buf      []byte // what was sent last

	cfg     *AckConfig
	bitmap  *sdr.Bitmap
	section int64 // chunks of a section, a multiple of 64
	// from and end are chunks of a section that was noted since the last poll: what arrives next is
	// likely to be of it.
	from, end int64
	// low and high bound the sections that are still to be acknowledged.
	low, high int64
	// base is no greater than the first chunk that is missing.
	base int64
	// left[s] is at how many polls section s is still to be acknowledged; sections outside
	// [low, high) have none.
	left    []uint16
	message uint32
}

// Open starts on a message: the acknowledgements of serial say what bitmap says. It keeps cfg.
func (a *Acker) Open(cfg *AckConfig, t *schemes.Transfer, bitmap *sdr.Bitmap, perChunk int64) {
	left := a.left
	if cfg.ack == nil {
		cfg.ack = new(wire.Ack)
	}
	*a = Acker{cfg: cfg, control: t.Control, bitmap: bitmap, buf: a.buf, message: t.Serial}
	a.interval = cfg.IntervalOn(t.Path, perChunk)
	a.section = max(64, int64(cfg.Size-wire.AckOverhead)*8/64*64)
	sections := units.CeilDiv(bitmap.Len(), a.section)
	if int64(cap(left)) < sections {
		left = make([]uint16, sections)
	}
	a.left = left[:sections]
	clear(a.left)
}

// Armed reports whether a poll is due at some time.
func (a *Acker) Armed() bool { return a.armed }

// Deadline is the next poll.
func (a *Acker) Deadline() (units.Time, bool) { return a.at, a.armed }

// Sent is how many acknowledgements were sent.
func (a *Acker) Sent() int64 { return a.sent }

// Note tells that chunks first..last have been touched by an arrival at now.
func (a *Acker) Note(now units.Time, first, last int64) {
	if first < a.from || last >= a.end {
		a.note(now, first, last)
	}
}

// note is Note for chunks of other sections than the last ones were of.
func (a *Acker) note(now units.Time, first, last int64) {
	s := first / a.section
	if a.low == a.high {
		a.low, a.high = s, s+1
	}
	a.low = min(a.low, s)
	a.left[s] = uint16(a.cfg.Repeat) + 1
	for last >= (s+1)*a.section {
		s++
		a.left[s] = uint16(a.cfg.Repeat) + 1
	}
	a.high = max(a.high, s+1)
	a.from, a.end = s*a.section, (s+1)*a.section
	a.arm(now)
}

// arm sets the poll to the next instant of the grid after now, unless one is due. What was said
// last has left by then.
func (a *Acker) arm(now units.Time) {
	if !a.begun {
		a.begun, a.start = true, now
	}
	if a.armed && a.at >= a.busy {
		return
	}
	a.armed = true
	a.at = a.start.Add((now.Sub(a.start)/a.interval + 1) * a.interval)
	if a.at < a.busy {
		a.at = a.start.Add(((a.busy.Sub(a.start)-1)/a.interval + 1) * a.interval)
	}
}

// Poll acknowledges what there is to acknowledge, if a poll is due.
func (a *Acker) Poll(now units.Time) {
	if !a.armed || now < a.at {
		return
	}
	a.armed = false
	if a.final {
		if a.finals > 0 {
			a.finals--
			a.sendFinal(now)
		}
		return
	}
	a.from, a.end = 0, 0
	if a.low < a.high {
		a.pollSections()
	}
	if a.low < a.high {
		a.arm(now)
	}
}

// pollSections acknowledges the sections that are due, and at least says how far everything is
// there. Where nothing has arrived beyond, no section has anything to add.
func (a *Acker) pollSections() {
	a.base = a.bitmap.NextClear(a.base)
	if a.bitmap.Count() == a.base || !a.addSections() {
		a.begin()
	}
	a.flush()
	a.countDown()
}

// addSections adds what has arrived in the sections that are due and not before base; false where
// there is none.
func (a *Acker) addSections() (any bool) {
	for s := max(a.low, a.base/a.section); s < a.high; s++ {
		if a.left[s] > 0 {
			a.addSection(s)
			any = true
		}
	}
	return any
}

// countDown tells that the sections that were due have been acknowledged once more.
func (a *Acker) countDown() {
	from := a.low
	low, high := a.high, a.low
	for i, left := range a.left[from:a.high] {
		if left == 0 {
			continue
		}
		a.left[from+int64(i)] = left - 1
		if left > 1 {
			low, high = min(low, from+int64(i)), from+int64(i)+1
		}
	}
	a.low, a.high = min(low, high), high
}

// begin begins an acknowledgement of everything before base.
func (a *Acker) begin() {
	a.pending = true
	a.say(a.base, false)
}

// say has the acknowledgement be of everything before a chunk, and of nothing else so far.
func (a *Acker) say(before int64, final bool) {
	ack := a.cfg.ack
	ack.Message, ack.Final, ack.Cumulative = a.message, final, before
	ack.Selective, ack.Bits.Words = ack.Selective[:0], ack.Bits.Words[:0]
}

// flush sends the acknowledgement that was begun, if one was.
func (a *Acker) flush() {
	if a.pending {
		a.pending = false
		a.send()
	}
}

// addSection adds what has arrived in section s to the acknowledgement that was begun, or to one of
// its own where that has no room.
func (a *Acker) addSection(s int64) {
	end := min((s+1)*a.section, a.bitmap.Len())
	first := a.bitmap.NextSetBefore(min(max(a.base, s*a.section), end), end)
	if a.pending && a.join(first, end) {
		return
	}
	a.flush()
	a.begin()
	if !a.appendRanges(first, end) {
		a.cfg.ack.Selective = a.cfg.ack.Selective[:0]
		a.appendBits(first, end)
		a.flush()
	}
}

// join appends what has arrived of the chunks first..end-1 to the ranges of the acknowledgement
// that was begun; false, and nothing changed, where they are many.
func (a *Acker) join(first, end int64) bool {
	before := len(a.cfg.ack.Selective)
	var last wire.Range
	if before > 0 {
		last = a.cfg.ack.Selective[before-1]
	}
	if a.appendRanges(first, end) &&
		wire.AckOverhead+units.Bytes(len(a.cfg.ack.Selective))*rangeBytes <= a.cfg.Size {
		return true
	}
	a.cfg.ack.Selective = a.cfg.ack.Selective[:before]
	if before > 0 {
		a.cfg.ack.Selective[before-1] = last
	}
	return false
}

// rangeBytes is room for the two numbers of a range, in a message of up to 2^35 chunks.
const rangeBytes = 10

// appendRanges says what has arrived of the chunks first..end-1 in ranges, where these are few:
// false where bits are the cheaper way to say it.
func (a *Acker) appendRanges(first, end int64) bool {
	for most := 2 + (end-first)/512; first < end; most-- {
		if most == 0 {
			return false
		}
		stop := min(a.bitmap.NextClear(first), end)
		a.appendRange(wire.Range{First: first, Count: stop - first})
		first = a.bitmap.NextSetBefore(stop, end)
	}
	return true
}

// appendRange says that a range has arrived, together with the one before where the two touch.
func (a *Acker) appendRange(r wire.Range) {
	if n := len(a.cfg.ack.Selective); n > 0 && a.cfg.ack.Selective[n-1].End() == r.First {
		a.cfg.ack.Selective[n-1].Count += r.Count
		return
	}
	a.cfg.ack.Selective = append(a.cfg.ack.Selective, r)
}

// appendBits says what has arrived of the chunks first..end-1 in bits; the first has.
func (a *Acker) appendBits(first, end int64) {
	bits := &a.cfg.ack.Bits
	bits.First = first &^ 63
	bits.Words = a.bitmap.AppendWords(bits.Words, first, end)
	for bits.Words[len(bits.Words)-1] == 0 {
		bits.Words = bits.Words[:len(bits.Words)-1]
	}
}

func (a *Acker) send() {
	a.buf = wire.AppendAck(a.buf[:0], a.cfg.ack, int(a.cfg.Size))
	a.busy = a.control.Send(a.buf)
	a.sent++
}

// Final acknowledges the message as a whole, at once, and again at the next polls.
func (a *Acker) Final(now units.Time) {
	a.final = true
	a.finals = int32(a.cfg.Repeat)
	a.say(a.bitmap.Len(), true)
	a.buf = wire.AppendAck(a.buf[:0], a.cfg.ack, int(a.cfg.Size))
	a.sendFinal(now)
}

// sendFinal says what Final has said; nothing is sent in between. Before it says so again it
// leaves the way back to others for as long as this takes to leave: first words go before repeated
// ones.
func (a *Acker) sendFinal(now units.Time) {
	left := a.control.Send(a.buf)
	a.busy = left.Add(left.Sub(now))
	a.sent++
	a.arm(now)
}

// QuietLate is what a receiver answers to Quiet when its message is complete.
func (a *Acker) QuietLate(count int64) (packets int64, silent bool) {
	if !a.armed {
		return 1, false
	}
	return count, true
}

// Late answers a repeat for a message that is complete: at once, or at the next poll where the
// last answer was less than a poll ago.
func (a *Acker) Late(now units.Time) {
	if !a.armed {
		a.sendFinal(now)
		return
	}
	a.finals = max(a.finals, 1)
}
