package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"sdrsim/scenarios"
)

// setting is a flag that is short for --set path=value.
type setting struct {
	path string
	set  *[]string
}

func (s setting) String() string { return "" }
func (s setting) Type() string   { return "N" }

// Set takes a whole number; whether the scenario can have it is for the loader to say.
func (s setting) Set(text string) error {
	if _, err := strconv.ParseUint(text, 10, 64); err != nil {
		return usagef("must be a whole number")
	}
	*s.set = append(*s.set, s.path+"="+text)
	return nil
}

// overrides collects --set, and the flags that are short for it, in the order given.
type overrides struct{ set *[]string }

func (o overrides) String() string        { return "" }
func (o overrides) Type() string          { return "path=value" }
func (o overrides) Set(text string) error { *o.set = append(*o.set, text); return nil }

// addSet adds the flags that change a scenario.
func addSet(cmd *cobra.Command, set *[]string) {
	flags := cmd.Flags()
	flags.Var(overrides{set}, "set", "replace a value of the scenario, such as link.rtt=50ms; "+
		"may be repeated")
	flags.Var(setting{"samples", set}, "samples", "replications of each point under each scheme")
	flags.Var(setting{"seed", set}, "seed", "seed of every random stream")
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
