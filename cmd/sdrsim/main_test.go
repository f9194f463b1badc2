package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sdrsim/internal/experiment"
	"sdrsim/internal/metric"
	"sdrsim/internal/report"
	"sdrsim/internal/result"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
)

const smallScenario = `# Question: is it small?
name: small
link: {bandwidth: 100Gbps, rtt: 1ms}
message: {size: 64KiB}
schemes: [sr-rto]
samples: 100
`

// writeSmall writes the small scenario to a folder of its own, and returns that and the file.
func writeSmall(t *testing.T) (dir, file string) {
	t.Helper()
	dir = t.TempDir()
	file = filepath.Join(dir, "small.yaml")
	if err := os.WriteFile(file, []byte(smallScenario), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir, file
}

// cancelling is a runner that interrupts the run which it is part of.
type cancelling struct {
	sweep.Runner
	interrupt func()
}

func (c cancelling) Sample(index int, s *experiment.Sample) error {
	c.interrupt()
	return c.Runner.Sample(index, s)
}

// TestInterruptedRunGoesOnWhereItStopped interrupts at the first sample, and compares what comes
// out in the end with an undisturbed run.
func TestInterruptedRunGoesOnWhereItStopped(t *testing.T) {
	dir, file := writeSmall(t)
	out, other := filepath.Join(dir, "out"), filepath.Join(dir, "other")
	ctx, interrupt := context.WithCancel(t.Context())
	var stdout, stderr bytes.Buffer
	a := &app{stdout: &stdout, stderr: &stderr}
	a.newRunner = func(p *spec.Point, s *spec.Scheme) (sweep.Runner, error) {
		runner, err := newRunner(p, s)
		return cancelling{runner, interrupt}, err
	}
	code := a.run(ctx, []string{"run", file, "-o", out, "--jobs", "1"})
	if code != exitInterrupted || stdout.Len() > 0 {
		t.Errorf("exit status %d, want %d; output %q", code, exitInterrupted, stdout.String())
	}
	want := "interrupted; 1 samples are kept in " + filepath.Join(dir, ".out.run") +
		"; the same command goes on from there"
	if !strings.Contains(stderr.String(), want) {
		t.Errorf("message %q, want %q", stderr.String(), want)
	}
	stderr.Reset()
	for _, target := range []string{out, other} {
		if code := run(t.Context(), []string{"run", file, "-o", target}, &stdout, &stderr); code != 0 {
			t.Fatalf("exit status %d: %s", code, stderr.String())
		}
	}
	if !strings.Contains(stderr.String(), "going on with 1 of 100 samples") {
		t.Errorf("message %q", stderr.String())
	}
	for _, name := range []string{report.PointsFile, report.ManifestFile} {
		a, errA := os.ReadFile(filepath.Join(out, name))
		b, errB := os.ReadFile(filepath.Join(other, name))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs from that of an undisturbed run: %v %v", name, errA, errB)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, ".out.run")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what was in progress is left behind: %v", err)
	}
}

func TestProfilesAreWritten(t *testing.T) {
	dir, file := writeSmall(t)
	cpu, memory := filepath.Join(dir, "cpu.prof"), filepath.Join(dir, "memory.prof")
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"run", "-q", file, "-o", filepath.Join(dir, "out"),
		"--cpuprofile", cpu, "--memprofile", memory}, &stdout, &stderr)
	if code != exitOK {
		t.Fatalf("exit status %d: %s", code, stderr.String())
	}
	for _, file := range []string{cpu, memory} {
		if info, err := os.Stat(file); err != nil || info.Size() == 0 {
			t.Errorf("%s is missing or empty: %v", filepath.Base(file), err)
		}
	}
}

func TestResultsKeepThePlaceOfTheScenario(t *testing.T) {
	tests := []struct{ file, want string }{
		{"scenarios/quickstart.yaml", "results/quickstart"},
		{"./scenarios/paper/fig9.yaml", "results/paper/fig9"},
		{"/somewhere/scenarios/paper/fig9.yml", "results/paper/fig9"},
		{"scenarios/old/scenarios/x.yaml", "results/x"},
		{"fig9.yaml", "results/named"},
		{"scenarios", "results/named"},
		{"my-scenarios/fig9.yaml", "results/named"},
	}
	for _, test := range tests {
		if got := filepath.ToSlash(resultFolder(test.file, "named")); got != test.want {
			t.Errorf("%s goes to %s, want %s", test.file, got, test.want)
		}
	}
}

func TestProgressLinesKeepTheirPeriod(t *testing.T) {
	var b bytes.Buffer
	log := slog.New(slog.NewJSONHandler(&b, nil))
	l := &lines{log: log, last: time.Now()}
	l.update(pace{})
	if b.Len() > 0 {
		t.Errorf("said %q at once", b.String())
	}
	l.last = l.last.Add(-2 * linePeriod)
	l.update(pace{total: 7})
	l.update(pace{total: 8})
	var line struct {
		Msg   string
		Total int
	}
	if err := json.Unmarshal(b.Bytes(), &line); err != nil || line.Total != 7 {
		t.Errorf("%q in one period, want one line: %v", b.String(), err)
	}
}

// TestBarsEndWhereTheRunDoes ends bars of a run that is complete and of one that is not.
func TestBarsEndWhereTheRunDoes(t *testing.T) {
	for _, samples := range []int{3, 10} {
		var b bytes.Buffer
		m := newBars(&b, 10, 1)
		p := pace{total: 12}
		p.Samples = int64(samples)
		p.Last = sweep.UnitProgress{Key: "a=1", Scheme: "x", Samples: samples, Target: 10}
		m.update(p)
		p.Last.Complete = samples == 10
		m.update(p)
		m.end() // hangs if a bar waits for more
	}
}

func TestDoubtsAreSummedUp(t *testing.T) {
	rows := []result.Row{
		{Warnings: []string{"p99.9: 4 of 4000 samples beyond it, fewer than 10"}},
		{Values: metric.Values{Failed: 1}, Warnings: []string{
			"p99: 2 of 200 samples beyond it, fewer than 10",
			"p99.9: no samples",
			"1 of 4 samples failed, 25 %, first sample 2: retry limit",
		}},
		{Warnings: []string{
			"accelerated: losses tilted by 1, 4, weighted",
			"precision: goodput within 9.1 %, asked for 2 %, at samples_max 50",
			"precision: completion_p50 within 9.1 %, asked for 2 %, at samples_max 50",
		}},
	}
	var stderr bytes.Buffer
	(&app{stderr: &stderr}).warn(rows)
	const want = `warning: samples failed in 1 of 3 rows (columns failed, warnings)
warning: the samples do not carry p99.9 in 2 of 3 rows (column warnings)
warning: the samples do not carry p99 in 1 of 3 rows (column warnings)
warning: the precision asked for is missed in 1 of 3 rows (column warnings)
`
	if stderr.String() != want {
		t.Errorf("%s\nwant\n%s", stderr.String(), want)
	}
}

func TestTextIsWrapped(t *testing.T) {
	text := wrap(strings.Repeat("word ", 60), "    ")
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "    word") || len(line) > 97 {
			t.Errorf("line %q", line)
		}
	}
	if got := strings.Count(text, "word"); got != 60 {
		t.Errorf("%d of 60 words are left", got)
	}
	if wrap("", "  ") != "" {
		t.Error("no text makes a line")
	}
}

// TestFlagsAllowWhatScenariosDo holds the bounds of --samples to those of the key.
func TestFlagsAllowWhatScenariosDo(t *testing.T) {
	for _, k := range keys.Defaults() {
		if k.Path == "samples" && (k.Min != 1 || k.Max != maxSamples) {
			t.Errorf("the key allows %v to %v, the flag 1 to %v", k.Min, k.Max, float64(maxSamples))
		}
	}
}

// TestREADMENamesEveryCommand looks for a line of the table of commands.
func TestREADMENamesEveryCommand(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	root := (&app{}).rootCommand()
	if len(root.Commands()) < 12 {
		t.Errorf("%d commands", len(root.Commands()))
	}
	for _, c := range root.Commands() {
		if want := "`sdrsim " + c.Name() + " "; !strings.Contains(string(readme), want) &&
			!strings.Contains(string(readme), "`sdrsim "+c.Name()+"`") {
			t.Errorf("README.md has no %q", want)
		}
	}
}
