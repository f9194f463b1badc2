package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"sync"
	"time"

	"sdrsim/internal/report"
	"sdrsim/internal/stats"
	"sdrsim/schemes/ec/code"
	"sdrsim/units"
)

// minPasses is how often a message is coded at least, for an interval.
const minPasses = 5

var (
	codecPaths = []string{"cores", "chunk", "split"}
	codecNames = []string{"mds", "xor"}
)

// codecPoint is one configuration to be measured under both codes.
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

// measureCodecs measures every point under both codes, encoding and rebuilding.
func measureCodecs(
	ctx context.Context, points []codecPoint, budget time.Duration,
) ([]report.Row, error) {
	var rows []report.Row
	for _, p := range points {
		for _, name := range codecNames {
			b, err := newCodecBench(p, name)
			if err != nil {
				return nil, err
			}
			for _, task := range []codecTask{encodeTask, rebuildTask} {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				rates, err := b.measure(task, budget)
				if err != nil {
					return nil, err
				}
				rows = append(rows, codecRow(p, name+" "+string(task), rates))
			}
		}
	}
	return rows, nil
}

// codecRow is a measurement as a row of results: samples are passes over the message.
func codecRow(p codecPoint, what string, rates []float64) report.Row {
	axes := []report.AxisValue{
		{Path: "cores", Text: strconv.Itoa(p.cores), Number: float64(p.cores)},
		{Path: "chunk", Text: strconv.FormatInt(int64(p.chunk), 10), Number: float64(p.chunk)},
		{Path: "split", Text: fmt.Sprintf("(%d,%d)", p.k, p.m), Number: math.NaN()},
	}
	row := report.NewRow(axes, what)
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

func newCodecBench(p codecPoint, name string) (*codecBench, error) {
	b := &codecBench{point: p, lost: make([]uint64, (p.k+p.m+63)/64)}
	for i := p.m; i < p.k+p.m; i++ {
		b.lost[i/64] |= 1 << (i % 64)
	}
	each := max(1, int(p.size)/(p.k*int(p.chunk)*p.cores))
	for range p.cores {
		coder, err := newCoder(name, p)
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

func newCoder(name string, p codecPoint) (code.Coder, error) {
	if name == "xor" {
		return code.NewXOR(p.k, p.m)
	}
	return code.NewMDS(p.k, p.m)
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
	for _, err := range faults {
		if err != nil {
			return 0, err
		}
	}
	return took, nil
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
