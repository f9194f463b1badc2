package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sdrsim/scenarios"
)

// setting is a flag that is short for --set path=value, with an integer.
type setting struct {
	path     string
	min, max uint64
	set      *[]string
}

func (s setting) String() string { return "" }
func (s setting) Type() string   { return "N" }

// Set takes a number in the range; what else the scenario wants of it is for the loader to say.
func (s setting) Set(text string) error {
	if n, err := strconv.ParseUint(text, 10, 64); err != nil || n < s.min || n > s.max {
		return usagef("must be an integer from %d to %d", s.min, s.max)
	}
	for _, other := range *s.set {
		if strings.HasPrefix(other, s.path+"=") {
			return usagef("contradicts %s, which is given too", other)
		}
	}
	*s.set = append(*s.set, s.path+"="+text)
	return nil
}

// overrides collects --set, and the flags that are short for it, in the order given.
type overrides struct {
	set   *[]string
	flags *pflag.FlagSet
	// bare are those that were given as arguments, without --set.
	bare *[]string
}

func (o overrides) String() string { return "" }
func (o overrides) Type() string   { return "path=value" }

// Set takes any text but one that contradicts a flag.
func (o overrides) Set(text string) error {
	path, _, _ := strings.Cut(text, "=")
	path = strings.TrimSpace(path)
	if (path == "samples" || path == "seed") && o.flags.Changed(path) {
		return usagef("contradicts --%s, which is given too", path)
	}
	*o.set = append(*o.set, text)
	return nil
}

// spellings lists the overrides that flags stand for, each followed by the flag, for messages to
// name what the user has written.
func spellings(cmd *cobra.Command) (list []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if o, ok := f.Value.(overrides); ok {
			for _, text := range *o.bare {
				list = append(list, "--set "+text, text)
			}
		}
		s, short := f.Value.(setting)
		if !short || !f.Changed {
			return
		}
		for _, text := range *s.set {
			if value, ok := strings.CutPrefix(text, s.path+"="); ok {
				list = append(list, "--set "+text, "--"+f.Name+" "+value)
			}
		}
	})
	return list
}

// refuseEmpty refuses flags that are given without a text, as with a variable of a script that is
// not set: they mean something else than no flag.
func refuseEmpty(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && f.Value.Type() == "string" && f.Value.String() == "" {
			name, _ := pflag.UnquoteUsage(f)
			err = usagef("--%s \"\": is empty; it takes %s, or is left out", f.Name, name)
		}
	})
	return err
}

// refuseControls refuses paths and other words with a line break or another control character: they
// go into files that others read line by line, such as those of jobs, and into messages.
func refuseControls(cmd *cobra.Command, args []string) (err error) {
	refuse := func(what, text string) {
		if err == nil && strings.ContainsFunc(text, unicode.IsControl) {
			err = usagef("%s%q: has a control character; must be without line breaks and the like", what,
				text)
		}
	}
	for _, arg := range args {
		refuse("", arg)
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" {
			refuse("--"+f.Name+" ", f.Value.String())
		}
	})
	return err
}

// maxSamples is the most that a scenario may have; see keys.Defaults.
const maxSamples = 1e9

// addSet adds the flags that change a scenario.
func addSet(cmd *cobra.Command, set *[]string) {
	flags := cmd.Flags()
	o := overrides{set, flags, new([]string)}
	flags.Var(o, "set", "replace a value of the scenario, such as link.rtt=50ms; "+
		"may be repeated, and the last of a path counts; the argument link.rtt=50ms does the same")
	o.takeArguments(cmd)
	flags.Var(setting{"samples", 1, maxSamples, set}, "samples",
		"replications of each point under each scheme")
	flags.Var(setting{"seed", 0, math.MaxUint64, set}, "seed", "seed of every random stream")
}

// takeArguments has the command take path=value among its arguments as --set does.
func (o overrides) takeArguments(cmd *cobra.Command) {
	check, run := cmd.Args, cmd.RunE
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		others, settings := divideArguments(args)
		for _, text := range settings {
			if err := o.take(text); err != nil {
				return err
			}
		}
		return check(cmd, others)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		others, _ := divideArguments(args)
		return run(cmd, others)
	}
}

// take adds an argument. One that --set is about too contradicts it: which of them came last is not
// known.
func (o overrides) take(text string) error {
	path, _, _ := strings.Cut(text, "=")
	for _, given := range *o.set {
		other, _, _ := strings.Cut(given, "=")
		if strings.TrimSpace(other) == path && !slices.Contains(*o.bare, given) {
			return usagef("%s: contradicts %s, which is given too", text, given)
		}
	}
	if err := o.Set(text); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	*o.bare = append(*o.bare, text)
	return nil
}

// divideArguments tells settings, path=value, from files: a file that is there is one whatever its
// name, and a path of a scenario has no separator of folders.
func divideArguments(args []string) (others, settings []string) {
	for _, arg := range args {
		path, _, found := strings.Cut(arg, "=")
		_, err := os.Lstat(arg)
		if found && path != "" && err != nil && !strings.ContainsAny(path, `/\`) {
			settings = append(settings, arg)
		} else {
			others = append(others, arg)
		}
	}
	return others, settings
}

// parseOverrides reads the values of --set.
func parseOverrides(set []string) ([]scenarios.Override, error) {
	var list []scenarios.Override
	for _, text := range set {
		o, err := scenarios.ParseOverride(text)
		if err != nil {
			return nil, usageError{err}
		}
		list = append(list, o)
	}
	return list, nil
}
