package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sdrsim/internal/spec"

	"pgregory.net/rapid"
)

// sweptBy returns the base scenario with a sweep.
func sweptBy(sweep string) string {
	return `name: t
link: {bandwidth: 100Gbps, rtt: 5ms, loss: {model: iid, p: 1e-3}}
message: {size: 1MiB, chunk: 64KiB}
schemes: [sr-rto, ec-mds]
sweep:
` + sweep
}

func mustLoad(t *testing.T, text string, set ...string) *Scenario {
	t.Helper()
	var overrides []Override
	for _, one := range set {
		o, err := ParseOverride(one)
		if err != nil {
			t.Fatal(err)
		}
		overrides = append(overrides, o)
	}
	s, err := Load("f.yaml", []byte(text), overrides)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func keysOf(s *Scenario) (list []string) {
	for _, p := range s.Points() {
		list = append(list, p.Key)
	}
	return list
}

func wantKeys(t *testing.T, s *Scenario, want ...string) {
	t.Helper()
	if got := keysOf(s); !slices.Equal(got, want) {
		t.Errorf("points\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestZippedPathsMoveTogether(t *testing.T) {
	s := mustLoad(t, sweptBy(`
  link.loss.p: [1e-3, 1e-2]
  zip:
    - {message.size: [1MiB, 1GiB], link.rtt: [1ms, 25ms]}
    - {scheme.rto: {from: 1RTT, to: 3RTT, points: 2}, sdr.channels: [4, 8]}
`))
	wantKeys(t, s,
		"link.loss.p=0.001,message.size=1048576,link.rtt=0.001,scheme.rto=1RTT,sdr.channels=4",
		"link.loss.p=0.001,message.size=1048576,link.rtt=0.001,scheme.rto=3RTT,sdr.channels=8",
		"link.loss.p=0.001,message.size=1073741824,link.rtt=0.025,scheme.rto=1RTT,sdr.channels=4",
		"link.loss.p=0.001,message.size=1073741824,link.rtt=0.025,scheme.rto=3RTT,sdr.channels=8",
		"link.loss.p=0.01,message.size=1048576,link.rtt=0.001,scheme.rto=1RTT,sdr.channels=4",
		"link.loss.p=0.01,message.size=1048576,link.rtt=0.001,scheme.rto=3RTT,sdr.channels=8",
		"link.loss.p=0.01,message.size=1073741824,link.rtt=0.025,scheme.rto=1RTT,sdr.channels=4",
		"link.loss.p=0.01,message.size=1073741824,link.rtt=0.025,scheme.rto=3RTT,sdr.channels=8")
	p := s.At(7)
	if p.Link.RTT().Seconds() != 0.025 || p.Message.Size != 1<<30 || p.SDR.Channels != 8 {
		t.Errorf("point 7: %+v", p)
	}
}

// TestNamedPointsSetWhatTheySay has one point that sets what another leaves as it is.
func TestNamedPointsSetWhatTheySay(t *testing.T) {
	s := mustLoad(t, sweptBy(`
  points:
    metro: {link.rtt: 1ms, message.size: 64KiB}
    ocean: {link.rtt: 60ms, link.loss.p: 1e-2}
    here: {}
  scheme.rto: [2RTT]
`))
	wantKeys(t, s, "point=metro,scheme.rto=2RTT", "point=ocean,scheme.rto=2RTT",
		"point=here,scheme.rto=2RTT")
	for i, want := range []struct {
		rtt, p float64
		size   int64
	}{{1e-3, 1e-3, 64 << 10}, {60e-3, 1e-2, 1 << 20}, {5e-3, 1e-3, 1 << 20}} {
		p := s.At(i)
		if p.Link.RTT().Seconds() != want.rtt || p.Link.Loss.P != want.p ||
			int64(p.Message.Size) != want.size {
			t.Errorf("%s: rtt %v, p %v, size %v", p.Key, p.Link.RTT(), p.Link.Loss.P, p.Message.Size)
		}
	}
}

// Each named point may say in its own way how far it is.
func TestNamedPointsMayDifferInHowFarIsSaid(t *testing.T) {
	text := strings.Replace(sweptBy(`
  points:
    near: {link.rtt: 1ms}
    far: {link.distance: 3750km, link.medium: vacuum}
`), "rtt: 5ms, ", "", 1)
	s := mustLoad(t, text)
	if near, far := s.At(0).Link.RTT(), s.At(1).Link.RTT(); near.Seconds() != 1e-3 ||
		far.Seconds() < 25e-3 || far.Seconds() > 25.1e-3 {
		t.Errorf("near %v, far %v", near, far)
	}
}

func TestExcludedPointsAreLeftOut(t *testing.T) {
	s := mustLoad(t, sweptBy(`
  link.loss.p: [1e-3, 1e-2, 1e-1]
  message.size: [1MiB, 2MiB]
  exclude:
    - {link.loss.p: 10%, message.size: 2MiB}
    - {link.loss.p: [1e-3, 1e-2], message.size: 1024KiB}
`))
	wantKeys(t, s, "link.loss.p=0.001,message.size=2097152", "link.loss.p=0.01,message.size=2097152",
		"link.loss.p=0.1,message.size=1048576")
	for i, p := range s.Points() {
		if p.Index != i {
			t.Errorf("%s has index %d, want %d", p.Key, p.Index, i)
		}
	}
}

// What is left out need not be possible.
func TestExcludedPointsAreNotChecked(t *testing.T) {
	const sweep = `
  message.chunk: [4KiB, 64KiB]
  link.mtu: [4KiB, 8KiB]
`
	if _, err := Load("f.yaml", []byte(sweptBy(sweep)), nil); err == nil {
		t.Fatal("a chunk smaller than the MTU passes")
	}
	mustLoad(t, sweptBy(sweep+"  exclude: [{message.chunk: 4KiB, link.mtu: 8KiB}]\n"))
}

func TestOverridesOfGroups(t *testing.T) {
	const sweep = `
  link.loss.p: [1e-3, 1e-2]
  zip: [{message.size: [1MiB, 2MiB], link.rtt: [1ms, 2ms]}]
  exclude: [{link.loss.p: 1e-2, message.size: 1MiB}]
`
	t.Log("# an axis that is overridden leaves exclusions of its values behind")
	wantKeys(t, mustLoad(t, sweptBy(sweep), "link.loss.p=1e-4"),
		"link.loss.p=0.0001,message.size=1048576,link.rtt=0.001",
		"link.loss.p=0.0001,message.size=2097152,link.rtt=0.002")
	t.Log("# a group is replaced as a whole")
	wantKeys(t, mustLoad(t, sweptBy(sweep), "sweep.zip=[{message.size: [1MiB], link.rtt: [9ms]}]"),
		"link.loss.p=0.001,message.size=1048576,link.rtt=0.009")
	wantKeys(t, mustLoad(t, sweptBy("  link.loss.p: [1e-3]"),
		"sweep.points={a: {link.rtt: 1ms}, b: {link.rtt: 2ms}}"),
		"link.loss.p=0.001,point=a", "link.loss.p=0.001,point=b")
	t.Log("# a path of a group cannot be set alone")
	_, err := Load("f.yaml", []byte(sweptBy(sweep)), []Override{{Path: "link.rtt", Value: "3ms"}})
	if err == nil || !strings.Contains(err.Error(), "moves with other paths") {
		t.Errorf("error %v", err)
	}
}

func TestFaultsOfGroups(t *testing.T) {
	for _, test := range []struct{ sweep, want string }{
		{"  zip: {message.size: [1MiB]}", `sweep.zip: must be a list of mappings`},
		{"  zip: [{message.size: [1MiB]}]", `sweep.zip: must have at least two paths`},
		{"  zip: [{message.size: [1MiB], link.rtt: [1ms, 2ms]}]",
			"as many values each, not 1 of message.size, 2 of link.rtt"},
		{"  zip: [{message.size: [1MiB, 1MiB], link.rtt: [1ms, 1ms]}]",
			"comes twice: message.size=1048576,link.rtt=0.001"},
		{"  zip: [{message.siz: [1MiB], link.rtt: [1ms]}]", `did you mean "message.size"`},
		{"  zips: []", `did you mean "zip"`},
		{"  link.rtt: [1ms]\n  zip: [{message.size: [1MiB], link.rtt: [1ms]}]",
			"sets what sweep.link.rtt sets"},
		{"  points: {a: {link.rtt: 1ms}}\n  link.rtt: [1ms]", "sets what sweep.points sets"},
		{"  link.rtt: [1ms]\n  points: {a: {link.rtt: 1ms}}", "sets what sweep.link.rtt sets"},
		{"  points: [a]", "sweep.points: must be a mapping of names"},
		{"  points: {}", "must name a point"},
		{"  points: {'a b': {link.rtt: 1ms}}", "a name must be up to 64 letters"},
		{"  points: {a: 1}", "sweep.points.a: must be a mapping of paths to values"},
		{"  points: {a: {link.rtt: far}}", `link.rtt: "far": must be a duration`},
		{"  points: {a: {link.rtt: [1ms]}}", "sweep.points.a.link.rtt: must be a duration"},
		{"  points: {a: {scheme.rto: 1RTT, schemes.sr-rto.rto: 2RTT}}",
			"sets what another path of the point sets"},
		{"  points: {a: {samples: 3}}", "cannot be swept"},
		{"  points: {a: {link.rt: 1ms}}", `did you mean "link.rtt"`},
		{"  link.rtt: [1ms]\n  exclude: {link.rtt: 1ms}", "sweep.exclude: must be a list"},
		{"  link.rtt: [1ms]\n  exclude: [{}]", "must name a swept path"},
		{"  link.rtt: [1ms]\n  exclude: [{link.rtt: 2ms}]", "must be a value of the sweep: 1ms"},
		{"  link.rtt: [1ms]\n  exclude: [{link.mtu: 2ms}]", "must be a swept path: link.rtt"},
		{"  link.rtt: [1ms]\n  exclude: [{link.rtt: 1ms}]", "sweep.exclude: leaves out every point"},
	} {
		_, err := Load("f.yaml", []byte(sweptBy(test.sweep)), nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s\n gives %v\nwant %s", test.sweep, err, test.want)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "f.yaml:") {
			t.Errorf("%q has no place", err)
		}
	}
}

// TestFiguresTakeAGroupAsOne fixes all of a group by one of its paths.
func TestFiguresTakeAGroupAsOne(t *testing.T) {
	const sweep = `
  link.loss.p: [1e-3, 1e-2, 1e-1]
  zip: [{message.size: [1MiB, 2MiB], link.rtt: [1ms, 2ms]}]
figures:
`
	s := mustLoad(t, sweptBy(sweep+`
  - {kind: line, x: link.loss.p, where: {message.size: 2MiB}}
  - {kind: line, where: {link.loss.p: 1e-2}}
  - {kind: heatmap, x: link.rtt, y: link.loss.p, schemes: [sr-rto]}
`))
	if x := s.Figures[1].X; x != "message.size" {
		t.Errorf("the x that is left is %q", x)
	}
	_, err := Load("f.yaml", []byte(sweptBy(sweep+"  - {kind: line, x: link.loss.p}\n")), nil)
	if err == nil || !strings.Contains(err.Error(), "which of the 2 values of message.size") {
		t.Errorf("error %v", err)
	}
}

// TestKeysAreDistinct draws sweeps of every form: points have names of their own, in a fixed order.
func TestKeysAreDistinct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, from []string) string {
			n := rapid.IntRange(1, len(from)).Draw(t, name)
			return "[" + strings.Join(from[:n], ", ") + "]"
		}
		sweep := "  link.loss.p: " + draw("p", []string{"0.001", "0.01", "0.1"}) + "\n"
		want := strings.Count(sweep, ",") + 1
		if rapid.Bool().Draw(t, "zip") {
			n := rapid.IntRange(1, 3).Draw(t, "length")
			sizes, rtts := []string{"1MiB", "1MiB", "2MiB"}, []string{"1ms", "2ms", "2ms"}
			sweep += "  zip: [{message.size: [" + strings.Join(sizes[:n], ", ") + "], link.rtt: [" +
				strings.Join(rtts[:n], ", ") + "]}]\n"
			want *= n
		}
		if rapid.Bool().Draw(t, "points") {
			sweep += "  points: {a: {scheme.rto: 1RTT}, b: {sdr.channels: 3}}\n"
			want *= 2
		}
		if rapid.Bool().Draw(t, "exclude") && want > 1 {
			sweep += "  exclude: [{link.loss.p: 0.001}]\n"
			if strings.Contains(sweep, "0.01,") || strings.Contains(sweep, "0.01]") {
				of := strings.Count(strings.SplitN(sweep, "\n", 2)[0], ",") + 1
				want -= want / of
			} else {
				want = 0
			}
		}
		s, err := Load("f.yaml", []byte(sweptBy(sweep)), nil)
		if want == 0 {
			if err == nil {
				t.Fatalf("%s leaves points", sweep)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		list := keysOf(s)
		slices.Sort(list)
		if n := len(slices.Compact(list)); n != want || s.Len() != want {
			t.Fatalf("%d distinct keys of %d points, want %d\n%s", n, s.Len(), want, sweep)
		}
	})
}

func TestPrecisionIsRead(t *testing.T) {
	const head = `name: t
link: {bandwidth: 100Gbps, rtt: 5ms}
message: {size: 1MiB}
schemes: [sr-rto]
samples: 100
`
	p := mustLoad(t, head+"precision: {completion_p999: 5%, completion_mean: 0.01}\n").At(0)
	want := []spec.Precision{{Quantity: spec.PrecisionMean, Relative: 0.01},
		{Quantity: spec.PrecisionP999, Relative: 0.05}}
	if !slices.Equal(p.Precision, want) || p.SamplesMax != 6400 {
		t.Errorf("%v up to %d samples", p.Precision, p.SamplesMax)
	}
	if p := mustLoad(t, head).At(0); p.Precision != nil || p.SamplesMax != 0 {
		t.Errorf("%v up to %d samples, asked for nothing", p.Precision, p.SamplesMax)
	}
	bounded := mustLoad(t, head+"precision: {goodput: 1%}\nsamples_max: 150\n").At(0)
	if bounded.SamplesMax != 150 {
		t.Errorf("up to %d samples, want 150", bounded.SamplesMax)
	}
	for text, want := range map[string]string{
		"samples_max: 200":                          "samples_max: \"200\": goes with precision",
		"precision: {goodput: 1%}\nsamples_max: 50": "must be at least samples, which is 100",
		"precision: {completion_p9999: 1%}":         `did you mean "completion_p999"`,
		"precision: {goodput: 200%}":                "must be a number from 1e-6 to 1 such as",
	} {
		_, err := Load("f.yaml", []byte(head+text), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v, want %s", text, err, want)
		}
	}
}

// A selection of values that no point has together is a fault where it stands; what an override has
// emptied is left out.
func TestSelectionsMustLeaveAPoint(t *testing.T) {
	const points = `
  points: {metro: {link.rtt: 1ms}, ocean: {link.rtt: 50ms}}
  link.loss.p: [1e-4, 1e-3, 1e-2]
  exclude: [{point: ocean, link.loss.p: [1e-2]}]
`
	const figure = "figures:\n  - {kind: bar, x: scheme, y: completion, where: "
	for _, good := range []string{
		"{point: ocean, link.loss.p: 1e-3}", "{point: metro, link.loss.p: 1e-2}",
	} {
		mustLoad(t, sweptBy(points+figure+good+"}\n"))
	}
	for _, c := range []struct{ sweep, where, text string }{
		{points, "{point: ocean, link.loss.p: 1e-2}", "{point: ocean, link.loss.p: 0.01}"},
		{"\n  zip: [{link.rtt: [1ms, 2ms], link.mtu: [4KiB, 8KiB]}]\n",
			"{link.rtt: 1ms, link.mtu: 8KiB}", "{link.rtt: 0.001, link.mtu: 8192}"},
		{"\n  link.rtt: [1ms, 2ms]\n  link.mtu: [4KiB, 8KiB]\n  exclude: [{link.rtt: 1ms}]\n",
			"{link.rtt: 1ms, link.mtu: 4KiB}", "{link.rtt: 0.001, link.mtu: 4096}"},
	} {
		text := sweptBy(c.sweep + figure + c.where + "}\n")
		_, err := Load("f.yaml", []byte(text), nil)
		line := strings.Count(text, "\n")
		want := fmt.Sprintf("f.yaml:%d:50: figures.where: %q: must be of a point of the sweep; "+
			"its lists and exclusions leave none", line, c.text)
		if err == nil || err.Error() != want {
			t.Errorf("error %v\nwant  %s", err, want)
		}
	}
	s, err := Load("f.yaml", []byte(sweptBy(points+figure+"{point: ocean, link.loss.p: 1e-3}}\n"+
		"  - {kind: line, x: link.loss.p, where: {point: metro}}\n")),
		[]Override{{Path: "link.loss.p", Value: "[1e-2]"}})
	if err != nil || len(s.Figures) != 1 || len(s.Notes) != 1 {
		t.Errorf("with an override: %v, %+v", err, s)
	}
}

func TestLabelsAreCountedInCharacters(t *testing.T) {
	for n, loads := range map[int]bool{22: true, 64: true, 65: false} {
		text := schemesOf("[{name: sr-rto, label: " + strings.Repeat("世", n) + "}]")
		if _, err := Load("f.yaml", []byte(text), nil); (err == nil) != loads {
			t.Errorf("a label of %d characters: %v", n, err)
		}
	}
}
