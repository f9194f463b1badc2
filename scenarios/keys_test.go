package scenarios

import (
	"fmt"
	"strings"
	"testing"

	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/schemes"
	"sdrsim/units"
	"sdrsim/wire"
)

func TestDefaultsAreThoseOfThePage(t *testing.T) {
	p := load(t, base).At(0)
	if got := fmt.Sprintf("%v %s %v", p.Link.MTU, p.Link.Encapsulation, p.Link.Overhead); got !=
		"4KiB rocev2-ipv4 102B" {
		t.Errorf("link: %s", got)
	}
	if p.Link.ReverseBandwidth != 400*units.Gbps || p.Link.Delay != 12500*units.Microsecond {
		t.Errorf("link: %v back, %v one way", p.Link.ReverseBandwidth, p.Link.Delay)
	}
	if want := (spec.Message{Size: units.MiB, Chunk: 64 * units.KiB, Count: 1,
		InFlight: 1}); p.Message !=
		want {
		t.Errorf("message: %+v; want %+v", p.Message, want)
	}
	want := spec.SDR{Split: wire.DefaultSplit, Channels: 8, Generations: 4, RecvDepth: 2,
		WantedDepth: 2}
	if p.SDR != want {
		t.Errorf("sdr: %+v; want %+v", p.SDR, want)
	}
	if (p.NIC != spec.NIC{Workers: 16, QPs: 1}) || p.Engine.MaxRun != 0 ||
		p.Payload != spec.PayloadVirtual {
		t.Errorf("nic %+v, engine %+v, payload %s", p.NIC, p.Engine, p.Payload)
	}
	if p.Samples != 1000 || p.Seed != 1 {
		t.Errorf("%d samples of seed %d; want 1000 of 1", p.Samples, p.Seed)
	}
	if rto := p.Schemes[0].Params["rto"]; rto.Given || !rto.Span.IsZero() {
		t.Errorf("rto %+v; want none", rto)
	}
	if alpha := p.Schemes[0].Params["alpha"]; alpha.Given || alpha.Number != 2 {
		t.Errorf("alpha %+v; want the default 2", alpha)
	}
}

// sampleOf is a value that a key allows and that is not its default.
func sampleOf(k keys.Key) string {
	switch k.Kind {
	case schemes.KindChoice:
		return k.Choices[len(k.Choices)-1]
	case schemes.KindBytes:
		return "8KiB"
	case schemes.KindRate:
		return "10Gbps"
	case keys.KindDistance:
		return "100km"
	case keys.KindDuration, schemes.KindSpan:
		return "1ms"
	case keys.KindProbability, keys.KindShare:
		return "0.25"
	case keys.KindSplit:
		return "8+20+4"
	case keys.KindName:
		return "other"
	}
	return "7"
}

func TestEveryKeyOfTheTableIsRead(t *testing.T) {
	for _, k := range keys.Root.Keys {
		root := format.Parse([]byte(base), format.NewFaults("f", nil))
		f := format.NewFaults("f", []Override{{Path: k.Path, Value: sampleOf(k)}})
		draft.ApplyOverrides(root, f)
		d := draft.Decode(root, f)
		if err := f.Result(); err != nil {
			t.Errorf("%s: %v", k.Path, err)
			continue
		}
		if s := d.Draft.Get(k.Path); s.State != keys.Given || s.Raw != sampleOf(k) {
			t.Errorf("%s: holds %q; want %q", k.Path, s.Raw, sampleOf(k))
		}
	}
}

func TestEveryKeyIsPrintedWithItsDefault(t *testing.T) {
	var out strings.Builder
	if err := keys.WriteDefaults(&out); err != nil {
		t.Fatal(err)
	}
	for _, k := range keys.Defaults() {
		if !strings.Contains("\n"+out.String(), "\n"+k.Path+" ") {
			t.Errorf("%s is not printed", k.Path)
		}
	}
	const want = "link.mtu                 payload of a full packet\n" +
		"                         (a size from 64B to 64KiB such as 4KiB or 1500B; default 4KiB)\n"
	if !strings.Contains(out.String(), want) {
		t.Errorf("got\n%s\nwithout\n%s", out.String(), want)
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, fmt.Errorf("disk full") }

func TestPrintingDefaultsReportsAFullDisk(t *testing.T) {
	if err := keys.WriteDefaults(failingWriter{}); err == nil || err.Error() != "disk full" {
		t.Errorf("got %v", err)
	}
}

// The sums are those of the headers of a one-packet RDMA Write with immediate.
func TestEncapsulationsAddTheirHeaders(t *testing.T) {
	doc := keys.Root.Key("link.encapsulation").Doc
	for name, want := range map[string]units.Bytes{
		"none":        0,
		"rocev2-ipv4": 14 + 20 + 8 + 12 + 16 + 4 + 4 + 4 + 20,
		"rocev2-ipv6": 14 + 40 + 8 + 12 + 16 + 4 + 4 + 4 + 20,
		"rocev1":      14 + 40 + 12 + 16 + 4 + 4 + 4 + 20,
		"infiniband":  8 + 12 + 16 + 4 + 4 + 2,
	} {
		got := load(t, base, "link.encapsulation="+name).At(0).Link.Overhead
		if got != want {
			t.Errorf("%s: %v; want %v", name, got, want)
		}
		if !strings.Contains(doc, fmt.Sprintf("%s %d B", name, want)) {
			t.Errorf("%s: documented otherwise: %s", name, doc)
		}
	}
}

func TestPropagationIsSaidInThreeWays(t *testing.T) {
	for line, want := range map[string]units.Duration{
		"link.rtt=25ms":        12500 * units.Microsecond,
		"link.delay=2ms":       2 * units.Millisecond,
		"link.distance=3750km": units.Fiber.Delay(3750 * units.Kilometre),
	} {
		if got := load(t, base, line).At(0).Link.Delay; got != want {
			t.Errorf("%s: %v one way; want %v", line, got, want)
		}
	}
	vacuum := load(t, base, "link.distance=3750km", "link.medium=vacuum").At(0).Link.Delay
	if want := units.Vacuum.Delay(3750 * units.Kilometre); vacuum != want {
		t.Errorf("in vacuum: %v; want %v", vacuum, want)
	}
}
