package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sdrsim/internal/bench"
	"sdrsim/internal/report"
	"sdrsim/internal/result"
	"sdrsim/units"
)

func (a *app) benchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure this machine: erasure codes, samples and whole sweeps",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.benchCodecCommand(), a.benchScalingCommand(), a.benchSweepCommand())
	return cmd
}

// benchOutput is what becomes of measurements.
type benchOutput struct {
	folder string // empty: none is written
	quiet  bool
}

func (o *benchOutput) add(cmd *cobra.Command, folder, usage string) {
	cmd.Flags().StringVarP(&o.folder, "output", "o", folder, usage)
	cmd.Flags().BoolVarP(&o.quiet, "quiet", "q", false, "print errors only")
}

func (a *app) benchCodecCommand() *cobra.Command {
	var b bench.Codec
	var o benchOutput
	cmd := &cobra.Command{
		Use:   "codec",
		Short: "Measure the throughput of the erasure codes by cores, chunk size and split",
		Long: "Encode and rebuild a message with the codes that simulations with real payload use, on\n" +
			"this machine: by cores, by chunk size and by split (k,m). This is figure 11 of\n" +
			"arXiv:2505.05366. Rates are of message data; rebuilding restores one lost data chunk for\n" +
			"each parity chunk. Every number is a mean over passes with its 95 % interval.\n\n" +
			"The last lines printed are schemes for a scenario: with encode.rate, decode.rate and\n" +
			"cores a message waits for its parity as it would on this machine.",
		Example: "  sdrsim bench codec\n  sdrsim bench codec --time 1s -o /tmp/codec",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.bench(cmd.Context(), &b, o) },
	}
	o.add(cmd, "results/bench/codec", "write results to `DIR`")
	flags := cmd.Flags()
	flags.StringVar(&b.Size, "size", "128MiB", "message that is coded")
	flags.DurationVar(&b.Budget, "time", 300*time.Millisecond, "time spent on each measurement")
	flags.IntVar(&b.Cores, "cores", runtime.NumCPU(), "most cores that code at a time")
	return cmd
}

func (a *app) benchScalingCommand() *cobra.Command {
	var b bench.Scaling
	var o benchOutput
	cmd := &cobra.Command{
		Use:   "scaling",
		Short: "Measure what a sample costs by message size and by losses, beside the bare model",
		Long: "Measure how long a sample of each scheme takes on one core of this machine: by size\n" +
			"without loss, by size with ten losses, by drop rate, and in single packets. Beside each\n" +
			"stands the bare model: the formula of arXiv:2505.05366 with random numbers in it, which\n" +
			"has no packets, no acknowledgements and no bitmap. All are measured in turn, round by\n" +
			"round; numbers are medians of rounds, with the 95 % interval of the median from six\n" +
			"rounds on.",
		Example: "  sdrsim bench scaling\n" +
			"  sdrsim bench scaling --time 1ms --rounds 1 --largest 128MiB -o /tmp/scaling",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.bench(cmd.Context(), &b, o) },
	}
	o.add(cmd, "results/bench/scaling", "write results to `DIR`")
	flags := cmd.Flags()
	flags.StringVar(&b.Largest, "largest", "8GiB", "leave out messages that are larger")
	flags.DurationVar(&b.Budget, "time", 20*time.Millisecond,
		"time spent on each scheme in each round")
	flags.IntVar(&b.Rounds, "rounds", bench.DefaultRounds, "how often everything is measured")
	return cmd
}

func (a *app) benchSweepCommand() *cobra.Command {
	var b bench.Sweep
	var o benchOutput
	var set []string
	cmd := &cobra.Command{
		Use:   "sweep FILE.yaml",
		Short: "Time a scenario: against the bare model, by cores, and its peak of memory",
		Long: "Run the samples of a scenario and throw the results away, in turn: unit by unit on one\n" +
			"core beside the bare model, which draws the same number of samples of the same points;\n" +
			"then as whole sweeps, with one job, twice with several, and with one again. It prints how\n" +
			"long each took, the ratios, and the peak of memory.",
		Example: "  sdrsim bench sweep scenarios/performance/fig9-full.yaml --samples 5\n" +
			"  sdrsim bench sweep scenarios/performance/ten-thousand.yaml -o /tmp/sweep",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if b.Changes, err = parseOverrides(set); err != nil {
				return err
			}
			if b.Scenario, err = load(args[0], b.Changes); err != nil {
				return err
			}
			return a.bench(cmd.Context(), &b, o)
		},
	}
	addSet(cmd, &set)
	o.add(cmd, "", "also write the measurements to `DIR`")
	flags := cmd.Flags()
	flags.IntVar(&b.Jobs, "jobs", max(2, runtime.NumCPU()), "jobs of the sweeps that use several")
	flags.IntVar(&b.Rounds, "rounds", 1, "how often everything is measured; six give intervals")
	return cmd
}

// bench measures, prints and writes.
func (a *app) bench(ctx context.Context, b bench.Bench, o benchOutput) error {
	if err := b.Check(); err != nil {
		return usageError{err}
	}
	about := b.About()
	if o.folder != "" {
		if err := report.CheckTarget(o.folder, about.Files()...); err != nil {
			return usageError{err}
		}
	}
	a.finishes.Store(true)
	started := time.Now()
	rows, err := b.Measure(ctx)
	if err != nil {
		return err
	}
	run := runFacts(started, about.Jobs)
	peak := roughly(units.Bytes(run.PeakMemoryBytes))
	if !o.quiet {
		if err := b.Print(a.stdout, rows); err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "peak of memory: %s\n", peak)
	}
	if o.folder == "" {
		return nil
	}
	outcome, err := report.WriteResult(o.folder, report.Result{
		Manifest: report.Manifest{Name: about.Name, Version: version, Figures: about.Figures,
			Scenario: measurement(about.Command) + fmt.Sprintf("peak: %s\n", peak)},
		Run: run, Table: result.Table{Paths: about.Paths, Rows: rows},
	})
	if err == nil && !o.quiet {
		fmt.Fprintln(a.stdout)
		a.printFiles(outcome)
	}
	return err
}

// measurement is the text that stands in the manifest of measurements where results have their
// scenario: by which command, on which machine, when, by a program of which commit.
func measurement(command string) string {
	return fmt.Sprintf("command: sdrsim bench %s\nmachine: %s, %d cores\nday: %s\nprogram: %s\n",
		command, processor(), runtime.NumCPU(), time.Now().UTC().Format(time.DateOnly), builtFrom())
}

// processor is the name of the processor, or its architecture where the kernel does not tell.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(text)) {
			key, value, ok := strings.Cut(line, ":")
			if ok && strings.TrimSpace(key) == "model name" {
				return strings.Join(strings.Fields(value), " ")
			}
		}
	}
	return runtime.GOARCH
}

// builtFrom tells compiler, platform and commit, and whether what was built differs from it.
func builtFrom() string {
	text := strings.Trim(build(), " ()")
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.modified" && s.Value == "true" {
				text += " with changes"
			}
		}
	}
	return text
}
