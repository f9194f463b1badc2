package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"sdrsim/internal/experiment"
	"sdrsim/internal/report"
	"sdrsim/internal/sweep"
	"sdrsim/scenarios"
	"sdrsim/sim/units"
)

// runOptions are what the user chose for run.
type runOptions struct {
	output   string
	set      []string
	jobs     int
	quiet    bool
	profiles profiles
}

func (a *app) runCommand() *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run FILE.yaml",
		Short: "Simulate a scenario, and write its results and figures",
		Long: "Simulate every point of a scenario under each of its schemes, and write points.csv,\n" +
			"manifest.json and the figures. The results are the same for every number of jobs.",
		Example: "  sdrsim run scenarios/quickstart.yaml\n" +
			"  sdrsim run scenarios/quickstart.yaml --set link.rtt=100ms --samples 500 -o /tmp/far",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runScenario(cmd.Context(), args[0], o)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.output, "output", "o", "",
		"write results to `DIR` (default: below results/, by the place or the name of the scenario)")
	addSet(cmd, &o.set)
	flags.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), "samples that are run at a time")
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "print errors only")
	flags.StringVar(&o.profiles.cpu, "cpuprofile", "", "write a profile of the processor to `FILE`")
	flags.StringVar(&o.profiles.memory, "memprofile", "", "write a profile of memory to `FILE`")
	return cmd
}

// job is a run that can start: everything that the user could have got wrong has been checked.
type job struct {
	scenario *scenarios.Scenario
	options  runOptions
	target   string // the folder of the results
	total    int64  // samples of all points and schemes
	figures  []report.Figure
	blank    report.Table // the table to be, without numbers
}

// runScenario runs a scenario from its file to its results.
func (a *app) runScenario(ctx context.Context, file string, o runOptions) error {
	j, err := prepare(file, o)
	if err != nil {
		return err
	}
	res, err := a.simulate(ctx, j)
	if err != nil {
		return err
	}
	outcome, err := report.WriteResult(j.target, res)
	if err != nil || o.quiet {
		return err
	}
	return a.summarise(j, res, outcome)
}

// prepare reads and checks all that a run depends on. Nothing is written before it succeeds.
func prepare(file string, o runOptions) (*job, error) {
	if o.jobs < 1 {
		return nil, usagef("--jobs %d: must be at least 1", o.jobs)
	}
	overrides, err := parseOverrides(o.set)
	if err != nil {
		return nil, err
	}
	s, err := load(file, overrides)
	if err != nil {
		return nil, err
	}
	j := &job{scenario: s, options: o, target: o.output, figures: figuresOf(s.Figures)}
	if j.target == "" {
		j.target = resultFolder(file, s.Name)
	}
	if j.total, err = plan(s, o.jobs); err != nil {
		return nil, err
	}
	j.blank = blankTable(s)
	if err := checkFigures(j.figures, j.blank); err != nil {
		return nil, err
	}
	if err := report.CheckTarget(j.target); err != nil {
		return nil, usageError{err}
	}
	return j, nil
}

// plan counts the samples of a scenario, and refuses one that does not fit in memory.
func plan(s *scenarios.Scenario, jobs int) (total int64, err error) {
	var most units.Bytes
	for i := range s.Len() {
		p := s.At(i)
		total += int64(p.Samples) * int64(len(p.Schemes))
		most = max(most, scenarios.MemoryEstimate(p)+sweep.MemoryEstimate(&p))
	}
	available, known := availableMemory()
	if known && most > available/units.Bytes(jobs) {
		return 0, usagef("%s: the greediest point needs about %s of memory for each of %d jobs, "+
			"and %s is available; fewer --jobs, a smaller message.in_flight, fewer samples or "+
			"payload: virtual need less", s.File, roughly(most), jobs, roughly(available))
	}
	return total, nil
}

// roughly prints a size for people.
func roughly(b units.Bytes) string {
	switch {
	case b >= 10*units.GiB:
		return fmt.Sprintf("%d GiB", b/units.GiB)
	case b >= 10*units.MiB:
		return fmt.Sprintf("%d MiB", b/units.MiB)
	}
	return fmt.Sprintf("%d KiB", b/units.KiB)
}

// simulate runs every sample and shows how far it is.
func (a *app) simulate(ctx context.Context, j *job) (res report.Result, err error) {
	stop, err := j.options.profiles.start()
	if err != nil {
		return res, usageError{err}
	}
	defer func() {
		if stopErr := stop(); err == nil {
			err = stopErr
		}
	}()
	config := sweep.Config{
		Source: j.scenario, Jobs: j.options.jobs, NewRunner: a.newRunner, Model: closedForm,
		Distribution: report.ShowsDistribution(j.blank, j.figures),
	}
	if !j.options.quiet {
		m := newMeter(a.stderr, j.total)
		config.Progress = m.update
		defer m.end()
	}
	started := time.Now()
	swept, err := sweep.Run(ctx, config)
	if err != nil {
		return res, err
	}
	res.Manifest = manifestOf(j.scenario)
	res.Table = tableOf(j.scenario, swept.Rows, swept.Distributions)
	res.Run = runFacts(started, j.options.jobs)
	return res, nil
}

// newRunner makes the runner of the simulation itself.
func newRunner(p *scenarios.Point, s *scenarios.Scheme) (sweep.Runner, error) {
	return experiment.NewRunner(p, s)
}

// runFacts are those of the run that has just ended.
func runFacts(started time.Time, jobs int) report.Run {
	host, _ := os.Hostname() // empty where it is not known
	return report.Run{
		Started: started.UTC().Format(time.RFC3339), WallSeconds: time.Since(started).Seconds(),
		Host: host, Jobs: jobs, PeakMemoryBytes: int64(peakMemory()),
	}
}

// manifestOf says what a result is of.
func manifestOf(s *scenarios.Scenario) report.Manifest {
	m := report.Manifest{
		Name: s.Name, Version: version, Seed: s.Seed, Scenario: string(s.Text),
		Figures: figuresOf(s.Figures),
	}
	for _, o := range s.Overrides {
		m.Overrides = append(m.Overrides, o.String())
	}
	return m
}

// tableOf puts rows under the swept paths of a scenario.
func tableOf(
	s *scenarios.Scenario, rows []report.Row, distributions []report.Distribution,
) report.Table {
	t := report.Table{Rows: rows, Distributions: distributions}
	for _, axis := range s.Axes {
		t.Paths = append(t.Paths, axis.Path)
	}
	return t
}
