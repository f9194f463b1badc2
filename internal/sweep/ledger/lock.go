package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// acquire makes the directory and locks it. The file that is locked is made sure to be the one that
// is in the directory: the run that held it before may have removed the directory since.
func acquire(dir string) (*os.File, error) {
	path := filepath.Join(dir, lockFile)
	for {
		if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		ours, err := patiently(f)
		if err == nil && !ours {
			err = &BusyError{Dir: dir, Holder: holder(path)}
		}
		if err != nil {
			f.Close()
			return nil, err
		}
		if isAt(f, path) {
			return f, sign(f)
		}
		f.Close()
	}
}

// patiently tries for a moment: who looks whether the lock is held has it for an instant.
func patiently(f *os.File) (ours bool, err error) {
	for range 10 {
		if ours, err = tryLock(f); ours || err != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return ours, err
}

// isAt tells whether a file is the one at path.
func isAt(f *os.File, path string) bool {
	held, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(path)
	return err == nil && os.SameFile(held, named)
}

// sign writes who holds the lock, for the message to others.
func sign(f *os.File) error {
	host, _ := os.Hostname() // empty where it is not known
	text := fmt.Sprintf("process %d on %s\n", os.Getpid(), host)
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(text), 0)
	return err
}

func holder(path string) string {
	text, err := os.ReadFile(path)
	if who := strings.TrimSpace(string(text)); err == nil && who != "" {
		return who
	}
	return "holder unknown"
}

// syncDir makes renames in a directory durable. Some file systems cannot, and that is no error.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}
