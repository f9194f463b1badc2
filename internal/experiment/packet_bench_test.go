package experiment

import "testing"

// BenchmarkPackets is the cost of a packet where runs are capped at one: a message of 128 MiB on a
// link of 400 Gbit/s and 12.5 ms one way, 32768 packets, by scheme and drop rate.
func BenchmarkPackets(b *testing.B) {
	for _, p := range []string{"0", "1e-4", "1e-2"} {
		for _, label := range labels {
			b.Run("p="+p+"/scheme="+label, func(b *testing.B) {
				measure(b, setup{size: "128MiB", p: p, options: "engine: {runs: 1}\n"}, label)
			})
		}
	}
}
