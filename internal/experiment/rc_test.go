package experiment

import (
	"fmt"
	"math"
	"testing"

	"sdrsim/units"
)

// goodputOf is that of the first sample of a scenario of one scheme, in bit/s, with the sample.
func goodputOf(t *testing.T, text string) (float64, Sample) {
	_, s := oneSample(t, text)
	if s.Failed > 0 {
		t.Fatalf("%d messages failed: %s", s.Failed, s.Failure)
	}
	return 8 * float64(s.PayloadBytes) / s.Elapsed.Seconds(), s
}

// A timer that is shorter than the round trip and is restarted by progress alone costs a part of
// the link for ever: 1/(floor(RTT/T)+1) of it is of use. Restarted by any acknowledgement it costs
// the first round trip. Acknowledgements come by 64 packets, so the share is met within some
// percent.
func TestTimerBelowTheRoundTrip(t *testing.T) {
	const text = `
name: cliff
link: {bandwidth: 10Gbps, rtt: 30ms, encapsulation: none, loss: none}
message: {size: 1MiB, count: 3000, in_flight: 64}
schemes: [{name: rc, rto: %gms, retry_cnt: 100, restart: %s}]
`
	for _, c := range []struct {
		timeout float64
		restart string
		want    float64
	}{
		{9, "progress", 0.25}, {14, "progress", 1. / 3}, {25, "progress", 0.5}, {31, "progress", 1},
		{9, "any", 1}, {25, "any", 1},
	} {
		got, s := goodputOf(t, fmt.Sprintf(text, c.timeout, c.restart))
		if share := got / 10e9; math.Abs(share-c.want) > 0.08*c.want {
			t.Errorf("%g ms, restarted by %s: %.3f of the link, want %.3f; %d timeouts", c.timeout,
				c.restart, share, c.want, s.Timeouts)
		}
	}
}

// A window of packets limits the rate to window / RTT: exactly, where an acknowledgement takes no
// time and every packet requests one.
func TestWindowOfPacketsIsTheRate(t *testing.T) {
	const text = `
name: window
link: {bandwidth: 400Gbps, reverse_bandwidth: 100Tbps, rtt: 25ms, encapsulation: none, loss: none}
message: {size: 4MiB, count: %d, in_flight: 100}
schemes: [{name: rc, window: %d, ack.every: 1}]
`
	for _, window := range []int64{32, 1024, 4096} {
		const rounds = 20
		count := 100 + rounds*window/1024
		got, _ := goodputOf(t, fmt.Sprintf(text, count, window))
		bits := float64(window * 4096 * 8)
		packet := 4096 * 8 / 400e9
		// A packet is acknowledged a round trip and its own time after it began to leave.
		if want := bits / (25e-3 + packet); got > want || got < want*0.94 {
			t.Errorf("%d packets: %.5g bit/s, want %.5g, less the end", window, got, want)
		}
	}
}

// A second timer that doubles from 2 ms over a round trip of 40 ms sends five copies: at 0, 2, 6,
// 14 and 30 ms. Verbs' timeout does not shorten it, and caps it only where firmware does.
func TestTimerOfTheHardwareDoubles(t *testing.T) {
	const text = `
name: doubles
link: {bandwidth: 10Gbps, rtt: 40ms, encapsulation: none, loss: none}
message: {size: 4KiB}
schemes: [{name: rc, rto: %s, adaptive: {base: 2ms, steps: 8, capped: %s}}]
`
	for _, c := range []struct {
		rto, capped string
		want        int64
	}{
		{"500ms", "yes", 4}, {"500ms", "no", 4}, {"3ms", "yes", 13}, {"3ms", "no", 4},
	} {
		p, s := oneSample(t, fmt.Sprintf(text, c.rto, c.capped))
		if c.rto == "3ms" && c.capped == "yes" {
			if s.Failed != 1 { // at 2, 5, 8 .. ms: seven retries end before the first acknowledgement
				t.Errorf("%+v", s)
			}
			continue
		}
		if s.Retransmits != c.want || s.Completion[0] > p.Link.RTT()+10*units.Microsecond {
			t.Errorf("rto %s, capped %s: %d retransmissions, want %d", c.rto, c.capped, s.Retransmits,
				c.want)
		}
	}
}

// A hole in one message is found by the packets of the next: ten messages of a packet each, of
// which the first is lost, take a round trip and a NAK's.
func TestHoleInOneMessageIsFoundByTheNext(t *testing.T) {
	for _, recovery := range []string{"go-back-n", "selective"} {
		p, s := oneSample(t, fmt.Sprintf(`
name: next
link: {bandwidth: 10Gbps, rtt: 10ms, encapsulation: none,
  loss: {model: script, drops: [{first: 0}]}}
message: {size: 4KiB, count: 10, in_flight: 10}
schemes: [{name: rc, recovery: %s}]
`, recovery))
		if s.Failed > 0 || s.Timeouts > 0 {
			t.Fatalf("%s: %+v", recovery, s)
		}
		if slack := s.Elapsed - 2*p.Link.RTT(); slack < 0 || slack > 100*units.Microsecond {
			t.Errorf("%s: %v, want two round trips of %v", recovery, s.Elapsed, p.Link.RTT())
		}
	}
}

// With a window of more than twice the bandwidth-delay product selective recovery loses what it
// retransmits and nothing else.
func TestSelectiveRecoveryRetransmitsWhatIsLost(t *testing.T) {
	_, s := oneSample(t, `
name: selective
link: {bandwidth: 10Gbps, rtt: 5ms, encapsulation: none, loss: {model: iid, p: 1e-3},
  ack_loss: none}
message: {size: 4MiB, chunk: 4KiB, count: 40, in_flight: 10}
schemes: [{name: rc, recovery: selective, window: 8000, rto: 4RTT}]
`)
	if s.Failed > 0 || s.Retransmits < s.Lost || s.Retransmits > s.Lost+s.Timeouts+s.Spurious ||
		s.Lost < 20 {
		t.Errorf("%+v", s.Counters)
	}
}
