package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

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
	lock  *os.File
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
	head.Format = Format
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
	if mode == Fresh {
		if err := l.forget(); err != nil {
			return nil, err
		}
	}
	if err := l.begin(); err != nil {
		return nil, err
	}
	l.units, l.Dropped, err = journal.Open(filepath.Join(dir, UnitsFile), l.index)
	if err != nil {
		return nil, err
	}
	return l, syncDir(dir)
}

// begin writes the head, or compares it with that of the run that this one goes on with.
func (l *Ledger) begin() error {
	found, err := ReadHead(l.dir)
	if errors.Is(err, fs.ErrNotExist) {
		// Without a head nothing is known of what else there is.
		if err := l.forget(); err != nil {
			return err
		}
		return writeJSON(filepath.Join(l.dir, HeadFile), l.head, true)
	}
	if err != nil {
		return fmt.Errorf("%w; --fresh starts over", err)
	}
	if d := found.Differences(l.head); len(d) > 0 {
		return &DifferentError{Dir: l.dir, Differences: d}
	}
	return nil
}

// forget removes what an earlier run has done.
func (l *Ledger) forget() error {
	for _, name := range []string{HeadFile, UnitsFile, StatusFile} {
		if err := os.Remove(filepath.Join(l.dir, name)); err != nil &&
			!errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
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
		return nil, fmt.Errorf("%s: %w", filepath.Join(l.dir, UnitsFile), err)
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

// Remove removes the directory: its results have been written.
func (l *Ledger) Remove() error {
	return errors.Join(os.RemoveAll(l.dir), l.units.Close(), l.lock.Close())
}

// Publish gives the directory of a complete shard its name, in place of what has it.
func (l *Ledger) Publish(target string) error {
	if err := errors.Join(l.units.Close(), discard(target)); err != nil {
		return err
	}
	for _, name := range []string{StatusFile, lockFile} {
		if err := os.Remove(filepath.Join(l.dir, name)); err != nil &&
			!errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := os.Rename(l.dir, target); err != nil {
		return err
	}
	return errors.Join(syncDir(filepath.Dir(target)), l.lock.Close())
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
	for _, name := range []string{HeadFile, UnitsFile} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil &&
			!errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
