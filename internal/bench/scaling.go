package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"

	"sdrsim/internal/closedform"
	"sdrsim/internal/experiment"
	"sdrsim/internal/figure"
	"sdrsim/internal/result"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
	"sdrsim/scenarios"
	"sdrsim/schemes/catalog"
	"sdrsim/units"
)

// Scaling measures what a sample of each scheme that has a formula costs.
type Scaling struct {
	Largest string // size that is measured
	Effort

	largest units.Bytes
}

// Check names the flag that cannot be.
func (s *Scaling) Check() (err error) {
	if s.Budget <= 0 || s.Rounds < 1 {
		return errors.New("--time and --rounds must be positive")
	}
	s.largest, err = units.ParseBytes(s.Largest)
	if err != nil || s.largest < units.MiB {
		return fmt.Errorf("--largest %s: must be a size from 1MiB such as 8GiB", s.Largest)
	}
	return nil
}

// About is what the results are of.
func (s *Scaling) About() About {
	return About{
		Name: "scaling", Jobs: 1, Figures: scalingFigures(s.largest), Paths: scalingPaths,
		Command: fmt.Sprintf("scaling --largest %s --time %v --rounds %d", s.Largest, s.Budget,
			s.Rounds),
	}
}

// Measure measures every cell.
func (s *Scaling) Measure(ctx context.Context) ([]result.Row, error) {
	var rows []result.Row
	for _, c := range scalingCells(s.largest) {
		of, err := c.measure(ctx, s.Effort)
		if err != nil {
			return nil, err
		}
		rows = append(rows, of...)
	}
	return rows, nil
}

// scalingSchemes are those with a formula, which has to be there to compare with.
var scalingSchemes = sync.OnceValue(func() (names []string) {
	var all []string
	for _, e := range catalog.Entries() {
		all = append(all, e.Name)
	}
	point := scalingCell{size: units.MiB}.point(all)
	for i := range point.Schemes {
		if _, err := closedform.NewSampler(&point, &point.Schemes[i]); err == nil {
			names = append(names, all[i])
		}
	}
	return names
})

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

// point is the cell on the long link of the figures.
func (c scalingCell) point(schemes []string) spec.Point {
	runs := ""
	if c.part == partPackets {
		runs = "engine: {runs: 1}\n"
	}
	text := fmt.Sprintf("name: scaling\n"+
		"link: {bandwidth: 400Gbps, rtt: 25ms, mtu: 4KiB, encapsulation: none,\n"+
		"  loss: {model: iid, per: chunk, p: %v}, ack_loss: none}\n"+
		"message: {size: %dB, chunk: %dB}\n%sschemes: [%s]\nacceleration: none\n",
		c.p, c.size, scalingChunk, runs, strings.Join(schemes, ", "))
	s, err := scenarios.Load("bench", []byte(text), nil)
	if err != nil {
		panic(fmt.Sprintf("BUG: bench: the scenario of a measurement does not load: %v", err))
	}
	return s.At(0)
}

func (c scalingCell) axes() []result.AxisValue {
	return []result.AxisValue{
		{Path: "part", Text: c.part, Number: math.NaN()},
		{Path: "message.size", Text: strconv.FormatInt(int64(c.size), 10), Number: float64(c.size)},
		{Path: "link.loss.p", Text: strconv.FormatFloat(c.p, 'g', -1, 64), Number: c.p},
	}
}

// scalingPaths are the paths of axes.
var scalingPaths = []string{"part", "message.size", "link.loss.p"}

// sizeText writes a size as figures do.
func sizeText(size units.Bytes) string {
	text := size.String()
	number := strings.TrimRight(text, "KMGTiB")
	return number + " " + text[len(number):]
}

// bareLabel names the yardstick of a scheme.
func bareLabel(scheme string) string { return scheme + " (bare model)" }

// measure measures every scheme of the cell, and its yardstick.
func (c scalingCell) measure(ctx context.Context, e Effort) ([]result.Row, error) {
	point := c.point(scalingSchemes())
	var variants []*variant
	totals := make([]tallied, len(point.Schemes))
	for i := range point.Schemes {
		scheme := &point.Schemes[i]
		r, err := experiment.NewRunner(&point, scheme)
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
	var rows []result.Row
	for i, v := range variants {
		row, yardstick := result.NewRow(c.axes(), v.name), []float64(nil)
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
func (t *tallied) describe(row *result.Row) {
	mean := func(n int64) float64 { return float64(n) / float64(t.samples) }
	row.EventsMean, row.LostMean = mean(t.Events), mean(t.Lost)
	row.PacketsMean, row.AcksMean = mean(t.Packets), mean(t.Acks)
}

// scalingFigures are those that messages of at most the largest size have.
func scalingFigures(largest units.Bytes) []figure.Figure {
	is := func(path, text string) figure.AxisMatch { return figure.AxisMatch{Path: path, Text: text} }
	part := func(name string) []figure.AxisMatch { return []figure.AxisMatch{is("part", name)} }
	figures := []figure.Figure{
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
		figures = append(figures, figure.Figure{
			Name: fmt.Sprintf("loss-%v", size), X: "link.loss.p", Where: where,
			Title: fmt.Sprintf("Time to simulate a sample of %s, by drop rate", sizeText(size)),
		}, figure.Figure{
			Name: fmt.Sprintf("ratio-%v", size), X: "link.loss.p", Where: where, Y: "wall_ratio",
			Schemes: scalingSchemes(),
			Title:   fmt.Sprintf("Simulation of %s over the bare model, by drop rate", sizeText(size)),
		})
	}
	for i := range figures {
		f := &figures[i]
		f.Kind, f.XScale, f.YScale = figure.Line, figure.LogScale, figure.LogScale
		if f.Y != "" {
			continue
		}
		f.Y, f.Schemes = "wall", slices.Clone(scalingSchemes())
		for _, name := range scalingSchemes() {
			f.Schemes = append(f.Schemes, bareLabel(name))
		}
	}
	return figures
}

// Print prints a line for each scheme at each point.
func (*Scaling) Print(w io.Writer, rows []result.Row) error {
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
