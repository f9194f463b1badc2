package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"sdrsim/internal/closedform"
	"sdrsim/internal/experiment"
	"sdrsim/internal/report"
	"sdrsim/internal/sweep"
	"sdrsim/scenarios"
	"sdrsim/units"
)

// scalingFolder is where the measurements of scaling go unless the user says otherwise.
const scalingFolder = "results/bench/scaling"

// scalingOptions are what the user chose for bench scaling.
type scalingOptions struct {
	output  string
	largest string
	effort  effort
	quiet   bool
}

func (a *app) benchScalingCommand() *cobra.Command {
	var o scalingOptions
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.benchScaling(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.output, "output", "o", scalingFolder, "write results to `DIR`")
	flags.StringVar(&o.largest, "largest", "8GiB", "leave out messages that are larger")
	flags.DurationVar(&o.effort.budget, "time", 20*time.Millisecond,
		"time spent on each scheme in each round")
	flags.IntVar(&o.effort.rounds, "rounds", defaultRounds, "how often everything is measured")
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "print errors only")
	return cmd
}

// The parts of the measurement, as values of the path "part".
const (
	partLossless = "lossless"
	partTen      = "ten losses"
	partLoss     = "drop rate"
	partPackets  = "single packets"
)

// scalingCell is a point at which everything is measured.
type scalingCell struct {
	part string
	size units.Bytes
	p    float64
}

// scalingCells lists the points, without messages that are larger than the largest.
func scalingCells(largest units.Bytes) []scalingCell {
	var cells []scalingCell
	add := func(c scalingCell) {
		if c.size <= largest {
			cells = append(cells, c)
		}
	}
	for _, part := range []string{partLossless, partTen} {
		for size := units.MiB; size <= 8*units.GiB; size *= 2 {
			c := scalingCell{part: part, size: size}
			if part == partTen {
				c.p = 10 / float64(size/scalingChunk)
			}
			add(c)
		}
	}
	for _, size := range []units.Bytes{128 * units.MiB, units.GiB} {
		for _, p := range []float64{1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1} {
			add(scalingCell{part: partLoss, size: size, p: p})
		}
	}
	for size := units.MiB; size <= 128*units.MiB; size *= 4 {
		add(scalingCell{part: partPackets, size: size})
	}
	return cells
}

const scalingChunk = 4 * units.KiB

// scenario is the cell in the words of a scenario file, on the long link of the figures.
func (c scalingCell) scenario() string {
	runs := ""
	if c.part == partPackets {
		runs = "engine: {runs: 1}\n"
	}
	return fmt.Sprintf("name: scaling\n"+
		"link: {bandwidth: 400Gbps, rtt: 25ms, mtu: 4KiB, encapsulation: none,\n"+
		"  loss: {model: iid, per: chunk, p: %v}, ack_loss: none}\n"+
		"message: {size: %dB, chunk: %dB}\n%s"+
		"schemes: [{name: sr-rto, rto: 3RTT}, {name: sr-nack}, {name: ec-mds, k: 32, m: 8},\n"+
		"  {name: ec-xor, k: 32, m: 8}]\nacceleration: none\n", c.p, c.size, scalingChunk, runs)
}

func (c scalingCell) axes() []report.AxisValue {
	return []report.AxisValue{
		{Path: "part", Text: c.part, Number: math.NaN()},
		{Path: "message.size", Text: strconv.FormatInt(int64(c.size), 10), Number: float64(c.size)},
		{Path: "link.loss.p", Text: strconv.FormatFloat(c.p, 'g', -1, 64), Number: c.p},
	}
}

// scalingPaths are the paths of axes.
var scalingPaths = []string{"part", "message.size", "link.loss.p"}

// scalingSchemes are those of the scenario.
var scalingSchemes = []string{"sr-rto", "sr-nack", "ec-mds", "ec-xor"}

// sizeText writes a size as figures do.
func sizeText(size units.Bytes) string {
	text := size.String()
	number := strings.TrimRight(text, "KMGTiB")
	return number + " " + text[len(number):]
}

// bareLabel names the yardstick of a scheme.
func bareLabel(scheme string) string { return scheme + " (bare model)" }

// measure measures every scheme of the cell, and its yardstick.
func (c scalingCell) measure(ctx context.Context, e effort) ([]report.Row, error) {
	s, err := scenarios.Load("bench", []byte(c.scenario()), nil)
	if err != nil {
		return nil, fmt.Errorf("BUG: the scenario of a measurement does not load: %w", err)
	}
	point := s.At(0)
	var variants []*variant
	totals := make([]tallied, len(point.Schemes))
	for i := range point.Schemes {
		scheme := &point.Schemes[i]
		r, err := newRunner(&point, scheme)
		if err != nil {
			return nil, err
		}
		bare, err := closedform.NewSampler(&point, scheme)
		if err != nil {
			return nil, err
		}
		variants = append(variants,
			&variant{name: scheme.Label, run: totals[i].counting(r)},
			&variant{name: bareLabel(scheme.Label), run: new(tallied).counting(bare)})
	}
	runtime.GC() // what the cell before has left
	seconds, err := interleaved(ctx, variants, e)
	if err != nil {
		return nil, err
	}
	var rows []report.Row
	for i, v := range variants {
		row, yardstick := report.NewRow(c.axes(), v.name), []float64(nil)
		if i%2 == 0 {
			totals[i/2].describe(&row)
			yardstick = seconds[i+1]
		}
		rows = append(rows, wallRow(row, seconds[i], yardstick))
	}
	return rows, nil
}

// tallied adds up what samples did.
type tallied struct {
	experiment.Counters
	samples int64
}

// counting returns a function that runs a sample and counts it.
func (t *tallied) counting(r sweep.Runner) func(i int) error {
	var s experiment.Sample
	return func(i int) error {
		if err := r.Sample(i, &s); err != nil {
			return err
		}
		t.samples++
		t.Events += s.Events
		t.Lost += s.Lost
		t.Packets += s.Packets
		t.Acks += s.Acks
		return nil
	}
}

// describe fills in the means.
func (t *tallied) describe(row *report.Row) {
	mean := func(n int64) float64 { return float64(n) / float64(t.samples) }
	row.EventsMean, row.LostMean = mean(t.Events), mean(t.Lost)
	row.PacketsMean, row.AcksMean = mean(t.Packets), mean(t.Acks)
}

// benchScaling measures, writes and prints.
func (a *app) benchScaling(ctx context.Context, o scalingOptions) error {
	if err := o.effort.check(); err != nil {
		return err
	}
	largest, err := units.ParseBytes(o.largest)
	if err != nil || largest < units.MiB {
		return usagef("--largest %s: must be a size from 1MiB such as 8GiB", o.largest)
	}
	if err := report.CheckTarget(o.output, benchFiles(scalingFigures(largest))...); err != nil {
		return usageError{err}
	}
	a.finishes.Store(true)
	started := time.Now()
	var rows []report.Row
	for _, c := range scalingCells(largest) {
		of, err := c.measure(ctx, o.effort)
		if err != nil {
			return err
		}
		rows = append(rows, of...)
	}
	command := fmt.Sprintf("sdrsim bench scaling --largest %s --time %v --rounds %d",
		o.largest, o.effort.budget, o.effort.rounds)
	outcome, err := report.WriteResult(o.output, report.Result{
		Manifest: report.Manifest{Name: "scaling", Version: version,
			Scenario: measurement(command), Figures: scalingFigures(largest)},
		Run:   runFacts(started, 1),
		Table: report.Table{Paths: scalingPaths, Rows: rows},
	})
	if err != nil || o.quiet {
		return err
	}
	if err := printScaling(a.stdout, rows); err != nil {
		return err
	}
	a.printFiles(outcome)
	return nil
}

// scalingFigures are those that messages of at most the largest size have.
func scalingFigures(largest units.Bytes) []report.Figure {
	is := func(path, text string) report.AxisMatch { return report.AxisMatch{Path: path, Text: text} }
	part := func(name string) []report.AxisMatch { return []report.AxisMatch{is("part", name)} }
	figures := []report.Figure{
		{Name: "size-lossless", X: "message.size", Where: part(partLossless),
			Title: "Time to simulate a sample, by size, without loss"},
		{Name: "size-ten-losses", X: "message.size", Where: part(partTen),
			Title: "Time to simulate a sample, by size, with ten chunks lost on average"},
		{Name: "packets", X: "message.size", Where: part(partPackets),
			Title: "Time to simulate a sample in single packets, by size, without loss"},
	}
	for _, size := range []units.Bytes{128 * units.MiB, units.GiB} {
		if size > largest {
			continue
		}
		where := append(part(partLoss), is("message.size", strconv.FormatInt(int64(size), 10)))
		figures = append(figures, report.Figure{
			Name: fmt.Sprintf("loss-%v", size), X: "link.loss.p", Where: where,
			Title: fmt.Sprintf("Time to simulate a sample of %s, by drop rate", sizeText(size)),
		}, report.Figure{
			Name: fmt.Sprintf("ratio-%v", size), X: "link.loss.p", Where: where, Y: "wall_ratio",
			Schemes: scalingSchemes,
			Title:   fmt.Sprintf("Simulation of %s over the bare model, by drop rate", sizeText(size)),
		})
	}
	for i := range figures {
		f := &figures[i]
		f.Kind, f.XScale, f.YScale = report.KindLine, report.ScaleLog, report.ScaleLog
		if f.Y != "" {
			continue
		}
		f.Y, f.Schemes = "wall", slices.Clone(scalingSchemes)
		for _, name := range scalingSchemes {
			f.Schemes = append(f.Schemes, bareLabel(name))
		}
	}
	return figures
}

// printScaling prints a line for each scheme at each point.
func printScaling(w io.Writer, rows []report.Row) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "part\tsize\tdrop rate\tscheme\tevents\tlosses\tsample\t\t")
	for i := range rows {
		r := &rows[i]
		if math.IsNaN(r.EventsMean) {
			continue // the yardstick itself
		}
		last := fmt.Sprintf("%.1fx the bare model", r.WallRatio)
		if r.Axes[0].Text == partPackets {
			last = spent(r.SampleWall/r.PacketsMean) + " a packet"
		}
		fmt.Fprintf(table, "%s\t%v\t%.3g\t%s\t%.1f\t%.1f\t%s\t%s\t\n", r.Axes[0].Text,
			units.Bytes(r.Axes[1].Number), r.Axes[2].Number, r.Scheme, r.EventsMean, r.LostMean,
			spent(r.SampleWall), last)
	}
	fmt.Fprintln(table)
	return table.Flush()
}
