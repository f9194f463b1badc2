package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"sdrsim/internal/explore"
)

// exploring starts the program as a server, and returns its address; stop interrupts it and returns
// the exit code.
func exploring(t *testing.T, dir string, args ...string) (url string, stop func() int) {
	t.Helper()
	cmd := program(t.Context(), dir, nil, append([]string{"explore", "--no-browser"}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	url, err = bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		_ = cmd.Wait()
		t.Fatalf("%v: %s", err, stderr.String())
	}
	return strings.TrimSpace(url), func() int {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if got := stderr.String(); got != "Ctrl-C ends it\n" {
			t.Errorf("says %q", got)
		}
		return cmd.ProcessState.ExitCode()
	}
}

// TestExplorerAnswersWhatRunWrites has the program answer, runs the scenario that it shows, and
// compares points.csv byte by byte.
func TestExplorerAnswersWhatRunWrites(t *testing.T) {
	if runtime.GOOS == "windows" || raceEnabled {
		t.Skip("no interrupt to send, or too slow")
	}
	dir, file := writeSmall(t)
	url, stop := exploring(t, dir, file, "link.rtt=2ms")
	ask := `{"parts": ["here"], "values": {"drop": "1e-2", "burst": "3", "samples": "80"},
		"schemes": [{"name": "sr-nack"}, {"name": "ec-mds", "label": "parity", "params": {"k": "4"}}]}`
	answer, err := http.Post(url+"ask", "application/json", strings.NewReader(ask))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var text string
	var last explore.Part
	for lines := json.NewDecoder(answer.Body); lines.More(); {
		last = explore.Part{}
		if err := lines.Decode(&last); err != nil {
			t.Fatal(err)
		}
		if last.Part == explore.PartText {
			text = last.Text
		}
	}
	if code := stop(); code != exitOK {
		t.Errorf("an interrupted exploration ends with %d", code)
	}
	saved := filepath.Join(dir, "link.yaml")
	if err := os.WriteFile(saved, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	mustRun(t, dir, nil, "run", "-q", saved, "-o", "out")
	want, err := os.ReadFile(filepath.Join(dir, "out", "points.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if last.Points != string(want) || last.Samples != 80 {
		t.Errorf("%s\nanswers\n%s\nand run writes\n%s", text, last.Points, want)
	}
	t.Log("# nothing else was written")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); name != "small.yaml" && name != "link.yaml" && name != "out" {
			t.Errorf("%s was written", name)
		}
	}
}

func TestExplorationsThatCannotBegin(t *testing.T) {
	_, file := writeSmall(t)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"explore", "--port", "70000"}, exitUsage, "--port 70000: must be 0 to 65535"},
		{[]string{"explore", "--jobs", "0"}, exitUsage, "--jobs 0: must be at least 1"},
		{[]string{"explore", "nothing.yaml"}, exitUsage, "nothing.yaml: cannot be read"},
		{[]string{"explore", file, "link.rtt=far"}, exitUsage, "link.rtt=far"},
		{[]string{"explore", file, file}, exitUsage, "accepts at most 1 arg"},
	} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), c.args, &stdout, &stderr)
		if code != c.code || !strings.Contains(stderr.String(), c.want) || stdout.Len() > 0 {
			t.Errorf("%s: exit status %d, says %q", c.args, code, stderr.String())
		}
	}
}

func TestTakenPortIsAFailure(t *testing.T) {
	if runtime.GOOS == "windows" || raceEnabled {
		t.Skip("no interrupt to send, or too slow")
	}
	url, stop := exploring(t, t.TempDir())
	defer stop()
	port := url[strings.LastIndex(url, ":")+1:]
	port, _, _ = strings.Cut(port, "/")
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"explore", "--no-browser", "--port", port}, &stdout,
		&stderr); code != exitFailure || !strings.Contains(stderr.String(), "address already in use") {
		t.Errorf("exit status %d, says %q", code, stderr.String())
	}
}
