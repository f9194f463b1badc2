package closedform

import (
	"fmt"
	"math"
	"testing"

	"sdrsim/internal/spec"
	"sdrsim/scenarios"
	"sdrsim/schemes/model"
	"sdrsim/units"
)

// pointOf is the only point of a scenario on the link of the paper, with settings replaced.
func pointOf(t *testing.T, schemes string, overrides ...string) spec.Point {
	t.Helper()
	text := `name: test
link: {bandwidth: 400Gbps, rtt: 25ms, encapsulation: none, ack_loss: none,
  loss: {model: iid, per: chunk, p: 1e-5}}
message: {size: 128MiB, chunk: 4KiB}
schemes: [` + schemes + `]
`
	var list []scenarios.Override
	for _, text := range overrides {
		o, err := scenarios.ParseOverride(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, o)
	}
	s, err := scenarios.Load("test.yaml", []byte(text), list)
	if err != nil {
		t.Fatal(err)
	}
	return s.At(0)
}

func formFor(t *testing.T, schemes string, overrides ...string) Form {
	t.Helper()
	p := pointOf(t, schemes, overrides...)
	return Of(&p, &p.Schemes[0])
}

func srFor(t *testing.T, schemes string, overrides ...string) model.SR {
	t.Helper()
	return formFor(t, schemes, overrides...).form.Formula.(model.SR)
}

func ecFor(t *testing.T, schemes string, overrides ...string) model.EC {
	t.Helper()
	return formFor(t, schemes, overrides...).form.Formula.(model.EC)
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
		// Without a loss, before any parity. Three messages in ten lose a chunk, and then wait for a part
		// of the parity: half of it, where they lose one.
		{"ec-mds", "link.loss.p=0", "27.68"},
		{"ec-mds", "", "27.78"},
		{"{name: ec-mds, order: interleaved}", "", "28.35"},
	}
	for _, test := range tests {
		t.Run(test.scheme+test.override, func(t *testing.T) {
			f := formFor(t, test.scheme, optional(test.override)...)
			if got := fmt.Sprintf("%.4g", 1e3*f.Mean().Seconds); got != test.want {
				t.Errorf("%s ms, want %s", got, test.want)
			}
		})
	}
}

// The form has the timeout that is simulated, to a millionth of a round trip.
func TestClosedFormHasTheTimeoutOfTheScheme(t *testing.T) {
	derived := formFor(t, "{name: sr-rto, alpha: 0.0004}")
	given := formFor(t, "{name: sr-rto, rto: 1.0004RTT}")
	if derived.Mean() != given.Mean() {
		t.Errorf("alpha 0.0004 gives %v, an rto of 1.0004RTT %v", derived.Mean(), given.Mean())
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
		{"sr-rto", "message.size=5000B", model.Approximate},
		{"sr-rto", "message.size=100B", model.Exact},
		{"sr-nack", "", model.LowerBound},
		{"sr-nack", "link.loss.p=0", model.Exact},
		{"ec-xor", "", model.Exact},
		{"ec-xor", "message.size=100B", model.Exact},
		{"ec-xor", "message.size=5000B", model.Approximate},
		{"ec-xor", "link.loss.per=packet", model.Exact},
		{"{name: ec-mds, order: interleaved}", "", model.Exact},
		{"ec-xor", "link.loss.p=0", model.Exact},
		{"ec-mds", "message.count=2", model.NotApplicable},
		{"ec-mds", "nic.per_packet=1us", model.NotApplicable},
		{"{name: ec-mds, fallback: missing}", "", model.NotApplicable},
		{"{name: ec-mds, encode.rate: 100Gbps}", "", model.NotApplicable},
		{"sr-rto", "link.loss={model: gilbert-elliott, mean: 1e-3, burst: 10}", model.NotApplicable},
	}
	for _, test := range tests {
		t.Run(test.scheme+test.override, func(t *testing.T) {
			v := formFor(t, test.scheme, optional(test.override)...).Mean()
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
	sr := srFor(t, "sr-rto", "link.loss.per=packet", "message.chunk=64KiB")
	if sr.Packets != 16 || sr.P != 1e-5 {
		t.Errorf("Selective Repeat of %d packets a chunk, each lost with %v", sr.Packets, sr.P)
	}
	ec := ecFor(t, "ec-mds", "link.loss.per=packet", "message.chunk=64KiB")
	if ec.Packets != 16 || ec.P != 1e-5 {
		t.Errorf("coding of chunks of %d packets, each lost with %v", ec.Packets, ec.P)
	}
	// A message shorter than its chunk has as many packets as it needs.
	short := []string{"link.loss.per=packet", "message.chunk=64KiB", "message.size=10000B"}
	if sr := srFor(t, "sr-rto", short...); sr.Packets != 3 {
		t.Errorf("10 kB are %d packets", sr.Packets)
	}
	ec = ecFor(t, "ec-mds", short...)
	if ec.Packets != 3 || ec.Last != 0 || ec.ChunkTime != 200*units.Nanosecond {
		t.Errorf("10 kB and each chunk of parity are %d packets and take %v", ec.Packets, ec.ChunkTime)
	}
	// Nine chunks of three packets; the last packet counts as a full one.
	if want := 27 * 81920 * units.Picosecond; ec.Injection != want {
		t.Errorf("the fallback timeout counts %v for data and parity, want %v", ec.Injection, want)
	}
}

// TestClosedFormCountsHeaders compares the time of a 64 KiB chunk on the wire with the sum.
func TestClosedFormCountsHeaders(t *testing.T) {
	sr := srFor(t, "sr-rto", "link.encapsulation=rocev2-ipv4", "message.chunk=64KiB")
	bits := 8 * (65536 + 16*102)
	if want := int64(bits) * 1000 / 400; int64(sr.ChunkTime) != want {
		t.Errorf("a chunk takes %d ps, want %d", sr.ChunkTime, want)
	}
}

const fourDatacenters = "collective={kind: all-reduce, datacenters: 4}"

// TestClosedFormOfACollective compares the bound of a ring with the form of the message that its
// slowest hop carries in a round.
func TestClosedFormOfACollective(t *testing.T) {
	hops := func(list string) string {
		return "collective={kind: all-reduce, datacenters: 4, hops: [" + list + "]}"
	}
	tests := []struct {
		name, scheme, ring, round string
		validity                  model.Validity
	}{
		{"equal hops", "{name: sr-rto, rto: 3RTT}", fourDatacenters, "link.rtt=25ms", model.LowerBound},
		{"one longer", "{name: sr-rto, rto: 3RTT}", hops("{hop: 2, rtt: 40ms}"), "link.rtt=40ms",
			model.LowerBound},
		{"one lossier", "sr-nack", hops("{hop: 1, rtt: 26ms}, {hop: 3, loss: {p: 0.1}}"),
			"link.loss.p=0.1", model.LowerBound},
		{"one lossless", "sr-rto", hops("{hop: 0, loss: none}"), "link.rtt=25ms", model.LowerBound},
		{"erasure coding", "ec-mds", fourDatacenters, "link.rtt=25ms", model.LowerBound},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := formFor(t, test.scheme, test.ring).Mean()
			round := formFor(t, test.scheme, test.round, "message.size=32MiB").Mean()
			if want := 6 * round.Seconds; math.Abs(got.Seconds/want-1) > 1e-12 {
				t.Errorf("%v s, want 6 * %v s", got.Seconds, round.Seconds)
			}
			if got.Validity != test.validity || got.Why == "" {
				t.Errorf("%s: %s, want %s", got.Validity, got.Why, test.validity)
			}
		})
	}
	if q := formFor(t, "sr-rto", fourDatacenters).Quantile(0.5); !math.IsNaN(q) {
		t.Errorf("a ring has the median %v", q)
	}
	odd := formFor(t, "sr-rto", hops("{hop: 3, loss: {model: gilbert-elliott, mean: 0.1, burst: 3}}"))
	if v := odd.Mean(); v.Validity != model.NotApplicable ||
		v.Why != "hop 3: it is of independent losses" {
		t.Errorf("%s: %s", v.Validity, v.Why)
	}
}

func TestIdealOfACollectiveIsThatOfItsLongestHop(t *testing.T) {
	p := pointOf(t, "sr-rto",
		"collective={kind: all-reduce, datacenters: 4, hops: [{hop: 1, rtt: 50ms}]}")
	// Six rounds of 8192 chunks of 81 920 ps, a round trip, and an acknowledgement of 8 B.
	if got, want := Lossless(&p), 6*(8192*81920e-12+50e-3+160e-12); math.Abs(got/want-1) > 1e-12 {
		t.Errorf("%v s, want %v s", got, want)
	}
}

// The time without loss is that of the simulation, the acknowledgement of 109 B with headers
// included: 6 % of it at 1 Mbit/s.
func TestClosedFormHasTheTimeOfTheAcknowledgement(t *testing.T) {
	for _, c := range []struct {
		rate string
		want float64
	}{{"1Mbps", 14.888e-3}, {"100Mbps", 2.12888e-3}, {"10Gbps", 2.0012888e-3}} {
		for _, scheme := range []string{"{name: sr-rto, rto: 3RTT}", "sr-nack", "ec-mds"} {
			p := pointOf(t, scheme, "link.bandwidth="+c.rate, "link.rtt=2ms", "link.mtu=1400B",
				"link.encapsulation=rocev2-ipv4", "link.loss=none", "message.size=1400B",
				"message.chunk=1400B")
			v := Of(&p, &p.Schemes[0]).Mean()
			if math.Abs(v.Seconds/c.want-1) > 1e-12 || v.Validity != model.Exact {
				t.Errorf("%s, %s: %v s, %s; want %v", c.rate, scheme, v.Seconds, v.Validity, c.want)
			}
			if ideal := Lossless(&p); math.Abs(ideal/c.want-1) > 1e-12 {
				t.Errorf("%s: at best %v s, want %v", c.rate, ideal, c.want)
			}
		}
	}
}
