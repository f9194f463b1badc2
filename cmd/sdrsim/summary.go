package main

import (
	"fmt"
	"path/filepath"
	"time"

	"sdrsim/internal/report"
)

// summarise prints which scheme wins where, what to doubt, and what was written.
func (a *app) summarise(j *job, res report.Result, outcome report.Outcome) error {
	if err := report.WinnerTable(a.stdout, res.Table); err != nil {
		return err
	}
	fmt.Fprintln(a.stdout)
	for _, note := range j.scenario.Notes {
		fmt.Fprintln(a.stderr, "note:", note)
	}
	a.warn(res.Table.Rows)
	a.printFiles(outcome)
	took := time.Duration(res.Run.WallSeconds * float64(time.Second))
	fmt.Fprintf(a.stdout, "%d samples in %s, %.0f samples/s\n", j.total,
		took.Round(time.Millisecond), float64(j.total)/res.Run.WallSeconds)
	return nil
}

// warn says how many rows carry warnings, and in how many samples failed.
func (a *app) warn(rows []report.Row) {
	doubted, failed := 0, 0
	for i := range rows {
		if len(rows[i].Warnings) > 0 {
			doubted++
		}
		if rows[i].Failed > 0 {
			failed++
		}
	}
	if failed > 0 {
		fmt.Fprintf(a.stderr, "warning: samples failed in %d of %d rows; see the columns failed "+
			"and warnings\n", failed, len(rows))
	}
	if doubted > failed {
		fmt.Fprintf(a.stderr, "warning: %d of %d rows carry warnings; see the column warnings\n",
			doubted, len(rows))
	}
}

// printFiles lists what was written and what the figures warn of.
func (a *app) printFiles(outcome report.Outcome) {
	for _, text := range outcome.Warnings {
		fmt.Fprintln(a.stderr, "warning:", text)
	}
	for i, name := range outcome.Files {
		word := "wrote"
		if i > 0 {
			word = "     "
		}
		fmt.Fprintln(a.stdout, word, filepath.Join(outcome.Dir, name))
	}
}
