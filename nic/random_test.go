package nic

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/units"
)

// plan is what happens to a NIC: drawn once, and played several times.
type plan struct {
	sizes  []int64 // packets of each message
	events []planned
}

// planned is one thing that happens at a time.
type planned struct {
	at           units.Time
	kind         string
	sender       int
	first, count int64
}

func drawPlan(t *rapid.T) plan {
	var p plan
	for range rapid.IntRange(1, 3).Draw(t, "messages") {
		p.sizes = append(p.sizes, rapid.Int64Range(1, 30).Draw(t, "packets"))
	}
	for range rapid.IntRange(0, 20).Draw(t, "events") {
		half := rapid.Int64Range(0, 120).Draw(t, "half packets")
		e := planned{at: units.Time(half) * units.Time(packetTime) / 2,
			kind:   rapid.SampledFrom([]string{"again", "again", "control", "done"}).Draw(t, "kind"),
			sender: rapid.IntRange(0, len(p.sizes)-1).Draw(t, "sender"),
		}
		e.first = rapid.Int64Range(0, p.sizes[e.sender]-1).Draw(t, "first")
		e.count = rapid.Int64Range(1, min(4, p.sizes[e.sender]-e.first)).Draw(t, "count")
		p.events = append(p.events, e)
	}
	slices.SortStableFunc(p.events, func(a, b planned) int { return int(a.at - b.at) })
	return p
}

// played is what came of a plan.
type played struct {
	senders []*scriptedSender
	wire    []sentOut
	asked   []asked
	doneAt  []units.Time
}

// asked is a repeat that was asked for.
type asked struct {
	planned
	granted bool
}

// play plays a plan. With restless the NIC is also woken where nothing happens.
func (p *plan) play(t *rapid.T, maxRun int64, restless bool) *played {
	s := newStand(t, standConfig{maxRun: maxRun,
		nic: Config{SinglePackets: maxRun == 1}})
	out := &played{}
	for _, size := range p.sizes {
		out.senders = append(out.senders, s.newSender(size))
		out.doneAt = append(out.doneAt, units.Never)
	}
	for _, ep := range out.senders {
		ep.host(0)
	}
	for i, e := range p.events {
		s.at(e.at, func(now units.Time) { out.happen(s, i, e) })
	}
	if restless {
		for i := range int64(200) {
			s.at(units.Time(i*331_000), s.nic.Fire)
		}
	}
	s.engine.Run()
	out.wire = s.wire()
	return out
}

// happen does what is planned, and wakes the NIC.
func (out *played) happen(s *stand, i int, e planned) {
	ep := out.senders[e.sender]
	switch {
	case e.kind == "control":
		s.nic.Send(message(fmt.Sprintf("%03d", i)))
	case ep.done:
	case e.kind == "done":
		ep.done = true
		out.doneAt[e.sender] = e.at
	default:
		left := e.left(ep)
		out.asked = append(out.asked, asked{planned: e, granted: left})
		if left {
			ep.again(e.first, e.count)
		}
	}
	s.nic.Fire(e.at)
}

// left tells whether all packets asked for have been sent before.
func (e planned) left(ep *scriptedSender) bool {
	n := int64(0)
	for _, o := range ep.sent {
		if !o.repeat && o.packet >= e.first && o.packet < e.first+e.count && o.left <= e.at {
			n++
		}
	}
	return n == e.count
}

// Whatever is asked of a NIC: senders know what is on the wire, control messages all go, repeats do
// not wait for first transmissions, and the wire is never idle while something waits.
func TestWireFollowsThePriorities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t)
		out := p.play(t, 0, false)
		wantReports(t, out)
		wantAllControl(t, &p, out)
		wantPromptRepeats(t, out)
		wantNoGaps(t, out)
	})
}

// wantReports compares what each sender was told with the wire. One that was done in the midst is
// not told of the end.
func wantReports(t *rapid.T, out *played) {
	for i, ep := range out.senders {
		var got []sentOut
		for _, o := range out.wire {
			if o.control == "" && o.serial == int64(i) {
				got = append(got, o)
			}
		}
		told := ep.sent
		if ep.done && len(told) > len(got) {
			told = told[:len(got)]
		}
		if !slices.Equal(got, told) {
			t.Fatalf("message %d: on the wire\n%v, reported\n%v", i, got, told)
		}
		for _, o := range got {
			if begun := o.left.Add(-packetTime); begun >= out.doneAt[i] {
				t.Fatalf("%v begins at %v, the message was done at %v", o, begun, out.doneAt[i])
			}
		}
	}
}

func wantAllControl(t *rapid.T, p *plan, out *played) {
	var want, got []string
	for i, e := range p.events {
		if e.kind == "control" {
			want = append(want, fmt.Sprintf("%03d", i))
		}
	}
	for _, o := range out.wire {
		if o.control != "" {
			got = append(got, o.control)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("control messages %v, want %v", got, want)
	}
}

// wantPromptRepeats checks that no first transmission begins between the request of a repeat and
// the repeat.
func wantPromptRepeats(t *rapid.T, out *played) {
	for _, a := range out.asked {
		if !a.granted {
			continue
		}
		for _, o := range out.wire {
			begun := o.left.Add(-packetTime)
			if begun < a.at || o.control != "" {
				continue
			}
			granted := o.repeat && o.serial == int64(a.sender) && o.packet == a.first
			if granted || begun >= out.doneAt[a.sender] {
				break
			}
			if !o.repeat {
				t.Fatalf("packets %d (+%d) of %d are asked for at %v, and then begins %v", a.first,
					a.count, a.sender, a.at, o)
			}
		}
	}
}

// wantNoGaps checks that the wire is busy until all is sent. The first gap may only be followed by
// what came later.
func wantNoGaps(t *rapid.T, out *played) {
	var free units.Time
	for _, o := range out.wire {
		long := packetTime
		if o.control != "" {
			long = packetTime / 10
		}
		begun := o.left.Add(-long)
		if begun < free {
			t.Fatalf("%v begins at %v, the wire is busy until %v", o, begun, free)
		}
		if begun > free && !o.repeat && o.control == "" {
			t.Fatalf("%v waits from %v on", o, free)
		}
		free = o.left
	}
}

// Runs, capped runs and single packets put the same on the wire; so does a NIC woken in vain.
func TestGroupingNeverChangesTheWire(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t)
		want := p.play(t, 0, false).wire
		for _, maxRun := range []int64{1, 3} {
			if got := p.play(t, maxRun, false).wire; !slices.Equal(got, want) {
				t.Fatalf("runs of at most %d\n%v\nwant\n%v", maxRun, got, want)
			}
		}
		if got := p.play(t, 0, true).wire; !slices.Equal(got, want) {
			t.Fatalf("woken in vain\n%v\nwant\n%v", got, want)
		}
	})
}
