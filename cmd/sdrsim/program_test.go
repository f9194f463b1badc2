package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestBuildIDIsWhatTheLinkerLeft compares what is found in this very executable with what the go
// command finds there.
func TestBuildIDIsWhatTheLinkerLeft(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "tool", "buildid", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.TrimSpace(string(out))
	if got := programIdentity(); got != want || want == "" {
		t.Errorf("the build id is %q, the go command says %q", got, want)
	}
}

func TestBuildIDIsFoundInEveryKindOfExecutable(t *testing.T) {
	const note = "\x04\x00\x00\x00\x05\x00\x00\x00\x04\x00\x00\x00Go\x00\x00a/b-c\x00\x00"
	for name, c := range map[string]struct{ start, want string }{
		"a note of ELF":            {"\x7fELF...." + note, "a/b-c"},
		"a text before the code":   {"\xcf\xfa\xed\xfe..\xff Go build ID: \"a/b\"\n \xffcode", "a/b"},
		"a note and no ELF":        {"MZ......" + note, ""},
		"a note that is cut short": {"\x7fELF...." + note[:18], ""},
		"a text that is cut short": {"..\xff Go build ID: \"a/b", ""},
		"a note without sizes":     {"\x7fELF" + note[8:], ""},
		"nothing of the kind":      {"\x7fELF and so on", ""},
		"an empty file":            {"", ""},
	} {
		id, ok := buildID([]byte(c.start))
		if ok != (c.want != "") || ok && id != c.want {
			t.Errorf("%s: found %q, %v, want %q", name, id, ok, c.want)
		}
	}
}
