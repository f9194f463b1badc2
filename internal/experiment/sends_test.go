package experiment

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/scenarios"
	"sdrsim/sim/units"
)

// As long as there are ids, sends of submessages take the same time as two sends a message,
// whatever is lost: completions, packets, reports and acknowledgements are the same. Late packets
// meet a receive that was completed earlier; so what was written twice, or not at all, differs.
func TestSendsOfSubmessagesOnlyTakeIDs(t *testing.T) {
	setChecks(t, "300", "10000")
	rapid.Check(t, func(t *rapid.T) {
		text := drawScenario(t)
		cut := strings.Index(text, "schemes:")
		text = strings.Replace(text[:cut], "sdr: {", "sdr: {imm: 16+16+0, ", 1) + text[cut:]
		if i := strings.Index(text, ", imm: "); i >= 0 {
			text = text[:i] + text[i+strings.IndexByte(text[i:], '}'):]
		}
		text = strings.ReplaceAll(text, ", sends: submessage", "")
		// Where a report comes before all data was handed out, the rest of it need not be repeated.
		text = strings.ReplaceAll(text, ", encode.rate: 10Gbps", "")
		if strings.Contains(text, "model: script") {
			return // which names messages by their numbers
		}
		s, err := scenarios.Load("drawn.yaml", []byte(text), nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		p := s.Points()[0]
		p.Message.InFlight = 1
		for i := range p.Schemes {
			if p.Schemes[i].Params["sends"].Word == "" {
				continue
			}
			want := timesOf(t, &p, i)
			p.Schemes[i].Params = maps.Clone(p.Schemes[i].Params)
			sends := p.Schemes[i].Params["sends"]
			sends.Word = "submessage"
			p.Schemes[i].Params["sends"] = sends
			if got := timesOf(t, &p, i); got != want {
				t.Fatalf("%s\n%s\n got %s\nwant %s", text, p.Schemes[i].Label, got, want)
			}
		}
	})
}

// timesOf is the outcome of a sample but for what became of late packets.
func timesOf(t *rapid.T, p *scenarios.Point, i int) string {
	var s Sample
	if err := newTestRunner(t, p, p.Schemes[i].Label).Sample(3, &s); err != nil {
		t.Fatal(err)
	}
	s.Events, s.Spurious, s.Discarded = 0, 0, 0
	if s.Retransmits > 0 {
		s.UsefulParity = 0 // a repeat that comes too late makes parity useful
	}
	s.Retransmits = 0 // counted when handed out, which those of several submessages are one by one
	return fmt.Sprintf("%+v", s)
}

// With 1024 ids, parity behind each submessage, and a send for each of 1024 submessages and their
// parity, half of them wait: the second half begins a round trip after the end of the first
// submessage. The parity of the last one is not waited for.
func TestSubmessagesBeyondTheIDsWait(t *testing.T) {
	p := points(t, `
name: t
link: {bandwidth: 400Gbps, rtt: 25ms, encapsulation: none}
message: {size: 128MiB, chunk: 4KiB}
schemes: [{name: ec-mds, sends: submessage, order: interleaved}]
samples: 1
`)[0]
	var s Sample
	r := newTestRunner(t, &p, "ec-mds")
	if err := r.Sample(0, &s); err != nil {
		t.Fatal(err)
	}
	const chunk, rtt = 81920 * units.Picosecond, 25 * units.Millisecond
	ack := r.hops[0].pair.back.PacketTime(9) // six bytes, and three of how many chunks there are
	want := 32*chunk + rtt + (512*40-8)*chunk + rtt + ack
	if s.Completion[0] != want {
		t.Errorf("%v, want %v", s.Completion[0], want)
	}
	if s.Nacks != 0 || s.Retransmits != 0 || s.Discarded != s.Packets-32768 {
		t.Errorf("%+v", s.Counters)
	}
}
