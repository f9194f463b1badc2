package scenarios

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// FuzzLoad wants Load to end on any text and any override, with faults at places of the file or
// with points that can be built.
func FuzzLoad(f *testing.F) {
	files, err := filepath.Glob("*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data), "samples=10")
	}
	for name, body := range badCases(f) {
		text, overrides := badCase(f, name, body)
		overrides = append(overrides, Override{})
		f.Add(text, overrides[0].String())
	}
	f.Add(sweptBase, "link.loss={model: gilbert-elliott, mean: 1e-3, burst: 3}")
	f.Add(ringOf(3, "{hop: 1, loss: {p: 0.1}}")+"sweep: {collective.datacenters: [2, 3]}\n",
		"collective.hops=[{hop: 0, rtt: 1ms}]")
	f.Add(networkOf(3, "flows: [{from: west, to: east[1], size: 2MiB, scheme: sr-nack}]"),
		"traffic=[{at: border.east, model: on-off, load: 0.3}]")
	f.Add(figureBase, "sweep.scheme.rto={from: 1RTT, to: 3RTT, step: 0.1RTT}")
	f.Fuzz(func(t *testing.T, text, override string) {
		var overrides []Override
		if o, err := ParseOverride(override); err == nil {
			overrides = append(overrides, o)
		}
		s, err := loader{1000, draft.Beside("f.yaml")}.load("f.yaml", []byte(text), overrides)
		if err != nil {
			checkFaults(t, text, err)
			return
		}
		for _, i := range []int{0, s.Len() / 2, s.Len() - 1} {
			checkPoint(t, s.At(i))
		}
	})
}

func checkFaults(t *testing.T, text string, err error) {
	checkPlaces(t, "fuzz", text, err)
	last := &format.Error{}
	for _, e := range err.(Errors) {
		if e.Message == "" {
			t.Errorf("%q says nothing", e)
		}
		after := e.Line == 0 || last.Line != 0 && (e.Line > last.Line ||
			e.Line == last.Line && e.Column >= last.Column)
		if last.File != "" && !after {
			t.Errorf("%q comes after %q", e, last)
		}
		last = e
	}
}

// checkPoint wants what an experiment relies on.
func checkPoint(t *testing.T, p spec.Point) {
	sent := p.Message.Size
	if c := p.Collective; c.Kind != "" {
		sent = c.Part(sent)
		if c.Kind != spec.AllReduce || c.Datacenters < 2 || len(c.Hops) != c.Datacenters ||
			p.Message.Count != 1 {
			t.Errorf("collective %+v of messages %+v", c, p.Message)
		}
	}
	switch {
	case p.Message.Size <= 0, p.Message.Chunk%p.Link.MTU != 0, p.Message.InFlight < 1,
		p.Message.InFlight > p.Message.Count:
		t.Errorf("message %+v", p.Message)
	case !p.SDR.Split.Valid(), p.SDR.RecvDepth < 1,
		int64(p.SDR.RecvDepth) > p.SDR.Split.Messages(),
		int64(sent) > p.SDR.Split.Packets()*int64(p.Link.MTU):
		t.Errorf("sdr %+v", p.SDR)
	case len(p.Schemes) == 0, p.Samples < 1, MemoryEstimate(p) <= 0:
		t.Errorf("point %+v", p)
	}
	for _, l := range append([]spec.Link{p.Link}, p.Collective.Hops...) {
		if l.MTU != p.Link.MTU || l.Overhead != p.Link.Overhead {
			t.Errorf("packets of %v (+%v), and %v (+%v) on a hop", p.Link.MTU, p.Link.Overhead,
				l.MTU, l.Overhead)
		}
		checkLink(t, &p, l, sent)
	}
}

// checkLink wants a link to be one that a message of so many bytes can be sent over.
func checkLink(t *testing.T, p *spec.Point, link spec.Link, sent units.Bytes) {
	if link.RTT() <= 0 || link.Bandwidth <= 0 || link.ReverseBandwidth <= 0 || link.MTU <= 0 {
		t.Errorf("link %+v", link)
	}
	link.Bandwidth.TransmitTime(sent) // panics where it does not fit the clock
	for _, l := range []spec.Loss{link.Loss, link.AckLoss} {
		for _, v := range []float64{l.P, l.GoodBad, l.BadGood, l.LossGood, l.LossBad, l.Share} {
			if !(v >= 0 && v <= 1) {
				t.Errorf("loss %+v", l)
			}
		}
	}
	for _, s := range p.Schemes {
		for name, v := range s.Params {
			if v.Span.Of(link.RTT()) < 0 || strings.TrimSpace(name) == "" {
				t.Errorf("%s: %s is %+v", s.Label, name, v)
			}
		}
	}
}

// BenchmarkLoadAMillionPoints reads a scenario of a million points and checks every one.
func BenchmarkLoadAMillionPoints(b *testing.B) {
	text := with("sweep:", "  link.loss.p: {from: 0.001, to: 0.1, points: 1000}",
		"  message.size: {from: 1000B, to: 1999B, step: 1B}")
	b.ReportAllocs()
	for b.Loop() {
		load(b, text)
	}
}

func BenchmarkLoadQuickstart(b *testing.B) {
	data, err := os.ReadFile("quickstart.yaml")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		load(b, string(data))
	}
}

func BenchmarkBuildPoint(b *testing.B) {
	s := load(b, sweptBase)
	b.ReportAllocs()
	for b.Loop() {
		s.At(1)
	}
}
