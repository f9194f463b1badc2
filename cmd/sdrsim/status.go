package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sdrsim/internal/report"
	"sdrsim/internal/sweep/ledger"
)

func (a *app) statusCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status DIR...",
		Short: "Tell how far runs are",
		Long: "Tell how far the run is whose results go to a folder, or the shards that go there.\n" +
			"The exit status is 0 if all are complete, and 3 if one is not.",
		Example: "  sdrsim status results/quickstart\n" +
			"  sdrsim status results/quickstart.shards",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.status(args, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the status as JSON, one object a line")
	return cmd
}

// stateOf is what is known of one run.
type stateOf struct {
	Dir string `json:"dir"`
	ledger.Status
}

// status prints a line for each run.
func (a *app) status(args []string, asJSON bool) error {
	var all []stateOf
	for _, arg := range args {
		found, err := statesOf(arg)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return usagef("%s: no results, no run and no shards here", arg)
		}
		all = append(all, found...)
	}
	incomplete := 0
	for _, s := range all {
		if s.State != ledger.Complete {
			incomplete++
		}
		if asJSON {
			b, err := json.Marshal(s)
			if err != nil {
				return err
			}
			fmt.Fprintln(a.stdout, string(b))
			continue
		}
		fmt.Fprintln(a.stdout, s.line())
	}
	if incomplete > 0 {
		return &incompleteError{fmt.Errorf("%d of %d not complete", incomplete, len(all))}
	}
	return nil
}

// statesOf finds what there is at a place: a run of the place itself, or else shards in it.
func statesOf(dir string) ([]stateOf, error) {
	for _, run := range []string{dir, ledger.Beside(dir)} {
		if s, ok, err := stateIn(run); ok || err != nil {
			return []stateOf{s}, err
		}
	}
	if _, err := os.Stat(filepath.Join(dir, report.ManifestFile)); err == nil {
		return []stateOf{{Dir: dir, Status: ledger.Status{State: ledger.Complete}}}, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var all []stateOf
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		s, ok, err := stateIn(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b stateOf) int { return compareParts(a.Shard, b.Shard) })
	return all, nil
}

// compareParts orders "2/10" before "10/10".
func compareParts(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// stateIn reads the state of a directory in which a run keeps what it does, or of a complete shard.
func stateIn(dir string) (s stateOf, ok bool, err error) {
	head, err := ledger.ReadHead(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return s, false, nil
	}
	if err != nil {
		return s, false, err
	}
	s = stateOf{Dir: dir, Status: ledger.Status{State: ledger.Complete, Scenario: head.Name}}
	if !head.Shard.Whole() {
		s.Shard = head.Shard.String()
	}
	if !strings.HasPrefix(filepath.Base(dir), ".") {
		return s, true, nil // a shard that has its name is complete
	}
	found, err := ledger.ReadStatus(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.State = ledger.Running // has only begun
	case err != nil:
		return s, false, err
	default:
		s.Status = found
	}
	if s.State == ledger.Running && !ledger.Held(dir) {
		s.State = "killed"
	}
	return s, true, nil
}

// line describes a run for people.
func (s *stateOf) line() string {
	text := s.Dir + ": " + s.State
	if s.Shard != "" {
		text = s.Dir + ": shard " + s.Shard + " " + s.State
	}
	if s.Total > 0 {
		text += fmt.Sprintf(", %d of %d samples (%d %%)", s.Samples, s.Total,
			100*s.Samples/s.Total)
	}
	if s.State == ledger.Running && s.Left > 0 {
		text += fmt.Sprintf(", about %s left", time.Duration(s.Left*float64(time.Second)))
	}
	if s.Failed > 0 {
		text += fmt.Sprintf(", %d samples failed", s.Failed)
	}
	if s.Error != "" {
		text += ": " + s.Error
	}
	return text
}
