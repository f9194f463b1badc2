package files

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// errNoSync is what a file system says that cannot make a directory durable.
const errNoSync = syscall.EINVAL

// Marks of what stands beside a name: what is to get it, and what had it.
const (
	New = "new"
	Old = "old"
)

// Sibling is the name .NAME.MARK-HOST-PID beside path: on the same file system, so that a rename is
// one step, and not to be met by another process.
func Sibling(path, mark string) string {
	return filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%s-%s-%d",
		filepath.Base(path), mark, hostName(), os.Getpid()))
}

// hostName keeps processes of different machines on a shared file system apart.
func hostName() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return "localhost"
	}
	return strings.ReplaceAll(name, string(filepath.Separator), "_")
}

// Leftover reads the name of a sibling of base; dead tells that its process has ended.
func Leftover(name, base string) (mark string, dead bool) {
	for _, mark := range []string{New, Old} {
		prefix := fmt.Sprintf(".%s.%s-%s-", base, mark, hostName())
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			pid, err := strconv.Atoi(rest)
			return mark, err == nil && pid > 0 && (pid == os.Getpid() || !alive(pid))
		}
	}
	return "", false
}

func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}
