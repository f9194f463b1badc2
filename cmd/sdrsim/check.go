package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"sdrsim/internal/check"
	"sdrsim/internal/report"
	"sdrsim/internal/sweep"
	"sdrsim/scenarios"
	"sdrsim/units"
)

// checkOptions are what the user chose for check.
type checkOptions struct {
	set       []string
	jobs      int
	quiet     bool
	update    bool
	reason    string
	tolerance string
	format    string
	output    string
}

// toldError ends the program with a code when the output has said why.
type toldError struct{ code int }

func (e toldError) Error() string { return fmt.Sprintf("exit status %d", e.code) }

func (a *app) checkCommand() *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check FILE.yaml...",
		Short: "Run scenarios, and fail if their schemes have become worse",
		Long: "Run scenarios and compare what they measure with the baselines beside their results\n" +
			"(results/NAME/baseline.json) and with the rules of their check: blocks.\n\n" +
			"With the seed and the samples of the baseline the comparison is exact. Otherwise a change\n" +
			"counts if it exceeds its tolerance and is significant.\n\n" +
			"Exit status: 0 pass, 1 regression, 2 wrong usage, an invalid scenario, or a report or a\n" +
			"baseline that cannot be written, 3 incomplete: no regression, but a baseline is missing or\n" +
			"a scenario was not run to its end.",
		Example: "  sdrsim check scenarios/regression/*.yaml\n" +
			"  sdrsim check scenarios/regression/*.yaml --format junit -o check.xml\n" +
			"  sdrsim check scenarios/regression/*.yaml --update --reason \"two ACKs a round trip\"",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.check(cmd.Context(), args, &o)
		},
	}
	flags := cmd.Flags()
	addSet(cmd, &o.set)
	flags.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), "samples that are run at a time")
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "print the report only")
	flags.BoolVar(&o.update, "update", false, "make what is measured the baseline; needs --reason")
	flags.StringVar(&o.reason, "reason", "", "why the baseline changes, which it records")
	flags.StringVar(&o.tolerance, "tolerance", "",
		"`CHANGE` that passes where no rule says, such as 1%; default: none in an exact comparison,\n"+
			"2% in a statistical one")
	flags.StringVar(&o.format, "format", "text",
		"`FORMAT` of the report: "+strings.Join(check.Formats(), ", "))
	flags.StringVarP(&o.output, "output", "o", "",
		"write the report to `FILE`, and text to the standard output")
	return cmd
}

// check checks every scenario and writes the report. All files are read before the first is run.
func (a *app) check(ctx context.Context, files []string, o *checkOptions) error {
	tolerance, err := o.validate()
	if err != nil {
		return err
	}
	jobs, err := readChecks(files, o)
	if err != nil {
		return err
	}
	if err := checkTargets(jobs, o); err != nil {
		return usageError{err}
	}
	a.finishes.Store(true)
	r := check.Report{Version: version}
	for _, j := range jobs {
		suite, err := a.checkOne(ctx, j, o, tolerance)
		if err != nil {
			return usageError{err}
		}
		suite.File, suite.Baseline = j.file, j.baseline
		r.Suites = append(r.Suites, suite)
	}
	if err := a.writeCheck(&r, o); err != nil {
		return usageError{err} // a status of its own: that of a failure says that a case regressed
	}
	switch r.Outcome() {
	case check.Regression:
		return toldError{exitFailure}
	case check.Incomplete:
		return toldError{exitIncomplete}
	}
	return nil
}

// validate finds options that contradict each other or cannot be, and reads the tolerance, which is
// NaN where the user gave none.
func (o *checkOptions) validate() (tolerance float64, err error) {
	o.reason = strings.TrimSpace(o.reason)
	switch {
	case o.jobs < 1:
		return 0, usagef("--jobs %d: must be at least 1", o.jobs)
	case o.update && o.reason == "":
		return 0, usagef("--update needs --reason TEXT: a baseline never changes without a reason")
	case !o.update && o.reason != "":
		return 0, usagef("--reason goes with --update")
	case o.update && len(o.set) > 0:
		return 0, usagef("--update takes no --set, --samples and --seed: a baseline is of the " +
			"scenario as its file has it")
	}
	if err := (&check.Report{}).Write(new(bytes.Buffer), o.format); err != nil {
		return 0, usagef("--format: %v", err)
	}
	if o.tolerance == "" {
		return math.NaN(), nil
	}
	number, percent := strings.CutSuffix(o.tolerance, "%")
	tolerance, err = strconv.ParseFloat(number, 64)
	if err != nil || !(tolerance >= 0) {
		return 0, usagef("--tolerance %q: must be a fraction such as 0.01 or 1%%", o.tolerance)
	}
	if percent {
		tolerance /= 100
	}
	return tolerance, nil
}

// checkJob is a scenario to check.
type checkJob struct {
	file, baseline string
	scenario       *scenarios.Scenario
	base           *check.Baseline // nil where there is none
}

// readChecks reads scenarios and baselines, and reports the faults of all.
func readChecks(files []string, o *checkOptions) ([]checkJob, error) {
	overrides, err := parseOverrides(o.set)
	if err != nil {
		return nil, err
	}
	var jobs []checkJob
	var faults scenarios.Errors
	taken := map[string]string{} // the file that a baseline is of
	for _, file := range files {
		s, err := load(file, overrides)
		if list, ok := err.(scenarios.Errors); ok {
			faults = append(faults, list...)
			continue
		}
		if err != nil {
			return nil, err
		}
		j := checkJob{file: file, scenario: s}
		j.baseline = filepath.Join(resultFolder(file, s.Name), report.BaselineFile)
		if other, ok := taken[j.baseline]; ok {
			return nil, usagef("%s and %s would both be compared with %s", other, file, j.baseline)
		}
		taken[j.baseline] = file
		if err := j.readBaseline(o); err != nil {
			return nil, usageError{err}
		}
		if err := fits(s, o.jobs); err != nil {
			return nil, err
		}
		jobs = append(jobs, j)
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return jobs, nil
}

// fits refuses a scenario that needs more memory than there is.
func fits(s *scenarios.Scenario, jobs int) error {
	var most units.Bytes
	for i := range s.Len() {
		p := s.At(i)
		most = max(most, scenarios.MemoryEstimate(p)+2*sweep.MemoryEstimate(&p))
	}
	if available, known := availableMemory(); known && most > available/units.Bytes(jobs) {
		return usagef("%s: the greediest point needs about %s of memory for each of %d jobs, and %s "+
			"is available", s.File, roughly(most), jobs, roughly(available))
	}
	return nil
}

// checkOne runs a scenario and compares. What keeps it from its end makes the suite incomplete.
func (a *app) checkOne(
	ctx context.Context, j checkJob, o *checkOptions, tolerance float64,
) (check.Suite, error) {
	s := j.scenario
	if !o.quiet {
		fmt.Fprintf(a.stderr, "checking %s: %s\n", j.file, sizeOf(s))
	}
	var recorder check.Recorder
	swept, err := sweep.Run(ctx, sweep.Config{
		Source: s, Jobs: o.jobs, NewRunner: recorder.Wrap(a.newRunner),
	})
	if err != nil {
		suite := check.Suite{Scenario: s.Name, Seed: s.Seed, Incomplete: err.Error()}
		if ctx.Err() != nil {
			suite.Incomplete = "interrupted"
		}
		return suite, nil
	}
	c := check.Comparison{
		Source: check.Source{Scenario: s, Version: version,
			Cases: check.Measure(s, swept.Rows, &recorder)},
		Base: j.base, Tolerance: tolerance,
	}
	if o.update {
		if c.Base, err = a.updateBaseline(j, c.Source, o); err != nil {
			return check.Suite{}, err
		}
	}
	return check.Compare(c), nil
}

// writeCheck writes the report to where it goes.
func (a *app) writeCheck(r *check.Report, o *checkOptions) error {
	if o.output == "" {
		return r.Write(a.stdout, o.format)
	}
	var text bytes.Buffer
	if err := r.Write(&text, o.format); err != nil {
		return err
	}
	if err := writeWhole(o.output, text.Bytes()); err != nil {
		return err
	}
	return r.Write(a.stdout, "text")
}
