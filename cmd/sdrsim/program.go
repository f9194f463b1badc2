package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"sync"
)

// programIdentity tells builds of this program apart: samples of one build are not completed by
// another, which may simulate differently. It is the build id that the Go linker leaves in the
// first bytes of the executable, which ends in a hash of the content, or else a hash of the file;
// empty where that cannot be read.
var programIdentity = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	start := make([]byte, 1<<15)
	n, _ := io.ReadFull(f, start) // a file that is too short has none
	if id, ok := buildID(start[:n]); ok {
		return id
	}
	h := sha256.New()
	h.Write(start[:n])
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
})

// buildID finds the build id in the first bytes of an executable.
func buildID(start []byte) (string, bool) {
	_, after, found := bytes.Cut(start, []byte("\xff Go build ID: \""))
	id, _, ended := bytes.Cut(after, []byte("\"\n \xff"))
	return string(id), found && ended && len(id) > 0
}
