package experiment

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/internal/spec"
	"sdrsim/scenarios"
)

// TestTraceTellsWhatIsCounted draws scenarios: a traced sample is the sample, and its events add up
// to its counters.
func TestTraceTellsWhatIsCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawScenario(t)
		s, err := scenarios.Load("drawn.yaml", []byte(text), nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		p := s.Points()[0]
		for i := range p.Schemes {
			var trace Trace
			r, err := NewTracedRunner(&p, &p.Schemes[i], &trace)
			if err != nil {
				t.Fatal(err)
			}
			var got Sample
			if err := r.Sample(drawnSample, &got); err != nil {
				t.Fatal(err)
			}
			if d := differences(&got, outcome(t, &p, i)); d != "" {
				t.Fatalf("%s\n%s: traced\n%s", text, p.Schemes[i].Label, d)
			}
			checkTrace(t, &trace, &got)
		}
	})
}

// checkTrace compares the events with the counters.
func checkTrace(t *rapid.T, trace *Trace, s *Sample) {
	sums, times := map[EventKind]int64{}, map[EventKind]int64{}
	for _, e := range trace.Events {
		if !slices.Contains(order, e.Kind) || e.Count < 1 || e.Text == "" {
			t.Fatalf("event %+v", e)
		}
		sums[e.Kind] += e.Count
		times[e.Kind]++
	}
	for _, c := range []struct {
		name      string
		got, want int64
	}{
		{"packets", sums[EventSent] + sums[EventRepeated], s.Packets},
		{"lost", sums[EventLost], s.Lost},
		{"arrived", sums[EventArrived], s.Packets - s.Lost},
		{"completed", times[EventCompleted], int64(len(s.Completion))},
		{"heard", times[EventHeard], times[EventSaid]},
	} {
		if c.got != c.want {
			t.Fatalf("%s: %d traced, %d counted\n%+v", c.name, c.got, c.want, s)
		}
	}
	// Counters leave out messages under way when another is given up.
	if n := sums[EventTimeout]; n < s.Timeouts || n > s.Timeouts && s.Failed == 0 {
		t.Fatalf("%d timeouts traced, %d counted\n%+v", n, s.Timeouts, s)
	}
	// What a receiver says last may still wait for the link when the sample ends.
	if n := times[EventSaid] + times[EventMissed]; n == 0 && s.Failed == 0 {
		t.Fatal("no control message traced")
	}
	trace.Sort()
	if !slices.IsSortedFunc(trace.Events, func(a, b Event) int { return int(a.At - b.At) }) {
		t.Fatal("events are not in order of time")
	}
}

// TestTraceOfOneLoss reads the whole story of a message that loses one packet: to the picosecond.
func TestTraceOfOneLoss(t *testing.T) {
	p := points(t, `
name: t
link: {bandwidth: 100Gbps, rtt: 1ms, mtu: 4KiB, encapsulation: none,
  loss: {model: script, drops: [{first: 2}]}, ack_loss: none}
message: {size: 16KiB, chunk: 4KiB}
schemes: [{name: sr-rto, rto: 3RTT}]
samples: 1
`)[0]
	var trace Trace
	r, err := NewTracedRunner(&p, &p.Schemes[0], &trace)
	if err != nil {
		t.Fatal(err)
	}
	var s Sample
	if err := r.Sample(0, &s); err != nil {
		t.Fatal(err)
	}
	trace.Sort()
	var got []string
	for _, e := range trace.Events {
		got = append(got, fmt.Sprintf("%d %s %s", e.At, e.Kind, e.Text))
	}
	// A packet takes 327 680 ps. The receiver says what it has every sixteenth of a round trip, three
	// times the same. The timeout of chunk 2 is 3 ms after its departure.
	want := []string{
		"0 sent send 0, packets 0 to 2",
		"983040 lost send 0, packet 2",
		"983040 sent send 0, packet 3",
		"500655360 arrived send 0, packets 0 to 1",
		"501310720 arrived send 0, packet 3",
		"562828400 said ACK of message 0: chunks below 2, and 3",
		"625328400 said ACK of message 0: chunks below 2, and 3",
		"687828400 said ACK of message 0: chunks below 2, and 3",
		"1062828400 heard ACK of message 0: chunks below 2, and 3",
		"1125328400 heard ACK of message 0: chunks below 2, and 3",
		"1187828400 heard ACK of message 0: chunks below 2, and 3",
		"3000983040 timeout message 0: 1 timers expired for want of an ACK",
		"3000983040 repeated send 0, packet 2",
		"3501310720 arrived send 0, packet 2",
		"3501310720 delivered message 0",
		"3501311280 said ACK of message 0: all is there",
		"3562828240 said ACK of message 0: all is there",
		"3625328240 said ACK of message 0: all is there",
		"4001311280 heard ACK of message 0: all is there",
		"4001311280 completed message 0, 4.00131128ms after its first bit",
		"4062828240 heard ACK of message 0: all is there",
		"4125328240 heard ACK of message 0: all is there",
	}
	if !slices.Equal(got, want) {
		t.Errorf("trace\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestTraceTellsTheHopsOfARing apart.
func TestTraceTellsHopsApart(t *testing.T) {
	p := points(t, `
name: t
link: {bandwidth: 100Gbps, rtt: 1ms, loss: {model: iid, p: 0.01}}
message: {size: 64KiB, chunk: 4KiB}
collective: {kind: all-reduce, datacenters: 3}
schemes: [sr-nack]
samples: 1
`)[0]
	var trace Trace
	r, err := NewTracedRunner(&p, &p.Schemes[0], &trace)
	if err != nil {
		t.Fatal(err)
	}
	var s Sample
	if err := r.Sample(0, &s); err != nil {
		t.Fatal(err)
	}
	completed := map[int]int{}
	for _, e := range trace.Events {
		if e.Kind == EventCompleted {
			completed[e.Hop]++
		}
	}
	for hop := range 3 {
		if completed[hop] != 4 {
			t.Errorf("hop %d completed %d of 4 rounds", hop, completed[hop])
		}
	}
}

// A traced sample takes the events that it takes untraced.
func TestTraceTakesNoMoreEvents(t *testing.T) {
	p := smallPoint(t, spec.PayloadVirtual)
	for i := range p.Schemes {
		var trace Trace
		traced, err := NewTracedRunner(&p, &p.Schemes[i], &trace)
		if err != nil {
			t.Fatal(err)
		}
		plain := newTestRunner(t, &p, p.Schemes[i].Label)
		for sample := range 5 {
			var got, want Sample
			if err := traced.Sample(sample, &got); err != nil {
				t.Fatal(err)
			}
			if err := plain.Sample(sample, &want); err != nil {
				t.Fatal(err)
			}
			if got.Events != want.Events {
				t.Errorf("%s, sample %d: %d events, %d untraced", p.Schemes[i].Label, sample, got.Events,
					want.Events)
			}
		}
	}
}
