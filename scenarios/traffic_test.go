package scenarios

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"sdrsim/internal/spec"
	"sdrsim/units"

	"pgregory.net/rapid"
)

// inTestdata loads the base scenario with another message, as a file of testdata.
func inTestdata(t *testing.T, message string, overrides ...string) *Scenario {
	t.Helper()
	s, err := loadMessage(message, overrides...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func loadMessage(message string, overrides ...string) (*Scenario, error) {
	text := strings.Replace(base, "{size: 1MiB}", message, 1)
	var list []Override
	for _, o := range overrides {
		parsed, err := ParseOverride(o)
		if err != nil {
			return nil, err
		}
		list = append(list, parsed)
	}
	return Load(filepath.Join("testdata", "f.yaml"), []byte(text), list)
}

func TestSizesAreDrawnAsTheirModelSays(t *testing.T) {
	for _, c := range []struct {
		message string
		largest units.Bytes
		at      map[float64]units.Bytes // sizes by the share below
	}{
		{"{size: {model: uniform, min: 10B, max: 19B}}", 19,
			map[float64]units.Bytes{0: 10, 0.0999: 10, 0.1001: 11, 0.55: 15, 0.99999: 19}},
		{"{size: {model: lognormal, median: 1MiB, sigma: 1, max: 8MiB}}", 8 * units.MiB,
			map[float64]units.Bytes{0: 1, 0.5: units.MiB, 0.8413447460685429: 2850325,
				0.999: 8 * units.MiB}},
		{"{size: {model: lognormal, mean: 1MiB, sigma: 2, min: 4KiB, max: 1GiB}}", units.GiB,
			map[float64]units.Bytes{0: 4096, 0.5: 141909}},
		{"{size: {model: cdf, file: sizes.cdf}}", 1_000_000,
			map[float64]units.Bytes{0: 1, 0.25: 501, 0.499999: 1000, 0.55: 1000, 0.75: 50501,
				0.9: 100001, 0.9999999: 1_000_000}},
	} {
		m := inTestdata(t, c.message).At(0).Message
		if m.Size != c.largest || m.Sizes.Largest() != c.largest {
			t.Errorf("%s: at most %d; want %d", c.message, m.Size, c.largest)
		}
		for u, want := range c.at {
			if got := m.Sizes.Of(u); got != want {
				t.Errorf("%s: %d at %v; want %d", c.message, got, u, want)
			}
		}
	}
	fixed := inTestdata(t, "{size: {model: fixed, mean: 1MiB}}").At(0).Message
	if plain := inTestdata(t, "{size: 1MiB}").At(0).Message; fixed != plain {
		t.Errorf("fixed: %+v; want %+v", fixed, plain)
	}
}

// The mean, in bytes and on the wire, is that of sizes at equal distances of the share below.
func TestMeanSizesAreThoseOfWhatIsDrawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom([]*spec.Sizes{
			spec.UniformSizes(1, 1), spec.UniformSizes(100, 100_000), spec.UniformSizes(4096, 4097),
			spec.LognormalSizes(12, 1, 1, 1<<22), spec.LognormalSizes(9, 0, 1, 1<<22),
			spec.LognormalSizes(9, 2, 5000, 1<<20),
			spec.TabledSizes([]spec.SizePoint{{Bytes: 10, P: 0.5}, {Bytes: 100_000, P: 0.5},
				{Bytes: 100_000, P: 1}}),
			spec.TabledSizes([]spec.SizePoint{{}, {Bytes: 1000, P: 0.5}, {Bytes: 1000, P: 0.6},
				{Bytes: 100_000, P: 1}}),
		}).Draw(t, "sizes")
		mtu := units.Bytes(rapid.SampledFrom([]int{64, 1000, 4096}).Draw(t, "mtu"))
		const overhead, n = 102, 200_000
		bytes, wire := 0.0, 0.0
		for i := range n {
			size := s.Of((float64(i) + 0.5) / n)
			if size < 1 || size > s.Largest() {
				t.Fatalf("a size of %d", size)
			}
			bytes += float64(size) / n
			wire += float64(size+overhead*units.Bytes(units.CeilDiv(int64(size), int64(mtu)))) / n
		}
		gotBytes, gotWire := s.Mean(mtu, overhead)
		if math.Abs(gotBytes/bytes-1) > 1e-3 || math.Abs(gotWire/wire-1) > 1e-3 {
			t.Errorf("%+v: mean %v, on the wire %v; drawn %v, %v", s, gotBytes, gotWire, bytes, wire)
		}
	})
}

func TestArrivalsAreReadAndALoadIsAShareOfTheLink(t *testing.T) {
	trace := inTestdata(t, "{size: 1MiB, count: 4, arrival: {model: trace, file: arrivals.csv}}")
	ms := units.Time(units.Millisecond)
	want := &spec.Arrival{Model: spec.ArrivalTrace, Times: []units.Time{0, ms / 80, ms, ms}}
	if got := trace.At(0).Message.Arrival; !reflect.DeepEqual(got, want) {
		t.Errorf("trace: %+v; want %+v", got, want)
	}
	// 256 packets of 4096 + 102 bytes at 400 Gbit/s.
	const each = 256 * (4096 + 102) * 20
	for text, want := range map[string]spec.Arrival{
		"periodic": {},
		"{model: periodic, interval: 3us}": {Model: spec.ArrivalPeriodic,
			Interval: 3 * units.Microsecond},
		"{model: poisson, load: 0.5}":              {Model: spec.ArrivalPoisson, Interval: 2 * each},
		"{model: poisson, load: 1}":                {Model: spec.ArrivalPoisson, Interval: each},
		"{model: all-at-once}":                     {},
		"{model: poisson, load: 0.25, interval: }": {},
	} {
		s, err := loadMessage("{size: 1MiB, arrival: " + text + "}")
		got := spec.Arrival{}
		if err == nil && s.At(0).Message.Arrival != nil {
			got = *s.At(0).Message.Arrival
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v; want %+v", text, got, err, want)
		}
	}
}

// A distribution takes the place of a size, its parameters are swept, and so is its model.
func TestTrafficIsSweptAndSet(t *testing.T) {
	const message = "{size: {model: lognormal, mean: 1MiB, sigma: 1, max: 64MiB}, count: 100,\n" +
		"  arrival: {model: poisson, load: 0.5}}"
	s := inTestdata(t, message, "sweep.message.size.sigma=[0, 1, 2]",
		"sweep.message.arrival.load={from: 0.1, to: 0.9, points: 3}",
		"sweep.message.size.model=[fixed, lognormal]")
	if s.Len() != 18 {
		t.Fatalf("%d points; want 18", s.Len())
	}
	for i := range s.Len() {
		m := s.At(i).Message
		fixed := m.Sizes == nil
		if fixed != strings.Contains(s.At(i).Key, "fixed") || fixed && m.Size != units.MiB {
			t.Errorf("%s: %+v", s.At(i).Key, m)
		}
	}
	for set, size := range map[string]units.Bytes{
		"message.size=8KiB":                                              8192,
		"message.size={model: uniform, max: 9B}":                         9,
		"message.size.max=2MiB":                                          2 * units.MiB,
		"message.size={model: cdf, file: sizes.cdf}":                     1_000_000,
		"message.size={model: fixed, mean: 64KiB}":                       65536,
		"message.arrival.load=0.9":                                       64 * units.MiB,
		"message.arrival=all-at-once":                                    64 * units.MiB,
		"message.arrival={model: periodic, interval: 1ms}":               64 * units.MiB,
		"message.size={model: lognormal, median: 1B, sigma: 0, max: 3B}": 3,
	} {
		if got := inTestdata(t, message, set).At(0).Message.Size; got != size {
			t.Errorf("%s: sizes up to %v; want %v", set, got, size)
		}
	}
	plain := inTestdata(t, "{size: 1MiB}", "message.size.model=lognormal", "message.size.sigma=1",
		"message.size.max=2MiB").At(0).Message
	if plain.Sizes == nil || plain.Sizes.Of(0.4) >= units.MiB {
		t.Errorf("a size that is made a distribution: %+v", plain)
	}
}

func TestFaultsOfTraffic(t *testing.T) {
	for _, c := range [][2]string{
		{"{size: {model: lognormal, sigma: 1, max: 1MiB}}", "mean or median"},
		{"{size: {model: lognormal, mean: 1MiB, median: 1MiB, sigma: 1, max: 2MiB}}",
			"only one of mean"},
		{"{size: {model: lognormal, mean: 1MiB, max: 2MiB}}", "needs sigma"},
		{"{size: {model: lognormal, mean: 1MiB, sigma: 1}}", "needs max"},
		{"{size: {model: uniform, min: 2MiB, max: 1MiB}}", "must not be above"},
		{"{size: {model: uniform, sigma: 1, max: 1MiB}}",
			"f.yaml:6:41: message.size.sigma: \"1\": is not a parameter"},
		{"{size: {mean: 1MiB}}", "goes with message.size.model"},
		{"{size: {}}", "message.size: missing"},
		{"{size: {model: cdf}}", "needs file"},
		{"{size: {model: cdf, file: nothing.cdf}}",
			"f.yaml:6:36: message.size.file: \"nothing.cdf\": cannot be read: no such file"},
		{"{size: {model: cdf, file: falling.cdf}}",
			"line 3: bytes and probabilities must not become less"},
		{"{size: {model: cdf, file: arrivals.csv}}", "line 1: must be bytes and a probability"},
		{"{size: {model: cdf, file: .}}", "must be a regular file"},
		{"{size: {model: pareto}}", "must be one of fixed"},
		{"{size: 1MiB, arrival: poisson}", "needs interval or load"},
		{"{size: 1MiB, arrival: {model: poisson, interval: 1s, load: 1}}",
			"only one of interval and load"},
		{"{size: 1MiB, arrival: {model: poisson, load: 0}}", "must be a number from"},
		{"{size: 1MiB, arrival: {interval: 1us}}",
			"is not a parameter of the model, which is all-at-once"},
		{"{size: 1MiB, arrival: {model: trace}}", "needs file"},
		{"{size: 1MiB, count: 5, arrival: {model: trace, file: arrivals.csv}}",
			"holds 4 times, and there are 5 messages"},
		{"{size: 1MiB, arrival: {model: trace, file: back.csv}}", "line 3: is before"},
		{"{size: 1MiB, count: 1000, arrival: {model: periodic, interval: 1h}}", "more than 11 days"},
		{"{size: 1B, arrival: {model: periodic, interval: 0s}}", "must be a duration from"},
	} {
		message, want := c[0], c[1]
		_, err := loadMessage(message)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; want one fault that says %s", message, err, want)
		}
	}
	for _, other := range []string{
		"message.size.model=uniform", "message.arrival={model: poisson, load: 1}",
	} {
		overrides := set(t, "collective={kind: all-reduce, datacenters: 3}", other)
		text := strings.Replace(base, "{size: 1MiB}",
			"{size: {model: fixed, mean: 1MiB, max: 1MiB}}", 1)
		if _, err := Load("f.yaml", []byte(text), overrides); err == nil ||
			!strings.Contains(err.Error(), "a collective has") {
			t.Errorf("%s in a collective: %v", other, err)
		}
	}
}

// What a file holds is part of what a scenario is, and is kept with it.
func TestNamedFilesArePartOfAScenario(t *testing.T) {
	dir := t.TempDir()
	file, named := filepath.Join(dir, "s.yaml"), filepath.Join(dir, "sizes.cdf")
	text := []byte(strings.Replace(base, "{size: 1MiB}", "{size: {model: cdf, file: sizes.cdf}}", 1))
	read := func(cdf string) *Scenario {
		if err := os.WriteFile(named, []byte(cdf), 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := Load(file, text, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	one, other := read("1000 1\n"), read("2000 1\n")
	if one.Hash == other.Hash || one.Hash != read("1000 1\n").Hash {
		t.Errorf("hashes %s and %s", one.Hash, other.Hash)
	}
	if err := os.Remove(named); err != nil {
		t.Fatal(err)
	}
	kept, err := LoadKept("elsewhere", text, nil, one.Files)
	if err != nil || kept.Hash != one.Hash || kept.At(0).Message.Size != 1000 {
		t.Errorf("kept: %v", err)
	}
	changed := []File{one.Files[0]}
	changed[0].Text = "3000 1\n"
	for want, files := range map[string][]File{"has changed": changed, "was not kept": nil} {
		if _, err := LoadKept("elsewhere", text, nil, files); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v; want that it %s", err, want)
		}
	}
}
