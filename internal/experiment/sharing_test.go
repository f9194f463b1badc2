package experiment

import (
	"fmt"
	"testing"

	"sdrsim/internal/spec"
	"sdrsim/units"
)

// oneSample is the first sample of the first scheme of a scenario of one point.
func oneSample(t *testing.T, text string) (*spec.Point, Sample) {
	p := &points(t, text)[0]
	var s Sample
	if err := newTestRunner(t, p, p.Schemes[0].Label).Sample(0, &s); err != nil {
		t.Fatal(err)
	}
	return p, s
}

// Sixteen connections with 64 messages of 64 KiB in flight each fill 1.04 BDP of 100 Gbit/s over
// 5.179 ms: the wire is hardly ever idle. Each alone has 64 messages a round trip.
func TestConnectionsShareTheWindowOfALink(t *testing.T) {
	const text = `
name: share
link: {bandwidth: 100Gbps, rtt: 5179us, encapsulation: none, loss: none}
message: {size: 64KiB, chunk: 64KiB, count: 1280, in_flight: 64}
schemes: [sr-rto]
nic: {qps: %d}
`
	goodput := func(qps int) float64 {
		_, s := oneSample(t, fmt.Sprintf(text, qps))
		return 8 * float64(s.PayloadBytes) / s.Elapsed.Seconds()
	}
	window := 64 * 64 * float64(units.KiB) * 8
	one, all := goodput(1), goodput(16)
	// A window is acknowledged a round trip and one message after it began.
	message := 64 * float64(units.KiB) * 8 / 100e9
	if want := window / (5179e-6 + message); one < 0.94*want || one > want {
		t.Errorf("one connection: %.5g bit/s, want %.5g less the last round trip", one, want)
	}
	if all < 0.94*100e9 {
		t.Errorf("sixteen connections: %.5g bit/s of 100e9", all)
	}
}

// Connections on a NIC are served alike: messages of one size that are posted together end within a
// message's packets of each other.
func TestConnectionsAreServedAlike(t *testing.T) {
	const text = `
name: alike
link: {bandwidth: 10Gbps, rtt: 1ms, encapsulation: none, loss: none}
message: {size: 1MiB}
schemes: [sr-rto]
nic: {qps: 8}
`
	p, s := oneSample(t, text)
	packet := p.Link.Bandwidth.TransmitTime(p.Link.MTU)
	injection := p.Link.Bandwidth.TransmitTime(8 << 20)
	if len(s.Completion) != 8 {
		t.Fatalf("%d messages", len(s.Completion))
	}
	for i, c := range s.Completion {
		// Connection i sends its first packet as number i, and its last as number i of the last eight.
		want := injection - 7*packet + p.Link.RTT() + AckTime(p)
		if d := c - want; d < -packet || d > 8*AckTime(p)+packet {
			t.Errorf("connection %d: %v, want %v", i, c, want)
		}
	}
}
