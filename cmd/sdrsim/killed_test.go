package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// program is a command of sdrsim as a process of its own, which scripts know under that name.
func program(ctx context.Context, dir string, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "sdrsim", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

const killedScenario = `# Question: does it survive?
name: killed
link: {bandwidth: 100Gbps, rtt: 1ms, loss: {model: iid, p: 1e-2}}
message: {size: 64KiB, chunk: 4KiB}
schemes: [sr-rto, {name: ec-mds, k: 8, m: 2}]
sweep: {link.loss.p: [1e-3, 3e-3, 1e-2, 2e-2, 3e-2, 5e-2, 1e-1, 2e-1]}
samples: 60
figures:
  - {kind: line, name: by-loss, x: link.loss.p, y: speedup, over: sr-rto}
  - {kind: ccdf, name: tail, where: {link.loss.p: 1e-2}}
`

// TestKilledShardsMergeToTheSameBytes runs 1, 2 and 7 shards, kills each at drawn instants, lets
// the next run go on, and compares all files of the results with those of one undisturbed run.
func TestKilledShardsMergeToTheSameBytes(t *testing.T) {
	if runtime.GOOS == "windows" || raceEnabled {
		t.Skip("no SIGKILL, or too slow")
	}
	kills := 8 // over all shards
	if os.Getenv("SDRSIM_LONG") != "" {
		kills = 200
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "k.yaml"), []byte(killedScenario), 0o644); err != nil {
		t.Fatal(err)
	}
	mustRun(t, dir, nil, "run", "-q", "k.yaml", "-o", "whole", "--samples-out", "whole.csv")
	draw := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	for _, n := range []int{1, 2, 7} {
		parts, joined := fmt.Sprintf("parts%d", n), fmt.Sprintf("joined%d", n)
		killed := 0
		for i := 1; i <= n; i++ {
			args := []string{"run", "k.yaml", "-o", parts, "--shard", fmt.Sprintf("%d/%d", i, n)}
			for range (kills + n - 1) / n {
				if killAt(t, dir, time.Duration(draw.Int64N(int64(150*time.Millisecond))), args...) {
					killed++
				}
			}
			mustRun(t, dir, nil, args...)
		}
		t.Logf("%d shards: killed %d times", n, killed)
		mustRun(t, dir, nil, "merge", "-q", parts, "-o", joined, "--samples-out", joined+".csv")
		sameFile(t, filepath.Join(dir, "whole.csv"), filepath.Join(dir, joined+".csv"))
		sameResults(t, filepath.Join(dir, "whole"), filepath.Join(dir, joined))
	}
}

// TestKilledRunEndsAsAnUndisturbedOne kills a run without shards.
func TestKilledRunEndsAsAnUndisturbedOne(t *testing.T) {
	if runtime.GOOS == "windows" || raceEnabled {
		t.Skip("no SIGKILL, or too slow")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "k.yaml"), []byte(killedScenario), 0o644); err != nil {
		t.Fatal(err)
	}
	mustRun(t, dir, nil, "run", "-q", "k.yaml", "-o", "whole")
	for at := 40 * time.Millisecond; at < 400*time.Millisecond; at += 90 * time.Millisecond {
		killAt(t, dir, at, "run", "k.yaml", "-o", "out")
	}
	mustRun(t, dir, nil, "run", "k.yaml", "-o", "out")
	sameResults(t, filepath.Join(dir, "whole"), filepath.Join(dir, "out"))
}

func mustRun(t *testing.T, dir string, env []string, args ...string) {
	t.Helper()
	if out, err := program(t.Context(), dir, env, args...).CombinedOutput(); err != nil {
		t.Fatalf("sdrsim %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// killAt starts a slowed run and kills it after some time; false if it was complete before.
func killAt(t *testing.T, dir string, after time.Duration, args ...string) bool {
	t.Helper()
	cmd := program(t.Context(), dir, []string{"SDRSIM_TEST_PACE=1ms"}, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	_ = cmd.Process.Kill() // fails if it has ended
	err := cmd.Wait()
	status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if err != nil && !status.Signaled() {
		t.Fatalf("sdrsim %s: %v\n%s", strings.Join(args, " "), err, out.String())
	}
	return err != nil
}

// sameResults compares every file of two result directories but run.json.
func sameResults(t *testing.T, want, got string) {
	t.Helper()
	names := func(dir string) (list []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() != "run.json" {
				list = append(list, e.Name())
			}
		}
		return list
	}
	a, b := names(want), names(got)
	if strings.Join(a, " ") != strings.Join(b, " ") || len(a) < 7 {
		t.Fatalf("files %v, want %v", b, a)
	}
	for _, name := range a {
		sameFile(t, filepath.Join(want, name), filepath.Join(got, name))
	}
}

func sameFile(t *testing.T, want, got string) {
	t.Helper()
	a, err := os.ReadFile(want)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(got)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Errorf("%s differs from %s", got, want)
	}
}

// TestSecondInterruptStopsAtOnce interrupts a run whose samples never end.
func TestSecondInterruptStopsAtOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no interrupt to send")
	}
	dir, file := writeSmall(t)
	begun := filepath.Join(dir, "begun")
	cmd := program(t.Context(), dir, []string{"SDRSIM_TEST_HANG=3", "SDRSIM_TEST_BEGUN=" + begun},
		"run", file, "-o", "out")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	untilThere(begun)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stderr).ReadString('\n')
	if err != nil || !strings.Contains(line, "interrupt again to stop at once") {
		t.Errorf("message %q, %v", line, err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit status %d, want %d", code, exitInterrupted)
	}
	mustRun(t, dir, nil, "run", "-q", file, "-o", "out")
}

// untilThere waits for a file, ten seconds at most.
func untilThere(file string) {
	for range 1000 {
		if _, err := os.Stat(file); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestFirstInterruptEndsADryRun interrupts a dry run whose samples never end.
func TestFirstInterruptEndsADryRun(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no interrupt to send")
	}
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		dir, file := writeSmall(t)
		begun := filepath.Join(dir, "begun")
		cmd := program(t.Context(), dir, []string{"SDRSIM_TEST_HANG=0", "SDRSIM_TEST_BEGUN=" + begun},
			"run", file, "-o", "out", "--dry-run")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		untilThere(begun)
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		timer.Stop()
		if code := cmd.ProcessState.ExitCode(); code != exitInterrupted ||
			stderr.String() != "sdrsim: interrupted; nothing was written\n" {
			t.Errorf("%v: exit status %d, want %d\n%s", signal, code, exitInterrupted, stderr.String())
		}
		if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
			t.Error("out was written")
		}
	}
}
