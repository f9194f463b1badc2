package experiment

import (
	"fmt"
	"testing"
)

// sampled is sample 0 of every point by the value of the point, under its first scheme.
func sampled(t *testing.T, yaml string, by func(i int) string) map[string]string {
	t.Helper()
	got := map[string]string{}
	ps := points(t, yaml)
	for i := range ps {
		var s Sample
		r, err := NewRunner(&ps[i], &ps[i].Schemes[0])
		if err == nil {
			err = r.Sample(0, &s)
		}
		if err != nil {
			t.Fatal(err)
		}
		s.Events = 0
		got[by(i)] = fmt.Sprintf("%+v", s)
	}
	return got
}

const streamsOf = `
name: t
link: {bandwidth: 400Gbps, rtt: 1ms, loss: {model: iid, p: 2e-2}}
message: {size: 1MiB}
schemes: [sr-rto]
samples: 1
acceleration: none
sweep: `

// A setting has the losses of its own, or those of the others, in whatever way it is swept.
func TestLossesAreTheSameInWhateverWayASettingIsSwept(t *testing.T) {
	for _, c := range []struct {
		path string
		a, b string
		own  bool // the losses of b are not those of a
	}{
		{"link.rtt", "1ms", "2ms", true},
		{"message.size", "1MiB", "2MiB", true},
		{"scheme.retries", "9", "10", false},
		{"sdr.channels", "8", "4", false},
		{"nic.workers", "16", "4", false},
		{"engine.runs", "1", "7", false},
		{"payload", "virtual", "real", false},
	} {
		a, b := c.a, c.b
		name := func(i int) string { return []string{"a", "b"}[i] }
		alone := sampled(t, streamsOf+fmt.Sprintf("{%s: [%s, %s]}", c.path, a, b), name)
		named := sampled(t, streamsOf+fmt.Sprintf("{points: {a: {%s: %s}, b: {%s: %s}}}",
			c.path, a, c.path, b), name)
		zipped := sampled(t, streamsOf+fmt.Sprintf(
			"{zip: [{%s: [%s, %s], link.reverse_bandwidth: [400Gbps, 400Gbps]}]}", c.path, a, b), name)
		withBack := sampled(t, streamsOf+fmt.Sprintf("{points: {"+
			"a: {%s: %s, link.reverse_bandwidth: 400Gbps}, b: {%s: %s, link.reverse_bandwidth: 400Gbps}}}",
			c.path, a, c.path, b), name)
		for _, point := range []string{"a", "b"} {
			if alone[point] != named[point] {
				t.Errorf("%s, point %s: named\n%s\nswept\n%s", c.path, point, named[point], alone[point])
			}
			if zipped[point] != withBack[point] {
				t.Errorf("%s, point %s: named\n%s\nzipped\n%s", c.path, point, withBack[point],
					zipped[point])
			}
		}
		if !c.own && alone["a"] != alone["b"] {
			t.Errorf("%s: %s\nand %s", c.path, alone["a"], alone["b"])
		}
	}
}
