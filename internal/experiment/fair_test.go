package experiment

import (
	"testing"

	"sdrsim/internal/spec"
	"sdrsim/units"
)

// played is a sample of a scheme at a point, which has to deliver everything.
func played(t *testing.T, p *spec.Point, label string) (s Sample) {
	t.Helper()
	if err := newTestRunner(t, p, label).Sample(0, &s); err != nil {
		t.Fatal(err)
	}
	if s.Failed != 0 {
		t.Errorf("%s, %s: %d failed: %s", p.Key, label, s.Failed, s.Failure)
	}
	return s
}

// gbps is the goodput of a sample in Gbit/s.
func (s *Sample) gbps() float64 { return 8e-9 * float64(s.PayloadBytes) / s.Elapsed.Seconds() }

func wantRate(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if got < want*(1-within) || got > want*(1+within) {
		t.Errorf("%s: %.2f Gbit/s, want %.2f", what, got, want)
	}
}

// Goodput follows the window up to the line rate, and never falls: ids that are free again when
// their own end knows it do not bind.
func TestGoodputRisesWithTheWindow(t *testing.T) {
	ps := points(t, `
name: t
link: {bandwidth: 100Gbps, rtt: 5ms}
message: {size: 64KiB, chunk: 64KiB, count: 6000, in_flight: 512}
schemes: [{name: sr-rto, rto: 3RTT}]
sweep: {message.in_flight: [500, 512, 513, 700, 900, 1000, 1024, 1025]}
samples: 1
`)
	before := 0.0
	for i := range ps {
		s := played(t, &ps[i], "sr-rto")
		if got := s.gbps(); got < before {
			t.Errorf("%s: %.2f Gbit/s, %.2f with fewer", ps[i].Key, got, before)
		} else {
			before = got
		}
	}
	wantRate(t, "1025 in flight", before, 84.47, 1e-3)
}

// Two ids a message are no fewer messages in flight.
func TestCodedMessagesHaveTheWindowThatIsAskedFor(t *testing.T) {
	for i, p := range points(t, `
name: t
link: {bandwidth: 100Gbps, rtt: 5ms}
message: {size: 128KiB, chunk: 4KiB, count: 6000, in_flight: 512}
schemes: [sr-nack, {name: ec-mds, k: 32, m: 2}]
sweep: {message.in_flight: [340, 512, 513]}
samples: 1
`) {
		plain, coded := played(t, &p, "sr-nack"), played(t, &p, "ec-mds")
		wantRate(t, p.Key+", sr-nack", plain.gbps(), []float64{67.98, 90.55, 90.55}[i], 1e-3)
		// At line rate 2 chunks of parity for 32 of data take their share.
		wantRate(t, p.Key+", ec-mds", coded.gbps(), []float64{67.87, 85.59, 85.59}[i], 1e-3)
	}
}

// With so many ids there are as many messages under way, each for its injection and a round trip:
//
//	rate = min(B, N size / (T + RTT)),   elapsed = (count/N - 1)(T + RTT) + N T + RTT
func TestAnIDIsFreeARoundTripAfterTheMessageWasSent(t *testing.T) {
	p := points(t, `
name: t
link: {bandwidth: 100Gbps, rtt: 1ms, encapsulation: none}
message: {size: 1MiB, chunk: 64KiB, count: 64, in_flight: 8}
sdr: {imm: 3+25+4, recv_depth: 8}
schemes: [sr-rto]
samples: 1
`)[0]
	s := played(t, &p, "sr-rto")
	injection := p.Link.Bandwidth.TransmitTime(p.Message.Size)
	cycle := injection + p.Link.RTT() + AckTime(&p)
	want := 7*cycle + 8*injection + p.Link.RTT() + AckTime(&p)
	if s.Elapsed != want {
		t.Errorf("%v, want %v", s.Elapsed, want)
	}
	wantRate(t, "8 ids", s.gbps(), 57.99, 1e-4)
}

// The smallest message that fills 400 Gbit/s and 25 ms with 1024 ids is RTT * B / 1023.
func TestIDsFillThePipeFromAMessageSizeOn(t *testing.T) {
	for _, c := range []struct {
		size  string
		depth string
		want  float64
	}{
		{"1280KiB", "1024", 358.3}, {"1216KiB", "1024", 369.1}, {"1856KiB", "1024", 379.2},
		{"1216KiB", "512", 197.2}, {"1856KiB", "512", 299.4},
	} {
		count := "12000"
		if c.size == "1280KiB" {
			count = "8192"
		}
		p := points(t, `
name: t
link: {bandwidth: 400Gbps, rtt: 25ms, encapsulation: none, ack_loss: none}
message: {size: `+c.size+`, chunk: 64KiB, count: `+count+`, in_flight: 1024}
sdr: {imm: 10+18+4, recv_depth: `+c.depth+`}
schemes: [sr-rto]
samples: 1
`)[0]
		s := played(t, &p, "sr-rto")
		wantRate(t, c.size+" with "+c.depth, s.gbps(), c.want, 1e-3)
	}
}

// With one generation an id is free when its sender has told that it is done, which is a delay and
// that of the next clear-to-send later.
func TestOneGenerationOfIDsWaitsForTheSender(t *testing.T) {
	p := points(t, `
name: t
link: {bandwidth: 100Gbps, rtt: 1ms, encapsulation: none}
message: {size: 1MiB, chunk: 64KiB, count: 64, in_flight: 8}
sdr: {imm: 3+25+4, recv_depth: 8, generations: 1}
schemes: [sr-rto]
samples: 1
`)[0]
	s := played(t, &p, "sr-rto")
	injection := p.Link.Bandwidth.TransmitTime(p.Message.Size)
	cycle := injection + 2*p.Link.RTT() + AckTime(&p) + p.Link.Bandwidth.TransmitTime(p.Link.MTU)
	if want := 7*cycle + 8*injection + p.Link.RTT() + AckTime(&p); s.Elapsed != want {
		t.Errorf("%v, want %v", s.Elapsed, want)
	}
}

// On a slow way back the newest acknowledgement waits for the link, and none behind another.
func TestAcknowledgementsDoNotQueueOnASlowWayBack(t *testing.T) {
	for _, p := range points(t, `
name: t
link: {bandwidth: 1Gbps, reverse_bandwidth: 10Mbps, rtt: 1ms}
message: {size: 64MiB, chunk: 4KiB}
schemes: [{name: sr-rto, rto: 3RTT}, sr-nack, ec-mds,
  {name: sr-rto, rto: 3RTT, ack.interval: 1RTT, label: sparse}]
sweep: {link.reverse_bandwidth: [10Mbps, 15Mbps, 1Gbps]}
samples: 1
`) {
		wantUndisturbed(t, &p)
	}
	p := points(t, `
name: t
link: {bandwidth: 10Gbps, reverse_bandwidth: 1Mbps, rtt: 2ms}
message: {size: 4MiB, chunk: 16KiB}
schemes: [sr-rto, sr-nack, ec-mds]
samples: 1
`)[0]
	wantUndisturbed(t, &p)
}

// wantUndisturbed plays all schemes on a lossless link: nothing is repeated, and a message is there
// as soon as it can be, but that its acknowledgement may find one of a poll on the wire.
func wantUndisturbed(t *testing.T, p *spec.Point) {
	t.Helper()
	for _, scheme := range p.Schemes {
		s := played(t, p, scheme.Label)
		if s.Retransmits != 0 || s.Timeouts != 0 || s.Nacks != 0 {
			t.Errorf("%s, %s: %+v of a link that loses nothing", p.Key, scheme.Label, s.Counters)
		}
		if late := s.Completion[0] - s.Ideal; late < 0 || late > AckTime(p)+units.Microsecond {
			t.Errorf("%s, %s: complete after %v, at best %v", p.Key, scheme.Label, s.Completion[0],
				s.Ideal)
		}
	}
}

// Several messages share a slow way back.
func TestMessagesInFlightShareASlowWayBack(t *testing.T) {
	p := points(t, `
name: t
link: {bandwidth: 1Gbps, reverse_bandwidth: 10Mbps, rtt: 1ms}
message: {size: 256KiB, chunk: 4KiB, count: 100, in_flight: 16}
schemes: [{name: sr-rto, rto: 3RTT}, sr-nack, ec-mds]
samples: 1
`)[0]
	for _, label := range []string{"sr-rto", "sr-nack", "ec-mds"} {
		if s := played(t, &p, label); s.Retransmits != 0 || s.Timeouts != 0 {
			t.Errorf("%s: %+v of a link that loses nothing", label, s.Counters)
		}
	}
}

// The fallback timeout includes what the configuration says that encoding takes, for both orders
// and encoders that are slower and faster than the link.
func TestNothingFallsBackWhileTheEncoderWorks(t *testing.T) {
	for _, p := range points(t, `
name: t
link: {bandwidth: 10Gbps, rtt: 50ms, encapsulation: none}
message: {size: 256MiB, chunk: 64KiB}
schemes:
  - {name: ec-mds, k: 32, m: 8, encode.rate: 1Gbps, label: code}
  - {name: ec-xor, k: 32, m: 8, encode.rate: 1Gbps, beta: 0.01, label: impatient}
sweep:
  scheme.order: [interleaved, parity-last]
  scheme.encode.rate: [300Mbps, 1Gbps, 8Gbps, 12Gbps, 100Gbps]
  message.size: [1KiB, 64KiB, 3000000B, 256MiB]
samples: 1
`) {
		for _, label := range []string{"code", "impatient"} {
			if s := played(t, &p, label); s.Fallbacks != 0 || s.Nacks != 0 || s.Retransmits != 0 {
				t.Errorf("%s, %s: %+v of a link that loses nothing", p.Key, label, s.Counters)
			}
		}
	}
}

// Parity is as long as the longest data chunk that it covers.
func TestParityIsAsLongAsTheLongestChunkThatItCovers(t *testing.T) {
	for _, c := range []struct {
		size, code  string
		data, bytes int64 // packets of data, bytes of parity
	}{
		{"4KiB", "ec-mds, k: 32, m: 8", 1, 8 * 4096},
		{"1000B", "ec-mds, k: 32, m: 8", 1, 8 * 1000},
		{"5000B", "ec-mds, k: 4, m: 1", 2, 5000},
		{"5000B", "ec-xor, k: 4, m: 4", 2, 4 * 5000},
		{"65537B", "ec-mds, k: 1, m: 2", 17, 2*65536 + 2*1},
		{"65537B", "ec-mds, k: 2, m: 2", 17, 2 * 65536},
		{"65537B", "ec-xor, k: 4, m: 4", 17, 65536 + 3*1},
		{"65537B", "ec-xor, k: 4, m: 1", 17, 65536},
	} {
		p := points(t, `
name: t
link: {bandwidth: 100Gbps, rtt: 10ms, encapsulation: none, ack_loss: none,
  loss: {model: script, drops: [{message: 0, first: 0, transmission: 1}]}}
message: {size: `+c.size+`, chunk: 64KiB}
payload: real
schemes: [{name: `+c.code+`, label: code}]
samples: 1
`)[0]
		// All parity has gone before the acknowledgement.
		s := played(t, &p, "code")
		if want := int64(p.Message.Size) + c.bytes; s.WireBytes != want || s.Fallbacks != 0 {
			t.Errorf("%s, %s: %d B sent, want %d; %d fall back", c.size, c.code, s.WireBytes, want,
				s.Fallbacks)
		}
	}
}

// Without slack a hole is reported again no sooner than its repeat can have arrived.
func TestNothingIsReportedTwiceWithoutSlack(t *testing.T) {
	for _, p := range points(t, `
name: t
link: {bandwidth: 100Gbps, rtt: 10ms, encapsulation: none, ack_loss: none,
  loss: {model: script, drops: [{first: 32, last: 47, transmission: 1},
    {first: 100, last: 2000, transmission: 1}, {first: 4700, last: 4701, transmission: 1}]}}
message: {size: 300MiB, chunk: 64KiB}
schemes: [{name: sr-nack, nack.slack: 0RTT, retries: 1}]
samples: 1
sweep:
  link.reverse_bandwidth: [100Gbps, 1Mbps]
  link.mtu: [4KiB, 64KiB]
`) {
		if s := played(t, &p, "sr-nack"); s.Spurious != 0 || s.Lost == 0 {
			t.Errorf("%s: %d spurious retransmissions of %d", p.Key, s.Spurious, s.Retransmits)
		}
	}
}

// Both of the usual MTUs run with the default chunk.
func TestUsualMTUsRunWithTheDefaultChunk(t *testing.T) {
	for _, p := range points(t, `
name: t
link: {bandwidth: 100Gbps, rtt: 10ms, mtu: 9000B}
message: {size: 128MiB}
schemes: [sr-nack]
sweep: {link.mtu: [1500B, 9000B]}
samples: 1
`) {
		wantUndisturbed(t, &p)
	}
}

// Where the way back is what limits, each message takes the time of its acknowledgement there, and
// not of those that are said again.
func TestRepeatedAcknowledgementsLeaveTheWayBackToOthers(t *testing.T) {
	p := points(t, `
name: t
link: {bandwidth: 1Gbps, reverse_bandwidth: 1Mbps, rtt: 1ms}
message: {size: 4KiB, chunk: 4KiB, count: 500, in_flight: 64}
schemes: [{name: sr-rto, rto: 3RTT}, sr-nack, ec-mds]
samples: 1
`)[0]
	for _, label := range []string{"sr-rto", "sr-nack", "ec-mds"} {
		s := played(t, &p, label)
		limit := 8 * float64(p.Message.Size) / AckTime(&p).Seconds() / 1e9
		wantRate(t, label, s.gbps(), limit, 0.15)
	}
}
