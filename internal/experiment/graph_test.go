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
			c.Ranks, datacenters = 2*datacenters, datacenters
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

// A ring of datacenters, one rank each, takes what its formula says over simulated links, and rings
// in which all hops are long take it whatever the scheme.
func TestLosslessRingOfRanksTakesTheTimeOfItsFormula(t *testing.T) {
	c := workload.Collective{Kind: workload.AllReduce, Algorithm: workload.Ring, Ranks: 4, Channels: 1,
		Size: 64 * units.MiB}
	for chunk, want := range map[units.Bytes]units.Duration{0: 17013265920, units.MiB: 15440401920} {
		c.Chunk = chunk
		p := graphPoint(t, c, 4, "rtt: 5ms")
		for _, label := range []string{"sr-rto", "sr-nack", "rc"} {
			if got := replay(t, &p, label); got.Delivery[0] != want {
				t.Errorf("%s, chunks of %v: %v, want %v", label, chunk, got.Delivery[0], want)
			}
		}
	}
}
