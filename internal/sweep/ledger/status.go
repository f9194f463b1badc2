package ledger

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// States of a run.
const (
	Running     = "running"
	Interrupted = "interrupted" // by a signal; it can go on
	Failed      = "failed"
	Complete    = "complete"
)

// Status tells those who watch how far a run is.
type Status struct {
	State    string `json:"state"`
	Scenario string `json:"scenario"`
	Shard    string `json:"shard,omitempty"` // "2/5"; empty: the whole
	PID      int    `json:"pid"`
	Host     string `json:"host"`
	// Started and Updated are RFC 3339.
	Started string `json:"started"`
	Updated string `json:"updated"`
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
	return writeJSON(filepath.Join(l.dir, StatusFile), s, false)
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

// Held tells whether a process is at work in the directory now.
func Held(dir string) bool {
	f, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer f.Close() // lets go of a lock that was free
	ours, err := tryLock(f)
	return err == nil && !ours
}
