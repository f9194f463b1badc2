package scenarios

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sdrsim/internal/spec"
	"sdrsim/units"

	"pgregory.net/rapid"
)

// ringOf is the base scenario as a collective with hops that differ.
func ringOf(datacenters int, hops ...string) string {
	return with(fmt.Sprintf("collective: {kind: all-reduce, datacenters: %d, hops: [%s]}",
		datacenters, strings.Join(hops, ", ")))
}

func TestEveryHopOfARingIsTheLinkUnlessItSaysOtherwise(t *testing.T) {
	p := load(t, ringOf(4, "{hop: 2, bandwidth: 100Gbps}")).At(0)
	c := p.Collective
	if c.Kind != spec.AllReduce || c.Datacenters != 4 || len(c.Hops) != 4 {
		t.Fatalf("got %s of %d with %d hops", c.Kind, c.Datacenters, len(c.Hops))
	}
	for _, i := range []int{0, 1, 3} {
		if !reflect.DeepEqual(c.Hops[i], p.Link) {
			t.Errorf("hop %d is %+v; want %+v", i, c.Hops[i], p.Link)
		}
	}
	want := p.Link
	want.Bandwidth, want.ReverseBandwidth = 100*units.Gbps, 100*units.Gbps
	if !reflect.DeepEqual(c.Hops[2], want) {
		t.Errorf("hop 2 is %+v; want %+v", c.Hops[2], want)
	}
	if p := load(t, base).At(0); p.Collective.Kind != "" || p.Collective.Hops != nil {
		t.Errorf("a point without a collective has %+v", p.Collective)
	}
}

// vacuumBase is the base scenario over a distance in vacuum, with a slow way back.
var vacuumBase = strings.Replace(base, "  rtt: 25ms",
	"  distance: 100km\n  medium: vacuum\n  reverse_bandwidth: 10Gbps", 1)

// hopCases are keys of a hop, and what they change of the link.
var hopCases = []struct {
	name, text, hop string
	want            func(l *spec.Link)
}{
	{"rtt", base, "rtt: 10ms", func(l *spec.Link) { l.Delay = 5 * units.Millisecond }},
	{"delay", base, "delay: 10ms", func(l *spec.Link) { l.Delay = 10 * units.Millisecond }},
	{"distance for rtt", base, "distance: 100km",
		func(l *spec.Link) { l.Delay = units.Fiber.Delay(100 * units.Kilometre) }},
	{"distance in the medium of the link", vacuumBase, "distance: 300km",
		func(l *spec.Link) { l.Delay = units.Vacuum.Delay(300 * units.Kilometre) }},
	{"medium", vacuumBase, "medium: fiber",
		func(l *spec.Link) { l.Delay = units.Fiber.Delay(100 * units.Kilometre) }},
	{"time for distance and medium", vacuumBase, "rtt: 2ms",
		func(l *spec.Link) { l.Delay = units.Millisecond }},
	{"bandwidth beside one of the way back", vacuumBase, "bandwidth: 20Gbps",
		func(l *spec.Link) { l.Bandwidth = 20 * units.Gbps }},
	{"way back", base, "reverse_bandwidth: 20Gbps",
		func(l *spec.Link) { l.ReverseBandwidth = 20 * units.Gbps }},
	{"rate of loss, and of control packets", base, "loss: {p: 0.1}",
		func(l *spec.Link) { l.Loss.P, l.AckLoss.P = 0.1, 0.1 }},
	{"unit of loss", base, "loss: {per: chunk}", func(l *spec.Link) { l.Loss.Per = spec.PerChunk }},
	{"loss of control packets", base, "ack_loss: {model: iid, p: 0.2}",
		func(l *spec.Link) { l.AckLoss.P = 0.2 }},
	{"control packets that arrive", base, "ack_loss: none",
		func(l *spec.Link) { l.AckLoss = spec.Loss{Model: spec.LossNone, Per: spec.PerPacket} }},
	{"no loss", base, "loss: none", func(l *spec.Link) {
		l.Loss = spec.Loss{Model: spec.LossNone, Per: spec.PerPacket}
		l.AckLoss = l.Loss
	}},
	{"model with the unit of the link",
		strings.Replace(base, "p: 1e-5", "p: 1e-5, per: chunk", 1),
		"loss: {model: gilbert-elliott, p: 0.1, r: 0.5}", func(l *spec.Link) {
			// T / ((1-share) * -ln 0.4), and T is the time of 16 packets.
			l.Loss = spec.Loss{Model: spec.LossGilbertElliott, Per: spec.PerChunk, GoodBad: 0.1,
				BadGood: 0.5,
				LossBad: 1, Burst: 1759302}
			l.Loss.Share = l.Loss.GoodBad / (l.Loss.GoodBad + l.Loss.BadGood)
			l.AckLoss = l.Loss
			l.AckLoss.Per = spec.PerPacket
		}},
	{"other parameters of the same model",
		lossOf("{model: gilbert-elliott, mean: 0.1, burst: 3}"),
		"loss: {model: gilbert-elliott, p: 0.1, r: 0.5}", func(l *spec.Link) {
			l.Loss = spec.Loss{Model: spec.LossGilbertElliott, Per: spec.PerPacket, GoodBad: 0.1,
				BadGood: 0.5,
				LossBad: 1, Burst: 109956}
			l.Loss.Share = l.Loss.GoodBad / (l.Loss.GoodBad + l.Loss.BadGood)
			l.AckLoss = l.Loss
		}},
	{"bursts in time", lossOf("{model: gilbert-elliott, burst: 1ms, gap: 1s}"),
		"loss: {gap: 3ms}", func(l *spec.Link) { l.Loss.Share, l.AckLoss.Share = 0.25, 0.25 }},
	{"script", base, "loss: {model: script, drops: [{message: 3, first: 2}]}",
		func(l *spec.Link) {
			l.Loss = spec.Loss{Model: spec.LossScript, Per: spec.PerPacket,
				Drops: []spec.Drop{{Message: 3, First: 2, Last: 2, Transmission: 1}}}
			l.AckLoss = spec.Loss{Model: spec.LossNone, Per: spec.PerPacket}
		}},
	{"other drops", lossOf("{model: script, drops: [{first: 1}]}"), "loss: {drops: []}",
		func(l *spec.Link) { l.Loss.Drops = []spec.Drop{} }},
	{"script of control packets", base, "ack_loss: {model: script, drops: [{first: 2}]}",
		func(l *spec.Link) {
			l.AckLoss = spec.Loss{Model: spec.LossScript, Per: spec.PerPacket,
				Drops: []spec.Drop{{First: 2, Last: 2, Transmission: 1}}}
		}},
}

// A hop is the link with some keys changed, in the same way as the file would change them.
func TestHopsChangeSingleKeysOfTheLink(t *testing.T) {
	for _, test := range hopCases {
		t.Run(test.name, func(t *testing.T) {
			ring := "collective: {kind: all-reduce, datacenters: 3, hops: [{hop: 1, " + test.hop + "}]}\n"
			p := load(t, test.text+ring).At(0)
			want := p.Link
			test.want(&want)
			if reflect.DeepEqual(want, p.Link) {
				t.Fatal("the case changes nothing")
			}
			if got := p.Collective.Hops[1]; !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			for _, i := range []int{0, 2} {
				if !reflect.DeepEqual(p.Collective.Hops[i], p.Link) {
					t.Errorf("hop %d is %+v", i, p.Collective.Hops[i])
				}
			}
		})
	}
}

// A sweep of the link reaches every hop that does not have the key otherwise.
func TestSweepOfTheLinkReachesItsHops(t *testing.T) {
	text := strings.Replace(ringOf(3, "{hop: 1, loss: {p: 0.5}, rtt: 1ms}"), "rtt: 25ms",
		"distance: 1km", 1)
	s := load(t, text+"sweep: {link.loss.p: [0.1, 0.2], link.distance: [100km, 200km]}\n")
	for _, p := range s.Points() {
		for i, l := range p.Collective.Hops {
			want, delay := p.Link.Loss.P, p.Link.Delay
			if i == 1 {
				want, delay = 0.5, 500*units.Microsecond
			}
			if l.Loss.P != want || l.Delay != delay {
				t.Errorf("%s: hop %d loses %v over %v; want %v over %v", p.Key, i, l.Loss.P, l.Delay,
					want, delay)
			}
		}
	}
}

func TestDatacentersAreSwept(t *testing.T) {
	s := load(t, with("collective: {kind: all-reduce, hops: [{hop: 1, rtt: 1ms}]}",
		"sweep: {collective.datacenters: [2, 8, 1024]}"))
	for i, want := range []int{2, 8, 1024} {
		p := s.At(i)
		c := p.Collective
		if c.Datacenters != want || len(c.Hops) != want || c.Rounds() != 2*want-2 {
			t.Errorf("point %d has %d datacenters, %d hops, %d rounds", i, c.Datacenters,
				len(c.Hops), c.Rounds())
		}
		if c.Hops[1].RTT() != units.Millisecond || c.Hops[0].RTT() != 25*units.Millisecond {
			t.Errorf("point %d: hops of %v and %v", i, c.Hops[0].RTT(), c.Hops[1].RTT())
		}
		if p.Key != fmt.Sprintf("collective.datacenters=%d", want) {
			t.Errorf("key %q", p.Key)
		}
	}
	one := load(t, string(s.Text), "collective.datacenters=16")
	if one.Len() != 1 || one.At(0).Collective.Datacenters != 16 {
		t.Errorf("an override gives %d points, the first of %d", one.Len(),
			one.At(0).Collective.Datacenters)
	}
}

func TestOverridesReplaceTheHops(t *testing.T) {
	p := load(t, ringOf(3, "{hop: 1, rtt: 1ms}"), "collective.hops=[{hop: 2, rtt: 2ms}]").At(0)
	for i, want := range []units.Duration{25, 25, 2} {
		if got := p.Collective.Hops[i].RTT(); got != want*units.Millisecond {
			t.Errorf("hop %d has %v", i, got)
		}
	}
}

// The limits of a message hold for the part that a hop carries.
func TestPartOfABufferFitsWhereTheBufferDoesNot(t *testing.T) {
	text := ringOf(8) + "sdr: {imm: 10+18+4}\n"
	p := load(t, text, "message.size=8GiB").At(0)
	if part := p.Collective.Part(p.Message.Size); part != units.GiB {
		t.Errorf("parts of %v", part)
	}
	more := set(t, "message.size=8589934593B")
	if _, err := Load("f.yaml", []byte(text), more); err == nil {
		t.Error("a part of a byte more than the split allows is accepted")
	}
	if split := load(t, ringOf(8), "message.size=8GiB").At(0).SDR.Split; split.String() != "10+18+4" {
		t.Errorf("the split was fitted to the buffer: %v", split)
	}
}

func TestMemoryOfACollectiveIsThatOfItsHops(t *testing.T) {
	whole := load(t, base, "message.count=6", "message.in_flight=1").At(0)
	ring := load(t, ringOf(4), "message.size=4MiB").At(0)
	const fixed = fixedMemory
	// Fractions of bytes are cut after the hops are added up.
	got, want := MemoryEstimate(ring)-fixed, 4*(MemoryEstimate(whole)-fixed)
	if got < want || got >= want+4 {
		t.Errorf("four hops of six messages each take %v; want %v", got, want)
	}
	lossy := load(t, ringOf(4, "{hop: 2, loss: {p: 0.1}}"), "message.size=4MiB").At(0)
	if MemoryEstimate(lossy) <= MemoryEstimate(ring) {
		t.Error("the repeats of a lossy hop take no memory")
	}
}

// Hops are drawn, and each compared with the link of a scenario that is written with its keys.
func TestDrawnHopsAreLinksOfTheirOwn(t *testing.T) {
	keys := []struct{ key, value string }{
		{"bandwidth", "123Gbps"}, {"reverse_bandwidth", "7Gbps"}, {"rtt", "4ms"},
		{"loss.p", "0.25"}, {"loss.per", "chunk"},
	}
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(rt, "datacenters")
		numbers := rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 0, n, rapid.ID[int]).Draw(rt, "hops")
		var hops []string
		want := make([]spec.Link, n)
		for i := range want {
			var overrides []string
			entry, loss := fmt.Sprintf("hop: %d", i), "per: packet"
			for _, k := range keys {
				if !slices.Contains(numbers, i) || !rapid.Bool().Draw(rt, k.key) {
					continue
				}
				overrides = append(overrides, "link."+k.key+"="+k.value)
				if name, ok := strings.CutPrefix(k.key, "loss."); ok {
					loss = strings.Replace(loss+", "+name+": "+k.value, "per: packet, per", "per", 1)
				} else {
					entry += ", " + k.key + ": " + k.value
				}
			}
			want[i] = load(t, base, overrides...).At(0).Link
			if slices.Contains(numbers, i) {
				loss = strings.Replace(loss, "per: packet, p: 0.25, per: chunk", "p: 0.25, per: chunk", 1)
				hops = append(hops, "{"+entry+", loss: {"+loss+"}}")
			}
		}
		got := load(t, ringOf(n, hops...)).At(0).Collective.Hops
		if !reflect.DeepEqual(got, want) {
			rt.Fatalf("%s\ngot  %+v\nwant %+v", hops, got, want)
		}
	})
}
