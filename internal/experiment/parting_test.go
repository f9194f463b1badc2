package experiment

import (
	"fmt"
	"reflect"
	"strings"

	"sdrsim/internal/spec"
	"sdrsim/units"
	"sdrsim/wire"
)

// reporter is what tests and properties have in common.
type reporter interface {
	Fatal(args ...any)
	Logf(format string, args ...any)
}

// differences lists the fields of two samples that differ, a line each; "" where none does. How
// many events it took is no difference.
func differences(got, want *Sample) string {
	var b strings.Builder
	listDifferences(&b, "", reflect.ValueOf(*got), reflect.ValueOf(*want))
	return b.String()
}

func listDifferences(b *strings.Builder, name string, got, want reflect.Value) {
	switch {
	case got.Kind() == reflect.Struct:
		for i := range got.NumField() {
			if field := got.Type().Field(i).Name; field != "Events" {
				listDifferences(b, strings.TrimPrefix(name+"."+field, "."), got.Field(i), want.Field(i))
			}
		}
	case !reflect.DeepEqual(shown(got), shown(want)):
		fmt.Fprintf(b, "  %s: got %s, want %s\n", name, shown(got), shown(want))
	}
}

// shown is a value in text. Fields that are not exported can be read no other way.
func shown(v reflect.Value) string { return fmt.Sprintf("%+v", v) }

// parting is the first event at which two computations of a sample part, after those that they have
// in common.
func parting(t reporter, got, want *spec.Point, scheme, sample int) string {
	a, b := packetEvents(t, got, scheme, sample), packetEvents(t, want, scheme, sample)
	for i := range max(len(a), len(b)) {
		x, y := "nothing", "nothing"
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			before := strings.Join(a[max(0, i-3):min(i, len(a))], "\n   ")
			return fmt.Sprintf("  the first event that differs is number %d, after\n   %s\n"+
				"   got  %s\n   want %s\n", i, before, x, y)
		}
	}
	return "  all events are the same\n"
}

// packetEvents are the events of a sample in order of time, whatever packets were handled together.
func packetEvents(t reporter, p *spec.Point, scheme, sample int) (list []string) {
	var all, other Trace
	r, err := NewTracedRunner(p, &p.Schemes[scheme], &other)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.hops {
		pair := r.hops[i].pair
		pair.there.SetTracer(&packetTracer{trace: &all, hop: i})
		pair.back.SetTracer(&packetTracer{trace: &all, hop: i, receiver: true})
	}
	var s Sample
	if err := r.Sample(sample, &s); err != nil {
		t.Logf("traced: %v", err)
	}
	all.Events = append(all.Events, other.Events...)
	all.Sort()
	for _, e := range all.Events {
		end := "sender"
		if e.Receiver {
			end = "receiver"
		}
		list = append(list, fmt.Sprintf("%v hop %d, %s: %s: %s", e.At, e.Hop, end, e.Kind, e.Text))
	}
	return list
}

// packetTracer traces what a link carries packet by packet.
type packetTracer struct {
	trace    *Trace
	hop      int
	receiver bool
}

// Sent implements link.Tracer.
func (c *packetTracer) Sent(run *wire.Run, lost int64) {
	for i := range run.Count {
		kind := EventSent
		if i >= run.Count-lost {
			kind = EventLost
		}
		c.trace.Trace(Event{At: run.DepartureOf(run.First + i), Kind: kind, Hop: c.hop, Count: 1,
			Receiver: c.receiver, Text: fmt.Sprintf("packet %d of send %d, repeat %v", run.First+i,
				run.Serial, run.Repeat)})
	}
}

// Dropped implements link.Tracer.
func (c *packetTracer) Dropped(run *wire.Run) { c.Sent(run, run.Count) }

// SentControl implements link.Tracer.
func (c *packetTracer) SentControl(departed units.Time, msg []byte, lost bool) {
	kind := EventSaid
	if lost {
		kind = EventMissed
	}
	c.trace.Trace(Event{At: departed, Kind: kind, Hop: c.hop, Count: 1, Receiver: c.receiver,
		Text: ControlText(msg)})
}
