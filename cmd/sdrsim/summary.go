package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"sdrsim/internal/report"
	"sdrsim/internal/result"
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
	fmt.Fprintf(a.stdout, "%s in %s, %.0f samples/s\n", counted(j.total, "sample"),
		took.Round(time.Millisecond), float64(j.total)/res.Run.WallSeconds)
	return nil
}

// warn says in how many rows samples failed, and in how many there is what other doubt: the number
// in question stands before the colon of a warning.
func (a *app) warn(rows []result.Row) {
	failed := 0
	var subjects []string // in the order in which they appear
	doubted, last := map[string]int{}, map[string]*result.Row{}
	for i := range rows {
		if rows[i].Failed > 0 {
			failed++
		}
		for _, text := range rows[i].Warnings {
			subject, _, about := strings.Cut(text, ": ")
			switch {
			case !about || strings.Contains(subject, " ") || last[subject] == &rows[i]:
				continue
			case subject == "accelerated": // not a doubt, and asked for
				continue
			}
			last[subject] = &rows[i]
			if doubted[subject]++; doubted[subject] == 1 {
				subjects = append(subjects, subject)
			}
		}
	}
	if failed > 0 {
		fmt.Fprintf(a.stderr, "warning: samples failed in %d of %d rows (columns failed, warnings)\n",
			failed, len(rows))
	}
	for _, subject := range subjects {
		if subject == "precision" {
			fmt.Fprintf(a.stderr, "warning: the precision asked for is missed in %d of %d rows "+
				"(column warnings)\n", doubted[subject], len(rows))
			continue
		}
		fmt.Fprintf(a.stderr, "warning: the samples do not carry %s in %d of %d rows "+
			"(column warnings)\n", subject, doubted[subject], len(rows))
	}
}

// printFiles lists what was written and what the figures warn of.
func (a *app) printFiles(outcome report.Outcome) {
	for _, text := range outcome.Warnings {
		fmt.Fprintln(a.stderr, "warning:", text)
	}
	if outcome.Remains != "" {
		fmt.Fprintln(a.stderr, "warning:", outcome.Remains)
	}
	for i, name := range outcome.Files {
		word := "wrote"
		if i > 0 {
			word = "     "
		}
		fmt.Fprintln(a.stdout, word, filepath.Join(outcome.Dir, name))
	}
}
