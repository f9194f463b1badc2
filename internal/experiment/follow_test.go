package experiment

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/scenarios"
	"sdrsim/units"
)

// sampleOf is sample 0 of a point under its first scheme.
func sampleOf(t *testing.T, yaml string) Sample {
	t.Helper()
	p := points(t, yaml)[0]
	var s Sample
	if err := newTestRunner(t, &p, p.Schemes[0].Label).Sample(0, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// A loss in one message is reported when a chunk of the next is complete: ten messages of a packet
// take as long as one of ten packets. Timeouts see nothing of it.
func TestHolesAreSeenByPacketsOfTheNextMessage(t *testing.T) {
	const link = `
name: t
link: {bandwidth: 100Gbps, rtt: 10ms, loss: {model: script, drops: [{message: 0, first: 0}]}}
samples: 1
`
	one := sampleOf(t, link+"message: {size: 40KiB, chunk: 4KiB}\nschemes: [sr-nack]\n")
	ten := "message: {size: 4KiB, chunk: 4KiB, count: 10, in_flight: 10}\n"
	nack := sampleOf(t, link+ten+"schemes: [sr-nack]\n")
	rto := sampleOf(t, link+ten+"schemes: [{name: sr-rto, rto: 3RTT}]\n")
	if got, want := nack.Elapsed, one.Elapsed; got != want || want > 20100*units.Microsecond {
		t.Errorf("ten messages take %v, one of ten packets %v, want both a little above 20 ms", got,
			want)
	}
	if nack.Nacks != 1 || nack.Timeouts != 0 || nack.Spurious != 0 {
		t.Errorf("%+v, want one report and no timeout", nack.Counters)
	}
	if rto.Elapsed < 40*units.Millisecond || rto.Timeouts != 1 {
		t.Errorf("by timeout: %v, %+v", rto.Elapsed, rto.Counters)
	}
}

// The tail of a message is reported when the next one's first chunk is complete, which is sooner
// than its timer; the last message has no other.
func TestTheTailOfAMessageIsSeenByTheNext(t *testing.T) {
	const text = `
name: t
link: {bandwidth: 100Gbps, rtt: 10ms, encapsulation: none,
  loss: {model: script, per: chunk, drops: [{message: %d, first: 15}]}}
message: {size: 1MiB, chunk: 64KiB, count: 2, in_flight: 2}
schemes: [sr-nack]
samples: 1
`
	const chunk = 5242880 // ps
	first, last := sampleOf(t, fmt.Sprintf(text, 0)), sampleOf(t, fmt.Sprintf(text, 1))
	// Both ways and the report, from the end of the first chunk of the second message on.
	if got, want := first.Completion[1], 2*10*units.Millisecond+18*chunk; got < want-chunk ||
		got > want+chunk {
		t.Errorf("the tail of the first message takes %v, want about %v", got, want)
	}
	if slack := 10 * units.Millisecond / 16; last.Completion[1] < first.Completion[1]+slack/2 {
		t.Errorf("the tail of the last message takes %v, want its timer, after %v", last.Completion[1],
			slack)
	}
}

// Where packets overtake each other those of a later message tell nothing, unless there is a window
// in which they are waited for.
func TestOvertakingMessagesAreNoHoles(t *testing.T) {
	const text = `
name: t
link: {bandwidth: 100Gbps, rtt: 10ms, ack_loss: none, spread: message,
  paths: [{delay: 5ms}, {delay: 6ms}]}
message: {size: 64KiB, chunk: 64KiB, count: 200, in_flight: 200}
schemes: [{name: sr-nack%s}]
samples: 1
`
	if s := sampleOf(t, fmt.Sprintf(text, "")); s.Retransmits != 0 || s.Nacks != 0 {
		t.Errorf("nothing is lost, and %+v", s.Counters)
	}
	if s := sampleOf(t, fmt.Sprintf(text, ", nack.reorder: 1.1ms")); s.Retransmits != 0 ||
		s.Nacks != 0 {
		t.Errorf("all come within the window, and %+v", s.Counters)
	}
	if s := sampleOf(t, fmt.Sprintf(text, ", nack.reorder: 0.9ms")); s.Nacks == 0 {
		t.Error("some come later than the window, and nothing is reported")
	}
}

// When what is lost of a message is reported depends on no grouping, whatever the messages after it
// look like.
func TestHolesOfEarlierMessagesDoNotDependOnGrouping(t *testing.T) {
	setChecks(t, "200", "5000")
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(2, 12).Draw(t, "count")
		text := fmt.Sprintf(`
name: drawn
seed: %d
link: {bandwidth: 10Gbps, rtt: %s, mtu: 1000B, loss: {model: iid, p: %s}, ack_loss: %s%s}
message: {size: %s, chunk: %dB, count: %d, in_flight: %d}
sdr: {channels: %d}
nic: {per_packet: %s}
schemes: [{name: sr-nack, nack.slack: %s, nack.reorder: %s}]
samples: 1
`, rapid.IntRange(0, 1<<30).Draw(t, "seed"),
			rapid.SampledFrom([]string{"1ms", "20us", "2us"}).Draw(t, "rtt"),
			rapid.SampledFrom([]string{"0", "0.02", "0.2"}).Draw(t, "p"),
			rapid.SampledFrom([]string{"none", "same"}).Draw(t, "ack loss"),
			rapid.SampledFrom([]string{"", ", jitter: {model: uniform, spread: 2us}",
				", spread: message, paths: [{weight: 1}, {weight: 2, delay: 1ms}]"}).Draw(t, "path"),
			drawSizes(t, rapid.IntRange(1, 40000).Draw(t, "size")),
			1000*rapid.SampledFrom([]int{1, 1, 2, 5, 16}).Draw(t, "chunk"), count,
			rapid.IntRange(1, count).Draw(t, "in flight"),
			rapid.SampledFrom([]int{1, 4}).Draw(t, "channels"),
			rapid.SampledFrom([]string{"0s", "0s", "2us"}).Draw(t, "per packet"),
			rapid.SampledFrom([]string{"0s", "0.0625RTT", "3RTT"}).Draw(t, "slack"),
			rapid.SampledFrom([]string{"0s", "0s", "7us", "2RTT"}).Draw(t, "window"))
		s, err := scenarios.Load("drawn.yaml", []byte(text), nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		p := s.Points()[0]
		want := outcome(t, &p, 0)
		for _, maxRun := range []int64{1, 3} {
			few := p
			few.Engine.MaxRun = maxRun
			if d := differences(outcome(t, &few, 0), want); d != "" {
				t.Fatalf("%s\nruns of at most %d\n%s%s", text, maxRun, d,
					parting(t, &few, &p, 0, drawnSample))
			}
		}
	})
}
