package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"sdrsim/scenarios"
)

// load reads a scenario with its overrides. A file that cannot be read is a fault as those in it
// are, so that of several files all faults are told.
func load(file string, overrides []scenarios.Override) (*scenarios.Scenario, error) {
	text, err := readRegular(file)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err // without the name
		}
		return nil, scenarios.Errors{{File: file, Message: "cannot be read: " + err.Error()}}
	}
	return scenarios.Load(file, text, overrides)
}

// readRegular reads a file, but none that may never end or begin: a pipe that nobody writes to, a
// device. What a shell hands over, as by <(command), it reads.
func readRegular(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	handed := file == "/dev/stdin" || strings.HasPrefix(file, "/dev/fd/") ||
		strings.HasPrefix(file, "/proc/self/fd/")
	if !info.Mode().IsRegular() && !info.IsDir() && !handed {
		return nil, errors.New("is a pipe, a socket or a device; must be a regular file")
	}
	return os.ReadFile(file)
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

// sizeOf tells how large a scenario is.
func sizeOf(s *scenarios.Scenario) string {
	return fmt.Sprintf("%s, %s, %s of each", counted(s.Len(), "point"),
		counted(len(s.Schemes), "scheme"), counted(s.Samples, "sample"))
}

// counted prints how many there are.
func counted[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
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
		fmt.Fprintf(a.stdout, "%s: %s\n", file, sizeOf(s))
	}
	if len(faults) > 0 {
		return faults
	}
	return nil
}
