package ledger

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"sdrsim/internal/files"
)

// States of a run.
const (
	Running     = "running"
	Interrupted = "interrupted" // by a signal; it can go on
	Failed      = "failed"
	Complete    = "complete"
)

// States that only those who look can tell.
const (
	Killed  = "killed"  // it has not said how it ended; it can go on
	Missing = "missing" // a shard that was never begun
	Damaged = "damaged" // a shard that cannot be read
)

// Status tells those who watch how far a run is.
type Status struct {
	State    string `json:"state"`
	Scenario string `json:"scenario"`
	Shard    string `json:"shard,omitempty"` // "2/5"; empty: the whole
	// PID, Host and the times, which are RFC 3339, are absent where they are not known: of shards that
	// are complete, and of results without the facts of their run.
	PID     int    `json:"pid,omitempty"`
	Host    string `json:"host,omitempty"`
	Started string `json:"started,omitempty"`
	Updated string `json:"updated,omitempty"`
	// Samples of Total are done; Restored of them by earlier runs. Total may grow where a precision
	// is asked for.
	Samples  int64 `json:"samples"`
	Total    int64 `json:"total"`
	Restored int64 `json:"restored"`
	Failed   int64 `json:"failed"` // samples that a scheme gave up
	// Units of UnitsTotal (points times schemes) are complete.
	Units      int     `json:"units"`
	UnitsTotal int     `json:"units_total"`
	Elapsed    float64 `json:"elapsed_s"`
	// Left is about what remains in seconds; absent before anything is known.
	Left float64 `json:"left_s,omitempty"`
	// Last is the unit that went on last.
	Last  string `json:"last,omitempty"`
	Error string `json:"error,omitempty"`
}

// WriteStatus replaces the status. It does not wait for the disk.
func (l *Ledger) WriteStatus(s Status) error {
	if !l.head.Shard.Whole() {
		s.Shard = l.head.Shard.String()
	}
	s.Scenario, s.PID = l.head.Name, os.Getpid()
	s.Host, _ = os.Hostname() // empty where it is not known
	b, err := files.EncodeJSON(s)
	if err != nil {
		return err
	}
	return files.WriteBrief(filepath.Join(l.dir, StatusFile), b)
}

// ReadStatus reads the status of a directory.
func ReadStatus(dir string) (s Status, err error) {
	path := filepath.Join(dir, StatusFile)
	b, err := os.ReadFile(path)
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(b, &s); err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// Held reports whether a process is at work in the directory now.
func Held(dir string) bool {
	lock := lockOf(dir, os.O_RDWR)
	ours, err := lock.TryLock()
	if ours {
		lock.Close()
	}
	return err == nil && !ours
}
