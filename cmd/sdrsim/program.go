package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"os"
	"sync"
)

// programIdentity tells builds of this program apart: samples of one build are not completed by
// another, which may simulate differently. It is the build id that the Go linker leaves in the
// first bytes of the executable, which ends in a hash of the content, or else a hash of the file,
// which takes longer than a small run; empty where that cannot be read.
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
	if id, ok := noteID(start); ok {
		return id, true
	}
	_, after, found := bytes.Cut(start, []byte("\xff Go build ID: \""))
	id, _, ended := bytes.Cut(after, []byte("\"\n \xff"))
	return string(id), found && ended && len(id) > 0
}

// noteID finds it where ELF has it, in a note of type 4 by "Go": the sizes of name and text, the
// type, the name, the text. Machines that put the most significant byte first do without.
func noteID(start []byte) (string, bool) {
	const head = "\x04\x00\x00\x00Go\x00\x00"
	at := bytes.Index(start, []byte(head))
	if at < 8 || !bytes.HasPrefix(start, []byte("\x7fELF")) {
		return "", false
	}
	text := start[at+len(head):]
	size := int64(binary.LittleEndian.Uint32(start[at-4:]))
	if size == 0 || size > int64(len(text)) {
		return "", false
	}
	return string(text[:size]), true
}
