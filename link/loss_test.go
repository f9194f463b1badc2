package link

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/sim"
	"sdrsim/units"
	"sdrsim/wire"
)

// offer sends a run through the model in pieces of at most piece packets and returns the fate of
// each packet, true for lost.
func offer(m LossModel, r wire.Run, piece int64) []bool {
	var fates []bool
	for r.Count > 0 {
		pass, drop := m.Peek(&r)
		if again, d := m.Peek(&r); again != pass || d != drop || pass < 0 || drop < 0 {
			panic(fmt.Sprintf("Peek says %d, %d and then %d, %d", pass, drop, again, d))
		}
		n := min(r.Count, pass+drop, piece)
		if n < 1 {
			panic("Peek says nothing")
		}
		for i := range n {
			fates = append(fates, i >= pass)
		}
		m.Advance(&r, n)
		r.Skip(n)
	}
	return fates
}

// losses counts the packets lost and the bursts they come in.
func losses(fates []bool) (lost, bursts int) {
	for i, f := range fates {
		if f {
			lost++
			if i == 0 || !fates[i-1] {
				bursts++
			}
		}
	}
	return lost, bursts
}

// modelFactories makes a model of each kind, with high rates so that short sequences show losses.
var modelFactories = map[string]func() LossModel{
	"none":    func() LossModel { return None{} },
	"iid":     func() LossModel { return &IID{P: 0.2} },
	"iid all": func() LossModel { return &IID{P: 1} },
	"burst": func() LossModel {
		return &GilbertElliott{GoodBad: 0.1, BadGood: 0.3, LossBad: 1}
	},
	"burst mixed":      mixedBursts,
	"script":           func() LossModel { return someScript() },
	"iid per chunk":    func() LossModel { return NewPerChunk(&IID{P: 0.3}, 4) },
	"burst per chunk":  func() LossModel { return NewPerChunk(mixedBursts(), 3) },
	"script per chunk": func() LossModel { return NewPerChunk(someScript(), 3) },
	"strata per chunk": func() LossModel { return NewPerChunk(someStrata(), 3) },
	"strata":           func() LossModel { return someStrata() },
	"iid chunk of one": func() LossModel { return NewPerChunk(&IID{P: 0.3}, 1) },
	"fading": func() LossModel {
		return &Fading{Bad: 30 * someSpacing, Share: 0.2, LossBad: 1}
	},
	"fading mixed":     mixedFading,
	"fading per chunk": func() LossModel { return NewPerChunk(mixedFading(), 3) },
	"outages":          func() LossModel { return someOutages(None{}) },
	"outages mixed":    func() LossModel { return someOutages(mixedBursts()) },
	"outages per chunk": func() LossModel {
		return someOutages(NewPerChunk(mixedFading(), 4))
	},
	"packet trace":           func() LossModel { return somePackets() },
	"packet trace per chunk": func() LossModel { return NewPerChunk(somePackets(), 3) },
	"time trace":             func() LossModel { return someTimes() },
	"time trace per chunk":   func() LossModel { return NewPerChunk(someTimes(), 3) },
	"phases": func() LossModel {
		return NewPhases([]LossModel{&IID{P: 0.2}, someScript(), None{}},
			[]units.Time{40 * units.Time(someSpacing), 100*units.Time(someSpacing) + 1})
	},
}

// someSpacing is what packets of these tests take, near enough to that of link_property_test.go.
const someSpacing = packetTime

func mixedFading() LossModel {
	return &Fading{Bad: 5 * someSpacing / 2, Share: 0.4, LossGood: 0.05, LossBad: 0.9}
}

func somePackets() LossModel {
	return NewPacketTrace([]Lost{{0, 0}, {3, 7}, {9, 9}, {20, 60}, {100, 101}})
}

func someTimes() LossModel {
	const unit = units.Time(someSpacing)
	return NewTimeTrace([]Span{{0, 1}, {3 * unit, 7 * unit}, {7*unit + 1, 8 * unit},
		{20*unit + 7, 60*unit - 3}, {100 * unit, 130 * unit}})
}

func someOutages(inner LossModel) LossModel {
	m, err := NewOutages(inner, []Outage{
		{At: 3 * units.Time(someSpacing), For: 5 * someSpacing / 3},
		{At: 40 * units.Time(someSpacing), For: 4 * someSpacing, Every: 13*someSpacing + 1},
		{At: 55 * units.Time(someSpacing), For: 20 * someSpacing},
	})
	if err != nil {
		panic(err)
	}
	return m
}

func someStrata() LossModel {
	s, err := NewStrata(Draws{P: 0.2, First: 40}, Draws{})
	if err != nil {
		panic(err)
	}
	s.Choose(1)
	return s.Data()
}

func mixedBursts() LossModel {
	return &GilbertElliott{GoodBad: 0.3, BadGood: 0.4, LossGood: 0.05, LossBad: 0.9}
}

func someScript() *Script {
	m, err := NewScript([]Drop{
		{Message: 0, First: 2, Last: 5, Transmission: 1},
		{Message: 0, First: 3, Last: 3, Transmission: 2},
		{Message: 1, First: 0, Last: 1},
		{Message: 1, First: 1, Last: 9, Transmission: 3},
	})
	if err != nil {
		panic(err)
	}
	return m
}

func TestFatesDoNotDependOnGrouping(t *testing.T) {
	var names []string
	for name := range modelFactories {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				grouped, single := modelFactories[name](), modelFactories[name]()
				seed := rapid.Uint64().Draw(t, "seed")
				grouped.Reset(sim.NewStream(seed, "loss", 0))
				single.Reset(sim.NewStream(seed, "loss", 0))
				now := units.Time(0)
				for range rapid.IntRange(1, 12).Draw(t, "runs") {
					idle := rapid.Int64Range(0, 40*int64(someSpacing)).Draw(t, "idle")
					now = now.Add(units.Duration(idle))
					r := wire.Run{
						Depart: now.Add(someSpacing), Spacing: someSpacing,
						Serial: rapid.Int64Range(0, 2).Draw(t, "message"),
						First:  rapid.Int64Range(0, 9).Draw(t, "first"),
						Count:  rapid.Int64Range(1, 30).Draw(t, "count"),
						Repeat: rapid.Bool().Draw(t, "repeat"),
					}
					a := offer(grouped, r, rapid.Int64Range(1, 40).Draw(t, "piece"))
					b := offer(single, r, 1)
					now = now.Add(units.Duration(r.Count) * someSpacing)
					if !slices.Equal(a, b) {
						t.Fatalf("%+v\ngrouped %v\nsingle  %v", r, a, b)
					}
				}
			})
		})
	}
}

func TestResetRepeatsTheFates(t *testing.T) {
	for name, build := range modelFactories {
		m := build()
		var all [3][]bool
		for i, index := range []uint64{4, 5, 4} {
			m.Reset(sim.NewStream(1, "loss", index))
			for serial := range int64(30) {
				all[i] = append(all[i], offer(m, wire.Run{Serial: serial % 3, Count: 10}, 7)...)
			}
		}
		if !slices.Equal(all[0], all[2]) {
			t.Errorf("%s: the same replication lost other packets", name)
		}
	}
}

func TestMeanLossAndBurstLength(t *testing.T) {
	burst := &GilbertElliott{GoodBad: 0.001 / 0.99, BadGood: 0.1, LossBad: 1}
	mixed := &GilbertElliott{GoodBad: 0.01, BadGood: 0.1, LossGood: 0.001, LossBad: 0.5}
	for _, c := range []struct {
		name        string
		model       LossModel
		mean, burst float64
	}{
		{"iid 0.5", &IID{P: 0.5}, 0.5, 2},
		{"iid 0.01", &IID{P: 0.01}, 0.01, 1 / 0.99},
		{"burst", burst, 0.01, 10},
		{"mixed", mixed, 10.0/11*0.001 + 1.0/11*0.5, 0},
		{"iid per chunk", NewPerChunk(&IID{P: 0.01}, 16), 0.01, 16 / 0.99},
	} {
		const packets = 4_000_000
		c.model.Reset(sim.NewStream(1, c.name, 0))
		lost, bursts := losses(offer(c.model, wire.Run{Count: packets}, packets))
		mean, length := float64(lost)/packets, float64(lost)/float64(bursts)
		t.Logf("%s: mean %.5g, bursts of %.4g", c.name, mean, length)
		if math.Abs(mean/c.mean-1) > 0.05 {
			t.Errorf("%s: mean loss %.5g, want %.5g", c.name, mean, c.mean)
		}
		if c.burst != 0 && math.Abs(length/c.burst-1) > 0.03 {
			t.Errorf("%s: mean burst %.4g, want %.4g", c.name, length, c.burst)
		}
	}
}

// The mean gap is (1-p)/p over twelve orders of magnitude, where 1-p rounds to one.
func TestGeometricIsRightForTinyProbabilities(t *testing.T) {
	const n = 100000
	for _, p := range []float64{1e-12, 1e-9, 1e-5, 1e-2, 0.3, 0.9, 0.999} {
		s := sim.NewStream(1, "gap", 0)
		sum, zero := 0.0, 0
		for range n {
			g := geometric(s, p)
			sum += float64(g)
			if g == 0 {
				zero++
			}
		}
		mean, sigma := (1-p)/p, math.Sqrt(1-p)/p
		if got := sum / n; math.Abs(got-mean) > 4*sigma/math.Sqrt(n) {
			t.Errorf("p = %g: mean gap %.5g, want %.5g", p, got, mean)
		}
		if got := float64(zero) / n; math.Abs(got-p) > 4*math.Sqrt(p*(1-p)/n)+1e-9 {
			t.Errorf("p = %g: fraction %.5g of gaps is zero", p, got)
		}
	}
	if g := geometric(sim.NewStream(1, "gap", 0), 1e-300); g != forever {
		t.Errorf("p = 1e-300: gap %d, want the cap", g)
	}
}

func TestCertainModelsDrawNothing(t *testing.T) {
	for _, p := range []float64{0, 1} {
		m, s := &IID{P: p}, sim.NewStream(1, "loss", 0)
		m.Reset(s)
		lost, _ := losses(offer(m, wire.Run{Count: 1000}, 10))
		if lost != int(1000*p) {
			t.Errorf("p = %v: %d of 1000 lost", p, lost)
		}
		if s.Uint64() != sim.NewStream(1, "loss", 0).Uint64() {
			t.Errorf("p = %v: drew random numbers", p)
		}
	}
}

func TestGilbertElliottStartsStationary(t *testing.T) {
	m := &GilbertElliott{GoodBad: 0.005, BadGood: 0.02, LossBad: 1}
	const n = 20000
	lost := 0
	for i := range uint64(n) {
		m.Reset(sim.NewStream(1, "start", i))
		if pass, _ := m.Peek(&wire.Run{Count: 1}); pass == 0 {
			lost++
		}
	}
	if math.Abs(float64(lost)-0.2*n) > 4*math.Sqrt(n*0.2*0.8) {
		t.Errorf("first packet lost in %d of %d replications, want a fifth", lost, n)
	}
}

func TestImpossibleParametersAreErrors(t *testing.T) {
	nan := math.NaN()
	for _, p := range []float64{-1e-9, 1.1, nan, math.Inf(1)} {
		if (&IID{P: p}).Validate() == nil {
			t.Errorf("iid with p = %v accepted", p)
		}
		if (&GilbertElliott{GoodBad: 0.1, BadGood: 0.1, LossBad: p}).Validate() == nil {
			t.Errorf("gilbert-elliott with loss_bad = %v accepted", p)
		}
	}
	if (&GilbertElliott{LossBad: 1}).Validate() == nil {
		t.Error("a chain that never changes state was accepted")
	}
	for _, m := range []*Fading{{Share: 0.1}, {Bad: -1, Share: 0.1}, {Bad: 1, Share: 1},
		{Bad: 1, Share: -0.1}, {Bad: 1, Share: nan}, {Bad: 1, Share: 0.1, LossBad: 1.1},
		{Bad: 1, Share: 0.1, LossGood: nan}} {
		if m.Validate() == nil {
			t.Errorf("%+v accepted", m)
		}
	}
	for _, o := range []Outage{{At: -1, For: 1}, {}, {For: 2, Every: 2}, {For: 2, Every: -1}} {
		if _, err := NewOutages(None{}, []Outage{o}); err == nil {
			t.Errorf("%+v accepted", o)
		}
	}
	for _, d := range []Drop{{Message: -1}, {First: -1}, {First: 2, Last: 1}, {Transmission: -1}} {
		if _, err := NewScript([]Drop{d}); err == nil {
			t.Errorf("script with %+v accepted", d)
		}
	}
}
