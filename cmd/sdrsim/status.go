package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"sdrsim/internal/sweep/ledger"
	"sdrsim/internal/sweep/shard"
)

func (a *app) statusCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status DIR...",
		Short: "Tell how far runs are",
		Long: "Tell how far the run is whose results go to a folder, or the shards that go there.\n" +
			"Of n shards those that were never begun are told too. The exit status is 0 if all are\n" +
			"complete, 3 if one is not, and 2 if one is damaged, or was changed since the run.",
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

	part shard.Part
	hash string // of the scenario
}

// status prints a line for each run; shards that were never begun share one.
func (a *app) status(args []string, asJSON bool) error {
	var all []stateOf
	for _, arg := range args {
		found, err := (&survey{}).statesOf(arg)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return usagef("%s: no results, no run and no shards here", arg)
		}
		all = append(all, found...)
	}
	incomplete, unfit := 0, 0
	var missing []stateOf
	for _, s := range all {
		if s.State != ledger.Complete {
			incomplete++
		}
		if s.State == ledger.Damaged {
			unfit++
		}
		switch {
		case asJSON:
			b, err := json.Marshal(s)
			if err != nil {
				return err
			}
			fmt.Fprintln(a.stdout, string(b))
		case s.State == ledger.Missing:
			missing = append(missing, s)
		default:
			fmt.Fprintln(a.stdout, s.line())
		}
	}
	a.printMissing(missing)
	if unfit > 0 {
		return usagef("%d of %d damaged or changed, %d not complete", unfit, len(all), incomplete)
	}
	if incomplete > 0 {
		return &incompleteError{fmt.Errorf("%d of %d not complete", incomplete, len(all))}
	}
	return nil
}

// printMissing prints a line for each folder that lacks shards.
func (a *app) printMissing(missing []stateOf) {
	for len(missing) > 0 {
		dir := filepath.Dir(missing[0].Dir)
		var names []string
		for len(missing) > 0 && filepath.Dir(missing[0].Dir) == dir {
			names = append(names, missing[0].Shard)
			missing = missing[1:]
		}
		noun := "shards were"
		if len(names) == 1 {
			noun = "shard was"
		}
		fmt.Fprintf(a.stdout, "%s: %d %s never begun: %s\n", dir, len(names), noun, someOf(names))
	}
}

// line describes a run for people.
func (s *stateOf) line() string {
	text := s.Dir + ": " + s.State
	if s.Shard != "" {
		text = s.Dir + ": shard " + s.Shard + " " + s.State
	}
	switch {
	case s.State == ledger.Complete:
		text += fmt.Sprintf(", %d samples", s.Samples)
	case s.Total > 0:
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
