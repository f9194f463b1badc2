package main

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sdrsim/internal/report"
)

// command runs the program and returns what it prints.
func command(args ...string) (stdout, stderr string, status int) {
	var out, err bytes.Buffer
	status = run(context.Background(), args, &out, &err)
	return out.String(), err.String(), status
}

func TestBenchScalingMeasuresEverySchemeBesideItsYardstick(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "scaling")
	stdout, stderr, status := command(
		"bench", "scaling", "--time", "1us", "--rounds", "6", "--largest", "1MiB", "-o", dir)
	if status != exitOK || stderr != "" {
		t.Fatalf("exit status %d: %s", status, stderr)
	}
	table, err := report.ReadTable(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Log("# of 1 MiB: lossless, ten losses, single packets; four schemes and their yardsticks")
	if got, want := len(table.Rows), 3*2*4; got != want {
		t.Fatalf("%d rows, want %d", got, want)
	}
	for _, r := range table.Rows {
		at := r.Axes[0].Text + ", " + r.Scheme
		if r.Samples != 6 || !(0 < r.SampleWallLo && r.SampleWallLo <= r.SampleWall &&
			r.SampleWall <= r.SampleWallHi) {
			t.Errorf("%s: %d rounds, %v between %v and %v", at, r.Samples, r.SampleWall,
				r.SampleWallLo, r.SampleWallHi)
		}
		bare := strings.HasSuffix(r.Scheme, " (bare model)")
		if bare != math.IsNaN(r.WallRatio) || bare != math.IsNaN(r.EventsMean) {
			t.Errorf("%s: ratio %v, %v events", at, r.WallRatio, r.EventsMean)
		}
		if lossy := r.Axes[0].Text == "ten losses"; !bare && lossy != (r.LostMean > 0) {
			t.Errorf("%s: %v losses", at, r.LostMean)
		}
	}
	for _, name := range []string{"size-lossless.svg", "size-ten-losses.png", "packets.svg"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if !strings.Contains(stdout, "x the bare model") || !strings.Contains(stdout, "a packet") {
		t.Errorf("prints\n%s", stdout)
	}
	m, err := report.ReadManifest(dir)
	if err != nil || !strings.HasPrefix(m.Scenario, "command: sdrsim bench scaling --largest 1MiB") {
		t.Errorf("the manifest is of %q: %v", m.Scenario, err)
	}
}

const tinySweep = `# Question: how long does it take?
name: tiny
link: {bandwidth: 400Gbps, rtt: 1ms, loss: {model: iid, p: 1e-3}, ack_loss: none}
message: {size: 1MiB, chunk: 4KiB}
schemes: [sr-rto, ec-mds]
sweep: {link.loss.p: [1e-4, 1e-3]}
samples: 3
figures: [{kind: line, x: link.loss.p, y: completion}]
`

func TestBenchSweepComparesJobsAndTheBareModel(t *testing.T) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, "tiny.yaml"), filepath.Join(dir, "out")
	if err := os.WriteFile(file, []byte(tinySweep), 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, status := command(
		"bench", "sweep", file, "--samples", "5", "--jobs", "3", "--rounds", "2", "-o", out)
	if status != exitOK || stderr != "" {
		t.Fatalf("exit status %d: %s", status, stderr)
	}
	for _, want := range []string{
		"20 samples: ", " with 3\n", "peak of memory: ", "x faster than one job",
		"x the bare model, on one core",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("does not print %q:\n%s", want, stdout)
		}
	}
	table, err := report.ReadTable(out)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range table.Rows {
		got = append(got, r.Axes[0].Text+" "+r.Scheme)
		if r.Samples != 2 || !(r.SampleWall > 0) {
			t.Errorf("%s: %d rounds, %v", r.Scheme, r.Samples, r.SampleWall)
		}
	}
	want := []string{"1 sr-rto", "1 sr-rto (bare model)", "1 ec-mds", "1 ec-mds (bare model)",
		"1 whole sweep", "3 whole sweep"}
	if !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
}

func TestBenchRefusesWhatItCannotMeasure(t *testing.T) {
	dir := t.TempDir()
	stream := filepath.Join(dir, "stream.yaml")
	text := strings.Replace(tinySweep, "chunk: 4KiB", "chunk: 4KiB, count: 8", 1)
	if err := os.WriteFile(stream, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	for _, args := range [][]string{
		{"scaling", "--rounds", "0"}, {"scaling", "--time", "0s"}, {"scaling", "--largest", "much"},
		{"scaling", "--largest", "1KiB"}, {"scaling", "x"}, {"sweep"},
		{"sweep", filepath.Join(dir, "nothing.yaml")}, {"sweep", stream},
		{"sweep", stream, "--jobs", "1"}, {"sweep", stream, "--rounds", "0"},
	} {
		_, stderr, status := command(append(append([]string{"bench"}, args...), "-o", out)...)
		if status != exitUsage || stderr == "" {
			t.Errorf("%v: exit status %d, %q", args, status, stderr)
		}
	}
	if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was written: %v", err)
	}
	_, stderr, _ := command("bench", "sweep", stream)
	if !strings.Contains(stderr, "sr-rto has no formula to compare with: it is of a single message") {
		t.Errorf("the fault of a stream is %q", stderr)
	}
}
