package experiment

import (
	"fmt"
	"strings"
	"testing"

	"sdrsim/units"
)

// bursts84us is one message under bursts of 84 us, which is a thousand packets at full rate.
const bursts84us = `
name: d05
link: {bandwidth: 400Gbps, rtt: 25ms, loss: {model: gilbert-elliott, mean: 1%, burst: 1000}}
message: {size: 1MiB, chunk: 64KiB}
schemes: [sr-nack, {name: sr-rto, rto: 3RTT}]
sweep: {link.ack_loss.model: [same, none]}
samples: 2000
`

// A burst of data does not silence the acknowledgements for many round trips: nothing is given up.
func TestBurstsGiveNoMessageUp(t *testing.T) {
	for _, p := range points(t, bursts84us) {
		for i := range p.Schemes {
			r := newTestRunner(t, &p, p.Schemes[i].Label)
			failed, lost := 0, int64(0)
			for n := range p.Samples {
				var s Sample
				if err := r.Sample(n, &s); err != nil {
					t.Fatal(err)
				}
				failed += s.Failed
				lost += s.Lost
			}
			if failed > 0 || lost == 0 {
				t.Errorf("%s, %s: %d of %d messages given up, %d packets lost", p.Key,
					p.Schemes[i].Label, failed, p.Samples, lost)
			}
		}
	}
}

// 84 us of loss cost a message about one timeout, however long the scheme is silent.
func TestABurstInTimeCostsOneTimeout(t *testing.T) {
	counted := points(t, bursts84us)
	timed := points(t, strings.Replace(bursts84us, "burst: 1000", "burst: 84us", 1))
	for _, p := range append(counted, timed...) {
		r := newTestRunner(t, &p, "sr-rto")
		lossless, rto := p.Link.RTT()+100*units.Microsecond, 3*p.Link.RTT()
		hit, timeouts := 0, 0.0
		for n := range p.Samples {
			var s Sample
			if err := r.Sample(n, &s); err != nil {
				t.Fatal(err)
			}
			if s.Failed > 0 || len(s.Completion) != 1 {
				t.Fatalf("%s, sample %d: %+v", p.Key, n, s)
			}
			if s.Lost > 0 {
				hit++
				timeouts += float64(s.Completion[0]-lossless) / float64(rto)
			}
			if s.Completion[0] > lossless+2*(rto+p.Link.RTT()) {
				t.Errorf("%s, sample %d takes %v: more than two timeouts", p.Key, n, s.Completion[0])
			}
		}
		if mean := timeouts / float64(hit); hit < 10 || mean < 0.9 || mean > 1.4 {
			t.Errorf("%s: %d messages were hit, which cost %.2f timeouts each", p.Key, hit, mean)
		}
	}
}

// What is sent while the link is down is sent again when the timeout expires, and what the
// acknowledgement meets too.
func TestAnOutageCostsATimeout(t *testing.T) {
	const text = `
name: t
link: {bandwidth: 100Gbps, rtt: 10ms, encapsulation: none, outages: [%s]}
message: {size: 1MiB, chunk: 64KiB}
schemes: [{name: sr-rto, rto: 3RTT}]
samples: 1
`
	for _, c := range []struct {
		outage   string
		lost     int64
		timeouts units.Duration // that the message waits for
	}{
		{"", 0, 0},
		{"{at: 50us, for: 1us}", 4, 1}, // packets of 327.68 ns
		{"{at: 0s, for: 1ms}", 256, 1},
		{"{at: 1ms, for: 3ms}", 0, 0}, // data is on its way, and nobody speaks
		{"{at: 5ms, for: 5ms}", 0, 1}, // acknowledgements only
		{"{at: 0s, for: 1ms, every: 23ms}", 256, 1},
	} {
		p := points(t, fmt.Sprintf(text, c.outage))[0]
		var s Sample
		if err := newTestRunner(t, &p, "sr-rto").Sample(0, &s); err != nil {
			t.Fatal(err)
		}
		least := p.Link.RTT() + c.timeouts*3*p.Link.RTT()
		if s.Lost != c.lost || len(s.Completion) != 1 || s.Completion[0] < least ||
			s.Completion[0] > least+units.Millisecond {
			t.Errorf("%q: lost %d, completion %v; want %d, %v and a little", c.outage, s.Lost,
				s.Completion, c.lost, least)
		}
	}
}

// A slower link and a longer way take effect in the middle of a message, to the picosecond.
func TestChangesTakeEffectInAMessage(t *testing.T) {
	p := points(t, `
name: t
link: {bandwidth: 8Gbps, rtt: 10ms, mtu: 1000B, encapsulation: none,
  changes: [{at: 10us, bandwidth: 4Gbps}, {at: 20us, delay: 7ms}]}
message: {size: 20000B, chunk: 1000B}
schemes: [sr-rto]
samples: 1
`)[0]
	var s Sample
	if err := newTestRunner(t, &p, "sr-rto").Sample(0, &s); err != nil {
		t.Fatal(err)
	}
	// Ten packets of a microsecond, ten of two; those from 20 us on take 7 ms.
	if want := 30*units.Microsecond + 7*units.Millisecond; s.Delivery[0] != want {
		t.Errorf("delivered after %v, want %v", s.Delivery[0], want)
	}
	if back := s.Completion[0] - s.Delivery[0]; back < 7*units.Millisecond ||
		back > 7*units.Millisecond+units.Microsecond {
		t.Errorf("acknowledged %v after that, want 7 ms and the time of the acknowledgement", back)
	}
}
