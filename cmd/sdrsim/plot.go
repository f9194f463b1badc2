package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"sdrsim/internal/report"
	"sdrsim/scenarios"
)

func (a *app) plotCommand() *cobra.Command {
	var quiet bool
	cmd := &cobra.Command{
		Use:     "plot DIR...",
		Short:   "Draw the figures again from results, without simulating",
		Example: "  sdrsim plot results/quickstart",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			for _, dir := range args {
				if err := a.plot(dir, quiet); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "print errors only")
	return cmd
}

// plot draws the figures of one result directory and says which.
func (a *app) plot(dir string, quiet bool) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return usagef("%s is a file; plot takes the folder of the results, such as %s", dir,
			filepath.Dir(dir))
	}
	var outcome report.Outcome
	err := checkSwept(dir)
	if err == nil {
		outcome, err = report.Redraw(dir)
	}
	var input report.InputError
	if errors.As(err, &input) {
		return usageError{err}
	}
	if err != nil || quiet {
		return err
	}
	for _, text := range outcome.Warnings {
		fmt.Fprintln(a.stderr, "warning:", text)
	}
	for _, name := range outcome.Files {
		fmt.Fprintln(a.stdout, filepath.Join(dir, name))
	}
	return nil
}

// checkSwept wants the swept values of results to be such as their scenario has: a value that was
// damaged is not a number any more, and its point would be missing in the figures. Results of other
// commands have no scenario.
func checkSwept(dir string) error {
	m, err := report.ReadManifest(dir)
	if err != nil {
		return nil // drawing tells
	}
	overrides, err := parseOverrides(m.Overrides)
	if err != nil {
		return nil
	}
	s, err := scenarios.LoadKept(dir, []byte(m.Scenario), overrides, keptFiles(m.Files))
	if err != nil {
		return nil
	}
	return report.CheckAxes(dir, func(path, text string) error {
		i := slices.IndexFunc(s.Axes, func(a scenarios.Axis) bool { return a.Path == path })
		_, err := strconv.ParseFloat(text, 64)
		if i < 0 || err == nil || text == "" {
			return nil
		}
		number := false
		for _, v := range s.Axes[i].Values {
			if v.Text == text {
				return nil
			}
			number = number || !math.IsNaN(v.Number)
		}
		if number {
			return fmt.Errorf("%q is neither a number nor a value of the sweep", text)
		}
		return nil
	})
}
