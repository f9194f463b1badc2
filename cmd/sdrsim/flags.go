package main

import (
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"sdrsim/scenarios"
)

// setting is a flag that is short for --set path=value, with a whole number.
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
		return usagef("must be a whole number from %d to %d", s.min, s.max)
	}
	*s.set = append(*s.set, s.path+"="+text)
	return nil
}

// overrides collects --set, and the flags that are short for it, in the order given.
type overrides struct{ set *[]string }

func (o overrides) String() string        { return "" }
func (o overrides) Type() string          { return "path=value" }
func (o overrides) Set(text string) error { *o.set = append(*o.set, text); return nil }

// maxSamples is the most that a scenario may have; see scenarios.Defaults.
const maxSamples = 1e9

// addSet adds the flags that change a scenario.
func addSet(cmd *cobra.Command, set *[]string) {
	flags := cmd.Flags()
	flags.Var(overrides{set}, "set", "replace a value of the scenario, such as link.rtt=50ms; "+
		"may be repeated")
	flags.Var(setting{"samples", 1, maxSamples, set}, "samples",
		"replications of each point under each scheme")
	flags.Var(setting{"seed", 0, math.MaxUint64, set}, "seed", "seed of every random stream")
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
