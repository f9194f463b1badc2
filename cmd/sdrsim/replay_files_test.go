package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Captures and timelines are written beside what replay prints, or not at all.
func TestReplayWritesForOtherTools(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "r.yaml")
	text := "name: r\nlink: {bandwidth: 10Gbps, rtt: 1ms, loss: {model: iid, p: 0.1}}\n" +
		"message: {size: 256KiB}\nschemes: [{name: sr-nack}]\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	name := func(base string) string { return filepath.Join(dir, base) }
	replay := func(args ...string) (int, string) {
		var out, fault bytes.Buffer
		code := run(t.Context(), append([]string{"replay", file}, args...), &out, &fault)
		return code, out.String() + fault.String()
	}
	code, plain := replay()
	if code != exitOK {
		t.Fatal(plain)
	}
	code, out := replay("--capture", name("s.pcapng.gz"), "--trace", name("s.json"))
	if code != exitOK || !strings.HasPrefix(out, plain) {
		t.Fatalf("exit %d, %s", code, out)
	}
	code, more := replay("--capture", name("s.pcapng"), "--trace", name("s.pftrace"))
	if code != exitOK {
		t.Fatal(more)
	}
	zipped, err := os.Open(name("s.pcapng.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer zipped.Close()
	z, err := gzip.NewReader(zipped)
	if err != nil {
		t.Fatal(err)
	}
	unzipped, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if whole, err := os.ReadFile(name("s.pcapng")); err != nil || !bytes.Equal(whole, unzipped) {
		t.Errorf("%v; %d bytes, %d zipped", err, len(whole), len(unzipped))
	}
	if line, err := os.ReadFile(name("s.json")); err != nil || !json.Valid(line) {
		t.Errorf("the timeline is no JSON, %v", err)
	}

	for _, args := range [][]string{
		{"--capture", name("s.pcap")}, {"--trace", name("s.txt")},
		{"--capture", filepath.Join(dir, "missing", "s.pcapng")},
		{"--trace", name("same.json"), "--capture", name("same.json")},
	} {
		if code, out := replay(args...); code != exitUsage || strings.Count(out, "\n") > 2 {
			t.Errorf("%v: exit %d, %s", args, code, out)
		}
	}
}

func TestDissectorHasTheSplitThatIsAskedFor(t *testing.T) {
	var out, fault bytes.Buffer
	if code := run(t.Context(), []string{"wireshark", "--split", "2+26+4"}, &out, &fault); code !=
		exitOK || !strings.Contains(out.String(), `"2+26+4"`) {
		t.Errorf("exit %d, %s", code, fault.String())
	}
	if code := run(t.Context(), []string{"wireshark", "--split", "2+26"}, &out, &fault); code !=
		exitUsage || !strings.Contains(fault.String(), "--split 2+26") {
		t.Errorf("exit %d, %s", code, fault.String())
	}
}
