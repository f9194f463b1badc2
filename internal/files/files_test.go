package files

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// names lists a folder.
func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func content(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestFileAppearsWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.csv")
	if err := Save(file, []byte("one")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := Write(file, func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Repeat("two", 1<<16))
		return errors.Join(err, broken)
	})
	if !errors.Is(err, broken) || content(t, file) != "one" {
		t.Errorf("error %v, content %q", err, content(t, file))
	}
	if err := WriteBrief(file, []byte("three")); err != nil || content(t, file) != "three" {
		t.Errorf("error %v, content %q", err, content(t, file))
	}
	t.Log("# one that cannot get its name leaves nothing")
	if err := os.Mkdir(filepath.Join(dir, "b"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := Save(filepath.Join(dir, "b"), nil); err == nil {
		t.Error("a folder was replaced by a file")
	}
	if err := Probe(filepath.Join(dir, "b")); err == nil {
		t.Error("a folder can be replaced by a file")
	}
	if err := Save(filepath.Join(dir, "none", "a"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if err := Probe(file); err != nil {
		t.Error(err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"a.csv", "b"}) {
		t.Errorf("there are %q", got)
	}
}

// deadPID is that of a process that has ended.
func deadPID(t *testing.T) int {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

func TestWhatAKilledProcessLeftGoesWithTheNextOfItsName(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s.csv")
	left := func(base, host string, pid int) string {
		name := fmt.Sprintf(".%s.new-%s-%d", base, host, pid)
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	dead := deadPID(t)
	left("s.csv", hostName(), dead)
	want := []string{
		left("s.csv", "another-machine", dead), // whose processes nobody knows
		left("s.csv", hostName(), os.Getppid()),
		left("other.csv", hostName(), dead),
		"s.csv",
	}
	t.Log("# a link in the place of a file under way is no way to another file")
	precious := filepath.Join(t.TempDir(), "precious")
	if err := Save(precious, []byte("mine")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(precious, Sibling(file, New)); err != nil {
		t.Skip(err)
	}
	if err := Save(file, []byte("x")); err == nil || content(t, precious) != "mine" {
		t.Errorf("error %v, content %q", err, content(t, precious))
	}
	if err := os.Remove(Sibling(file, New)); err != nil {
		t.Fatal(err)
	}
	if err := Save(file, nil); err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("there are %q, want %q", got, want)
	}
}

func TestTwoFilesOfOneNameAreNotWrittenAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a")
	one, err := Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Create(file); !errors.Is(err, os.ErrExist) {
		t.Errorf("error %v", err)
	}
	if _, err := one.WriteString("one"); err != nil {
		t.Fatal(err)
	}
	if err := one.Commit(); err != nil || content(t, file) != "one" {
		t.Errorf("error %v, content %q", err, content(t, file))
	}
}

// TestSealIsOfAllButItself changes what a document says, and how it is laid out.
func TestSealIsOfAllButItself(t *testing.T) {
	type document struct{ A, Seal string }
	a := Seal(document{A: "x"})
	if b := Seal(document{A: "y"}); a == b || len(a) != 64 {
		t.Errorf("%s of one, %s of another", a, b)
	}
	if got := Sum([]byte("{\n  \"A\": \"x\",\n  \"Seal\": \"\"\n}\n")); got != a {
		t.Errorf("%s, want %s", got, a)
	}
}

// TestSealIsTheSameOnceADocumentWasRead has names of files that are not UTF-8, and other odd ones.
func TestSealIsTheSameOnceADocumentWasRead(t *testing.T) {
	type document struct{ A string }
	for _, text := range []string{"f\xff.yaml", "\ufffd", `\ufffd`, "\u2028<&>\x00", ""} {
		b, err := EncodeJSON(document{text})
		if err != nil {
			t.Fatal(err)
		}
		var read document
		if err := json.Unmarshal(b, &read); err != nil {
			t.Fatal(err)
		}
		if Seal(read) != Seal(document{text}) {
			t.Errorf("%q has another seal once it was read", text)
		}
	}
}

// TestFaultsAreInputErrors keeps what they wrap.
func TestFaultsAreInputErrors(t *testing.T) {
	var input InputError
	if err := Fault("x: %w", ErrChanged); !errors.As(err, &input) || !errors.Is(err, ErrChanged) ||
		err.Error() != "x: changed since the run" {
		t.Errorf("error %v", err)
	}
	if AsFault(nil) != nil {
		t.Error("no error is a fault")
	}
}
