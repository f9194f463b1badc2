package scenarios

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/units"

	"pgregory.net/rapid"
)

func TestSweepIsAProductWithTheFirstPathSlowest(t *testing.T) {
	s := load(t, with("sweep:", "  message.size: [1MiB, 1GiB]", "  link.loss.p: [0, 1e-3, 1e-5]"))
	want := []string{
		"message.size=1048576,link.loss.p=0", "message.size=1048576,link.loss.p=0.001",
		"message.size=1048576,link.loss.p=1e-5", "message.size=1073741824,link.loss.p=0",
		"message.size=1073741824,link.loss.p=0.001", "message.size=1073741824,link.loss.p=1e-5",
	}
	points := s.Points()
	if len(points) != len(want) {
		t.Fatalf("got %d points; want %d", len(points), len(want))
	}
	for i, p := range points {
		if p.Key != want[i] || p.Index != i {
			t.Errorf("point %d is number %d, %q; want %q", i, p.Index, p.Key, want[i])
		}
	}
	last := points[5]
	if last.Message.Size != units.GiB || last.Link.Loss.P != 1e-5 {
		t.Errorf("the last point has %v and %g", last.Message.Size, last.Link.Loss.P)
	}
}

func TestScenarioWithoutSweepIsOnePoint(t *testing.T) {
	s := load(t, base)
	if s.Len() != 1 || s.At(0).Key != "" || len(s.At(0).Axes) != 0 {
		t.Errorf("got %d points, the first %+v", s.Len(), s.At(0))
	}
}

func TestPointsShareNothingThatOneCouldChangeForAnother(t *testing.T) {
	s := load(t, with("sweep: {schemes.ec-mds.k: [4, 8]}"))
	first := s.At(0)
	first.Schemes[1].Params["k"] = first.Schemes[1].Params["m"]
	first.Schemes[0].Label = "changed"
	if again := s.At(0); again.Schemes[1].Params["k"].Number != 4 ||
		again.Schemes[0].Label != "sr-rto" {
		t.Errorf("a change of one point changed another: %+v", again.Schemes)
	}
}

// sweptPaths are paths with values, and how a point tells what it has.
var sweptPaths = []struct {
	path   string
	values []string
	texts  []string
	of     func(p spec.Point) string
}{
	{"link.bandwidth", []string{"100Gbps", "1.6Tbps"}, []string{"100000000000", "1600000000000"},
		func(p spec.Point) string { return fmt.Sprint(int64(p.Link.Bandwidth)) }},
	{"link.rtt", []string{"1ms", "25ms", "12.5us"}, []string{"0.001", "0.025", "1.25e-5"},
		func(p spec.Point) string { return keys.FormatNumber(p.Link.RTT().Seconds()) }},
	{"link.mtu", []string{"1KiB", "2KiB", "4KiB"}, []string{"1024", "2048", "4096"},
		func(p spec.Point) string { return fmt.Sprint(int64(p.Link.MTU)) }},
	{"link.encapsulation", []string{"none", "rocev1"}, []string{"none", "rocev1"},
		func(p spec.Point) string { return p.Link.Encapsulation }},
	{"link.loss.p", []string{"0", "0.1%", "1e-8"}, []string{"0", "0.001", "1e-8"},
		func(p spec.Point) string { return keys.FormatNumber(p.Link.Loss.P) }},
	{"message.size", []string{"1B", "3MiB", "128MiB"}, []string{"1", "3145728", "134217728"},
		func(p spec.Point) string { return fmt.Sprint(int64(p.Message.Size)) }},
	{"message.count", []string{"1", "7", "1e3"}, []string{"1", "7", "1000"},
		func(p spec.Point) string { return fmt.Sprint(p.Message.Count) }},
	{"sdr.imm", []string{"8+20+4", "10+20+2"}, []string{"8+20+4", "10+20+2"},
		func(p spec.Point) string { return p.SDR.Split.String() }},
	{"engine.runs", []string{"unlimited", "1"}, []string{"unlimited", "1"},
		func(p spec.Point) string {
			return strings.Replace(fmt.Sprint(p.Engine.MaxRun), "0", "unlimited", 1)
		}},
	{"payload", []string{"virtual", "real"}, []string{"virtual", "real"},
		func(p spec.Point) string { return p.Payload }},
	{"schemes.ec-mds.fallback", []string{"missing", "submessage"}, []string{"missing", "submessage"},
		func(p spec.Point) string { return p.Schemes[1].Params["fallback"].Word }},
	{"scheme.rto", []string{"3RTT", "0.5RTT"}, []string{"3RTT", "0.5RTT"},
		func(p spec.Point) string { return p.Schemes[0].Params["rto"].Span.String() }},
}

func TestEveryPointHasTheValuesOfItsKey(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		order := rapid.Permutation(sweptPaths).Draw(rt, "order")
		order = order[:rapid.IntRange(0, 5).Draw(rt, "axes")]
		lines, points := []string{"sweep: {}"}, 1
		for i, a := range order {
			if i == 0 {
				lines = []string{"sweep:"}
			}
			lines = append(lines, "  "+a.path+": ["+strings.Join(a.values, ", ")+"]")
			points *= len(a.values)
		}
		s := load(t, with(lines...))
		if s.Len() != points {
			rt.Fatalf("got %d points; want %d", s.Len(), points)
		}
		keys := map[string]bool{}
		for i, p := range s.Points() {
			keys[p.Key] = true
			rest := i
			for a := len(order) - 1; a >= 0; a-- {
				want := order[a].texts[rest%len(order[a].texts)]
				rest /= len(order[a].texts)
				if p.Axes[a].Text != want || order[a].of(p) != want {
					rt.Fatalf("%s has %s, and says %s; want %s", p.Key, order[a].of(p),
						p.Axes[a].Text, want)
				}
			}
		}
		if len(keys) != points {
			rt.Fatalf("%d keys for %d points", len(keys), points)
		}
	})
}

func TestOverridingWithTheValuesOfAPointGivesThatPoint(t *testing.T) {
	s := load(t, with("sweep:", "  message.size: {from: 1MiB, to: 1GiB, factor: 4}",
		"  link.loss.p: {from: 1e-6, to: 1e-2, points: 9, scale: log}"))
	rapid.Check(t, func(rt *rapid.T) {
		p := s.At(rapid.IntRange(0, s.Len()-1).Draw(rt, "point"))
		one := load(t, string(s.Text), "link.loss.p="+p.Axes[1].Text,
			"message.size="+p.Axes[0].Text+"B")
		if one.Len() != 1 {
			rt.Fatalf("got %d points; want 1", one.Len())
		}
		got := one.At(0)
		got.Index = p.Index
		if !reflect.DeepEqual(got, p) {
			rt.Fatalf("got %+v\nwant %+v", got, p)
		}
	})
}

func TestNumbersOfAxesAreInBaseUnits(t *testing.T) {
	for line, want := range map[string]float64{
		"link.rtt: [25ms]":              0.025,
		"link.bandwidth: [400Gbps]":     4e11,
		"message.size: [1KiB]":          1024,
		"nic.per_packet: [680ns]":       6.8e-7,
		"scheme.rto: [75ms]":            0.075,
		"scheme.rto: [1.5RTT]":          1.5,
		"schemes.ec-mds.beta: [0.25]":   0.25,
		"schemes.sr-rto.retries: [1e3]": 1000,
	} {
		s := load(t, with("sweep: {"+line+"}"))
		if got := s.At(0).Axes[0].Number; got != want {
			t.Errorf("%s: got %g; want %g", line, got, want)
		}
	}
	s := load(t, with("sweep: {scheme.rto: [75ms, 3RTT], payload: [real]}"))
	for _, v := range s.At(0).Axes {
		if !math.IsNaN(v.Number) {
			t.Errorf("%s: %s has the number %g; want none", v.Path, v.Text, v.Number)
		}
	}
}

func TestSchemePathsReachWhatTheyName(t *testing.T) {
	text := schemesOf("[sr-rto, {name: sr-rto, label: a.b, alpha: 1}, {name: ec-xor, label: a}]")
	s := load(t, text+"sweep: {scheme.retries: [7], schemes.a.b.ack.size: [1KiB], "+
		"schemes.a.ack.size: [2KiB], scheme.k: [16]}\n")
	p := s.At(0)
	for i, want := range []float64{4096, 1024, 2048} {
		params := p.Schemes[i].Params
		if params["retries"].Number != 7 || params["ack.size"].Number != want {
			t.Errorf("%s: retries %v, ack.size %v; want 7 and %g", p.Schemes[i].Label,
				params["retries"], params["ack.size"], want)
		}
	}
	if k := p.Schemes[2].Params["k"]; k.Number != 16 || !k.Given {
		t.Errorf("ec-xor has k %+v; want 16, given", k)
	}
	if s.Schemes[2].Params["k"].Number != 32 {
		t.Errorf("the sweep changed the scheme of the file: %+v", s.Schemes[2])
	}
}

// What At builds does not depend on what it has built before, and AxesAt and KeyAt agree with it.
func TestPointsAreBuiltInAnyOrder(t *testing.T) {
	text := with("sweep:", "  schemes.ec-mds.k: [4, 16, 32]", "  link.loss.p: [1e-5, 1e-3]")
	s, same := load(t, text), load(t, text)
	for i := s.Len() - 1; i >= 0; i-- {
		got, want := s.At(i), same.At(i)
		same.At((i + 1) % s.Len()) // another one in between
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(got, same.At(i)) {
			t.Errorf("point %d: %+v, want %+v", i, got, want)
		}
		if !slices.Equal(s.AxesAt(i), got.Axes) || s.KeyAt(i) != got.Key {
			t.Errorf("point %d: axes %v, key %q; want %v, %q",
				i, s.AxesAt(i), s.KeyAt(i), got.Axes, got.Key)
		}
	}
}
