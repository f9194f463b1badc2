package explore

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"sdrsim/internal/closedform"
	"sdrsim/internal/experiment"
	"sdrsim/internal/result"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
	"sdrsim/scenarios"
)

// baseOf starts from a scenario of the project.
func baseOf(t *testing.T, file string) *Base {
	t.Helper()
	text, err := os.ReadFile("../../scenarios/" + file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Load("../../scenarios/"+file, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewBase(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// last collects the last part of each name, and all of them.
func last(t *testing.T, b *Base, a *Ask) (map[string]Part, []Part) {
	t.Helper()
	latest := map[string]Part{}
	var all []Part
	err := b.Answer(t.Context(), a, 2, func(p Part) error {
		latest[p.Part] = p
		all = append(all, p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return latest, all
}

// ran is points.csv of a scenario that is run as a whole.
func ran(t *testing.T, text string, samples int) string {
	t.Helper()
	s, err := scenarios.Load("a.yaml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	swept, err := sweep.Run(t.Context(), sweep.Config{
		Source: limited{s, samples}, Jobs: 1, Model: closedform.Mean,
		NewRunner: func(p *spec.Point, s *spec.Scheme) (sweep.Runner, error) {
			return experiment.NewRunner(p, s)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := result.WriteCSV(&b, swept.Rows); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestAnswersAreThoseOfARunAtEveryRound compares with runs of the text that the answer shows.
func TestAnswersAreThoseOfARunAtEveryRound(t *testing.T) {
	for _, c := range []struct {
		name string
		ask  Ask
	}{
		{"as the file", Ask{Values: map[string]string{"samples": "100"}}},
		{"independent losses of another rate", Ask{Values: map[string]string{
			"samples": "70", "drop": "2e-4", "bandwidth": "100Gbps", "size": "16MiB", "seed": "7"}}},
		{"bursts, a distance, other schemes", Ask{
			Values: map[string]string{"samples": "40", "burst": "20", "distance": "1000km", "size": "8MiB"},
			Schemes: []Chosen{{Name: "sr-nack", Label: "a, b", Params: map[string]string{
				"rto": "2RTT", "ack.interval": "1ms"}}, {Name: "ec-mds"}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.ask.Parts = []string{PartHere}
			_, all := last(t, baseOf(t, "quickstart.yaml"), &c.ask)
			if all[0].Part != PartText || len(all) < 4 {
				t.Fatalf("%d parts, the first %+v", len(all), all[0])
			}
			for _, p := range all[1:] {
				if p.Fault != "" {
					t.Fatal(p.Fault)
				}
				if want := ran(t, all[0].Text, p.Samples); p.Points != want {
					t.Errorf("%d samples:\n%s\nwant\n%s", p.Samples, p.Points, want)
				}
			}
			if end := all[len(all)-1]; end.Samples != end.Of ||
				c.ask.Values["samples"] != strconv.Itoa(end.Of) {
				t.Errorf("it ends at %d of %d samples", end.Samples, end.Of)
			}
		})
	}
}

func TestWhatIsAroundALinkGoesThroughIt(t *testing.T) {
	b := baseOf(t, "quickstart.yaml")
	got, all := last(t, b, &Ask{
		Values: map[string]string{"samples": "20", "size": "1MiB", "drop": "1e-3"},
		Parts:  []string{PartHere, PartDrop, PartDistance}})
	if all[1].Part != PartHere || all[1].Samples != 1 {
		t.Errorf("the first answer is %s of %d samples", all[1].Part, all[1].Samples)
	}
	drop, distance := got[PartDrop], got[PartDistance]
	if drop.Path != "link.loss.p" || drop.At != 1e-3 || distance.Path != "link.distance" {
		t.Errorf("%s at %v; %s", drop.Path, drop.At, distance.Path)
	}
	// 12.5 ms of fibre
	if d := distance.At; d < 2552e3 || d > 2553e3 {
		t.Errorf("the link is %v m long", d)
	}
	t.Log("# the rows are those of a run with a sweep")
	swept := got[PartText].Text + "sweep: {link.loss.p: [" + strings.Join(dropSteps, ", ") + "]}\n"
	if want := ran(t, swept, 20); drop.Points != want {
		t.Errorf("got\n%s\nwant\n%s", drop.Points, want)
	}
	if wins := drop.Wins["completion_mean_s"]; len(wins) != len(dropSteps) || wins[0].Best == "" {
		t.Errorf("winners %+v", wins)
	}
}

func TestFewSamplesAreToldAsFew(t *testing.T) {
	_, all := last(t, baseOf(t, "quickstart.yaml"), &Ask{Parts: []string{PartHere},
		Values: map[string]string{"samples": "100", "size": "1MiB", "drop": "1e-3"}})
	first, end := all[1], all[len(all)-1]
	if n := len(first.Few["completion_mean_s"]); n != 4 {
		t.Errorf("the mean of one sample is carried by %d of 4 rows", 4-n)
	}
	if n := len(end.Few["completion_p999_s"]); n < 3 {
		t.Errorf("100 samples carry the p99.9 in %d rows", 4-n)
	}
	if n := len(end.Few["completion_p50_s"]); n != 0 {
		t.Errorf("100 samples do not carry the median in %d rows", n)
	}
}

func TestWhatCannotBeAskedIsSaid(t *testing.T) {
	b := baseOf(t, "quickstart.yaml")
	for _, c := range []struct {
		ask  Ask
		want string
	}{
		{Ask{Values: map[string]string{"bandwidth": "fast"}}, `link.bandwidth`},
		{Ask{Values: map[string]string{"nothing": "1"}}, `called "nothing"`},
		{Ask{Values: map[string]string{"size": "8192TiB"}}, "message.size"},
		{Ask{Values: map[string]string{"drop": "1e-3}, x: {y: 1"}}, "link.loss"},
		{Ask{Schemes: []Chosen{}}, "at least one scheme"},
		{Ask{Schemes: []Chosen{{Name: "sr-rto", Params: map[string]string{"rto": "soon"}}}}, "rto"},
		{Ask{Schemes: []Chosen{{Name: "sr-rto", Params: map[string]string{"rt": "1s"}}}}, "rt"},
		{Ask{Schemes: []Chosen{{Name: "magic"}}}, "magic"},
		{Ask{Parts: []string{"nowhere"}}, `called "nowhere"`},
	} {
		latest, all := last(t, b, &c.ask)
		fault := all[len(all)-1].Fault
		if !strings.Contains(fault, c.want) {
			t.Errorf("%+v: %q has no %q", c.ask, fault, c.want)
		}
		if _, ran := latest[PartHere]; ran {
			t.Errorf("%+v is answered", c.ask)
		}
	}
}

// TestFilesOfTheBaseAloneAreRead asks for a file of the machine.
func TestFilesOfTheBaseAloneAreRead(t *testing.T) {
	b := baseOf(t, "quickstart.yaml")
	b.Text = strings.Replace(b.Text, "model: iid", "model: trace, file: /etc/hostname", 1)
	_, all := last(t, b, &Ask{Parts: []string{PartHere}})
	if fault := all[0].Fault; !strings.Contains(fault, "file") {
		t.Errorf("says %q", fault)
	}
}

func TestCalledOffAnswerEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	err := baseOf(t, "quickstart.yaml").Answer(ctx, &Ask{Parts: []string{PartHere}}, 1,
		func(p Part) error {
			if n++; n == 3 {
				cancel()
			}
			return nil
		})
	if !errors.Is(err, context.Canceled) || n != 3 {
		t.Errorf("ends with %v after %d parts", err, n)
	}
}

// TestEveryScenarioCanBeExplored starts from each that the project has.
func TestEveryScenarioCanBeExplored(t *testing.T) {
	found := 0
	for _, pattern := range []string{"*.yaml", "paper/*.yaml", "network/*.yaml"} {
		entries, err := os.ReadDir("../../scenarios/" + strings.TrimSuffix(pattern, "*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".yaml") {
				continue
			}
			found++
			name := strings.TrimSuffix(pattern, "*.yaml") + e.Name()
			b := baseOf(t, name)
			st, err := b.State()
			if err != nil || len(st.Schemes) == 0 || len(st.Knobs) < 7 {
				t.Errorf("%s: %+v %v", name, st, err)
			}
			text, err := b.TextOf(&Ask{Schemes: st.Schemes})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if _, _, err := b.load(text, nil); err != nil {
				t.Errorf("%s with its own schemes: %v\n%s", name, err, text)
			}
		}
	}
	if found < 10 {
		t.Errorf("%d scenarios", found)
	}
}
