package ledger

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sdrsim/internal/files"
	"sdrsim/internal/sweep"
	"sdrsim/internal/sweep/journal"
)

// Kept is what of a run is on disk.
type Kept struct {
	// Samples are those of each unit, Failed of them were given up by their scheme.
	Samples map[Unit]int
	Failed  int64
	// Written is when the last of them was kept; the zero time where none is.
	Written time.Time
}

// ReadKept reads what is kept in the directory of a run, which may be going on.
func ReadKept(dir string) (Kept, error) {
	file := filepath.Join(dir, UnitsFile)
	k := Kept{Samples: map[Unit]int{}}
	failed := map[Unit]int{}
	head, err := ReadHead(dir)
	info, other := os.Stat(file)
	if err = cmp.Or(err, other); errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	if err != nil {
		return k, err
	}
	err = journal.ReadWhole(file, head.SHA256, func(_ int64, payload []byte) error {
		r, err := sweep.DecodeRecord(payload)
		if err != nil {
			return err
		}
		u := Unit{r.Point, r.Scheme} // of several records the last counts
		k.Samples[u], failed[u] = r.Samples(), r.Failed()
		return nil
	})
	for _, n := range failed {
		k.Failed += int64(n)
	}
	if len(k.Samples) > 0 {
		k.Written = info.ModTime()
	}
	return k, err
}

// Shard is a complete shard, for reading only.
type Shard struct {
	Dir    string
	Head   Head
	places map[Unit]section
}

// section is a part of a file.
type section struct {
	at   int64
	size int
}

// OpenShard reads the directory of a complete shard. Anything but whole records is an error.
func OpenShard(dir string) (*Shard, error) {
	head, err := ReadHead(dir)
	if err != nil {
		return nil, err
	}
	s := &Shard{Dir: dir, Head: head, places: map[Unit]section{}}
	err = journal.Read(s.file(), head.SHA256, func(at int64, payload []byte) error {
		point, scheme, _, err := sweep.RecordKey(payload)
		s.places[Unit{point, scheme}] = section{at + journal.HeaderSize, len(payload)}
		return err
	})
	return s, err
}

func (s *Shard) file() string { return filepath.Join(s.Dir, UnitsFile) }

// Units are the points and schemes that the shard has, in no order.
func (s *Shard) Units() []Unit { return slices.Collect(maps.Keys(s.places)) }

// Load returns the samples of a point under a scheme, nil where the shard has none.
func (s *Shard) Load(point, scheme string) (*sweep.Record, error) {
	p, ok := s.places[Unit{point, scheme}]
	if !ok {
		return nil, nil
	}
	f, err := os.Open(s.file())
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, p.size)
	if _, err := io.ReadFull(io.NewSectionReader(f, p.at, int64(p.size)), b); err != nil {
		return nil, files.Fault("%s: %w", s.file(), err)
	}
	r, err := sweep.DecodeRecord(b)
	if err != nil {
		return nil, files.Fault("%s: %w", s.file(), err)
	}
	return r, nil
}
