package experiment

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/internal/spec"
	"sdrsim/internal/workload"
	"sdrsim/scenarios"
	"sdrsim/units"
)

// graphPoint is a point of a collective over some datacenters.
func graphPoint(t rapid.TB, c workload.Collective, datacenters int, link string) spec.Point {
	t.Helper()
	s, err := scenarios.Load("test.yaml", []byte(`
name: graph
link: {bandwidth: 400Gbps, mtu: 4KiB, encapsulation: none, `+link+`}
message: {size: 1GiB, chunk: 4KiB}
schemes: [{name: sr-rto, rto: 3RTT}, {name: sr-nack}, {name: ec-mds, k: 8, m: 2}, {name: rc}]
samples: 1
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	p := s.Points()[0]
	c.Datacenters = datacenters
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	p.Workload = spec.Workload{Ranks: c.Ranks, Datacenters: datacenters, Collective: &c,
		Local: spec.Local{Delay: 5 * units.Microsecond, Bandwidth: 400 * units.Gbps}}
	p.Workload.Own = true
	p.Message.Size, p.Message.InFlight = c.Size, 256
	p.SDR.RecvDepth = 512
	return p
}

// lossy is a link that loses a hundredth of its chunks and acknowledgements.
const lossy = "rtt: 2ms, loss: {model: iid, per: chunk, p: 0.01}, ack_loss: same"

// Collectives over links that lose packets leave the right bytes at every rank, and the same times
// whatever the grouping of packets, and with sizes alone.
func TestGroupingAndPayloadNeverChangeAWorkload(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom(workload.Kinds()).Draw(t, "kind")
		each := rapid.IntRange(1, 3).Draw(t, "each")
		c := workload.Collective{Kind: kind,
			Algorithm: rapid.SampledFrom(workload.Algorithms(kind)).Draw(t, "algorithm"),
			Channels:  rapid.IntRange(1, 2).Draw(t, "channels"),
			Size:      units.Bytes(rapid.IntRange(1, 300000).Draw(t, "size")),
			Chunk:     units.Bytes(rapid.SampledFrom([]int{0, 10000, 50000}).Draw(t, "chunk")),
			Rate:      rapid.SampledFrom([]units.Rate{0, 100 * units.Gbps}).Draw(t, "rate"),
		}
		datacenters := rapid.IntRange(2, 4).Draw(t, "datacenters")
		c.Ranks = each * datacenters
		if kind == workload.PointToPoint && c.Ranks%2 == 1 {
			c.Ranks = 2 * datacenters
		}
		c.Root = rapid.IntRange(0, c.Ranks-1).Draw(t, "root")
		if rapid.Bool().Draw(t, "slots") && c.Algorithm != workload.HalvingDoubling {
			name := rapid.SampledFrom([]string{workload.Simple, workload.LL, workload.LL128})
			c.Protocol, _ = workload.ProtocolNamed(name.Draw(t, "protocol"), kind)
			c.Protocol.Slot = units.Bytes(rapid.IntRange(3000, 20000).Draw(t, "slot"))
		}
		p := graphPoint(t, c, datacenters, lossy)
		p.Workload.Own = rapid.Bool().Draw(t, "own")
		label := rapid.SampledFrom([]string{"sr-rto", "sr-nack", "ec-mds", "rc"}).Draw(t, "scheme")
		if label == "ec-mds" {
			p.Message.InFlight, p.SDR.RecvDepth = 64, 128
		}
		var want Sample
		for i, runs := range []int64{0, 1, 5} {
			for _, payload := range []string{spec.PayloadVirtual, spec.PayloadReal} {
				p.Engine.MaxRun, p.Payload = runs, payload
				got := replay(t, &p, label)
				got.Events = 0
				if i == 0 && payload == spec.PayloadVirtual {
					want = got
				} else if !reflect.DeepEqual(got, want) {
					t.Fatalf("runs of %d, payload %s: %+v, want %+v", runs, payload, got, want)
				}
			}
		}
	})
}

// Over simulated links of their own collectives take what their formulas say, to the picosecond.
func TestLosslessWorkloadsTakeTheTimesOfTheirFormulas(t *testing.T) {
	const us = units.Microsecond
	ring := workload.Collective{Kind: workload.AllReduce, Algorithm: workload.Ring, Channels: 1}
	for _, f := range []struct {
		name               string
		ranks, datacenters int
		size, chunk        units.Bytes
		link               string
		outstanding        int
		want               units.Duration
	}{
		{"4 ranks, whole parts", 4, 4, 64 * units.MiB, 0, "rtt: 5ms", 256, 17013265920},
		{"4 ranks, 16 slices", 4, 4, 64 * units.MiB, units.MiB, "rtt: 5ms", 256, 15440401920},
		{"2 x 32 ranks, free", 64, 2, 64 * 1050000, 0, "rtt: 25ms", 256, 53256 * us},
	} {
		c := ring
		c.Ranks, c.Size, c.Chunk = f.ranks, f.size, f.chunk
		p := graphPoint(t, c, f.datacenters, f.link)
		p.Message.InFlight, p.SDR.RecvDepth = f.outstanding, 2*f.outstanding
		for _, label := range []string{"sr-rto", "sr-nack", "rc"} {
			if got := replay(t, &p, label); got.Delivery[0] != f.want {
				t.Errorf("%s, %s: %v, want %v", label, f.name, got.Delivery[0], f.want)
			}
		}
	}
}

// Where a rank waits for each acknowledgement, a ring of N ranks takes 2N-2 parts and round trips;
// the last acknowledgement comes after the last delivery. Acknowledgements of a few bytes take the
// wire a fraction of a nanosecond each.
func TestRingThatWaitsForAcknowledgements(t *testing.T) {
	c := workload.Collective{Kind: workload.AllReduce, Algorithm: workload.Ring, Channels: 1,
		Ranks: 4, Size: 64 * units.MiB}
	p := graphPoint(t, c, 4, "rtt: 5ms")
	p.Message.InFlight, p.SDR.RecvDepth = 1, 2
	const formula, acks, most = 32013265920 - 2500*units.Microsecond, 5, 240
	for _, label := range []string{"sr-rto", "sr-nack", "rc"} {
		if d := replay(t, &p, label).Delivery[0] - formula; d < 0 || d > acks*most {
			t.Errorf("%s: %v beyond the formula", label, d)
		}
	}
}
