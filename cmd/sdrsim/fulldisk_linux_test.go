package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFullDiskLeavesFormerResults runs on a disk of its own that fills up, sooner or later: with
// the journal of the run, with its results, or with its figures.
func TestFullDiskLeavesFormerResults(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("a disk of its own takes the right to mount one: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "k.yaml"), []byte(killedScenario), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(disk, "out")
	mustRun(t, dir, nil, "run", "-q", "k.yaml", "-o", "seed2", "--seed", "2")
	mustRun(t, dir, nil, "run", "-q", "k.yaml", "-o", out)
	before := treeOf(t, out)
	ballast := filepath.Join(disk, "ballast")
	failures := 0
	for _, room := range []int{0, 4, 16, 32, 64, 96, 128} { // pages of 4 KiB that are left
		fill(t, ballast, room)
		text, err := program(t.Context(), dir, nil, "run", "-q", "k.yaml", "-o", out,
			"--seed", "2").CombinedOutput()
		if err == nil {
			break // there was room
		}
		failures++
		if n := strings.Count(string(text), "no space left on device"); n == 0 {
			t.Errorf("%d pages left: %s", room, text)
		}
		for name, content := range treeOf(t, out) {
			if before[name] != content {
				t.Errorf("%d pages left: %s changed", room, name)
			}
		}
	}
	if failures < 2 {
		t.Errorf("the disk was full %d times only", failures)
	}
	t.Log("# with room again, the same command goes on to the same bytes")
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	mustRun(t, dir, nil, "run", "-q", "k.yaml", "-o", out, "--seed", "2")
	sameResults(t, filepath.Join(dir, "seed2"), out)
	entries, err := os.ReadDir(disk)
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// TestFullDiskIsNoRegression fills the disk on which the report of a check goes.
func TestFullDiskIsNoRegression(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("a disk of its own takes the right to mount one: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "e.yaml"), []byte(exitScenario), 0o644); err != nil {
		t.Fatal(err)
	}
	mustRun(t, dir, nil, "check", "-q", "e.yaml", "--update", "--reason", "first")
	fill(t, filepath.Join(disk, "ballast"), 0)
	cmd := program(t.Context(), dir, nil, "check", "-q", "e.yaml", "-o", filepath.Join(disk, "r"))
	text, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != exitUsage {
		t.Errorf("exit status %d (%v), want %d: %s", code, err, exitUsage, text)
	}
	if n := strings.Count(string(text), "no space left on device"); n != 1 {
		t.Errorf("a full disk is named %d times: %s", n, text)
	}
	if entries, err := os.ReadDir(disk); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// fill leaves so many pages of a disk free.
func fill(t *testing.T, ballast string, pages int) {
	t.Helper()
	if err := os.RemoveAll(ballast); err != nil {
		t.Fatal(err)
	}
	var fs syscall.Statfs_t
	if err := syscall.Statfs(filepath.Dir(ballast), &fs); err != nil {
		t.Fatal(err)
	}
	size := max(0, int(fs.Bavail)-pages) * int(fs.Bsize)
	if err := os.WriteFile(ballast, make([]byte, size), 0o644); err != nil {
		t.Fatal(err)
	}
}

// treeOf maps the files of a folder to their content.
func treeOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(b)
	}
	return files
}
