package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"sdrsim/internal/closedform"
	"sdrsim/internal/report"
	"sdrsim/internal/result"
	"sdrsim/internal/spec"
	"sdrsim/scenarios"
	"sdrsim/schemes/model"
)

func (a *app) modelCommand() *cobra.Command {
	var output string
	var set []string
	cmd := &cobra.Command{
		Use:   "model FILE.yaml",
		Short: "Evaluate the closed form at the points of a scenario, without simulating",
		Long: "Evaluate the completion-time model of arXiv:2505.05366 §4.2 at every point of a\n" +
			"scenario. The table tells what each value is worth: exact, a lower bound, or why there\n" +
			"is none. With -o it is written as the results of a run are, with figures.",
		Example: "  sdrsim model scenarios/quickstart.yaml",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			overrides, err := parseOverrides(set)
			if err != nil {
				return err
			}
			s, err := load(args[0], overrides)
			if err != nil {
				return err
			}
			if output == "" {
				return printForms(a.stdout, s)
			}
			return a.writeForms(s, output)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "write a table and figures to `DIR`")
	addSet(cmd, &set)
	return cmd
}

// eachScheme calls visit with every point under every scheme.
func eachScheme(s *scenarios.Scenario, visit func(*spec.Point, *spec.Scheme)) {
	for i := range s.Len() {
		p := s.At(i)
		for k := range p.Schemes {
			visit(&p, &p.Schemes[k])
		}
	}
}

// printForms prints a table: swept values, scheme, mean and what it is worth.
func printForms(w io.Writer, s *scenarios.Scenario) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, axis := range s.Axes {
		fmt.Fprintf(table, "%s\t", axis.Path)
	}
	fmt.Fprint(table, "scheme\tcompletion_mean_s\tvalidity\n")
	eachScheme(s, func(p *spec.Point, scheme *spec.Scheme) {
		for _, a := range p.Axes {
			fmt.Fprintf(table, "%s\t", a.Text)
		}
		v, number := closedform.Of(p, scheme).Mean(), "-"
		if v.Validity != model.NotApplicable {
			number = fmt.Sprintf("%.6g", v.Seconds)
		}
		fmt.Fprintf(table, "%s\t%s\t%s: %s\n", scheme.Label, number, v.Validity, v.Why)
	})
	return table.Flush()
}

// writeForms writes the closed form in place of simulated results. Its rows have no samples, and
// what a value is worth is their warning.
func (a *app) writeForms(s *scenarios.Scenario, target string) error {
	table := blankTable(s)
	if err := report.CheckTarget(target, report.FilesOf(s.Figures, table)...); err != nil {
		return usageError{err}
	}
	var rows []result.Row
	eachScheme(s, func(p *spec.Point, scheme *spec.Scheme) {
		rows = append(rows, closedform.Row(p, scheme))
	})
	res := report.Result{Manifest: manifestOf(s), Table: tableOf(s, rows, nil)}
	outcome, err := report.WriteResult(target, res)
	if err != nil {
		return err
	}
	a.printFiles(outcome)
	return nil
}
