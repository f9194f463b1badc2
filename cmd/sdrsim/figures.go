package main

import (
	"errors"

	"github.com/spf13/cobra"

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

// figuresOf turns the figures of a scenario into those of a report.
func figuresOf(list []scenarios.Figure) []report.Figure {
	figures := make([]report.Figure, len(list))
	for i := range list {
		figures[i] = figureOf(&list[i])
	}
	return figures
}

func figureOf(f *scenarios.Figure) report.Figure {
	figure := report.Figure{
		Kind: f.Kind, Name: f.Name, Title: f.Title, X: f.X, Y: f.Y, Value: f.Value, Stat: f.Stat,
		Of: f.Of, Over: f.Over, Schemes: f.Schemes, Series: f.Series,
		XScale: f.XScale, YScale: f.YScale, Style: f.Style, Width: f.Width,
	}
	for _, m := range f.Where {
		figure.Where = append(figure.Where, report.AxisMatch{Path: m.Path, Text: m.Text})
	}
	axis := "y"
	if f.Kind == scenarios.FigureCDF || f.Kind == scenarios.FigureCCDF {
		axis = "x"
	}
	for _, r := range f.References {
		figure.References = append(figure.References,
			report.Reference{Axis: axis, Value: r.At, Label: r.Label})
	}
	return figure
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

// checkFigures tells, before anything is simulated, which figures could not be drawn.
func checkFigures(figures []report.Figure, blank result.Table) error {
	var faults []error
	for _, f := range figures {
		faults = append(faults, f.Check(blank))
	}
	if err := errors.Join(faults...); err != nil {
		return usageError{err}
	}
	return nil
}
