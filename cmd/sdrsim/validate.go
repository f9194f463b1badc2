package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"sdrsim/scenarios"
)

// load reads a scenario with its overrides. A file that cannot be read is a fault as those in it
// are, so that of several files all faults are told.
func load(file string, overrides []scenarios.Override) (*scenarios.Scenario, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err // without the name
		}
		return nil, scenarios.Errors{{File: file, Message: "cannot be read: " + err.Error()}}
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

// validate checks every file and reports the faults of all.
func (a *app) validate(files, set []string) error {
	overrides, err := parseOverrides(set)
	if err != nil {
		return err
	}
	var faults scenarios.Errors
	for _, file := range files {
		s, err := load(file, overrides)
		if list, ok := err.(scenarios.Errors); ok {
			faults = append(faults, list...)
			continue
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%s: %d points, %d schemes, %d samples of each\n",
			file, s.Len(), len(s.Schemes), s.Samples)
	}
	if len(faults) > 0 {
		return faults
	}
	return nil
}
