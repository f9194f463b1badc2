package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"sdrsim/internal/closedform"
	"sdrsim/internal/experiment"
	"sdrsim/internal/report"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
	"sdrsim/internal/sweep/ledger"
	"sdrsim/internal/sweep/shard"
	"sdrsim/scenarios"
)

// runOptions are what the user chose for run.
type runOptions struct {
	output    string
	set       []string
	jobs      int
	quiet     bool
	fresh     bool
	dryRun    bool
	tables    tables
	noReport  bool
	logFormat string
	shard     string
	shards    int
	// shardsGiven tells that --shards was.
	shardsGiven bool
	profiles    profiles

	part shard.Part // what shard and shards say
}

func (a *app) runCommand() *cobra.Command {
	var o runOptions
	var resume bool
	cmd := &cobra.Command{
		Use:   "run FILE.yaml...",
		Short: "Simulate scenarios, and write their results and figures",
		Long: "Simulate every point of a scenario under each of its schemes, and write points.csv,\n" +
			"manifest.json and the figures. The results are the same for every number of jobs.\n\n" +
			"What is done is kept beside the results until they are written: a run that was\n" +
			"interrupted or killed goes on where it stopped when it is started again.",
		Example: "  sdrsim run scenarios/quickstart.yaml\n" +
			"  sdrsim run scenarios/quickstart.yaml --set link.rtt=100ms --samples 500 -o /tmp/far\n" +
			"  sdrsim run scenarios/quickstart.yaml --shard 2/5",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.fresh && resume && cmd.Flags().Changed("resume") {
				return usagef("--resume and --fresh contradict each other")
			}
			o.fresh = o.fresh || !resume
			o.shardsGiven = cmd.Flags().Changed("shards")
			return a.runScenarios(cmd.Context(), args, o)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.output, "output", "o", "",
		"write results to `DIR` (default: below results/, by the place or the name of the scenario)")
	addSet(cmd, &o.set)
	flags.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), "samples that are run at a time")
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "print errors only")
	flags.BoolVar(&resume, "resume", true, "go on where an equal run stopped")
	flags.BoolVar(&o.fresh, "fresh", false, "forget what an earlier run has done, and start over")
	flags.BoolVar(&o.dryRun, "dry-run", false,
		"print points, samples, and estimates of time and memory; write nothing")
	addTables(flags, &o.tables)
	addNoReport(cmd, &o.noReport)
	addShard(cmd, &o)
	flags.StringVar(&o.logFormat, "log-format", "",
		"show progress as lines of `text` or json, also on a terminal")
	flags.StringVar(&o.profiles.cpu, "cpuprofile", "", "write a profile of the processor to `FILE`")
	flags.StringVar(&o.profiles.memory, "memprofile", "", "write a profile of memory to `FILE`")
	return cmd
}

// runScenarios runs one scenario after the other. All of them are checked before the first starts.
func (a *app) runScenarios(ctx context.Context, files []string, o runOptions) error {
	var err error
	if o.part, err = o.parseShard(os.Getenv); err != nil {
		return err
	}
	jobs := make([]*job, len(files))
	var faults scenarios.Errors
	for i, file := range files {
		jobs[i], err = prepare(file, o.forFile(file, len(files)))
		if list, ok := err.(scenarios.Errors); ok {
			faults = append(faults, list...)
		} else if err != nil {
			return err
		}
	}
	if len(faults) > 0 {
		return faults
	}
	if err := placeResults(jobs, files); err != nil {
		return err
	}
	a.finishes.Store(!o.dryRun)
	for _, j := range jobs {
		if err := a.runJob(ctx, j); err != nil {
			return err
		}
	}
	return nil
}

// runJob runs a scenario to its results.
func (a *app) runJob(ctx context.Context, j *job) error {
	switch {
	case j.options.dryRun:
		return a.dryRun(ctx, j)
	case !j.options.part.Whole():
		return a.runShard(ctx, j)
	}
	l, err := a.openLedger(j, ledger.Beside(j.target))
	if err != nil {
		return err
	}
	res, err := a.simulate(ctx, j)
	if err != nil {
		return a.keep(l, j, err)
	}
	if err := j.options.tables.write(ctx, j, l, res.Table.Rows); err != nil {
		return a.keep(l, j, err)
	}
	outcome, err := report.WriteResult(j.target, res)
	if err != nil {
		return a.keep(l, j, err)
	}
	if err := l.Remove(); err != nil || j.options.quiet {
		return err
	}
	return a.summarise(j, res, outcome)
}

// simulate runs every sample and shows how far it is. What is done goes to the ledger of the job,
// if it has one.
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
		Source: j.source, Jobs: j.options.jobs, NewRunner: a.newRunner, Model: closedform.Mean,
		Distribution: report.ShowsDistribution(j.blank, j.figures),
	}
	if !j.options.part.Whole() {
		config.Model = nil // its rows are not written
	}
	started := time.Now()
	watch := newWatch(a.stderr, j, started)
	j.watch = watch
	config.Progress = watch.update
	config.NewRunner = watch.forecast.timed(a.newRunner)
	if j.ledger != nil {
		config.Store = j.ledger
	}
	swept, err := sweep.Run(ctx, config)
	watch.end()
	if err != nil {
		return res, err
	}
	res.Manifest = manifestOf(j.scenario)
	res.Table = tableOf(j.scenario, swept.Rows, swept.Distributions)
	res.Table.Rounds = swept.Rounds
	res.Table.Flows, res.Table.Queues = swept.Flows, swept.Queues
	res.Run = runFacts(started, j.options.jobs)
	res.Page = asker(j.options.noReport)
	return res, nil
}

// openLedger opens the directory in which the job keeps what it has done.
func (a *app) openLedger(j *job, dir string) (*ledger.Ledger, error) {
	mode := ledger.Resume
	if j.options.fresh {
		mode = ledger.Fresh
	}
	l, err := ledger.Open(dir, headOf(j), mode)
	var different *ledger.DifferentError
	if errors.As(err, &different) {
		return nil, usageError{err}
	}
	if err != nil {
		return nil, fmt.Errorf("cannot keep what the run does: %w", err)
	}
	j.ledger = l
	if j.options.quiet {
		return l, nil
	}
	if n := l.Samples(); n > 0 {
		fmt.Fprintf(a.stderr, "going on with %d of %d samples from %s\n", n, j.total, l.Dir())
	}
	if l.Dropped > 0 {
		fmt.Fprintf(a.stderr, "note: what was written last to %s was not whole: %d bytes dropped\n",
			l.Dir(), l.Dropped)
	}
	return l, nil
}

// keep closes the ledger of a run that did not end well, and adds to its error what is left.
func (a *app) keep(l *ledger.Ledger, j *job, err error) error {
	if j.watch != nil {
		j.watch.ended(err)
	}
	stopped := &stoppedError{kept: l.Samples(), dir: l.Dir(), gone: !l.Present()}
	if closing := l.Close(); closing != nil && !stopped.gone {
		err = errors.Join(err, closing)
	}
	stopped.err = err
	return stopped
}

// stoppedError is why a run ended before it was complete, and what is left of it.
type stoppedError struct {
	err  error
	kept int64 // samples
	dir  string
	gone bool // dir is, with the samples
}

func (e *stoppedError) Error() string {
	if e.kept == 0 {
		return e.err.Error()
	}
	return fmt.Sprintf("%v\n%s", e.err, e.remains())
}

func (e *stoppedError) Unwrap() error { return e.err }

// remains says how to go on.
func (e *stoppedError) remains() string {
	switch {
	case e.kept == 0:
		return "nothing was written"
	case e.gone:
		return fmt.Sprintf("the %d samples that were done are lost with %s, which was removed or "+
			"replaced", e.kept, e.dir)
	}
	return fmt.Sprintf("%d samples are kept in %s; the same command goes on from there",
		e.kept, e.dir)
}

// newRunner makes the runner of the simulation itself.
func newRunner(p *spec.Point, s *spec.Scheme) (sweep.Runner, error) {
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
