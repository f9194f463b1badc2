package ledger

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"sdrsim/internal/files"
)

// TestNoFlippedBitIsTakenForAShard flips bits of the head and of the samples. What is read then is
// an error, or says the same: white space of the head, or the case of a key.
func TestNoFlippedBitIsTakenForAShard(t *testing.T) {
	target := filepath.Join(t.TempDir(), "1-of-1")
	l := open(t, Beside(target), head(), Resume)
	fill(t, l)
	if err := l.Publish(target); err != nil {
		t.Fatal(err)
	}
	whole, err := OpenShard(target)
	if err != nil {
		t.Fatal(err)
	}
	draw := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{HeadFile, UnitsFile} {
		file := filepath.Join(target, name)
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			flipped := append([]byte{}, content...)
			at, bit := draw.IntN(len(content)), draw.IntN(8)
			flipped[at] ^= 1 << bit
			if err := os.WriteFile(file, flipped, 0o644); err != nil {
				t.Fatal(err)
			}
			s, err := OpenShard(target)
			var input files.InputError
			if err != nil && !errors.As(err, &input) {
				t.Errorf("%s: bit %d of byte %d: %v is no fault of the input", name, bit, at, err)
			}
			if err == nil && (name != HeadFile || !reflect.DeepEqual(s, whole)) {
				t.Errorf("%s: bit %d of byte %d is not found", name, bit, at)
			}
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSamplesBelongToTheirHead gives a shard the head of another run, whose points have the same
// names.
func TestSamplesBelongToTheirHead(t *testing.T) {
	dir := t.TempDir()
	var targets []string
	for i, size := range []string{"1MiB", "5MiB"} {
		target := filepath.Join(dir, []string{"one", "other"}[i])
		h := head()
		h.Scenario += "message: {size: " + size + "}\n"
		l := open(t, Beside(target), h, Resume)
		fill(t, l)
		if err := l.Publish(target); err != nil {
			t.Fatal(err)
		}
		targets = append(targets, filepath.Join(target, HeadFile))
	}
	if err := os.Rename(targets[1], targets[0]); err != nil {
		t.Fatal(err)
	}
	var input files.InputError
	if _, err := OpenShard(filepath.Dir(targets[0])); !errors.As(err, &input) {
		t.Errorf("error %v", err)
	}
}

// TestUnfinishedFilesOfKilledRunsGo leaves some, as of another machine too.
func TestUnfinishedFilesOfKilledRunsGo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".fig9.run")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".head.json.new-elsewhere-7", ".status.json.new-elsewhere-7"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	l := open(t, dir, head(), Resume)
	fill(t, l)
	if err := l.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory is still there: %v", err)
	}
}
