package main

import (
	"errors"

	"github.com/spf13/cobra"

	"sdrsim/internal/figure"
	"sdrsim/internal/report"
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

// figuresOf turns the figures of a scenario into those of a report.
func figuresOf(list []figure.Figure) []report.Figure {
	figures := make([]report.Figure, len(list))
	for i := range list {
		figures[i] = figureOf(&list[i])
	}
	return figures
}

func figureOf(f *figure.Figure) report.Figure {
	out := report.Figure{
		Kind: f.Kind, Name: f.Name, Title: f.Title, X: f.X, Y: f.Y, Value: f.Value, Stat: f.Stat,
		Of: f.Of, Over: f.Over, Schemes: f.Schemes, Series: f.Series,
		XScale: f.XScale, YScale: f.YScale, Style: f.Style, Width: f.Width,
	}
	for _, m := range f.Where {
		out.Where = append(out.Where, report.AxisMatch{Path: m.Path, Text: m.Text})
	}
	axis := "y"
	if f.Kind == figure.CDF || f.Kind == figure.CCDF {
		axis = "x"
	}
	for _, r := range f.References {
		out.References = append(out.References,
			report.Reference{Axis: axis, Value: r.At, Label: r.Label})
	}
	return out
}

// blankTable is the table that a scenario will have, without its numbers.
func blankTable(s *scenarios.Scenario) report.Table {
	rows := make([]report.Row, 0, s.Len()*len(s.Schemes))
	for i := range s.Len() {
		axes := sweep.AxesOf(&spec.Point{Axes: s.AxesAt(i)})
		for k := range s.Schemes {
			rows = append(rows, report.NewRow(axes, s.Schemes[k].Label))
		}
	}
	return tableOf(s, rows, nil)
}

// checkFigures tells, before anything is simulated, which figures could not be drawn.
func checkFigures(figures []report.Figure, blank report.Table) error {
	var faults []error
	for _, f := range figures {
		faults = append(faults, f.Check(blank))
	}
	if err := errors.Join(faults...); err != nil {
		return usageError{err}
	}
	return nil
}
