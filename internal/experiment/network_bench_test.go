package experiment

import (
	"fmt"
	"testing"

	"sdrsim/internal/spec"
	"sdrsim/units"
)

// BenchmarkNetwork is what a packet costs where flows share a border, everything included.
func BenchmarkNetwork(b *testing.B) {
	for _, flows := range []int{1, 2, 8} {
		for _, scheme := range []int{0, 1} {
			text := "name: n\nlink: {bandwidth: 100Gbps, rtt: 10ms, loss: {model: none}}\n" +
				"message: {size: 256MiB, chunk: 64KiB}\n" +
				"schemes: [{name: sr-nack}, {name: ec-mds, k: 32, m: 8}]\n"
			p := dumbbell(b, text, spec.Network{
				Access: spec.Access{Bandwidth: 100e9, Delay: units.Microsecond},
				Queue:  spec.Queue{Buffer: 4 << 30},
			}, flows)
			b.Run(fmt.Sprintf("flows=%d/%s", flows, p.Schemes[scheme].Name), func(b *testing.B) {
				r, err := NewRunner(p, &p.Schemes[scheme])
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				b.ResetTimer()
				var s Sample
				for i := range b.N {
					if err := r.Sample(i, &s); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s.Packets),
					"ns/packet")
				b.ReportMetric(float64(s.Events), "events")
			})
		}
	}
}
