package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"sdrsim/scenarios"
)

// load reads a scenario with its overrides. A file that cannot be read is a mistake of the user.
func load(file string, overrides []scenarios.Override) (*scenarios.Scenario, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, usageError{err}
	}
	return scenarios.Load(file, text, overrides)
}

func (a *app) validateCommand() *cobra.Command {
	var set []string
	cmd := &cobra.Command{
		Use:   "validate FILE.yaml...",
		Short: "Check scenarios without running them",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.validate(args, set)
		},
	}
	addSet(cmd, &set)
	return cmd
}

// validate checks every file and reports the faults of all, in their order.
func (a *app) validate(files, set []string) error {
	overrides, err := parseOverrides(set)
	if err != nil {
		return err
	}
	faulty := false
	for _, file := range files {
		s, err := load(file, overrides)
		var faults scenarios.Errors
		if errors.As(err, &faults) {
			fmt.Fprintln(a.stderr, faults)
		} else if err != nil {
			fmt.Fprintln(a.stderr, "sdrsim:", err)
		}
		if err != nil {
			faulty = true
			continue
		}
		fmt.Fprintf(a.stdout, "%s: %d points, %d schemes, %d samples of each\n",
			file, s.Len(), len(s.Schemes), s.Samples)
	}
	if faulty {
		return toldError{exitUsage}
	}
	return nil
}
