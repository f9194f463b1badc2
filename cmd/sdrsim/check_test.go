package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
)

// regressionSuite copies the committed scenarios of the suite to a folder of its own, which becomes
// the working directory, and returns their names there.
func regressionSuite(t *testing.T, names ...string) []string {
	t.Helper()
	var files []string
	dir := t.TempDir()
	for _, name := range names {
		file := filepath.Join("scenarios", "regression", name+".yaml")
		text, err := os.ReadFile(filepath.Join("..", "..", file))
		if err != nil {
			t.Fatal(err)
		}
		if err := writeWhole(filepath.Join(dir, file), text); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	t.Chdir(dir)
	return files
}

// checked runs sdrsim check and returns its exit code and standard output.
func checked(t *testing.T, files []string, args ...string) (code int, output string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args = append(append([]string{"check", "-q"}, files...), args...)
	code = run(t.Context(), args, &stdout, &stderr)
	return code, stdout.String() + stderr.String()
}

// TestSuiteFindsWhatIsPlanted makes baselines of the regression suite, then plants faults in one
// scheme. The suite has to name that scheme, and no other.
func TestSuiteFindsWhatIsPlanted(t *testing.T) {
	files := regressionSuite(t, "loss", "burst")
	if code, output := checked(t, files, "--update", "--reason", "planting"); code != exitOK {
		t.Fatalf("exit status %d: %s", code, output)
	}
	for _, fault := range []struct{ name, set, seed, scheme, metric string }{
		{"a slow timer", "schemes.sr-rto.rto=5RTT", "1", "sr-rto", "completion_mean"},
		{"a slow timer, other seed", "schemes.sr-rto.rto=5RTT", "2", "sr-rto", "completion_mean"},
		{"a hasty timer", "schemes.sr-nack.rto=1.05RTT", "1", "sr-nack", "spurious_retransmits"},
		{"rare acknowledgements", "schemes.sr-rto.ack.interval=1RTT", "1", "sr-rto", "completion_mean"},
		{"reports of holes that wait", "schemes.sr-nack.nack.slack=3RTT", "1", "sr-nack", "slowdown"},
		{"a weak code", "schemes.ec-mds.m=2", "1", "ec-mds", "fallback_fraction"},
		{"a weak code, other seed", "schemes.ec-mds.m=2", "2", "ec-mds", "fallback_fraction"},
		{"a wasteful code", "schemes.ec-mds.m=16", "1", "ec-mds", "overhead"},
		{"a scheme that gives up", "schemes.sr-rto.retries=1", "1", "sr-rto", "failed_fraction"},
	} {
		code, output := checked(t, files, "--set", fault.set, "--seed", fault.seed)
		if code != exitFailure {
			t.Errorf("%s: exit status %d, want %d", fault.name, code, exitFailure)
		}
		named := map[string]bool{}
		for _, m := range regressedLine.FindAllStringSubmatch(output, -1) {
			named[m[1]+" "+m[2]] = true
			if m[1] != fault.scheme {
				t.Errorf("%s: %s of %s is named", fault.name, m[2], m[1])
			}
		}
		if !named[fault.scheme+" "+fault.metric] {
			t.Errorf("%s: %s of %s is not among %v", fault.name, fault.metric, fault.scheme, named)
		}
	}
}

// regressedLine is a line of the text report.
var regressedLine = regexp.MustCompile(`(?m)^  regressed +\S+ +(\S+) +(\S+) `)

// TestSuitePassesOverNoise runs the suite with other seeds than its baselines have.
func TestSuitePassesOverNoise(t *testing.T) {
	files := regressionSuite(t, "allreduce", "burst", "loss")
	if code, output := checked(t, files, "--update", "--reason", "noise"); code != exitOK {
		t.Fatalf("exit status %d: %s", code, output)
	}
	for _, args := range [][]string{{"--seed", "2"}, {"--seed", "3"}, {"--samples", "40"}} {
		code, output := checked(t, files, args...)
		if code != exitOK || !strings.HasSuffix(output, " passed, 0 failed\n") {
			t.Errorf("%v: exit status %d\n%s", args, code, output)
		}
	}
}

// TestInterruptedCheckIsIncomplete interrupts the second of two scenarios.
func TestInterruptedCheckIsIncomplete(t *testing.T) {
	files := regressionSuite(t, "loss", "burst")
	if code, output := checked(t, files, "--update", "--reason", "interrupt"); code != exitOK {
		t.Fatalf("exit status %d: %s", code, output)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	var stdout, stderr bytes.Buffer
	a := &app{stdout: &stdout, stderr: &stderr}
	a.newRunner = func(p *spec.Point, s *spec.Scheme) (sweep.Runner, error) {
		runner, err := newRunner(p, s)
		if p.Link.Loss.Model == spec.LossGilbertElliott {
			return cancelling{runner, interrupt}, err
		}
		return runner, err
	}
	code := a.run(ctx, append([]string{"check"}, files...))
	if code != exitIncomplete {
		t.Errorf("exit status %d, want %d", code, exitIncomplete)
	}
	for _, want := range []string{"216 unchanged, 0 regressed\n", "incomplete: interrupted",
		"\n216 passed, 0 failed\n"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("without %q:\n%s", want, stdout.String())
		}
	}
}

func TestBaselineAppearsWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "results", "baseline.json")
	if err := writeWhole(file, []byte("one")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "results", "taken"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := writeWhole(filepath.Join(dir, "results", "taken"), []byte("two")); err == nil {
		t.Error("a folder was replaced by a file")
	}
	entries, err := os.ReadDir(filepath.Join(dir, "results"))
	if err != nil || len(entries) != 2 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}
