package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"sdrsim/internal/report"
	"sdrsim/units"
)

// codecFolder is where the measurements of codecs go unless the user says otherwise.
const codecFolder = "results/bench/codec"

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

// benchOptions are what the user chose for bench codec.
type benchOptions struct {
	output string
	size   string
	budget time.Duration
	cores  int
	quiet  bool
}

func (a *app) benchCodecCommand() *cobra.Command {
	var o benchOptions
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.benchCodec(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.output, "output", "o", codecFolder, "write results to `DIR`")
	flags.StringVar(&o.size, "size", "128MiB", "message that is coded")
	flags.DurationVar(&o.budget, "time", 300*time.Millisecond, "time spent on each measurement")
	flags.IntVar(&o.cores, "cores", runtime.NumCPU(), "most cores that code at a time")
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "print errors only")
	return cmd
}

// benchCodec measures, writes, and prints what a scenario needs.
func (a *app) benchCodec(ctx context.Context, o benchOptions) error {
	switch {
	case o.cores < 1:
		return usagef("--cores %d: must be at least 1", o.cores)
	case o.budget <= 0:
		return usagef("--time %v: must be a time above 0, such as 200ms", o.budget)
	}
	size, err := units.ParseBytes(o.size)
	if err != nil || size < units.KiB || size > 64*units.GiB {
		return usagef("--size %s: must be a size from 1KiB to 64GiB such as 128MiB", o.size)
	}
	if err := report.CheckTarget(o.output, benchFiles(codecFigures)...); err != nil {
		return usageError{err}
	}
	a.finishes.Store(true)
	started := time.Now()
	rows, err := measureCodecs(ctx, codecPoints(size, o.cores), o.budget)
	if err != nil {
		return err
	}
	res := report.Result{
		Manifest: report.Manifest{Name: "codec", Version: version, Figures: codecFigures,
			Scenario: measurement(fmt.Sprintf("sdrsim bench codec --size %s --time %v --cores %d",
				o.size, o.budget, o.cores))},
		Run:   runFacts(started, o.cores),
		Table: report.Table{Paths: codecPaths, Rows: rows},
	}
	outcome, err := report.WriteResult(o.output, res)
	if err != nil || o.quiet {
		return err
	}
	if err := printCodecs(a.stdout, rows); err != nil {
		return err
	}
	a.printFiles(outcome)
	return nil
}

// benchFiles are the files that measurements may have; their figures are named.
func benchFiles(figures []report.Figure) []string {
	names := report.FilesOf(nil, report.Table{})
	for _, f := range figures {
		names = append(names, f.Name+".svg", f.Name+".png")
	}
	return names
}

// codecFigures are drawn from the measurements. Those of one core hold for every machine.
var codecFigures = []report.Figure{
	{Kind: report.KindLine, Name: "by-cores", X: "cores", Y: "goodput", XScale: report.ScaleLinear,
		YScale:     report.ScaleLinear,
		Title:      "Figure 11: message data coded a second, by cores, 64 KiB chunks, (32,8)",
		Where:      []report.AxisMatch{{Path: "chunk", Text: "65536"}, {Path: "split", Text: "(32,8)"}},
		References: []report.Reference{{Axis: "y", Value: 4e11, Label: "400 Gbit/s"}}},
	{Kind: report.KindLine, Name: "by-chunk", X: "chunk", Y: "goodput", YScale: report.ScaleLinear,
		Title: "Message data coded a second on one core, by chunk size, (32,8)",
		Where: []report.AxisMatch{{Path: "cores", Text: "1"}, {Path: "split", Text: "(32,8)"}}},
	{Kind: report.KindBar, Name: "by-split", X: "split", Y: "goodput", YScale: report.ScaleLinear,
		Title: "Message data coded a second on one core, by split (k,m), 64 KiB chunks",
		Where: []report.AxisMatch{{Path: "cores", Text: "1"}, {Path: "chunk", Text: "65536"}}},
}

// printCodecs prints the table, and the schemes that a scenario can take over.
func printCodecs(w io.Writer, rows []report.Row) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "%s\twhat\tGbit/s\t\n", strings.Join(codecPaths, "\t"))
	rate := map[string]float64{}
	for _, r := range rows {
		for _, axis := range r.Axes {
			fmt.Fprintf(table, "%s\t", axis.Text)
		}
		fmt.Fprintf(table, "%s\t%.1f\t\n", r.Scheme, r.Goodput/1e9)
		if r.Axes[0].Number == 1 && r.Axes[1].Number == 64<<10 && r.Axes[2].Text == "(32,8)" {
			rate[r.Scheme] = r.Goodput
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nIn a scenario, with rates of one core and as many cores as there are to be:")
	for _, code := range codecNames {
		fmt.Fprintf(w, "  - {name: ec-%s, k: 32, m: 8, encode.rate: %.0fMbps, decode.rate: %.0fMbps, "+
			"cores: 4}\n", code, rate[code+" encode"]/1e6, rate[code+" rebuild"]/1e6)
	}
	_, err := fmt.Fprintln(w)
	return err
}
