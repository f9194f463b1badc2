package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"sdrsim/internal/experiment"
	"sdrsim/internal/metric"
	"sdrsim/internal/report"
	"sdrsim/internal/sweep/ledger"
	"sdrsim/scenarios"
	"sdrsim/units"
)

// replayOptions are what the user chose for replay.
type replayOptions struct {
	point  string
	scheme string
	sample int
	limit  int
	set    []string
	// capture and trace are files to write; empty: none.
	capture, trace string
}

func (a *app) replayCommand() *cobra.Command {
	var o replayOptions
	cmd := &cobra.Command{
		Use:   "replay FILE.yaml|DIR",
		Short: "Run one sample again, and tell what happens in it",
		Long: "Run one sample of a scenario, or of the results of one, exactly as a run does, and\n" +
			"print what is sent, lost, acknowledged and repeated, in order of time. The numbers of\n" +
			"samples are those of --samples-out.",
		Example: "  sdrsim replay results/quickstart --point link.loss.p=0.001 --scheme sr-rto " +
			"--sample 17",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.replay(cmd.Context(), args[0], o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.point, "point", "",
		"`KEY` of the point, such as link.loss.p=0.001, or its number from 0; needed where there "+
			"are several")
	flags.StringVar(&o.scheme, "scheme", "", "`LABEL` of the scheme; needed where there are several")
	flags.IntVar(&o.sample, "sample", 0, "number of the sample, from 0")
	flags.IntVar(&o.limit, "limit", 0,
		"print so many events, and capture so many packets, at most; 0: all")
	flags.StringVar(&o.capture, "capture", "",
		"write the packets to `FILE.pcapng[.gz]`, for Wireshark (see sdrsim wireshark)")
	flags.StringVar(&o.trace, "trace", "",
		"write a timeline to `FILE.pftrace`, or FILE.json, for ui.perfetto.dev")
	addSet(cmd, &o.set)
	return cmd
}

// replay runs one sample with a trace.
func (a *app) replay(ctx context.Context, from string, o replayOptions) error {
	s, err := replayed(from, o.set)
	if err != nil {
		return err
	}
	if o.limit < 0 {
		return usagef("--limit %d: must be at least 0", o.limit)
	}
	if err := o.checkFiles(from); err != nil {
		return err
	}
	p, err := pickPoint(s, o.point)
	if err != nil {
		return err
	}
	scheme, err := pickScheme(p, o.scheme)
	if err != nil {
		return err
	}
	if err := checkSample(from, p, scheme, o); err != nil {
		return err
	}
	var record experiment.Record
	var tracer experiment.Tracer = &record
	if o.capture == "" && o.trace == "" {
		tracer = &record.Log
	}
	runner, err := experiment.NewTracedRunner(p, scheme, tracer)
	if err != nil {
		return err
	}
	var sample experiment.Sample
	failure := runner.Sample(o.sample, &sample)
	if err := ctx.Err(); err != nil {
		return err
	}
	record.Log.Sort()
	where := ""
	if p.Key != "" {
		where = "point " + p.Key + ", "
	}
	title := fmt.Sprintf("%sscheme %s, sample %d of seed %d", where, scheme.Label, o.sample, p.Seed)
	fmt.Fprintf(a.stdout, "%s\n\n", title)
	a.printTrace(record.Log.Events, o.limit, p.Collective.Kind != "")
	if failure != nil {
		return fmt.Errorf("sample %d: %w", o.sample, failure)
	}
	if runner.Plan().Strata != nil {
		fmt.Fprintf(a.stdout, "\n%-22s %s\n", "stratum", strataNames[sample.Stratum])
	}
	a.printSample(&sample)
	return a.writeFiles(&record, p, title, &o)
}

// strataNames call the strata by what they lose.
var strataNames = []string{"nothing lost", "data lost", "only acknowledgements lost"}

// replayed reads the scenario of a file, of results, or of a run or shard.
func replayed(from string, set []string) (*scenarios.Scenario, error) {
	overrides, err := parseOverrides(set)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(from); err != nil || !info.IsDir() {
		return load(from, overrides)
	}
	m, err := recordedScenario(from)
	if err != nil {
		return nil, usageError{err}
	}
	earlier, err := parseOverrides(m.Overrides)
	if err != nil {
		return nil, err
	}
	return scenarios.LoadKept(from, []byte(m.Scenario), append(earlier, overrides...),
		keptFiles(m.Files))
}

// recordedScenario finds the scenario that a directory is of, with its overrides and files.
func recordedScenario(dir string) (report.Manifest, error) {
	m, err := report.ReadManifest(dir)
	if !errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	head, other := ledger.ReadHead(dir)
	if errors.Is(other, fs.ErrNotExist) {
		return m, err // that it holds no results
	}
	if other != nil {
		return m, other
	}
	m = report.Manifest{Scenario: head.Scenario, Overrides: head.Overrides}
	for _, f := range head.Files {
		m.Files = append(m.Files, report.File(f))
	}
	return m, nil
}

// printTrace prints a line for each event. A sender is called A, its receiver B; in a ring every
// datacenter is both, and events are told by hop.
func (a *app) printTrace(events []experiment.Event, limit int, ring bool) {
	fmt.Fprintf(a.stdout, "%14s  %-5s  %-9s  %s\n", "time_ms", "side", "event", "about")
	for i, e := range events {
		if limit > 0 && i == limit {
			fmt.Fprintf(a.stdout, "... and %d more\n", len(events)-limit)
			break
		}
		side := "A"
		if e.Receiver {
			side = "B"
		}
		if ring {
			side = fmt.Sprintf("%s%d", side, e.Hop)
		}
		fmt.Fprintf(a.stdout, "%14s  %-5s  %-9s  %s\n", milliseconds(e.At), side, e.Kind, e.Text)
	}
}

// milliseconds prints a time to the picosecond.
func milliseconds(t units.Time) string {
	const perMillisecond = int64(units.Millisecond)
	return fmt.Sprintf("%d.%09d", int64(t)/perMillisecond, int64(t)%perMillisecond)
}

// printSample prints what the sample counts in the results.
func (a *app) printSample(s *experiment.Sample) {
	out := func(name string, value any) { fmt.Fprintf(a.stdout, "%-22s %v\n", name, value) }
	fmt.Fprintln(a.stdout)
	for i := range s.Completion {
		out("completion", s.Completion[i])
		out("delivery", s.Delivery[i])
		if len(s.Wait) > 0 {
			out("latency", s.Completion[i]+s.Wait[i])
		}
	}
	out("ideal", s.Ideal)
	if s.Failed > 0 {
		out("failed", fmt.Sprintf("%d messages: %s", s.Failed, s.Failure))
	}
	for _, c := range metric.Counted() {
		if c.Mean != nil {
			out(strings.ReplaceAll(c.Name, "_", " "), *c.Count(&s.Counters))
		}
	}
}
