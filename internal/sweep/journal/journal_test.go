package journal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"pgregory.net/rapid"
)

// open opens a journal and returns the payloads that it holds.
func open(t testing.TB, path string) (j *Journal, held []string, dropped int64) {
	t.Helper()
	j, dropped, err := Open(path, "mine", func(_ int64, payload []byte) error {
		held = append(held, string(payload))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return j, held, dropped
}

func appendAll(t testing.TB, j *Journal, payloads ...string) (offsets []int64) {
	t.Helper()
	for _, p := range payloads {
		at, err := j.Append([]byte(p))
		if err != nil {
			t.Fatal(err)
		}
		offsets = append(offsets, at)
	}
	return offsets
}

func TestRecordsAreThereAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, held, _ := open(t, path)
	if len(held) != 0 {
		t.Fatalf("a new journal holds %q", held)
	}
	want := []string{"one", "", strings.Repeat("three", 100000)}
	offsets := appendAll(t, j, want...)
	for i, at := range offsets {
		if got, err := j.Load(at); err != nil || string(got) != want[i] {
			t.Errorf("record %d: %d bytes, %v", i, len(got), err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j, held, dropped := open(t, path)
	defer j.Close()
	if !slices.Equal(held, want) || dropped != 0 {
		t.Errorf("%d records and %d bytes dropped, want 3 and 0", len(held), dropped)
	}
	if got, err := j.Load(offsets[2]); err != nil || string(got) != want[2] {
		t.Errorf("record 2 after opening again: %d bytes, %v", len(got), err)
	}
}

// TestAnyCutLeavesTheWholeRecords ends the file at every length it can have after a kill.
func TestAnyCutLeavesTheWholeRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, _, _ := open(t, path)
	offsets := appendAll(t, j, "first", "second one", "third")
	j.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	ends := append(offsets[1:], int64(len(whole)))
	for cut := range len(whole) + 1 {
		if err := os.WriteFile(path, whole[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		want := 0
		for _, end := range ends {
			if int64(cut) >= end {
				want++
			}
		}
		j, held, _ := open(t, path)
		if len(held) != want {
			t.Fatalf("cut at %d: %d records, want %d", cut, len(held), want)
		}
		appendAll(t, j, "next")
		j.Close()
		j, held, dropped := open(t, path)
		j.Close()
		if len(held) != want+1 || held[want] != "next" || dropped != 0 {
			t.Fatalf("cut at %d: after another record there are %q", cut, held)
		}
	}
}

// TestNoChangedByteGoesUnnoticed flips bits anywhere: what is read is a prefix of what was written.
func TestNoChangedByteGoesUnnoticed(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "journal")
	rapid.Check(t, func(t *rapid.T) {
		os.Remove(path)
		j, _, err := Open(path, "mine", nil)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for range rapid.IntRange(1, 5).Draw(t, "records") {
			p := rapid.SliceOfN(rapid.Byte(), 0, 30).Draw(t, "payload")
			want = append(want, string(p))
			if _, err := j.Append(p); err != nil {
				t.Fatal(err)
			}
		}
		j.Close()
		b, _ := os.ReadFile(path)
		at := rapid.IntRange(len(magic)+len("mine"), len(b)-1).Draw(t, "at")
		b[at] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		none := func(int64, []byte) error { return nil }
		if err := Read(path, "mine", none); !errors.Is(err, ErrDamaged) {
			t.Fatalf("reading strictly: %v", err)
		}
		var held []string
		j, dropped, err := Open(path, "mine", func(_ int64, p []byte) error {
			held = append(held, string(p))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		j.Close()
		if dropped == 0 || len(held) >= len(want) || !slices.Equal(held, want[:len(held)]) {
			t.Fatalf("%q of %q are left, %d bytes dropped", held, want, dropped)
		}
	})
}

func TestAnotherFileIsNoJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "points.csv")
	const text = "scheme,samples\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Open(path, "mine", nil); !errors.Is(err, ErrDamaged) {
		t.Errorf("opening: %v", err)
	}
	if err := Read(path, "mine", nil); !errors.Is(err, ErrDamaged) {
		t.Errorf("reading: %v", err)
	}
	if b, _ := os.ReadFile(path); string(b) != text {
		t.Errorf("it now holds %q", b)
	}
}

func TestVisitorsErrorNamesFileAndRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, _, _ := open(t, path)
	appendAll(t, j, "x")
	j.Close()
	err := Read(path, "mine", func(int64, []byte) error { return errors.New("no") })
	if want := path + ": record at offset 12: no"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}

func TestVanishedFileIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, _, _ := open(t, path)
	defer j.Close()
	appendAll(t, j, "x")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Append([]byte("y")); !errors.Is(err, ErrVanished) {
		t.Errorf("after removal: %v", err)
	}
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Append([]byte("y")); !errors.Is(err, ErrVanished) {
		t.Errorf("after another took its place: %v", err)
	}
}

// full is a file on a disk with room for so many bytes more.
type full struct {
	*os.File
	room int
}

func (f *full) WriteAt(b []byte, at int64) (int, error) {
	n := min(len(b), f.room)
	f.room -= n
	if n, err := f.File.WriteAt(b[:n], at); err != nil || n == len(b) {
		return n, err
	}
	return n, syscall.ENOSPC
}

func TestFullDiskKeepsWhatIsThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	for room := range 40 {
		os.Remove(path)
		j, _, _ := open(t, path)
		appendAll(t, j, "first")
		disk := &full{j.file.(*os.File), room}
		j.file = disk
		_, err := j.Append([]byte("a record of some length"))
		if wrote := room >= HeaderSize+23; wrote != (err == nil) {
			t.Fatalf("with room for %d bytes: %v", room, err)
		}
		if err != nil {
			if !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("error %v", err)
			}
			disk.room = 1 << 20
			appendAll(t, j, "second")
		}
		j.Close()
		j, held, dropped := open(t, path)
		j.Close()
		if len(held) != 2 || dropped != 0 {
			t.Fatalf("with room for %d bytes: %q, %d dropped", room, held, dropped)
		}
	}
}

func TestSeveralMayAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, _, _ := open(t, path)
	var group sync.WaitGroup
	for w := range 4 {
		group.Go(func() {
			for i := range 50 {
				p := []byte(fmt.Sprint(w, i))
				at, err := j.Append(p)
				if err != nil {
					t.Error(err)
				}
				if got, err := j.Load(at); err != nil || !bytes.Equal(got, p) {
					t.Errorf("%q at %d: %v", got, at, err)
				}
			}
		})
	}
	group.Wait()
	j.Close()
	j, held, _ := open(t, path)
	j.Close()
	slices.Sort(held)
	if n := len(slices.Compact(held)); n != 200 {
		t.Errorf("%d records, want 200", n)
	}
}
