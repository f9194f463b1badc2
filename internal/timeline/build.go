package timeline

import (
	"cmp"
	"fmt"
	"slices"

	"sdrsim/internal/experiment"
	"sdrsim/units"
	"sdrsim/wire"
)

// Timeline is a sample on tracks.
type Timeline struct{ groups []group }

// group is the tracks of a hop.
type group struct {
	name   string
	tracks []*track
	flight []point
}

// track is slices in order of time; one that takes no time is an instant.
type track struct {
	name   string
	slices []slice
}

type slice struct {
	from, to units.Time
	name     string
	args     []arg
	// flow names what leads from one slice to another; 0: nothing does. It ends here, or begins.
	flow uint64
	ends bool
}

type arg struct {
	name  string
	value int64
}

// point is a value from a time on.
type point struct {
	at    units.Time
	bytes int64
}

// Tracks of a hop besides those of messages, in the order in which they are shown.
const (
	trackFirst = iota
	trackAgain
	trackLost
	trackArrived
	trackControlSent
	trackControlArrived
	trackTimers
	tracks
)

var trackNames = [tracks]string{
	"A: first transmissions", "A: retransmissions", "lost on the link", "B: arrivals",
	"B: control messages sent", "A: control messages received", "timers",
}

// New arranges what was recorded of a sample.
func New(r *experiment.Record) *Timeline {
	b := builder{sent: experiment.NewTransmissions(r.Packets)}
	b.packets(r.Packets)
	b.control(r.Control)
	b.timers(r.Log.Events)
	t := &Timeline{}
	for hop, lanes := range b.messages(r.Messages) {
		g := group{name: "A to B", tracks: lanes}
		if b.hops > 1 {
			g.name = fmt.Sprintf("hop %d, A to B", hop)
		}
		for i, slices := range b.slices[hop] {
			if len(slices) > 0 {
				g.tracks = append(g.tracks, &track{trackNames[i], inOrder(slices)})
			}
		}
		g.flight = b.flight[hop].sum()
		t.groups = append(t.groups, g)
	}
	return t
}

// inOrder puts slices in order of time, and has none overlap the one before.
func inOrder(list []slice) []slice {
	slices.SortStableFunc(list, func(a, b slice) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	for i := 1; i < len(list); i++ {
		list[i].from = max(list[i].from, list[i-1].to)
		list[i].to = max(list[i].to, list[i].from)
	}
	return list
}

type builder struct {
	sent   *experiment.Transmissions
	hops   int
	slices [][tracks][]slice // by hop
	flight []deltas
}

// grow makes room for a hop.
func (b *builder) grow(hop int) {
	for b.hops <= hop {
		b.hops++
		b.slices = append(b.slices, [tracks][]slice{})
		b.flight = append(b.flight, nil)
	}
}

func (b *builder) add(hop, track int, s slice) {
	b.grow(hop)
	b.slices[hop][track] = append(b.slices[hop][track], s)
}

// packets adds departures, losses and arrivals. Flow n+1 is of departure n.
func (b *builder) packets(list []experiment.Packets) {
	for n, p := range b.sent.Sent {
		run := &p.Run
		track := trackFirst
		if run.Repeat {
			track = trackAgain
		}
		s := about(run)
		s.flow = uint64(n) + 1
		b.add(p.Hop, track, s)
		b.flight[p.Hop].ramp(run, 1)
		if p.Lost > 0 {
			lost := run.Sub(run.Count-p.Lost, p.Lost)
			gone := about(&lost)
			gone.from = gone.to
			b.add(p.Hop, trackLost, gone)
			b.flight[p.Hop].ramp(&lost, -1)
		}
	}
	var arrived []*experiment.Packets
	for i := range list {
		if list[i].Arrived {
			arrived = append(arrived, &list[i])
		}
	}
	slices.SortStableFunc(arrived, func(a, b *experiment.Packets) int {
		return cmp.Compare(a.Run.Depart, b.Run.Depart)
	})
	for _, p := range arrived {
		s := about(&p.Run)
		s.flow, s.ends = uint64(b.sent.Of(p, p.Run.First))+1, true
		b.add(p.Hop, trackArrived, s)
		b.flight[p.Hop].ramp(&p.Run, -1)
	}
}

// about is a slice of packets, from the first bit to the last.
func about(run *wire.Run) slice {
	name := fmt.Sprintf("packet %d", run.First)
	if run.Count > 1 {
		name = fmt.Sprintf("packets %d to %d", run.First, run.End()-1)
	}
	return slice{
		from: max(0, run.Depart.Add(-run.Spacing)), to: run.DepartureOf(run.End() - 1), name: name,
		args: []arg{
			{"send", run.Serial}, {"first", run.First}, {"packets", run.Count},
			{"bytes", run.Count * int64(run.Payload)},
		},
	}
}

func (b *builder) control(list []experiment.Control) {
	for i := range list {
		c := &list[i]
		if c.Forward {
			continue // no scheme sends any
		}
		track := trackControlSent
		name := experiment.ControlText(c.Bytes)
		if c.Arrived {
			track = trackControlArrived
		}
		if c.Lost {
			name += " (lost on the link)"
		}
		b.add(c.Hop, track, slice{from: c.At, to: c.At, name: name,
			args: []arg{{"bytes", int64(len(c.Bytes))}}})
	}
}

// timers adds expirations, deliveries and what was given up.
func (b *builder) timers(events []experiment.Event) {
	for _, e := range events {
		switch e.Kind {
		case experiment.EventTimeout, experiment.EventDelivered, experiment.EventGivenUp:
			side := "A"
			if e.Receiver {
				side = "B"
			}
			b.add(e.Hop, trackTimers, slice{from: e.At, to: e.At,
				name: fmt.Sprintf("%s: %s: %s", side, e.Kind, e.Text),
				args: []arg{{"count", e.Count}}})
		}
	}
}

// messages are tracks of messages by hop, of which no two on a track overlap.
func (b *builder) messages(list []experiment.Message) [][]*track {
	for i := range list {
		b.grow(list[i].Hop)
	}
	byHop := make([][]*track, b.hops)
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b experiment.Message) int {
		return cmp.Or(cmp.Compare(a.Started, b.Started), cmp.Compare(a.Serial, b.Serial))
	})
	for _, m := range list {
		name := fmt.Sprintf("message %d", m.Serial)
		if m.Failed {
			name += " (given up)"
		}
		s := slice{from: m.Started, to: m.Ended, name: name, args: []arg{{"message", m.Serial}}}
		lanes := &byHop[m.Hop]
		free := slices.IndexFunc(*lanes, func(t *track) bool {
			return t.slices[len(t.slices)-1].to <= s.from
		})
		if free < 0 {
			free = len(*lanes)
			*lanes = append(*lanes, &track{name: "messages"})
		}
		(*lanes)[free].slices = append((*lanes)[free].slices, s)
	}
	return byHop
}
