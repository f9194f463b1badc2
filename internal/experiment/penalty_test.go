package experiment

import (
	"testing"

	"sdrsim/units"
)

// One more lost chunk costs Selective Repeat a timeout and its own time, and a code a fallback.
func TestSchemesDeclareThePenaltyOfOneMoreEvent(t *testing.T) {
	load := func(scheme string) units.Duration {
		p := points(t, `
name: t
link: {bandwidth: 100Gbps, rtt: 10ms, encapsulation: none, loss: {model: iid, p: 1e-4}}
message: {size: 256KiB, chunk: 4KiB}
schemes: [`+scheme+`]
`)[0]
		return Penalty(&p, &p.Schemes[0])
	}
	const chunk = 327_680 * units.Picosecond
	for _, c := range []struct {
		scheme string
		want   units.Duration
	}{
		{"sr-rto", 30*units.Millisecond + chunk},
		{"{name: sr-nack, rto: 7ms}", 7*units.Millisecond + chunk},
		{"{name: ec-mds, k: 32, m: 8, beta: 0.5}", 45*units.Millisecond + 16*chunk},
		{"{name: ec-xor, k: 64, m: 8}", 50*units.Millisecond + 8*chunk},
	} {
		if got := load(c.scheme); got != c.want {
			t.Errorf("%s: %v, want %v", c.scheme, got, c.want)
		}
	}
}
