package scenarios

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"sdrsim/internal/spec"
	"sdrsim/units"
)

const sweptBase = base + `sweep:
  message.size: [1MiB, 2MiB]
  link.loss.p: [1e-5, 1e-3]
figures:
  - {kind: line, name: by-size, x: message.size, where: {link.loss.p: 1e-3}}
`

func TestOverrideTakesThePlaceOfWhatTheFileSays(t *testing.T) {
	s := load(t, base, "link.loss.p=0.25", "samples=7", "name=other", "sdr.channels=2",
		"schemes.ec-mds.k=16", "scheme.retries=3")
	p := s.At(0)
	if p.Link.Loss.P != 0.25 || s.Samples != 7 || p.Samples != 7 || s.Name != "other" ||
		p.SDR.Channels != 2 {
		t.Errorf("got %+v", p)
	}
	if k := p.Schemes[1].Params["k"]; k.Number != 16 || !k.Given {
		t.Errorf("k is %+v; want 16, given", k)
	}
	for _, scheme := range p.Schemes {
		if scheme.Params["retries"].Number != 3 {
			t.Errorf("%s: retries %v; want 3", scheme.Label, scheme.Params["retries"])
		}
	}
}

// A path that is swept in the file and not any more is set, in whatever order that is said.
func TestOverrideOfAPathThatIsNoLongerSwept(t *testing.T) {
	for _, overrides := range [][]string{
		{"sweep={message.size: [1MiB]}", "link.loss.p=0.25"},
		{"link.loss.p=0.25", "sweep={message.size: [1MiB]}"},
	} {
		s := load(t, sweptBase, append(overrides, "figures=[]")...)
		if p := s.At(0); s.Len() != 1 || p.Link.Loss.P != 0.25 {
			t.Errorf("%v: %d points, loss %v", overrides, s.Len(), p.Link.Loss.P)
		}
	}
}

func TestOverridingASweptPathKeepsItsColumn(t *testing.T) {
	s := load(t, sweptBase, "link.loss.p=1e-3")
	if s.Len() != 2 || texts(s.Axes[1]) != "0.001" || len(s.Figures) != 1 || s.Notes != nil {
		t.Errorf("got %d points over %s, figures %+v, notes %q", s.Len(), texts(s.Axes[1]),
			s.Figures, s.Notes)
	}
}

func TestFigureThatAnOverrideTakesThePointsOfIsLeftOutWithANote(t *testing.T) {
	s := load(t, sweptBase, "link.loss.p=1e-4")
	const want = "figure by-size is left out: link.loss.p is not swept over 1e-3"
	if len(s.Figures) != 0 || len(s.Notes) != 1 || s.Notes[0] != want {
		t.Errorf("got figures %+v, notes %q; want the note %q", s.Figures, s.Notes, want)
	}
}

func TestOverrideWithAListOrARangeSweeps(t *testing.T) {
	for override, want := range map[string]string{
		"message.chunk=[4KiB, 8KiB]":                                  "4096 8192",
		"sweep.message.chunk=[4KiB, 8KiB]":                            "4096 8192",
		"sweep.message.chunk=4KiB":                                    "4096",
		"message.count={from: 1, to: 3, step: 1}":                     "1 2 3",
		"scheme.rto=[1RTT, 2RTT]":                                     "1RTT 2RTT",
		"link.loss.p={from: 1e-3, to: 1e-1, points: 3, scale: log}":   "0.001 0.01 0.1",
		"sweep={link.loss.p: [0.5]}":                                  "0.5",
		"schemes.ec-mds.k=[4, 8]":                                     "4 8",
		"engine.runs=[unlimited, 1]":                                  "unlimited 1",
		"sweep={message.size: {from: 1KiB, to: 4KiB, factor: 2}}":     "1024 2048 4096",
		"sweep.link.loss={model: none}":                               "",
		"link.ack_loss.model=[none, same]":                            "none same",
		"link.loss.model=[none, iid]":                                 "none iid",
		"sweep.link.loss.p=[]":                                        "",
		"sweep.schemes.ec-mds.m={from: 1, to: 3, points: 3}":          "1 2 3",
		"scheme.rto={from: 1RTT, to: 3RTT, points: 3, scale: linear}": "1RTT 2RTT 3RTT",
	} {
		o, err := ParseOverride(override)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Load("f.yaml", []byte(base), []Override{o})
		if (err != nil) != (want == "") {
			t.Errorf("%s: %v", override, err)
		} else if err == nil && texts(s.Axes[0]) != want {
			t.Errorf("%s: got %s; want %s", override, texts(s.Axes[0]), want)
		}
	}
}

func TestOverrideOfHowFarTakesThePlaceOfTheOtherWays(t *testing.T) {
	p := load(t, base, "link.distance=100km").At(0)
	if want := units.Fiber.Delay(100 * units.Kilometre); p.Link.Delay != want {
		t.Errorf("got %v; want %v", p.Link.Delay, want)
	}
	text := strings.Replace(base, "rtt: 25ms", "distance: 100km\n  medium: vacuum", 1)
	if got := load(t, text, "link.delay=3ms").At(0).Link.Delay; got != 3*units.Millisecond {
		t.Errorf("got %v; want 3ms", got)
	}
	want := units.Vacuum.Delay(200 * units.Kilometre)
	if got := load(t, text, "link.distance=200km").At(0).Link.Delay; got != want {
		t.Errorf("got %v; want %v: the medium stays", got, want)
	}
}

func TestOverrideBelowAShortFormKeepsTheModel(t *testing.T) {
	p := load(t, lossOf("iid"), "link.loss.p=0.5").At(0)
	if p.Link.Loss.Model != spec.LossIID || p.Link.Loss.P != 0.5 {
		t.Errorf("got %+v", p.Link.Loss)
	}
}

func TestOverrideOfWholeLists(t *testing.T) {
	s := load(t, sweptBase, "figures=[]", "schemes=[sr-nack]")
	if len(s.Figures) != 0 || labels(s) != "sr-nack" {
		t.Errorf("got figures %+v of %s", s.Figures, labels(s))
	}
}

func TestHashIsThatOfTheTextAndOfTheOverridesInAnyOrder(t *testing.T) {
	plain := load(t, base)
	sum := sha256.Sum256([]byte(base))
	if plain.Hash != hex.EncodeToString(sum[:]) {
		t.Errorf("the hash %s is not that of the text", plain.Hash)
	}
	one := load(t, base, "samples=2", "seed=3", "samples=1")
	two := load(t, base, "samples=1", "seed=3")
	sum = sha256.Sum256([]byte(base + "\n--set samples=1\n--set seed=3"))
	if one.Hash != hex.EncodeToString(sum[:]) || two.Hash != one.Hash {
		t.Errorf("got %s and %s", one.Hash, two.Hash)
	}
	if len(one.Overrides) != 2 || one.Samples != 1 {
		t.Errorf("got %v, %d samples; want the last of each path", one.Overrides, one.Samples)
	}
}

func TestParsingAnOverrideWantsAPath(t *testing.T) {
	for _, text := range []string{"", "samples", "=1", "  =1"} {
		if o, err := ParseOverride(text); err == nil {
			t.Errorf("%q: read as %+v", text, o)
		}
	}
	o, err := ParseOverride("sweep.a = {b: c=d}")
	if err != nil || o.Path != "sweep.a" || o.Value != " {b: c=d}" {
		t.Errorf("got %+v, %v", o, err)
	}
}

func TestQuestionIsTheOneOfTheCommentAtTheHead(t *testing.T) {
	for head, want := range map[string]string{
		"# Question: why?\n":                            "why?",
		"# Question: why\n# not?\n# Figure: 9\n":        "why not?",
		"# A title\n#\n# Question: why?\n#\n# More.\n":  "why?",
		"# Nothing is asked\n":                          "",
		"\n# Question: why?\n":                          "",
		"#Question: why?\n":                             "why?",
		"# Question: is 1:2 as good\n# as 2:1?\nz: 1\n": "is 1:2 as good as 2:1?",
	} {
		if got := Question([]byte(head + base)); got != want {
			t.Errorf("%q: got %q; want %q", head, got, want)
		}
	}
}
