package main

import (
	"fmt"
	"math"
	"testing"

	"sdrsim/scenarios"
	"sdrsim/schemes/model"
)

// pointOf is the only point of a scenario on the link of the paper, with settings replaced.
func pointOf(t *testing.T, schemes string, overrides ...string) scenarios.Point {
	t.Helper()
	text := `name: test
link: {bandwidth: 400Gbps, rtt: 25ms, encapsulation: none, ack_loss: none,
  loss: {model: iid, per: chunk, p: 1e-5}}
message: {size: 128MiB, chunk: 4KiB}
schemes: [` + schemes + `]
`
	list, err := parseOverrides(overrides)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Load("test.yaml", []byte(text), list)
	if err != nil {
		t.Fatal(err)
	}
	return s.At(0)
}

func formFor(t *testing.T, schemes string, overrides ...string) form {
	t.Helper()
	p := pointOf(t, schemes, overrides...)
	return formOf(&p, &p.Schemes[0])
}

// optional is a list of one override, or of none.
func optional(override string) []string {
	if override == "" {
		return nil
	}
	return []string{override}
}

// TestClosedFormOfAScenario checks the values that the equations of the paper have on its link, in
// milliseconds, through a scenario: the mapping of parameters, not the equations.
func TestClosedFormOfAScenario(t *testing.T) {
	tests := []struct {
		scheme, override string
		want             string
	}{
		{"{name: sr-rto, rto: 3RTT}", "", "48.29"},
		{"{name: sr-rto, alpha: 2}", "", "48.29"},
		{"{name: sr-rto, rto: 75ms}", "link.loss.p=1e-2", "176.6"},
		{"{name: sr-rto, rto: 1RTT}", "", "34.32"},
		{"sr-nack", "", "34.32"},
		{"{name: sr-rto, rto: 3RTT}", "link.loss.p=0", "27.68"},
		{"{name: sr-rto, rto: 3RTT}", "message.size=1GiB", "110"},
		{"ec-mds", "", "28.36"},
		{"ec-mds", "message.size=1GiB", "51.84"},
	}
	for _, test := range tests {
		t.Run(test.scheme+test.override, func(t *testing.T) {
			f := formFor(t, test.scheme, optional(test.override)...)
			if got := fmt.Sprintf("%.4g", 1e3*f.mean().Seconds); got != test.want {
				t.Errorf("%s ms, want %s", got, test.want)
			}
		})
	}
}

func TestClosedFormSaysWhatItIsWorth(t *testing.T) {
	tests := []struct {
		scheme, override string
		want             model.Validity
	}{
		{"sr-rto", "", model.Exact},
		{"sr-rto", "message.size=8GiB", model.LowerBound},
		{"sr-rto", "link.ack_loss=same", model.LowerBound},
		{"sr-rto", "message.size=5000B", approximate},
		{"sr-rto", "message.size=100B", model.Exact},
		{"sr-nack", "", model.LowerBound},
		{"sr-nack", "link.loss.p=0", model.Exact},
		{"ec-xor", "", model.Exact},
		{"ec-mds", "message.count=2", model.NotApplicable},
		{"ec-mds", "nic.per_packet=1us", model.NotApplicable},
		{"{name: ec-mds, order: interleaved}", "", model.NotApplicable},
		{"{name: ec-mds, fallback: missing}", "", model.NotApplicable},
		{"{name: ec-mds, encode.rate: 100Gbps}", "", model.NotApplicable},
		{"sr-rto", "link.loss={model: gilbert-elliott, mean: 1e-3, burst: 10}", model.NotApplicable},
	}
	for _, test := range tests {
		t.Run(test.scheme+test.override, func(t *testing.T) {
			v := formFor(t, test.scheme, optional(test.override)...).mean()
			if v.Validity != test.want || v.Why == "" {
				t.Errorf("%s: %s, want %s", v.Validity, v.Why, test.want)
			}
			if known := !math.IsNaN(v.Seconds); known != (test.want != model.NotApplicable) {
				t.Errorf("%v s with validity %s", v.Seconds, v.Validity)
			}
		})
	}
}

// TestClosedFormCountsPackets checks what becomes of losses of packets.
func TestClosedFormCountsPackets(t *testing.T) {
	sr := formFor(t, "sr-rto", "link.loss.per=packet", "message.chunk=64KiB").sr
	if sr.Packets != 16 || sr.P != 1e-5 {
		t.Errorf("Selective Repeat of %d packets a chunk, each lost with %v", sr.Packets, sr.P)
	}
	ec := formFor(t, "ec-mds", "link.loss.per=packet", "message.chunk=64KiB").ec
	if want := 1 - math.Pow(1-1e-5, 16); math.Abs(ec.P/want-1) > 1e-9 {
		t.Errorf("chunks are lost with %v, want %v", ec.P, want)
	}
}

// TestClosedFormCountsHeaders compares the time of a 64 KiB chunk on the wire with the sum.
func TestClosedFormCountsHeaders(t *testing.T) {
	sr := formFor(t, "sr-rto", "link.encapsulation=rocev2-ipv4", "message.chunk=64KiB").sr
	bits := 8 * (65536 + 16*102)
	if want := int64(bits) * 1000 / 400; int64(sr.ChunkTime) != want {
		t.Errorf("a chunk takes %d ps, want %d", sr.ChunkTime, want)
	}
}
