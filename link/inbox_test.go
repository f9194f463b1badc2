package link

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/sim"
	"sdrsim/units"
	"sdrsim/wire"
)

// sentAway is a packet or a control message that was put into an inbox, by the order of putting.
type sentAway struct {
	at   units.Time
	lane int
	what string
}

// Whatever is put into the lanes of an inbox, comes out in order of time; of what arrives together
// the lower lane goes first, and in a lane what was sent first. A sorted slice says so.
func TestInboxIsASortedSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := new(Inbox)
		in.src = &Delay{port: idlePort(), to: in}
		data := rapid.IntRange(1, 3).Draw(t, "lanes")
		jitter := rapid.Bool().Draw(t, "jitter")
		lanes := data
		if !jitter {
			lanes++ // control messages have one of their own where runs stay whole
		}
		in.unorder(lanes)
		in.reset()
		in.sink = new(notes)
		var want []sentAway
		got := []string{}
		now := units.Time(-1)        // nothing is put that arrives by then
		last := map[int]units.Time{} // of what a lane has, where runs are put
		for i := range rapid.IntRange(1, 50).Draw(t, "steps") {
			lane := rapid.IntRange(0, data-1).Draw(t, "lane")
			at := now.Add(units.Duration(rapid.Int64Range(1, 60).Draw(t, "later")))
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				msg := []byte(fmt.Sprintf("message %d", i))
				want = append(want, sentAway{at, lanes - 1, string(msg)})
				in.putControl(at, msg)
			case 1, 2:
				r := wire.Run{Serial: int64(i % 3), First: int64(10 * i), Payload: 1, Spacing: 7,
					Count: rapid.Int64Range(1, 6).Draw(t, "count")}
				if jitter {
					r.Count = 1
				} else { // a way without jitter keeps its order
					at = max(at, last[lane])
					last[lane] = at.Add(units.Duration(r.Count-1) * r.Spacing)
				}
				for j := range r.Count {
					want = append(want, sentAway{at.Add(units.Duration(j) * r.Spacing), lane,
						fmt.Sprintf("packet %d of %d", r.First+j, r.Serial)})
				}
				in.putAny(lane, &r, at, r.Count)
			case 3:
				now = now.Add(units.Duration(rapid.Int64Range(0, 40).Draw(t, "wait")))
				got = append(got, emptied(in, now)...)
			}
		}
		got = append(got, emptied(in, units.Never-1)...)
		slices.SortStableFunc(want, func(a, b sentAway) int {
			return cmp.Or(cmp.Compare(a.at, b.at), a.lane-b.lane)
		})
		for i, w := range want {
			if i >= len(got) || got[i] != fmt.Sprintf("%d %s", w.at, w.what) {
				t.Fatalf("number %d is not %+v\n got %q\nwant %v", i, w, got, want)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%d came out of %d", len(got), len(want))
		}
	})
}

// idlePort is a port that sends nothing.
func idlePort() *Port {
	return New(Config{Bandwidth: 1, Loss: None{}, ControlLoss: None{}})
}

// emptied takes all that has arrived by now.
func emptied(in *Inbox, now units.Time) (got []string) {
	for f := in.Next(now); f != nil && f.Arrive <= now; f = in.Next(now) {
		if f.IsControl() {
			got = append(got, fmt.Sprintf("%d %s", f.Arrive, f.Control))
			in.Pop()
			continue
		}
		n := f.Arrived(now)
		for j := range n {
			got = append(got, fmt.Sprintf("%d packet %d of %d", f.ArrivalOf(j), f.Run.First+j,
				f.Run.Serial))
		}
		in.Take(n)
	}
	return got
}

// Reordering is what RFC 4737 says, counted by looking at all pairs.
func TestReorderingIsThatOfRFC4737(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(1, 60).Draw(t, "packets")
		order := make([]int, count)
		for i := range order {
			order[i] = i
		}
		for range rapid.IntRange(0, 20).Draw(t, "swaps") {
			a, b := rapid.IntRange(0, count-1).Draw(t, "a"), rapid.IntRange(0, count-1).Draw(t, "b")
			order[a], order[b] = order[b], order[a]
		}
		var o reorder
		o.reset()
		var want Reordering
		for i, s := range order {
			o.arrive(int64(s))
			if j := slices.IndexFunc(order[:i], func(other int) bool { return other > s }); j >= 0 {
				want.Reordered++
				want.Extent += int64(i - j)
			}
		}
		if o.stats != want {
			t.Fatalf("%v: %+v, want %+v", order, o.stats, want)
		}
		if o.seen.Len() > 0 || o.records.Len() > 0 {
			t.Fatalf("%d packets and %d records are kept when all have arrived", o.seen.Len(),
				o.records.Len())
		}
	})
}

// Packet 3 comes after 4, 5, 6 and 7: it is reordered, by four packets (RFC 4737, §4.2.1).
func TestReorderingOfAPacketThatIsLate(t *testing.T) {
	var o reorder
	o.reset()
	for _, s := range []int64{0, 1, 2, 4, 5, 6, 7, 3, 8, 9} {
		o.arrive(s)
	}
	if want := (Reordering{Reordered: 1, Extent: 4}); o.stats != want {
		t.Errorf("%+v, want %+v", o.stats, want)
	}
}

// A jitter without spread is no jitter.
func TestJitterOfNothingIsTheDelay(t *testing.T) {
	for _, ordered := range []bool{false, true} {
		l := New(Config{Bandwidth: 8 * units.Gbps, Delay: delay, Loss: drops(2), ControlLoss: None{},
			Jitter: &Jitter{Model: JitterGamma, Ordered: ordered}})
		l.Inbox().SetSink(new(notes))
		l.Transmit(0, packets(0, 6))
		want := expected(0, 6, us(1), 2)
		if got := drain(l); !slices.Equal(got, want) {
			t.Errorf("ordered %v: arrived %v, want %v", ordered, got, want)
		}
	}
}

// Packets that keep their order arrive no earlier than those before, and no earlier than they
// would.
func TestOrderedJitterKeepsOrder(t *testing.T) {
	arrive := func(ordered bool) (at []units.Time) {
		j := &Jitter{Model: JitterPareto, Spread: 3 * packetTime, Ordered: ordered}
		j.Reset(sim.NewStream(1, "jitter", 0))
		l := New(Config{Bandwidth: 8 * units.Gbps, Delay: delay, Loss: None{}, ControlLoss: None{},
			Jitter: j})
		l.Inbox().SetSink(new(notes))
		l.Transmit(0, packets(0, 500))
		at = make([]units.Time, 500)
		for _, a := range drain(l) {
			at[a.packet] = a.at
		}
		if order := l.Inbox().Reordering(); ordered != (order == Reordering{}) {
			t.Errorf("ordered %v: %+v", ordered, order)
		}
		return at
	}
	kept, loose := arrive(true), arrive(false)
	latest := units.Time(0)
	for i := range kept {
		if latest = max(latest, loose[i]); kept[i] != latest {
			t.Fatalf("packet %d arrives at %v, want %v", i, kept[i], latest)
		}
	}
}

// Over several paths order is kept on each, and not between them.
func TestOrderedJitterKeepsTheOrderOfEachPath(t *testing.T) {
	j := &Jitter{Model: JitterGamma, Spread: 5 * packetTime, Ordered: true}
	j.Reset(sim.NewStream(1, "jitter", 0))
	s := &Spread{By: SpreadMessage, Ways: []Way{{Delay: delay, Weight: 1},
		{Delay: 10 * delay, Weight: 1}}}
	s.Reset(sim.NewStream(2, "paths", 0))
	l := New(Config{Bandwidth: 8 * units.Gbps, Delay: delay, Loss: None{}, ControlLoss: None{},
		Jitter: j, Spread: s})
	l.Inbox().SetSink(new(notes))
	const n, each = 40, 20
	for i := range int64(n) {
		run := packets(each*i, each)
		run.Serial = i
		l.Transmit(l.FreeAt(), run)
	}
	last := [2]int64{-1, -1}
	var lastAt [2]units.Time
	overtaken := 0
	for _, a := range drain(l) {
		way := s.wayOf(a.packet / each)
		if a.packet < last[way] {
			t.Fatalf("packet %d arrives after %d of the same path", a.packet, last[way])
		}
		if a.packet < last[1-way] && a.at > lastAt[1-way] {
			overtaken++
		}
		last[way], lastAt[way] = a.packet, a.at
	}
	if overtaken == 0 {
		t.Error("nothing is overtaken on the longer path")
	}
}
