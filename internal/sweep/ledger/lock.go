package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"sdrsim/internal/files"
)

// lockOf is the lock of a directory. It is opened where it is, never where a link leads, and
// nothing is written to it.
func lockOf(dir string, flags int) *flock.Flock {
	return flock.New(filepath.Join(dir, lockFile), flock.SetFlag(flags|files.NoFollow),
		flock.SetPermissions(0o666))
}

// acquire makes the directory and locks it. The file that is locked is made sure to be the one that
// is in the directory: the run that held it before may have removed the directory since.
func acquire(dir string) (*flock.Flock, error) {
	for {
		if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		info, err := os.Lstat(dir)
		if err == nil && !info.IsDir() {
			return nil, files.Fault("%s is no directory, but a file or a link: move it away", dir)
		}
		lock := lockOf(dir, os.O_RDWR|os.O_CREATE)
		// Patiently: who looks whether the lock is held has it for an instant.
		wait, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		_, err = lock.TryLockContext(wait, 10*time.Millisecond)
		cancel()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case errors.Is(err, context.DeadlineExceeded):
			return nil, &BusyError{Dir: dir, Holder: holder(dir)}
		case err != nil && !errors.Is(err, errors.ErrUnsupported): // by the file system
			if info, _ := os.Lstat(lock.Path()); info != nil && !info.Mode().IsRegular() {
				err = files.Fault("%s is a link, or no file: move it away", lock.Path())
			}
			return nil, err
		case isAt(lock):
			return lock, nil
		}
		lock.Close()
	}
}

// isAt reports whether a lock is of the file that has its name.
func isAt(lock *flock.Flock) bool {
	held, err := lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(lock.Path())
	return err == nil && os.SameFile(held, named)
}

// holder is who holds the lock, as far as its status says so.
func holder(dir string) string {
	s, err := ReadStatus(dir)
	if err != nil {
		return "holder unknown"
	}
	return fmt.Sprintf("process %d on %s", s.PID, s.Host)
}
