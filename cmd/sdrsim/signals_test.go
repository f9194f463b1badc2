package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestTerminalThatGoesLosesNoSamples hangs up on a run, twice as a shell and its terminal do, and
// lets the next one go on.
func TestTerminalThatGoesLosesNoSamples(t *testing.T) {
	if runtime.GOOS == "windows" || raceEnabled {
		t.Skip("no hangup to send, or too slow")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "k.yaml"), []byte(killedScenario), 0o644); err != nil {
		t.Fatal(err)
	}
	mustRun(t, dir, nil, "run", "-q", "k.yaml", "-o", "whole")
	begun := filepath.Join(dir, "begun")
	cmd := program(t.Context(), dir, []string{"SDRSIM_TEST_PACE=20ms", "SDRSIM_TEST_BEGUN=" + begun},
		"run", "k.yaml", "-o", "out", "--jobs", "1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	untilThere(begun)
	for range 2 {
		if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond) // so that they do not become one
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted ||
		!strings.Contains(stderr.String(), "are kept in") {
		t.Errorf("exit status %d, want %d\n%s", code, exitInterrupted, stderr.String())
	}
	mustRun(t, dir, nil, "run", "k.yaml", "-o", "out")
	sameResults(t, filepath.Join(dir, "whole"), filepath.Join(dir, "out"))
}

// TestHangupThatIsIgnoredStaysIgnored is a run under nohup.
func TestHangupThatIsIgnoredStaysIgnored(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil || runtime.GOOS == "windows" || raceEnabled {
		t.Skip("no shell, or too slow")
	}
	dir, file := writeSmall(t)
	begun := filepath.Join(dir, "begun")
	cmd := exec.CommandContext(t.Context(), "sh", "-c",
		`trap "" HUP; exec sdrsim run -q "$0" -o out --jobs 1`, file)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "SDRSIM_TEST_PACE=20ms", "SDRSIM_TEST_BEGUN="+begun)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	untilThere(begun)
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("ends with %v", err)
	}
}

// TestFirstInterruptEndsWhatKeepsNothing interrupts commands in the middle of what they print:
// nobody reads more than the beginning of it, so that they do not end by themselves.
func TestFirstInterruptEndsWhatKeepsNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no interrupt to send")
	}
	dir := t.TempDir()
	many := strings.Replace(killedScenario, "[1e-3, 3e-3, 1e-2, 2e-2, 3e-2, 5e-2, 1e-1, 2e-1]",
		"{from: 1e-6, to: 1e-1, points: 1000, scale: log}", 1)
	many, _, _ = strings.Cut(many, "figures:")
	if err := os.WriteFile(filepath.Join(dir, "m.yaml"), []byte(many), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"schema", "model m.yaml"} {
		for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
			cmd := program(t.Context(), dir, nil, strings.Fields(args)...)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(stdout, make([]byte, 10)); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
			state, err := cmd.Process.Wait()
			timer.Stop()
			if err != nil || state.ExitCode() != exitInterrupted {
				t.Errorf("%s, %v: exit status %d, want %d; %v", args, signal, state.ExitCode(),
					exitInterrupted, err)
			}
			stdout.Close()
			_ = cmd.Wait() // for what it said; that it was waited for is an error
			if got := stderr.String(); got != "sdrsim: interrupted; nothing was written\n" {
				t.Errorf("%s, %v: says %q", args, signal, got)
			}
		}
	}
}

// TestInterruptedRunLeavesNoUnfinishedFile stops a run at once that has begun a profile.
func TestInterruptedRunLeavesNoUnfinishedFile(t *testing.T) {
	if runtime.GOOS == "windows" || raceEnabled {
		t.Skip("no interrupt to send, or too slow")
	}
	dir, file := writeSmall(t)
	begun := filepath.Join(dir, "begun")
	start := func() *exec.Cmd {
		cmd := program(t.Context(), dir, []string{"SDRSIM_TEST_HANG=3", "SDRSIM_TEST_BEGUN=" + begun},
			"run", file, "-o", "out", "--cpuprofile", "cpu")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		untilThere(begun)
		return cmd
	}
	left := func() []string {
		names, err := filepath.Glob(filepath.Join(dir, ".cpu.*"))
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	t.Log("# two interrupts")
	cmd := start()
	for range 2 {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond) // so that they do not become one
	}
	_ = cmd.Wait()
	if names := left(); len(names) != 0 {
		t.Errorf("an interrupted run leaves %q", names)
	}
	t.Log("# one that is killed, and the next run")
	if err := os.Remove(begun); err != nil {
		t.Fatal(err)
	}
	cmd = start()
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if names := left(); len(names) != 1 {
		t.Errorf("a run that was killed leaves %q", names)
	}
	mustRun(t, dir, nil, "run", "-q", file, "-o", "out", "--cpuprofile", "cpu")
	if names := left(); len(names) != 0 {
		t.Errorf("the next run leaves %q", names)
	}
}
