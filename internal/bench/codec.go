package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"sdrsim/internal/figure"
	"sdrsim/internal/result"
	"sdrsim/internal/stats"
	"sdrsim/schemes/ec"
	"sdrsim/schemes/ec/code"
	"sdrsim/units"
)

// minPasses is how often a message is coded at least, for an interval.
const minPasses = 5

// Codec measures the erasure codes.
type Codec struct {
	Size   string        // of the message
	Budget time.Duration // of each measurement
	Cores  int           // the most that code at a time

	size units.Bytes
}

// Check names the flag that cannot be.
func (c *Codec) Check() (err error) {
	switch {
	case c.Cores < 1:
		return fmt.Errorf("--cores %d: must be at least 1", c.Cores)
	case c.Budget <= 0:
		return fmt.Errorf("--time %v: must be a time above 0, such as 200ms", c.Budget)
	}
	c.size, err = units.ParseBytes(c.Size)
	if err != nil || c.size < units.KiB || c.size > 64*units.GiB {
		return fmt.Errorf("--size %s: must be a size from 1KiB to 64GiB such as 128MiB", c.Size)
	}
	return nil
}

// About is what the results are of.
func (c *Codec) About() About {
	return About{
		Name: "codec", Jobs: c.Cores, Figures: codecFigures, Paths: codecPaths,
		Command: fmt.Sprintf("codec --size %s --time %v --cores %d", c.Size, c.Budget, c.Cores),
	}
}

var codecPaths = []string{"cores", "chunk", "split"}

// codecPoint is one configuration to be measured.
type codecPoint struct {
	size  units.Bytes // of the message
	cores int
	chunk units.Bytes
	k, m  int
}

// codecPoints are three lines through (1 core, 64 KiB, (32,8)): by cores, by chunk size, by split.
func codecPoints(size units.Bytes, most int) []codecPoint {
	base := codecPoint{size: size, cores: 1, chunk: 64 * units.KiB, k: 32, m: 8}
	points := []codecPoint{base}
	for cores := 2; ; cores *= 2 {
		p := base
		if p.cores = min(cores, most); p.cores < 2 {
			break
		}
		points = append(points, p)
		if cores >= most {
			break
		}
	}
	for chunk := 4 * units.KiB; chunk <= units.MiB; chunk *= 4 {
		if p := base; chunk != p.chunk {
			p.chunk = chunk
			points = append(points, p)
		}
	}
	for _, split := range [][2]int{{8, 2}, {16, 4}, {32, 4}, {32, 16}, {64, 16}} {
		p := base
		p.k, p.m = split[0], split[1]
		points = append(points, p)
	}
	return points
}

// Measure measures every point under each code, encoding and rebuilding.
func (c *Codec) Measure(ctx context.Context) ([]result.Row, error) {
	var rows []result.Row
	for _, p := range codecPoints(c.size, c.Cores) {
		for _, code := range ec.Codes {
			b, err := newCodecBench(p, code)
			if err != nil {
				return nil, err
			}
			for _, task := range []codecTask{encodeTask, rebuildTask} {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				rates, err := b.measure(task, c.Budget)
				if err != nil {
					return nil, err
				}
				rows = append(rows, codecRow(p, label(code, task), rates))
			}
		}
	}
	return rows, nil
}

// codecRow is a measurement as a row of results: samples are passes over the message.
func codecRow(p codecPoint, what string, rates []float64) result.Row {
	axes := []result.AxisValue{
		{Path: "cores", Text: strconv.Itoa(p.cores), Number: float64(p.cores)},
		{Path: "chunk", Text: strconv.FormatInt(int64(p.chunk), 10), Number: float64(p.chunk)},
		{Path: "split", Text: fmt.Sprintf("(%d,%d)", p.k, p.m), Number: math.NaN()},
	}
	row := result.NewRow(axes, what)
	mean := stats.Mean(rates)
	row.Samples = int64(len(rates))
	row.Goodput, row.GoodputLo, row.GoodputHi = mean.Value, mean.Lo, mean.Hi
	// Parity is written as well.
	row.Throughput = float64(mean.Value * float64(p.k+p.m) / float64(p.k))
	return row
}

// codecTask is what is measured.
type codecTask string

const (
	encodeTask  codecTask = "encode"
	rebuildTask codecTask = "rebuild"
)

// label names what a code does.
func label(code ec.Code, task codecTask) string { return string(code.Rule) + " " + string(task) }

// codecBench is a message in memory, divided among coders.
type codecBench struct {
	point codecPoint
	parts []codecPart
	// lost is the pattern of a submessage that has lost a data chunk for every parity chunk.
	lost []uint64
}

// codecPart is what one core codes: its own submessages, data first, and a coder.
type codecPart struct {
	coder       code.Coder
	submessages [][][]byte
}

func newCodecBench(p codecPoint, c ec.Code) (*codecBench, error) {
	b := &codecBench{point: p, lost: make([]uint64, (p.k+p.m+63)/64)}
	for i := p.m; i < p.k+p.m; i++ {
		b.lost[i/64] |= 1 << (i % 64)
	}
	each := max(1, int(p.size)/(p.k*int(p.chunk)*p.cores))
	for range p.cores {
		coder, err := c.New(p.k, p.m)
		if err != nil {
			return nil, err
		}
		part := codecPart{coder: coder}
		for range each {
			part.submessages = append(part.submessages, submessage(p))
		}
		b.parts = append(b.parts, part)
	}
	// Once ahead of the clock: coders make their tables, and all pages are touched.
	if _, err := b.pass(encodeTask); err != nil {
		return nil, err
	}
	return b, nil
}

// submessage makes the chunks of a submessage, data with some content.
func submessage(p codecPoint) [][]byte {
	memory := make([]byte, (p.k+p.m)*int(p.chunk))
	for i := range p.k * int(p.chunk) {
		memory[i] = byte(i*167 + i>>8)
	}
	chunks := make([][]byte, p.k+p.m)
	for i := range chunks {
		chunks[i], memory = memory[:p.chunk:p.chunk], memory[p.chunk:]
	}
	return chunks
}

// data is the size of the message, in bits.
func (b *codecBench) data() float64 {
	subs := len(b.parts) * len(b.parts[0].submessages)
	return float64(8 * subs * b.point.k * int(b.point.chunk))
}

// measure returns the rates of passes, in bits of data a second. A coder that divides its work over
// goroutines gets no more cores than the point has.
func (b *codecBench) measure(task codecTask, budget time.Duration) ([]float64, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(b.point.cores))
	var rates []float64
	for total := time.Duration(0); len(rates) < minPasses || total < budget; {
		took, err := b.pass(task)
		if err != nil {
			return nil, err
		}
		total += took
		rates = append(rates, b.data()/took.Seconds())
	}
	return rates, nil
}

// pass codes the whole message once, all parts at a time.
func (b *codecBench) pass(task codecTask) (time.Duration, error) {
	faults := make([]error, len(b.parts))
	var all sync.WaitGroup
	started := time.Now()
	for i := range b.parts {
		all.Go(func() { faults[i] = b.parts[i].run(task, b.lost) })
	}
	all.Wait()
	took := max(time.Since(started), time.Nanosecond)
	return took, errors.Join(faults...)
}

func (p *codecPart) run(task codecTask, lost []uint64) error {
	k := p.coder.DataChunks()
	for _, chunks := range p.submessages {
		var err error
		if task == encodeTask {
			err = p.coder.Encode(chunks[:k], chunks[k:])
		} else {
			err = p.coder.Reconstruct(chunks, lost)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// codecFigures are drawn from the measurements. Those of one core hold for every machine.
var codecFigures = []figure.Figure{
	{Kind: figure.Line, Name: "by-cores", X: "cores", Y: "goodput", XScale: figure.LinearScale,
		YScale:     figure.LinearScale,
		Title:      "Figure 11: message data coded a second, by cores, 64 KiB chunks, (32,8)",
		Where:      []figure.AxisMatch{{Path: "chunk", Text: "65536"}, {Path: "split", Text: "(32,8)"}},
		References: []figure.Reference{{Axis: "y", Value: 4e11, Label: "400 Gbit/s"}}},
	{Kind: figure.Line, Name: "by-chunk", X: "chunk", Y: "goodput", YScale: figure.LinearScale,
		Title: "Message data coded a second on one core, by chunk size, (32,8)",
		Where: []figure.AxisMatch{{Path: "cores", Text: "1"}, {Path: "split", Text: "(32,8)"}}},
	{Kind: figure.Bar, Name: "by-split", X: "split", Y: "goodput", YScale: figure.LinearScale,
		Title: "Message data coded a second on one core, by split (k,m), 64 KiB chunks",
		Where: []figure.AxisMatch{{Path: "cores", Text: "1"}, {Path: "chunk", Text: "65536"}}},
}

// Print prints the table, and the schemes that a scenario can take over.
func (c *Codec) Print(w io.Writer, rows []result.Row) error {
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
	for _, code := range ec.Codes {
		fmt.Fprintf(w, "  - {name: %s, k: 32, m: 8, encode.rate: %.0fMbps, decode.rate: %.0fMbps, "+
			"cores: 4}\n", code.Scheme, rate[label(code, encodeTask)]/1e6,
			rate[label(code, rebuildTask)]/1e6)
	}
	_, err := fmt.Fprintln(w)
	return err
}
