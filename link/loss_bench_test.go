package link

import (
	"testing"

	"sdrsim/sim"
	"sdrsim/units"
	"sdrsim/wire"
)

// spendLosses goes from loss to loss of an endless run.
func spendLosses(m LossModel, r *wire.Run, losses int) {
	*r = wire.Run{Count: forever, Spacing: 81920, Depart: 81920}
	for range losses {
		pass, drop := m.Peek(r)
		n := min(r.Count, pass+drop)
		m.Advance(r, n)
		r.First = (r.First + n) % (1 << 20)
		r.Depart = r.Depart.Add(units.Duration(n) * r.Spacing)
	}
}

func benchmarkModels() []struct {
	name  string
	model LossModel
} {
	burst := &GilbertElliott{GoodBad: 1e-4 / (1 - 1e-3), BadGood: 0.1, LossBad: 1}
	down, err := NewOutages(&IID{P: 1e-5}, []Outage{{At: 1e6, For: 1e5, Every: 1e7}})
	if err != nil {
		panic(err)
	}
	return []struct {
		name  string
		model LossModel
	}{
		{"iid", &IID{P: 1e-5}},
		{"gilbert-elliott", burst},
		{"iid-per-chunk", NewPerChunk(&IID{P: 1e-5}, 16)},
		{"gilbert-elliott-in-time", &Fading{Bad: 820 * units.Nanosecond, Share: 1e-3, LossBad: 1}},
		{"iid-with-outages", down},
		{"packet-trace", NewPacketTrace([]Lost{{1, 3}, {500, 1000}})},
		{"time-trace", NewTimeTrace([]Span{{1e6, 1e7}, {2e7, 3e7}})},
	}
}

// BenchmarkLoss reports the time from one loss (or burst) to the next.
func BenchmarkLoss(b *testing.B) {
	for _, c := range benchmarkModels() {
		b.Run(c.name, func(b *testing.B) {
			c.model.Reset(sim.NewStream(1, "loss", 0))
			b.ReportAllocs()
			b.ResetTimer()
			spendLosses(c.model, &wire.Run{}, b.N)
		})
	}
}

func TestLossModelsAllocateNothing(t *testing.T) {
	for _, c := range benchmarkModels() {
		s, r := sim.NewStream(1, "loss", 0), &wire.Run{}
		n := testing.AllocsPerRun(3, func() {
			s.Seed(1, "loss", 0)
			c.model.Reset(s)
			spendLosses(c.model, r, 1000)
		})
		if n != 0 {
			t.Errorf("%s: %v allocations in 1000 losses", c.name, n)
		}
	}
}
