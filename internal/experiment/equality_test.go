package experiment

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/internal/spec"
	"sdrsim/scenarios"
)

// outcome is everything of a sample that must not depend on how it was computed.
func outcome(t *rapid.T, p *spec.Point, i int) *Sample {
	r, err := NewRunner(p, &p.Schemes[i])
	if err != nil {
		t.Fatal(err)
	}
	return outcomeOf(t, r, p, i)
}

// outcomeOf is outcome where the runner is there.
func outcomeOf(t *rapid.T, r *Runner, p *spec.Point, i int) *Sample {
	r.patience = 1 << 21
	var s Sample
	if err := r.Sample(drawnSample, &s); err != nil {
		t.Fatalf("%s, runs of %d: %v", p.Schemes[i].Label, p.Engine.MaxRun, err)
	}
	return &s
}

// drawnSample is the sample that is simulated of a drawn scenario.
const drawnSample = 3

// Runs, capped runs and single packets give the same completion times, losses and counters to the
// picosecond; so does real payload. Some hundreds of scenarios are drawn, and ten thousand with
//
//	SDRSIM_LONG=1 go test ./internal/experiment -run Grouping
func TestGroupingAndPayloadNeverChangeAResult(t *testing.T) {
	setChecks(t, "300", "10000")
	rapid.Check(t, func(t *rapid.T) {
		text := drawScenario(t)
		s, err := scenarios.Load("drawn.yaml", []byte(text), nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		p := s.Points()[0]
		for i := range p.Schemes {
			want := outcome(t, &p, i)
			agree := func(what string, other spec.Point) {
				if d := differences(outcome(t, &other, i), want); d != "" {
					t.Fatalf("%s\n%s: %s\n%s%s", text, p.Schemes[i].Label, what, d,
						parting(t, &other, &p, i, drawnSample))
				}
			}
			for _, maxRun := range []int64{1, 5} {
				few := p
				few.Engine.MaxRun = maxRun
				agree(fmt.Sprintf("runs of at most %d", maxRun), few)
			}
			real := p
			real.Payload = spec.PayloadReal
			agree("real payload", real)
		}
	})
}

// A chunk that comes in two parts is complete early, and the next one comes later than the receiver
// has patience for: it reports in between. Packets of the next one that were taken ahead of their
// time with the last of this one do not put that off.
func TestReportsBetweenChunksDoNotDependOnGrouping(t *testing.T) {
	p := points(t, `
name: t
seed: 101902
link: {bandwidth: 100Gbps, rtt: 0.9us, mtu: 4KiB, encapsulation: none,
  loss: {model: gilbert-elliott, mean: 0.1, burst: 10}, ack_loss: same}
message: {size: 291327B, chunk: 64KiB, count: 5, in_flight: 2}
sdr: {recv_depth: 3}
schemes:
  - {name: ec-mds, k: 8, m: 2, rto: 1.2RTT, beta: 0, fallback: submessage, encode.rate: 10Gbps,
     ack: {interval: 0.5RTT, repeat: 2, size: 100B}}
samples: 1
`)[0]
	const samples = 60
	var want [samples]Sample
	single := p
	single.Engine.MaxRun = 1
	for _, p.Engine.MaxRun = range []int64{1, 5, 0} {
		r := newTestRunner(t, &p, "ec-mds")
		for i := range samples {
			var s Sample
			if err := r.Sample(i, &s); err != nil {
				t.Fatal(err)
			}
			if p.Engine.MaxRun == 1 {
				want[i] = s
			} else if d := differences(&s, &want[i]); d != "" {
				t.Errorf("sample %d, runs of at most %d\n%s%s", i, p.Engine.MaxRun, d,
					parting(t, &p, &single, 0, i))
			}
		}
	}
}

// A packet may take longer than a timeout and a round trip: a sender that waits for it does not
// wake again and again meanwhile.
func TestWorkDoesNotFollowTheTimeOfAPacket(t *testing.T) {
	p := points(t, `
name: t
link: {bandwidth: 1Mbps, rtt: 1ns, mtu: 64KiB, encapsulation: none, ack_loss: none,
  loss: {model: script, per: chunk, drops: [{message: 0, first: 0, last: 1},
    {message: 1, first: 0, last: 1}]}}
message: {size: 256KiB, chunk: 64KiB}
schemes: [{name: ec-mds, k: 1, m: 1}]
samples: 1
`)[0]
	var s Sample
	if err := newTestRunner(t, &p, "ec-mds").Sample(0, &s); err != nil {
		t.Fatal(err)
	}
	if s.Failed != 0 || s.FellBack != 1 || s.Events > 10*s.Packets {
		t.Errorf("%+v, want a fallback, and a few events a packet", s.Counters)
	}
}

// An acknowledgement that wakes nobody may be that of the last repeat, while the receiver decodes:
// from then on the sender waits for silence, earlier than for any timeout that it had.
func TestSilenceWhileTheReceiverDecodesDoesNotDependOnGrouping(t *testing.T) {
	p := points(t, `
name: t
link: {bandwidth: 10Mbps, rtt: 50us, loss: {model: iid, p: 0.3, per: chunk}, ack_loss: none}
message: {size: 274431B, chunk: 8192B}
schemes: [{name: ec-mds, fallback: missing, decode.rate: 500Mbps}]
samples: 1
`)[0]
	single := p
	single.Engine.MaxRun = 1
	r, rSingle := newTestRunner(t, &p, "ec-mds"), newTestRunner(t, &single, "ec-mds")
	for i := range 20 {
		var s, want Sample
		if err := errors.Join(r.Sample(i, &s), rSingle.Sample(i, &want)); err != nil {
			t.Fatal(err)
		}
		if s.Timeouts != want.Timeouts || s.Packets != want.Packets {
			t.Errorf("sample %d: %d timeouts and %d packets; in single packets %d and %d", i, s.Timeouts,
				s.Packets, want.Timeouts, want.Packets)
		}
	}
}

// setChecks sets how many cases a property is tried with in this test, unless the command line
// does.
func setChecks(t *testing.T, usual, long string) {
	checks := flag.Lookup("rapid.checks")
	if checks.Value.String() != checks.DefValue {
		return
	}
	t.Cleanup(func() { _ = checks.Value.Set(checks.DefValue) })
	if os.Getenv(longVariable) != "" {
		usual = long
	}
	if err := checks.Value.Set(usual); err != nil {
		t.Fatal(err)
	}
}

// Sweeping what is no property of the network does not change the losses: the engine option that
// caps runs gives one row twice.
func TestSweptEngineOptionsFaceTheSameLosses(t *testing.T) {
	ps := points(t, `
name: t
link: {bandwidth: 400Gbps, rtt: 1ms, loss: {model: iid, p: 1e-2}}
message: {size: 1MiB}
schemes: [sr-rto]
samples: 1
sweep: {engine.runs: [1, unlimited], payload: [virtual, real]}
`)
	var want Sample
	for i := range ps {
		var s Sample
		if err := newTestRunner(t, &ps[i], "sr-rto").Sample(0, &s); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			want = s
		} else if d := differences(&s, &want); d != "" {
			t.Errorf("%s\n%s%s", ps[i].Key, d, parting(t, &ps[i], &ps[0], 0, 0))
		}
	}
}

// fixed replays a sample in runs of any size, of five and of one packet, and returns what they had
// in common.
func fixed(t *testing.T, p *spec.Point) (s Sample) {
	t.Helper()
	var want Sample
	for _, p.Engine.MaxRun = range []int64{0, 5, 1} {
		s = Sample{}
		if err := newTestRunner(t, p, "ec-mds").Sample(drawnSample, &s); err != nil {
			t.Fatal(err)
		}
		if p.Engine.MaxRun == 0 {
			want = s
			continue
		}
		if d := differences(&s, &want); d != "" {
			whole := *p
			whole.Engine.MaxRun = 0
			t.Errorf("runs of at most %d\n%s%s", p.Engine.MaxRun, d,
				parting(t, p, &whole, 0, drawnSample))
		}
	}
	return s
}

// Repeats that are late arrive while their id is posted again, in the middle of a run.
func TestReceivesPostedAgainDoNotDependOnGrouping(t *testing.T) {
	p := points(t, `
name: t
seed: 0
link: {bandwidth: 3333Mbps, rtt: 20us, mtu: 4KiB, encapsulation: none,
  loss: {model: gilbert-elliott, per: packet, mean: 0.1, burst: 2}, ack_loss: {model: iid, p: 0.3}}
message: {size: 32769B, chunk: 4KiB, count: 9, in_flight: 1}
sdr: {recv_depth: 1, imm: 1+27+4}
schemes:
  - {name: ec-mds, k: 4, m: 1, rto: 1.2RTT, order: interleaved,
     ack: {interval: 0.0625RTT, repeat: 1, size: 64B}}
samples: 1
`)[0]
	if s := fixed(t, &p); s.Spurious != 10 {
		t.Errorf("%d spurious repeats, want 10", s.Spurious)
	}
}
