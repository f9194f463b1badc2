package ledger

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sdrsim/internal/experiment"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
	"sdrsim/internal/sweep/journal"
	"sdrsim/internal/sweep/shard"
	"sdrsim/units"
)

func head() Head {
	return Head{
		Version: "0.1.0", Program: "one", Name: "fig9", File: "fig9.yaml", Hash: "abc", Seed: 1,
		Points: 2, Scenario: "name: fig9\nlink:\n  rtt: 25ms\n", Overrides: []string{"seed=1"},
	}
}

func open(t *testing.T, dir string, h Head, mode Mode) *Ledger {
	t.Helper()
	l, err := Open(dir, h, mode)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// constant is a runner whose samples are all the same.
type constant struct{}

func (constant) Sample(_ int, s *experiment.Sample) error {
	*s = experiment.Sample{Completion: []units.Duration{5}, Delivery: []units.Duration{3},
		Elapsed: 5, Ideal: 2}
	return nil
}

// source is two points of two schemes.
type source struct{}

func (source) Len() int { return 2 }
func (source) At(i int) spec.Point {
	return spec.Point{
		Index: i, Key: []string{"p=1", "p=2"}[i], Samples: 10,
		Message: spec.Message{Size: 1, Chunk: 1, Count: 1, InFlight: 1},
		Schemes: []spec.Scheme{{Label: "sr"}, {Label: "ec"}},
	}
}

// fill runs the source into a store and returns how many samples were run.
func fill(t *testing.T, store sweep.Store) int64 {
	t.Helper()
	made := func(*spec.Point, *spec.Scheme) (sweep.Runner, error) { return constant{}, nil }
	r, err := sweep.Run(t.Context(), sweep.Config{Source: source{}, Jobs: 2, NewRunner: made,
		Store: store})
	if err != nil {
		t.Fatal(err)
	}
	return r.Samples - r.Restored
}

func TestLedgerKeepsUnitsFromRunToRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".fig9.run")
	l := open(t, dir, head(), Resume)
	if n := fill(t, l); n != 40 {
		t.Errorf("%d samples run, want 40", n)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l = open(t, dir, head(), Resume)
	if n := fill(t, l); n != 0 || l.Samples() != 40 {
		t.Errorf("%d samples run again, %d kept", n, l.Samples())
	}
	if err := l.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory is still there: %v", err)
	}
}

func TestFreshStartsOver(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".fig9.run")
	l := open(t, dir, head(), Resume)
	fill(t, l)
	l.Close()
	other := head()
	other.Scenario = "name: fig9\n"
	l = open(t, dir, other, Fresh)
	defer l.Close()
	if n := fill(t, l); n != 40 {
		t.Errorf("%d samples run, want all", n)
	}
}

func TestDifferentRunIsRefusedWithWhatDiffers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".fig9.run")
	l := open(t, dir, head(), Resume)
	fill(t, l)
	l.Close()
	for want, change := range map[string]func(*Head){
		`scenario: line 3: "rtt: 25ms" then, "rtt: 26ms" now`: func(h *Head) {
			h.Scenario = strings.Replace(h.Scenario, "25", "26", 1)
		},
		`line 4: no such line then, "samples: 2" now`: func(h *Head) { h.Scenario += "samples: 2" },
		"--set seed=1: then, not now":                 func(h *Head) { h.Overrides = nil },
		"--set rtt=1ms: now, not then": func(h *Head) {
			h.Overrides = append(h.Overrides, "rtt=1ms")
		},
		"scenario: its hash differs": func(h *Head) { h.Hash = "abd" },
		"shard: the whole then, 2/3 now": func(h *Head) {
			h.Shard = shard.Part{Index: 2, Of: 3}
		},
		"version of the program: 0.1.0 then, 0.2.0 now": func(h *Head) { h.Version = "0.2.0" },
		"program: built from other sources":             func(h *Head) { h.Program = "two" },
	} {
		h := head()
		change(&h)
		_, err := Open(dir, h, Resume)
		var different *DifferentError
		if !errors.As(err, &different) || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "--fresh starts over") {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	l = open(t, dir, head(), Resume) // nothing was lost
	defer l.Close()
	if l.Samples() != 40 {
		t.Errorf("%d samples are left of 40", l.Samples())
	}
}

func TestTwoRunsDoNotShareADirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".fig9.run")
	l := open(t, dir, head(), Resume)
	if !Held(dir) {
		t.Error("the lock is not held")
	}
	if err := l.WriteStatus(Status{State: Running}); err != nil {
		t.Fatal(err)
	}
	_, err := Open(dir, head(), Fresh)
	var busy *BusyError
	if !errors.As(err, &busy) || !strings.Contains(err.Error(), "process ") {
		t.Errorf("error %v", err)
	}
	fill(t, l)
	l.Close()
	if Held(dir) {
		t.Error("the lock is held after the end")
	}
	open(t, dir, head(), Resume).Close()
}

// TestUnfinishedHeadStartsOver is a kill between making the directory and naming the run.
func TestUnfinishedHeadStartsOver(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".fig9.run")
	l := open(t, dir, head(), Resume)
	fill(t, l)
	l.Close()
	if err := os.Remove(filepath.Join(dir, HeadFile)); err != nil {
		t.Fatal(err)
	}
	l = open(t, dir, head(), Resume)
	defer l.Close()
	if l.Samples() != 0 {
		t.Errorf("%d samples of nobody knows what", l.Samples())
	}
}

func TestTornRecordIsDroppedAndTold(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".fig9.run")
	l := open(t, dir, head(), Resume)
	fill(t, l)
	l.Close()
	file := filepath.Join(dir, UnitsFile)
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, info.Size()-1); err != nil {
		t.Fatal(err)
	}
	l = open(t, dir, head(), Resume)
	defer l.Close()
	if l.Dropped == 0 || l.Samples() != 30 {
		t.Errorf("%d bytes dropped, %d samples left, want 30", l.Dropped, l.Samples())
	}
	if n := fill(t, l); n != 10 {
		t.Errorf("%d samples run, want those of one unit", n)
	}
}

func TestRunWithoutSamplesLeavesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".fig9.run")
	if err := open(t, dir, head(), Resume).Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory is still there: %v", err)
	}
}

func TestVanishedDirectoryIsAnError(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".fig9.run")
	l := open(t, dir, head(), Resume)
	defer l.Close()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	made := func(*spec.Point, *spec.Scheme) (sweep.Runner, error) { return constant{}, nil }
	_, err := sweep.Run(t.Context(), sweep.Config{Source: source{}, Jobs: 1, NewRunner: made,
		Store: l})
	if !errors.Is(err, journal.ErrVanished) || !strings.Contains(err.Error(), UnitsFile) {
		t.Errorf("error %v", err)
	}
}

func TestShardTakesItsNameWhenComplete(t *testing.T) {
	parent := t.TempDir()
	target := filepath.Join(parent, "2-of-3")
	h := head()
	h.Shard = shard.Part{Index: 2, Of: 3}
	for range 2 { // the second replaces the first
		l := open(t, Beside(target), h, Resume)
		fill(t, l)
		if err := l.WriteStatus(Status{State: Complete}); err != nil {
			t.Fatal(err)
		}
		if err := l.Publish(target); err != nil {
			t.Fatal(err)
		}
	}
	entries, _ := os.ReadDir(parent)
	if len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
	s, err := OpenShard(target)
	if err != nil {
		t.Fatal(err)
	}
	if s.Head.Shard != h.Shard || len(s.Units()) != 4 {
		t.Errorf("shard %v of %d units", s.Head.Shard, len(s.Units()))
	}
	if n := fill(t, readOnly{s}); n != 0 {
		t.Errorf("%d samples are not in the shard", n)
	}
}

// readOnly is a shard as a store.
type readOnly struct{ *Shard }

func (readOnly) Save(*sweep.Record) error { return errors.New("read-only") }

func TestDamagedShardIsAnError(t *testing.T) {
	target := filepath.Join(t.TempDir(), "1-of-1")
	l := open(t, Beside(target), head(), Resume)
	fill(t, l)
	if err := l.Publish(target); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(target, UnitsFile)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(file, b, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenShard(target); !errors.Is(err, journal.ErrDamaged) {
		t.Errorf("error %v", err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenShard(target); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestShardsOfDifferentRunsAreForeign(t *testing.T) {
	a, b := head(), head()
	a.Shard, b.Shard = shard.Part{Index: 1, Of: 3}, shard.Part{Index: 2, Of: 3}
	b.Program = "another machine's"
	if d := a.Foreign(b); len(d) > 0 {
		t.Errorf("shards of one run differ: %q", d)
	}
	b.Shard.Of = 4
	if d := a.Foreign(b); len(d) != 1 || d[0] != "shards: 3 and 4" {
		t.Errorf("differences %q", d)
	}
}

func TestStatusIsReadBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".fig9.run")
	l := open(t, dir, head(), Resume)
	defer l.Close()
	if err := l.WriteStatus(Status{State: Running, Samples: 7, Total: 40}); err != nil {
		t.Fatal(err)
	}
	s, err := ReadStatus(dir)
	if err != nil || s.Samples != 7 || s.PID != os.Getpid() || s.Scenario != "fig9" {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestKeptIsWhatIsOnDisk reads beside the run that writes, and after a record was cut short.
func TestKeptIsWhatIsOnDisk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".fig9.run")
	if k, err := ReadKept(dir); err != nil || len(k.Samples) != 0 || !k.Written.IsZero() {
		t.Errorf("of no run: %+v, %v", k, err)
	}
	l := open(t, dir, head(), Resume)
	defer l.Close()
	fill(t, l)
	kept := func(want int) {
		t.Helper()
		k, err := ReadKept(dir)
		if err != nil || len(k.Samples) != want || k.Written.IsZero() {
			t.Fatalf("%d units at %v, want %d; %v", len(k.Samples), k.Written, want, err)
		}
		for u, n := range k.Samples {
			if n != 10 {
				t.Errorf("%d samples of %v, want 10", n, u)
			}
		}
	}
	kept(4)
	t.Log("# of several records of a unit the last counts")
	r, err := l.Load("p=1", "sr")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Save(r); err != nil {
		t.Fatal(err)
	}
	kept(4)
	t.Log("# a record that is cut short is none, and stays as it is")
	file := filepath.Join(dir, UnitsFile)
	size := func() int64 {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	if err := os.Truncate(file, (size()-8)*4/5+8-1); err != nil { // in the fourth of five
		t.Fatal(err)
	}
	before := size()
	kept(3)
	if size() != before {
		t.Error("reading changed the file")
	}
	if err := os.WriteFile(file, []byte("something else"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadKept(dir); !errors.Is(err, journal.ErrDamaged) {
		t.Errorf("of another file: %v", err)
	}
}
