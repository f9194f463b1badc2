package main

import (
	"errors"

	"github.com/spf13/cobra"

	"sdrsim/internal/figure"
	"sdrsim/internal/report"
	"sdrsim/internal/result"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
	"sdrsim/scenarios"
)

// addNoReport adds the flag that leaves report.html out.
func addNoReport(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVar(to, "no-report", false, "write no report.html")
}

// asker has a report written that asks the question of its scenario, or none.
func asker(noReport bool) report.Asker {
	if noReport {
		return nil
	}
	return scenarios.Question
}

// blankTable is the table that a scenario will have, without its numbers.
func blankTable(s *scenarios.Scenario) result.Table {
	rows := make([]result.Row, 0, s.Len()*len(s.Schemes))
	for i := range s.Len() {
		axes := sweep.AxesOf(&spec.Point{Axes: s.AxesAt(i)})
		for k := range s.Schemes {
			rows = append(rows, result.NewRow(axes, s.Schemes[k].Label))
		}
	}
	return tableOf(s, rows, nil)
}

// checkFigures reports, before anything is simulated, which figures could not be drawn.
func checkFigures(figures []figure.Figure, blank result.Table) error {
	var faults []error
	for _, f := range figures {
		faults = append(faults, report.CheckFigure(f, blank))
	}
	if err := errors.Join(faults...); err != nil {
		return usageError{err}
	}
	return nil
}
