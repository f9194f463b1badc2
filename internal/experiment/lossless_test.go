package experiment

import (
	"testing"
)

const lossless = `
name: t
link: {bandwidth: 400Gbps, rtt: 25ms, mtu: 4KiB, encapsulation: none,
  loss: {model: iid, p: 0}, ack_loss: none}
message: {size: 128MiB, chunk: 4KiB}
schemes:
  - {name: sr-rto, rto: 3RTT}
  - {name: sr-nack}
  - {name: ec-mds, k: 32, m: 8}
  - {name: ec-xor, k: 32, m: 8}
samples: 1
`

// Lossless completion is M*T_inj + RTT plus the acknowledgement's own transmission.
func TestLosslessCompletionIsExact(t *testing.T) {
	p := points(t, lossless)[0]
	for _, label := range []string{"sr-rto", "sr-nack", "ec-mds", "ec-xor"} {
		var s Sample
		r := newTestRunner(t, &p, label)
		if err := r.Sample(0, &s); err != nil {
			t.Fatal(err)
		}
		if len(s.Completion) != 1 || s.Completion[0] != s.Ideal {
			t.Errorf("%s: completion %v, want %v; %+v", label, s.Completion, s.Ideal, s.Counters)
		}
		t.Log(label, s.Completion[0], s.Events)
	}
}
