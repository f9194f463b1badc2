package experiment

import (
	"fmt"
	"runtime"
	"testing"
)

// The tests of this file count allocations: memory follows what is under way.

// allocated is how many bytes the first sample of a point has allocated, beside its runner.
func allocated(t *testing.T, yaml string) float64 {
	t.Helper()
	p := points(t, yaml)[0]
	r := newTestRunner(t, &p, p.Schemes[0].Label)
	var s Sample
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := r.Sample(0, &s); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// A hop of a large ring has more rounds than that of a small one, and no more of them at a time.
func TestMemoryOfAHopDoesNotFollowTheRounds(t *testing.T) {
	for _, scheme := range []string{"sr-rto", "sr-nack", "ec-mds"} {
		ring := func(datacenters int) float64 {
			bytes := allocated(t, fmt.Sprintf(`
name: ring
link: {bandwidth: 400Gbps, rtt: 25ms, loss: {model: iid, per: chunk, p: 1e-4}}
message: {size: %dKiB, chunk: 4KiB}
collective: {kind: all-reduce, datacenters: %d}
schemes: [{name: %s}]
samples: 1
`, 64*datacenters, datacenters, scheme))
			return bytes / float64(datacenters)
		}
		const numbers = 256 // bytes: what was measured of a round, and the slots of its message id
		small, large := ring(8), ring(128)
		if most := small + numbers*2*(128-8); large > most {
			t.Errorf("%s: a hop takes %.0f B of 8 datacenters, %.0f B of 128, want at most %.0f",
				scheme, small, large, most)
		}
	}
}

// What a stream allocates follows its messages in flight, not all those that it sends.
func TestMemoryOfAStreamFollowsWhatIsInFlight(t *testing.T) {
	for _, scheme := range []string{"sr-rto", "sr-nack", "ec-mds"} {
		stream := func(count, inFlight int) float64 {
			return allocated(t, fmt.Sprintf(`
name: stream
link: {bandwidth: 100Gbps, rtt: 2ms, loss: {model: iid, per: chunk, p: 1e-3}}
message: {size: 4KiB, chunk: 4KiB, count: %d, in_flight: %d}
schemes: [{name: %s}]
samples: 1
`, count, inFlight, scheme))
		}
		few, many, longer := stream(4096, 256), stream(16384, 1024), stream(16384, 256)
		if many > 4.8*few {
			t.Errorf("%s: %.0f B of 256 in flight, %.0f B of 1024", scheme, few, many)
		}
		// The results of a sample are eight bytes for each message, twice.
		if longer > few+12288*100 {
			t.Errorf("%s: %.0f B of 4096 messages, %.0f B of 16384", scheme, few, longer)
		}
	}
}
