package sr

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/units"
	"sdrsim/wire"
)

// holesModel is holes as one would write it at first: by when the repeat of each chunk that was
// reported has left, less the way to the sender, and a look at all of them at every event.
type holesModel struct {
	packets, perChunk int64
	arrived           map[int64]bool       // packets
	reported          map[int64]units.Time // chunks
	repeats           units.Time           // the last of them
	judged            int64                // chunks before are complete or were reported
	lastEnd           int64
	lastAt            units.Time
	slack             units.Duration
}

// patience is how long a hole may persist.
func (m *holesModel) patience() units.Duration {
	return roundTrip + packetTime + m.slack
}

func (m *holesModel) chunks() int64 { return (m.packets + m.perChunk - 1) / m.perChunk }

func (m *holesModel) complete(chunk int64) bool {
	for p := chunk * m.perChunk; p < min((chunk+1)*m.perChunk, m.packets); p++ {
		if !m.arrived[p] {
			return false
		}
	}
	return true
}

// arrive returns the chunks that are to be reported when a packet arrives.
func (m *holesModel) arrive(now units.Time, p int64) (missing []int64) {
	m.arrived[p] = true
	if p+1 > m.lastEnd || m.lastEnd < m.packets {
		m.lastEnd, m.lastAt = max(m.lastEnd, p+1), now
	}
	for later := m.chunks() - 1; later >= m.judged; later-- {
		if m.complete(later) {
			missing = m.report(now, m.judged, later+1)
			break
		}
	}
	return missing
}

// report reports what is missing of the chunks from..to-1; they are judged. Repeats leave one after
// the other, and chunks side by side are waited for together.
func (m *holesModel) report(now units.Time, from, to int64) (missing []int64) {
	m.repeats = max(m.repeats, now)
	for c := from; c < to; c++ {
		if m.complete(c) {
			continue
		}
		first := c
		for ; c < to && !m.complete(c); c++ {
			missing = append(missing, c)
		}
		m.repeats = m.repeats.Add(units.Duration((c-first)*m.perChunk) * packetTime)
		for ; first < c; first++ {
			m.reported[first] = m.repeats
		}
	}
	m.judged = max(m.judged, to)
	return missing
}

// tail is when what has not been seen is overdue.
func (m *holesModel) tail() units.Time {
	if m.judged == m.chunks() || m.lastEnd == 0 {
		return units.Never
	}
	return m.lastAt.Add(units.Duration(m.packets-m.lastEnd)*packetTime + m.slack)
}

func (m *holesModel) deadline() units.Time {
	at := m.tail()
	for c, reported := range m.reported {
		if !m.complete(c) {
			at = min(at, reported.Add(m.patience()))
		}
	}
	return at
}

// expire returns the chunks that are to be reported at a deadline.
func (m *holesModel) expire(now units.Time) (missing []int64) {
	for {
		first, last, oldest := int64(-1), int64(0), now.Add(-m.patience())
		for c := range m.judged {
			at, ok := m.reported[c]
			switch {
			case !ok || m.complete(c) || at > oldest:
			case at < oldest || first < 0:
				first, last, oldest = c, c, at
			default:
				last = c // was reported with the first
			}
		}
		if first < 0 {
			break
		}
		missing = append(missing, m.report(now, first, last+1)...)
	}
	if now >= m.tail() {
		missing = append(missing, m.report(now, m.judged, m.chunks())...)
	}
	return missing
}

// holesTest drives holes and their model side by side.
type holesTest struct {
	host  *host
	holes *holes
	model *holesModel
	now   units.Time
}

func newHolesTest(t *rapid.T) *holesTest {
	cfg := nackConfig()
	cfg.NackSlack.Fixed = rapid.SampledFrom([]units.Duration{0, 1, 5 * units.Microsecond,
		roundTrip}).Draw(t, "slack")
	cfg.Ack.Size = rapid.SampledFrom([]units.Bytes{32, 64, 4096}).Draw(t, "size")
	packets := rapid.Int64Range(1, 60).Draw(t, "packets")
	perChunk := rapid.SampledFrom([]int64{1, 1, 2, 3, 8}).Draw(t, "packets a chunk")
	h := newHost(discard{}, cfg, packets, perChunk)
	return &holesTest{host: h, holes: h.receiver.holes, model: &holesModel{
		packets: packets, perChunk: perChunk, slack: cfg.NackSlack.Fixed,
		arrived: map[int64]bool{}, reported: map[int64]units.Time{}}}
}

// arrive lets one packet arrive.
func (h *holesTest) arrive(t *rapid.T, p int64) {
	h.host.see(h.now, p, 1)
	h.compare(t, h.model.arrive(h.now, p))
}

// expire handles what is due.
func (h *holesTest) expire(t *rapid.T) {
	h.host.now = h.now
	if n := h.holes.expire(h.now); n > 0 != (h.model.deadline() <= h.now) {
		t.Fatalf("%d reports were due at %v", n, h.now)
	}
	h.compare(t, h.model.expire(h.now))
}

// compare compares what was reported just now with what the model says.
func (h *holesTest) compare(t *rapid.T, want []int64) {
	var got []int64
	for _, c := range h.host.controls {
		if len(c.msg) > int(h.holes.limit) {
			t.Fatalf("a report of %d bytes, limit %d", len(c.msg), h.holes.limit)
		}
		n, ok := c.nack()
		if !ok || n.Message != 7 || n.Submessages {
			t.Fatalf("%x is no report of chunks of message 7", c.msg)
		}
		for _, r := range n.Missing {
			for i := range r.Count {
				got = append(got, r.First+i)
			}
		}
	}
	h.host.controls = nil
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("chunks %v reported at %v, want %v", got, h.now, want)
	}
	than := h.now.Add(units.Duration(rapid.Int64Range(0, 300e6).Draw(t, "than")))
	for _, than := range []units.Time{than, units.Never} {
		if at, due := h.holes.sooner(than), min(than, h.model.deadline()); at != due {
			t.Fatalf("the next report before %v is due at %v, want %v", than, at, due)
		}
	}
}

// step is one event: the next packets, a repeat, or time.
func (h *holesTest) step(t *rapid.T, next *int64) {
	switch rapid.SampledFrom([]string{"first", "first", "lost", "repeat", "wait", "due", "later"}).
		Draw(t, "step") {
	case "first":
		for n := rapid.IntRange(1, 4).Draw(t, "packets"); n > 0 && *next < h.model.packets; n-- {
			h.now = h.now.Add(packetTime)
			h.arrive(t, *next)
			*next++
		}
	case "lost":
		h.now = h.now.Add(packetTime)
		*next = min(*next+1, h.model.packets)
	case "repeat":
		if *next > 0 {
			h.arrive(t, rapid.Int64Range(0, *next-1).Draw(t, "packet"))
		}
	case "wait":
		h.now = h.now.Add(units.Duration(rapid.Int64Range(0, 40e6).Draw(t, "ps")))
	case "due":
		if at := h.model.deadline(); at != units.Never {
			h.now = max(h.now, at)
		}
	case "later":
		*next = h.model.packets
		h.host.now = h.now
		h.holes.end(h.now)
		h.compare(t, h.model.report(h.now, h.model.judged, h.model.chunks()))
	}
	h.expire(t)
}

func TestHolesAreALookAtEveryChunk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHolesTest(t)
		next := int64(0)
		for range rapid.IntRange(1, 120).Draw(t, "steps") {
			h.step(t, &next)
		}
	})
}

// see lets packets arrive, and shows them to the holes of the receiver.
func (h *host) see(now units.Time, first, count int64) {
	run := h.sender.handle.Run(first, count)
	h.recv.Deliver(&run)
	h.now = now
	h.receiver.holes.arrive(now, first, first+count)
}

// A report that does not fit one message goes as several, and names every hole once.
func TestManyHolesAreReportedInManyMessages(t *testing.T) {
	cfg := nackConfig()
	cfg.Ack.Size = 40
	h := newHost(t, cfg, 200, 1)
	t.Log("# of every two chunks the second arrives, all at one instant: a report of each hole")
	for i := int64(1); i < 200; i += 2 {
		h.see(us(1), i, 1)
	}
	if n := len(h.controls); n != 100 {
		t.Errorf("%d reports of 100 holes", n)
	}
	h.controls = nil
	t.Log("# all persist, and are due for another report together, a chunk after the other")
	h.receiver.holes.expire(us(1 + 100).Add(roundTrip + 6*units.Microsecond))
	var missing []wire.Range
	for _, c := range h.controls {
		n, ok := c.nack()
		if !ok || len(c.msg) > 40 {
			t.Fatalf("%x is no report within 40 bytes", c.msg)
		}
		missing = append(missing, n.Missing...)
	}
	n := len(h.controls)
	if len(missing) != 100 || n < 6 || h.receiver.Counters().Nacks != int64(100+n) {
		t.Errorf("%d holes of 100 in %d messages", len(missing), n)
	}
}

// Ranges that were found in any order become those that a report may hold.
func TestNormalizeSortsAndJoins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var ranges []wire.Range
		set := map[int64]bool{}
		for range rapid.IntRange(1, 20).Draw(t, "ranges") {
			r := wire.Range{First: rapid.Int64Range(0, 100).Draw(t, "first"),
				Count: rapid.Int64Range(1, 10).Draw(t, "count")}
			ranges = append(ranges, r)
			for i := range r.Count {
				set[r.First+i] = true
			}
		}
		n := int64(0)
		before := int64(-2)
		for _, r := range normalize(ranges) {
			if r.First <= before || r.Count < 1 {
				t.Fatalf("%v follows %d", r, before)
			}
			for i := range r.Count {
				if !set[r.First+i] {
					t.Fatalf("%d is not in any range", r.First+i)
				}
			}
			n += r.Count
			before = r.End()
		}
		if n != int64(len(set)) {
			t.Fatalf("%d of %d units", n, len(set))
		}
	})
}

// A report that says nothing new still comes at its time: the sender must hear of it if the first
// was lost.
func TestHoleIsReportedUntilItIsFilled(t *testing.T) {
	h := newHost(t, nackConfig(), 30, 1)
	for _, p := range []int64{0, 3} {
		h.see(us(p), p, 1)
	}
	t.Log("# a round trip, the packet under way, the two that repeat, and the slack of 5 us")
	const patience, ofTail = roundTrip + 8*units.Microsecond, roundTrip + 32*units.Microsecond
	for i := range 3 {
		want := us(3).Add(units.Duration(i+1) * patience)
		if i == 0 {
			t.Log("# the tail is due first: 26 packets and the slack after 3 us")
			at := h.receiver.holes.sooner(units.Never)
			wantTime(t, "the tail", at, us(3+26+5))
			h.now = at
			h.receiver.holes.expire(at)
		}
		at := h.receiver.holes.sooner(units.Never)
		wantTime(t, "the report of 1 and 2", at, want)
		h.now = at
		h.receiver.holes.expire(at)
		tail := h.receiver.holes.sooner(units.Never)
		wantTime(t, "that of the tail", tail, us(34).Add(units.Duration(i+1)*ofTail))
		h.now = tail
		h.receiver.holes.expire(tail)
	}
	t.Log("# everything arrives")
	h.see(us(1000), 0, 30)
	if at := h.receiver.holes.sooner(units.Never); at != units.Never {
		t.Errorf("a report is due at %v of a message that is whole", at)
	}
}
