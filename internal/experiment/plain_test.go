package experiment

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/internal/spec"
	"sdrsim/scenarios"
	"sdrsim/schemes"
	"sdrsim/schemes/catalog"
	"sdrsim/schemes/schemestest"
)

// factoryOutcome is outcome with other endpoints than those of the scheme.
func factoryOutcome(t *rapid.T, p *spec.Point, i int, f catalog.Factory) *Sample {
	entry, _ := catalog.Lookup(p.Schemes[i].Name)
	r, err := buildRunner(p, &p.Schemes[i], build{entry: entry, factory: f})
	if err != nil {
		t.Fatal(err)
	}
	return outcomeOf(t, r, p, i)
}

// Endpoints without what runs need.
type (
	plainSender   struct{ schemes.Sender }
	plainReceiver struct{ schemes.Receiver }
)

// stripped makes the endpoints of a scheme, of which the receivers, or both, show nothing of what
// they know of runs.
func stripped(t *rapid.T, s *spec.Scheme, both bool) catalog.Factory {
	f, err := catalog.Build(s.Name, s.Params)
	if err != nil {
		t.Fatal(err)
	}
	g := catalog.Factory{
		NewSender: f.NewSender,
		NewReceiver: func() (schemes.Receiver, error) {
			ep, err := f.NewReceiver()
			return plainReceiver{ep}, err
		},
	}
	if both {
		g.NewSender = func() (schemes.Sender, error) {
			ep, err := f.NewSender()
			return plainSender{ep}, err
		}
	}
	return g
}

// ofConnections reports whether the endpoints of a scheme live as long as their connection.
func ofConnections(t *rapid.T, s *spec.Scheme) bool {
	f, err := catalog.Build(s.Name, s.Params)
	if err != nil {
		t.Fatal(err)
	}
	ep, err := f.NewSender()
	if err != nil {
		t.Fatal(err)
	}
	_, ok := ep.(schemes.ConnectionSender)
	return ok
}

// A scheme that implements nothing of what runs need gives the same results whether links carry
// runs or packets. A receiver that hides what it knows of runs changes nothing at all.
func TestPlainEndpointsDoNotDependOnGrouping(t *testing.T) {
	setChecks(t, "60", "2000")
	rapid.Check(t, func(t *rapid.T) {
		text := drawScenario(t)
		s, err := scenarios.Load("drawn.yaml", []byte(text), nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		p := s.Points()[0]
		single := p
		single.Engine.MaxRun = 1
		for i := range p.Schemes {
			if ofConnections(t, &p.Schemes[i]) {
				continue // they handle runs
			}
			label, want := p.Schemes[i].Label, outcome(t, &p, i)
			got := factoryOutcome(t, &p, i, stripped(t, &p.Schemes[i], false))
			if d := differences(got, want); d != "" {
				t.Fatalf("%s\n%s: a plain receiver\n%s", text, label, d)
			}
			both := stripped(t, &p.Schemes[i], true)
			got, want = factoryOutcome(t, &p, i, both), factoryOutcome(t, &single, i, both)
			if d := differences(got, want); d != "" {
				t.Fatalf("%s\n%s: plain endpoints in runs\n%s", text, label, d)
			}
		}
		block := rapid.Int64Range(1, 9).Draw(t, "block")
		plain := schemestest.Plain(block)
		f := catalog.Factory{NewSender: plain.NewSender, NewReceiver: plain.NewReceiver}
		got, want := factoryOutcome(t, &p, 0, f), factoryOutcome(t, &single, 0, f)
		if d := differences(got, want); d != "" {
			t.Fatalf("%s\nthe plain scheme, blocks of %d, in runs\n%s", text, block, d)
		}
	})
}

// A plain scheme allocates nothing once its memory is there.
func TestPlainEndpointsAllocateNothing(t *testing.T) {
	p := points(t, `
name: t
link: {bandwidth: 100Gbps, rtt: 20us, mtu: 4KiB, loss: {model: iid, p: 0.05}}
message: {size: 100KiB, count: 9, in_flight: 3}
schemes: [sr-rto]
samples: 1
`)[0]
	plain := schemestest.Plain(3)
	entry, _ := catalog.Lookup("sr-rto")
	r, err := buildRunner(&p, &p.Schemes[0], build{entry: entry,
		factory: catalog.Factory{NewSender: plain.NewSender, NewReceiver: plain.NewReceiver}})
	if err != nil {
		t.Fatal(err)
	}
	var s Sample
	sample := func() {
		if err := r.Sample(1, &s); err != nil {
			t.Fatal(err)
		}
	}
	sample()
	if s.Failed > 0 || s.Retransmits == 0 {
		t.Errorf("%+v, want retransmissions and no failure", s.Counters)
	}
	if n := testing.AllocsPerRun(5, sample); n != 0 {
		t.Errorf("%v allocations a sample", n)
	}
}

// Where two computations part, the fields that differ and the first such event are named.
func TestPartingNamesFieldsAndTheFirstEvent(t *testing.T) {
	p := points(t, `
name: t
link: {bandwidth: 100Gbps, rtt: 20us, mtu: 4KiB, ack_loss: none,
  loss: {model: script, drops: [{message: 0, first: 5}]}}
message: {size: 100KiB}
schemes: [sr-rto]
samples: 1
`)[0]
	single := p
	single.Engine.MaxRun = 1
	if text := parting(t, &single, &p, 0, 0); text != "  all events are the same\n" {
		t.Errorf("in single packets: %s", text)
	}
	other := points(t, `
name: t
link: {bandwidth: 100Gbps, rtt: 20us, mtu: 4KiB, ack_loss: none,
  loss: {model: script, drops: [{message: 0, first: 8}]}}
message: {size: 100KiB}
schemes: [sr-rto]
samples: 1
`)[0]
	text := parting(t, &other, &p, 0, 0)
	for _, part := range []string{"got ", "sent: packet 5 of", "want", "lost: packet 5 of"} {
		if !strings.Contains(text, part) {
			t.Errorf("%s\nwant %q in it", text, part)
		}
	}
	a, b := Sample{Failed: 1}, Sample{Failed: 2}
	a.Timeouts, b.Events = 3, 7
	want := "  Failed: got 1, want 2\n  Counters.Timeouts: got 3, want 0\n"
	if got := differences(&a, &b); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
