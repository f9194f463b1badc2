package files

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// ErrChanged is a file that was written by the program and is another now.
var ErrChanged = errors.New("changed since the run")

// InputError is a fault of files that are read: one is missing, damaged, changed or of another
// format. Running again makes them anew.
type InputError struct{ error }

// Unwrap returns the fault.
func (e InputError) Unwrap() error { return e.error }

// Fault makes an InputError.
func Fault(format string, args ...any) error { return InputError{fmt.Errorf(format, args...)} }

// AsFault makes an InputError of an error, and nothing of none.
func AsFault(err error) error {
	if err == nil {
		return nil
	}
	return InputError{err}
}

// Sum is the SHA-256 of a content in hexadecimal, as sha256sum prints it.
func Sum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// EncodeJSON writes v for people to read and compare: indented, signs unescaped, a final newline.
func EncodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.Bytes(), err
}

// Seal is the checksum of what a document says: that of its encoding, in which the field that holds
// the seal is empty. White space does not count.
func Seal(v any) string {
	b, err := EncodeJSON(v)
	if err != nil {
		panic(fmt.Sprintf("BUG: files: a document that is no JSON: %v", err))
	}
	// What is not UTF-8 is written in one way, and in another once it has been read.
	return Sum(bytes.ReplaceAll(b, []byte(`\ufffd`), []byte("\ufffd")))
}
