package scenarios

import (
	"fmt"
	"strings"
	"testing"

	"sdrsim/schemes/ec/code"
	"sdrsim/units"

	"pgregory.net/rapid"
)

func labels(s *Scenario) string {
	var list []string
	for _, one := range s.Schemes {
		list = append(list, one.Label)
	}
	return strings.Join(list, " ")
}

func TestLabelsTellSchemesApart(t *testing.T) {
	for list, want := range map[string]string{
		"[sr-rto, ec-mds]":                                      "sr-rto ec-mds",
		"[ec-mds, {name: ec-mds, k: 16, m: 4}]":                 "ec-mds(32,8) ec-mds(16,4)",
		"[sr-rto, {name: sr-rto, rto: 1RTT}]":                   "sr-rto sr-rto[rto=1RTT]",
		"[{name: sr-rto, rto: 1RTT}, {name: sr-rto, alpha: 1}]": "sr-rto[rto=1RTT] sr-rto[alpha=1]",
		"[sr-rto, {name: sr-rto, label: fast, rto: 1RTT}]":      "sr-rto fast",
		"[{name: sr-rto, label: sr}, {name: sr-nack}]":          "sr sr-nack",
		"[{name: ec-mds, m: 4}, {name: ec-mds, m: 4, beta: 2}]": "ec-mds ec-mds[beta=2]",
		"[{name: ec-mds, k: 8}, {name: ec-mds, k: 8, m: 2, retries: 5}]": "ec-mds(8,8) " +
			"ec-mds(8,2)[retries=5]",
	} {
		if got := labels(load(t, schemesOf(list))); got != want {
			t.Errorf("%s: labelled %s; want %s", list, got, want)
		}
	}
}

func TestNestedParametersAreFlattened(t *testing.T) {
	nested := load(t, schemesOf("[{name: sr-rto, ack: {interval: 1ms, size: 1KiB}}]"))
	dotted := load(t, schemesOf("[{name: sr-rto, ack.interval: 1ms, ack.size: 1KiB}]"))
	for _, s := range []*Scenario{nested, dotted} {
		p := s.Schemes[0].Params
		if p["ack.interval"].Span.Fixed != units.Millisecond || p["ack.size"].Number != 1024 ||
			!p["ack.size"].Given {
			t.Errorf("got %+v", p)
		}
	}
}

func TestLabelsInAFixedOrderNameParametersOfSweepsAndFigures(t *testing.T) {
	s := load(t, schemesOf("[{name: ec-mds, k: 16, m: 4}, ec-mds]")+
		"sweep: {'schemes.ec-mds(16,4).beta': [1, 2]}\n"+
		"figures: [{kind: line, y: speedup, of: 'ec-mds(16,4)', over: 'ec-mds(32,8)'}]\n")
	p := s.At(1)
	if p.Schemes[0].Params["beta"].Number != 2 || p.Schemes[1].Params["beta"].Number != 1 {
		t.Errorf("got %+v", p.Schemes)
	}
	if s.Figures[0].X != "schemes.ec-mds(16,4).beta" {
		t.Errorf("got %+v", s.Figures[0])
	}
}

// What is allowed of k and m is what the code says.
func TestCodesAreThoseOfTheCodec(t *testing.T) {
	wide := func(name string) *rapid.Generator[int] {
		return rapid.Custom(func(t *rapid.T) int {
			bits := rapid.IntRange(0, 16).Draw(t, name+" bits")
			return max(1, min(65535, 1<<bits+rapid.IntRange(-2, 2).Draw(t, name+" more")))
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		k, m := wide("k").Draw(t, "k"), wide("m").Draw(t, "m")
		if rapid.Bool().Draw(t, "at the edge") {
			m = max(1, min(65535, 65536-k+rapid.IntRange(-1, 1).Draw(t, "off")))
		}
		for name, build := range map[string]func(k, m int) error{
			"ec-mds": func(k, m int) error { _, err := code.NewMDS(k, m); return err },
			"ec-xor": func(k, m int) error { _, err := code.NewXOR(k, m); return err },
		} {
			text := fmt.Sprintf("{name: %s, k: %d, m: %d}", name, k, m)
			_, err := Load("f.yaml", []byte(strings.Replace(base, "[sr-rto, ec-mds]",
				"["+text+"]", 1)), nil)
			if want := build(k, m); (err == nil) != (want == nil) {
				t.Fatalf("%s: loads with %v; the code says %v", text, err, want)
			}
		}
	})
}
