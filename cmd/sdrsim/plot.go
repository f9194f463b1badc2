package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"sdrsim/internal/report"
)

func (a *app) plotCommand() *cobra.Command {
	var quiet, noReport bool
	cmd := &cobra.Command{
		Use:     "plot DIR...",
		Short:   "Draw the figures again from results, without simulating",
		Example: "  sdrsim plot results/quickstart",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			for _, dir := range args {
				if err := a.plot(dir, asker(noReport), quiet); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "print errors only")
	addNoReport(cmd, &noReport)
	return cmd
}

// plot draws the figures of one result directory and says which.
func (a *app) plot(dir string, ask report.Asker, quiet bool) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return usagef("%s is a file; plot takes the folder of the results, such as %s", dir,
			filepath.Dir(dir))
	}
	a.draws.Store(true)
	outcome, err := report.Redraw(dir, ask)
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
