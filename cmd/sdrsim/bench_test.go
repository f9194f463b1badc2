package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sdrsim/internal/report"
)

// benchmark runs bench codec on a message so small that it takes no time.
func benchmark(t *testing.T, args ...string) (dir, stdout, stderr string, status int) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "codec")
	var out, err bytes.Buffer
	list := append([]string{"bench", "codec", "--time", "1us", "--size", "1MiB", "-o", dir}, args...)
	status = run(context.Background(), list, &out, &err)
	return dir, out.String(), err.String(), status
}

func TestBenchCodecWritesAResultThatFiguresAreDrawnFrom(t *testing.T) {
	dir, _, stderr, status := benchmark(t, "-q", "--cores", "3")
	if status != exitOK || stderr != "" {
		t.Fatalf("exit status %d: %s", status, stderr)
	}
	table, err := report.ReadTable(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Log("# cores 1, 2, 3; four other chunk sizes; five other splits; two codes, two tasks")
	if got, want := len(table.Rows), 4*(3+4+5); got != want {
		t.Errorf("%d rows, want %d", got, want)
	}
	for _, r := range table.Rows {
		if r.Samples < 5 || !(r.Goodput > 0 && r.GoodputHi >= r.Goodput) {
			t.Errorf("%v %s: %d passes, goodput %v", r.Axes, r.Scheme, r.Samples, r.Goodput)
		}
	}
	for _, name := range []string{"by-cores.svg", "by-chunk.png", "by-split.png"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestBenchCodecPrintsSchemesThatAScenarioTakes(t *testing.T) {
	_, stdout, _, _ := benchmark(t, "--cores", "1")
	var lines []string
	for line := range strings.Lines(stdout) {
		if strings.Contains(line, "encode.rate") {
			lines = append(lines, line)
		}
	}
	scenario := "name: s\nlink: {bandwidth: 400Gbps, rtt: 1ms}\nmessage: {size: 1MiB}\n" +
		"schemes:\n" + strings.Join(lines, "")
	file := filepath.Join(t.TempDir(), "s.yaml")
	if err := os.WriteFile(file, []byte(scenario), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := load(file, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, scenario)
	}
	if len(s.Schemes) != 2 || !s.Schemes[1].Params["encode.rate"].Given {
		t.Errorf("schemes %+v", s.Schemes)
	}
}

func TestBenchCodecRefusesWhatItCannotMeasure(t *testing.T) {
	for _, args := range [][]string{{"--cores", "0"}, {"--size", "0B"}, {"--size", "much"}, {"x"}} {
		if _, _, stderr, status := benchmark(t, args...); status != exitUsage || stderr == "" {
			t.Errorf("%v: exit status %d, %q", args, status, stderr)
		}
	}
}

func TestBenchCodecNamesTheFlagThatCannotBe(t *testing.T) {
	for _, c := range []struct{ flag, value, want string }{
		{"--cores", "0", "--cores 0: must be at least 1"},
		{"--time", "-1s", "--time -1s: must be a time above 0"},
		{"--size", "1", "--size 1: must be a size"},
	} {
		_, _, stderr, status := benchmark(t, c.flag, c.value)
		if status != exitUsage || !strings.Contains(stderr, c.want) {
			t.Errorf("%s %s: exit status %d, %q, want %q", c.flag, c.value, status, stderr, c.want)
		}
	}
}
