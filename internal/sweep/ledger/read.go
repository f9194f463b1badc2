package ledger

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"sdrsim/internal/sweep"
	"sdrsim/internal/sweep/journal"
)

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
	err = journal.Read(s.file(), func(at int64, payload []byte) error {
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
		return nil, fmt.Errorf("%s: %w", s.file(), err)
	}
	r, err := sweep.DecodeRecord(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.file(), err)
	}
	return r, nil
}
