package experiment

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/internal/metric"
)

// The names of queues are those of the network that is built, and packets of flows arrive, are
// dropped by queues or lost on the link, as the sample counts them.
func TestQueuesHaveNamesAndAccountForLosses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawDumbbell(t)
		p.Traffic = nil
		r, err := NewRunner(p, &p.Schemes[0])
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, q := range r.network.queues {
			names = append(names, q.name)
		}
		if want := QueueNames(p); !slices.Equal(names, want) {
			t.Fatalf("queues %v, want %v", names, want)
		}
		var s Sample
		if err := r.Sample(0, &s); err != nil {
			t.Fatal(err)
		}
		var of metric.Counters
		for i, f := range s.Flows {
			of.Packets += f.Packets
			of.Lost += f.Dropped + f.Lost
			arrived := r.hops[i].pair.qpB.Counters()
			if in := arrived.Fresh + arrived.Discarded + arrived.Stale + arrived.Duplicates; s.Failed ==
				0 && in+f.Dropped+f.Lost != f.Packets {
				t.Fatalf("flow %d: %d packets sent, %d arrived, %d dropped, %d lost", i, f.Packets, in,
					f.Dropped, f.Lost)
			}
		}
		var dropped, lost int64
		for _, q := range s.Queues {
			dropped += q.Dropped
			lost += q.Lost
		}
		if of.Packets != s.Packets || of.Lost != s.Lost || dropped+lost < s.Lost {
			t.Fatalf("flows have sent %d and lost %d, the sample %d and %d; queues dropped %d, links %d",
				of.Packets, of.Lost, s.Packets, s.Lost, dropped, lost)
		}
	})
}
