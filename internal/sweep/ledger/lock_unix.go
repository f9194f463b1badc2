//go:build unix

package ledger

import (
	"errors"
	"os"
	"syscall"
)

// tryLock locks a file for this process unless another has it; the lock ends with the process.
func tryLock(f *os.File) (bool, error) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	if errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOSYS) {
		return true, nil // the file system has no locks
	}
	return err == nil, err
}
