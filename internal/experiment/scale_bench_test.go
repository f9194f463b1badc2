package experiment

import (
	"fmt"
	"testing"
)

// The benchmarks of this file ask whether a message costs the same however many there are: what is
// to be read is the ratio of their lines.

// perMessage replays a sample of the first point, of so many messages.
func perMessage(b *testing.B, yaml string, messages int) {
	p := points(b, yaml)[0]
	r := newTestRunner(b, &p, p.Schemes[0].Label)
	var s Sample
	if err := r.Sample(0, &s); err != nil { // memory is there from here on
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := r.Sample(0, &s); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*messages), "ns/message")
}

// BenchmarkInFlight is the cost of a message of one packet by how many are in flight, on a link
// that is never idle where these are enough to fill it.
func BenchmarkInFlight(b *testing.B) {
	for _, scheme := range []string{"sr-rto", "sr-nack", "ec-mds"} {
		for inFlight := 16; inFlight <= 1<<16; inFlight *= 8 {
			count := max(2*inFlight, 1<<14)
			yaml := fmt.Sprintf(`
name: bench
link: {bandwidth: 100Gbps, rtt: 25ms, loss: {model: iid, per: chunk, p: 1e-3}, ack_loss: none}
message: {size: 4KiB, chunk: 4KiB, count: %d, in_flight: %d}
schemes: [{name: %s}]
samples: 1
`, count, inFlight, scheme)
			b.Run(fmt.Sprintf("scheme=%s/in_flight=%d", scheme, inFlight), func(b *testing.B) {
				perMessage(b, yaml, count)
			})
		}
	}
}

// BenchmarkAllReduce is the cost of a message of an all-reduce by the datacenters of its ring, with
// parts of one size.
func BenchmarkAllReduce(b *testing.B) {
	for datacenters := 8; datacenters <= 512; datacenters *= 4 {
		yaml := fmt.Sprintf(`
name: bench
link: {bandwidth: 400Gbps, rtt: 25ms, loss: {model: iid, per: chunk, p: 1e-4}, ack_loss: none}
message: {size: %dKiB, chunk: 4KiB}
collective: {kind: all-reduce, datacenters: %d}
schemes: [sr-rto]
samples: 1
`, 128*datacenters, datacenters)
		b.Run(fmt.Sprintf("datacenters=%d", datacenters), func(b *testing.B) {
			perMessage(b, yaml, 2*(datacenters-1)*datacenters)
		})
	}
}
