package files

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// guard is held while names are given and taken; Abandon keeps it for ever.
var guard sync.Mutex

// pending are the files and directories of this process that do not have their names yet.
var pending = map[string]bool{}

// Pending is a file that does not have its name yet.
type Pending struct {
	*os.File
	path string
}

// Create begins a file that Commit gives the name of path. It removes what a process that was
// killed has left of the same file.
func Create(path string) (*Pending, error) {
	guard.Lock()
	defer guard.Unlock()
	if err := removeLeft(path); err != nil {
		return nil, err
	}
	temp := Sibling(path, New)
	// Exclusive: it follows no link that somebody has put there.
	f, err := os.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	pending[temp] = true
	return &Pending{File: f, path: path}, nil
}

// Commit makes the file durable and gives it its name. After an error there is nothing of it.
func (p *Pending) Commit() error {
	if err := p.Sync(); err != nil {
		p.Discard()
		return err
	}
	return p.publish()
}

// publish closes the file and renames it.
func (p *Pending) publish() error {
	err := p.Close()
	if err == nil {
		err = Undivided(func() error { return os.Rename(p.Name(), p.path) })
	}
	if err != nil {
		p.Discard()
		return err
	}
	settle(p.Name())
	return nil
}

// Discard removes the file.
func (p *Pending) Discard() {
	p.Close()
	_ = Drop(p.Name()) // what cannot be removed now, the next to write it removes
}

// Write writes a durable file that appears whole or not at all.
func Write(path string, write func(io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 1<<16)
	// What follows the first error is mostly that again.
	if err := cmp.Or(write(out), out.Flush()); err != nil {
		f.Discard()
		return err
	}
	return f.Commit()
}

// Save is Write of a content that is there.
func Save(path string, content []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// WriteBrief writes a small file that appears whole, but may be gone with the machine: it does not
// wait for the disk.
func WriteBrief(path string, content []byte) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	if _, err := f.Write(content); err != nil {
		f.Discard()
		return err
	}
	return f.publish()
}

// Probe tells early whether Write can write a file: it is a regular one or none, and its folder is
// there and can be written to. It removes what a process that was killed has left of it.
func Probe(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file", path)
	}
	f, err := Create(path)
	if err != nil {
		return err
	}
	f.Discard()
	return nil
}

// MakeDir makes the directory in which one that is to be named path is assembled.
func MakeDir(path string) (temp string, err error) {
	guard.Lock()
	defer guard.Unlock()
	temp = Sibling(path, New)
	if err := os.Mkdir(temp, 0o777); err != nil {
		return "", err
	}
	pending[temp] = true
	return temp, nil
}

// Drop removes what has not got its name.
func Drop(temp string) error {
	guard.Lock()
	defer guard.Unlock()
	delete(pending, temp)
	return os.RemoveAll(temp)
}

// settle notes that a pending file has its name.
func settle(temp string) {
	guard.Lock()
	defer guard.Unlock()
	delete(pending, temp)
}

// Undivided takes a step of several renames that Abandon does not come between. It must not write
// files by this package.
func Undivided(step func() error) error {
	guard.Lock()
	defer guard.Unlock()
	return step()
}

// Abandon removes everything that does not have its name yet, and keeps anything from being written
// after: the process is about to end.
func Abandon() {
	guard.Lock()
	for temp := range pending {
		_ = os.RemoveAll(temp) // the next to write it tries again
	}
}

// SyncDir makes renames in a directory durable. Some file systems cannot, and that is no error.
func SyncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, errNoSync) {
		return err
	}
	return nil
}

// removeLeft removes what processes that have ended left of a file.
func removeLeft(path string) error {
	dir, base := filepath.Split(path)
	entries, err := os.ReadDir(cmp.Or(dir, "."))
	if err != nil {
		return err
	}
	for _, e := range entries {
		temp := filepath.Join(dir, e.Name())
		mark, dead := Leftover(e.Name(), base)
		if mark != New || !dead || !e.Type().IsRegular() || pending[temp] {
			continue
		}
		if err := os.Remove(temp); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}
