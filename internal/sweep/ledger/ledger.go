package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gofrs/flock"

	"sdrsim/internal/files"
	"sdrsim/internal/sweep"
	"sdrsim/internal/sweep/journal"
)

// Mode says what to do with what an earlier run left.
type Mode int

// Modes of opening.
const (
	Resume Mode = iota // go on where it stopped, if it was of the same
	Fresh              // start over
)

// Ledger is an open directory. It is a sweep.Store.
type Ledger struct {
	dir   string
	head  Head
	lock  *flock.Flock
	units *journal.Journal

	mu      sync.Mutex // of places
	places  map[Unit]place
	buffers sync.Pool // of *[]byte, for records
	// Dropped is how many bytes of the last record an earlier run did not write whole.
	Dropped int64
}

// Unit names a point under a scheme.
type Unit struct {
	Point  string // its key
	Scheme string // its label
}

// place is where the last record of a unit is, and how many samples it holds.
type place struct {
	at      int64
	samples int
}

// Beside is the directory in which a run keeps what it has done until its results are written to
// target.
func Beside(target string) string {
	abs, err := filepath.Abs(target)
	if err != nil {
		abs = target
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real // results go where a link leads
	}
	return filepath.Join(filepath.Dir(abs), "."+filepath.Base(abs)+".run")
}

// DifferentError tells that a directory holds what a different run has done.
type DifferentError struct {
	Dir         string
	Differences []string
}

func (e *DifferentError) Error() string {
	return fmt.Sprintf("%s holds what a different run has done:\n  %s\n"+
		"--fresh starts over, and forgets what it has done",
		e.Dir, strings.Join(e.Differences, "\n  "))
}

// BusyError tells that another process is at work in a directory.
type BusyError struct{ Dir, Holder string }

func (e *BusyError) Error() string {
	return fmt.Sprintf("%s: another run is at work here (%s)", e.Dir, e.Holder)
}

// Open opens or creates the directory of a run, for this process alone.
func Open(dir string, head Head, mode Mode) (l *Ledger, err error) {
	head = head.sealed()
	lock, err := acquire(dir)
	if err != nil {
		return nil, err
	}
	l = &Ledger{dir: dir, head: head, lock: lock, places: map[Unit]place{}}
	defer func() {
		if err != nil {
			lock.Close()
		}
	}()
	if err := removeUnfinished(dir); err != nil {
		return nil, err
	}
	if mode == Fresh {
		if err := l.forget(); err != nil {
			return nil, err
		}
	}
	if err := l.begin(); err != nil {
		return nil, err
	}
	l.units, l.Dropped, err = journal.Open(filepath.Join(dir, UnitsFile), l.head.SHA256, l.index)
	if err != nil {
		return nil, err
	}
	return l, files.SyncDir(dir)
}

// begin writes the head, or compares it with that of the run that this one goes on with.
func (l *Ledger) begin() error {
	found, err := ReadHead(l.dir)
	if errors.Is(err, fs.ErrNotExist) {
		// Without a head nothing is known of what else there is.
		if err := l.forget(); err != nil {
			return err
		}
		b, err := files.EncodeJSON(l.head)
		if err != nil {
			return err
		}
		return files.Save(filepath.Join(l.dir, HeadFile), b)
	}
	if err != nil {
		return fmt.Errorf("%w; --fresh starts over", err)
	}
	if d := found.Differences(l.head); len(d) > 0 {
		return &DifferentError{Dir: l.dir, Differences: d}
	}
	l.head = found // the journal is of that
	return nil
}

// forget removes what an earlier run has done.
func (l *Ledger) forget() error { return removeFiles(l.dir, HeadFile, UnitsFile, StatusFile) }

// removeFiles removes files of a directory that may be there.
func removeFiles(dir string, names ...string) error {
	for _, name := range names {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// removeUnfinished removes what runs that were killed, on this machine or another, left of files
// that they were writing: whoever holds the lock is the only one to write here.
func removeUnfinished(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		for _, name := range []string{HeadFile, StatusFile} {
			if strings.HasPrefix(e.Name(), "."+name+"."+files.New+"-") {
				err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
			}
		}
	}
	return err
}

// index notes where a record is; of several of one unit the last counts.
func (l *Ledger) index(at int64, payload []byte) error {
	point, scheme, samples, err := sweep.RecordKey(payload)
	if err != nil {
		return err
	}
	l.places[Unit{point, scheme}] = place{at, samples}
	return nil
}

// Dir is the directory.
func (l *Ledger) Dir() string { return l.dir }

// Samples is how many samples are kept, of all units.
func (l *Ledger) Samples() (n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.places {
		n += int64(p.samples)
	}
	return n
}

// Load implements sweep.Store.
func (l *Ledger) Load(point, scheme string) (*sweep.Record, error) {
	l.mu.Lock()
	p, ok := l.places[Unit{point, scheme}]
	l.mu.Unlock()
	if !ok {
		return nil, nil
	}
	b, err := l.units.Load(p.at)
	if err != nil {
		return nil, err
	}
	r, err := sweep.DecodeRecord(b)
	if err != nil {
		return nil, files.Fault("%s: %w", filepath.Join(l.dir, UnitsFile), err)
	}
	return r, nil
}

// Save implements sweep.Store.
func (l *Ledger) Save(r *sweep.Record) error {
	buffer, ok := l.buffers.Get().(*[]byte)
	if !ok {
		buffer = new([]byte)
	}
	defer l.buffers.Put(buffer)
	*buffer = r.Append((*buffer)[:0]) // several records at once, each by its worker
	l.mu.Lock()
	defer l.mu.Unlock()
	at, err := l.units.Append(*buffer)
	if err != nil {
		return fmt.Errorf("keeping what the run has done: %w", err)
	}
	l.places[Unit{r.Point, r.Scheme}] = place{at, r.Samples()}
	return nil
}

// Present tells whether what has been kept can be found by another run: nobody has removed the
// directory, or put another in its place.
func (l *Ledger) Present() bool { return l.units.Present() }

// Close keeps the directory, for another run to go on; one in which nothing was done is removed.
func (l *Ledger) Close() error {
	if l.Samples() == 0 {
		return l.Remove()
	}
	return errors.Join(l.units.Close(), l.lock.Close())
}

// Remove removes what the directory was made for: its results have been written. Other files in it
// stay, and the directory with them.
func (l *Ledger) Remove() error {
	err := l.clear(HeadFile, UnitsFile, StatusFile)
	return errors.Join(err, l.units.Close(), l.lock.Close())
}

// clear removes files of the directory, its lock last, and it if nothing else is there. Nothing is
// done to what is no longer the directory of this run.
func (l *Ledger) clear(names ...string) error {
	if !isAt(l.lock) {
		return nil
	}
	if err := removeFiles(l.dir, append(names, lockFile)...); err != nil {
		return err
	}
	_ = os.Remove(l.dir) // it is not empty if the user has put something there
	return nil
}

// Publish gives what the directory of a complete shard holds its name, in place of what has it.
// Other files stay where they are, and the directory with them.
func (l *Ledger) Publish(target string) error {
	if err := errors.Join(l.units.Close(), discard(target)); err != nil {
		return err
	}
	if err := removeFiles(l.dir, StatusFile); err != nil {
		return err
	}
	others, err := l.others()
	switch {
	case err != nil:
		return err
	case others:
		err = l.handOver(target)
	default:
		err = errors.Join(removeFiles(l.dir, lockFile), os.Rename(l.dir, target))
	}
	return errors.Join(err, files.SyncDir(filepath.Dir(target)), l.lock.Close())
}

// others reports whether there are files in the directory that are none of a run.
func (l *Ledger) others() (bool, error) {
	entries, err := os.ReadDir(l.dir)
	for _, e := range entries {
		if !slices.Contains([]string{HeadFile, UnitsFile, lockFile}, e.Name()) {
			return true, nil
		}
	}
	return false, err
}

// handOver moves the files of a shard one by one; with the last, the head, it is complete.
func (l *Ledger) handOver(target string) error {
	if err := os.Mkdir(target, 0o777); err != nil {
		return err
	}
	for _, name := range []string{UnitsFile, HeadFile} {
		if err := os.Rename(filepath.Join(l.dir, name), filepath.Join(target, name)); err != nil {
			return err
		}
	}
	return l.clear()
}

// Reopen takes its name from a shard that is not whole, for a run to go on with what can be read of
// it. Where a run goes on beside it already, it stays until that is published.
func Reopen(target string) error {
	var path *fs.PathError
	if _, err := ReadKept(target); errors.As(err, &path) {
		return err // whole or not, it could not be read
	} else if err != nil {
		if err := os.Remove(filepath.Join(target, UnitsFile)); err != nil {
			return err
		}
	}
	err := os.Rename(target, Beside(target))
	if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// discard removes a directory if it holds nothing but a shard.
func discard(dir string) error {
	if err := removeFiles(dir, HeadFile, UnitsFile); err != nil {
		return err
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
