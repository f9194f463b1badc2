package main

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sdrsim/internal/closedform"
	"sdrsim/internal/result"
	"sdrsim/internal/sweep"
	"sdrsim/scenarios"
)

var update = flag.Bool("update", false, "write the table of docs/models/statistics.md anew")

// covered is a point whose intervals are held against the truth, over many seeds.
type covered struct {
	name     string
	scenario string // but for its name; samples come last, and what follows is not for the truth
	truth    int    // how many samples the truth rests on
	quick    bool   // played, with fewer seeds, where SDRSIM_LONG is not set
}

const (
	oneLink   = "link: {bandwidth: 100Gbps, rtt: 10ms, encapsulation: none, "
	bothMDS   = "schemes: [{name: sr-rto, rto: 3RTT}, {name: ec-mds, k: 32, m: 8}]\n"
	bothXOR   = "schemes: [{name: sr-rto, rto: 3RTT}, {name: ec-xor, k: 32, m: 8}]\n"
	quarterM  = "message: {size: 256KiB, chunk: 4KiB}\n"
	burstyWay = "loss: {model: gilbert-elliott, mean: 2e-2, burst: 40}, ack_loss: none}\n"
)

// drops are links that lose chunks independently.
func drops(p, acks string) string {
	return oneLink + "loss: {model: iid, per: chunk, p: " + p + "}, ack_loss: " + acks + "}\n"
}

// coveredPoints are messages of 64 chunks unless they say otherwise: p is the expected number of
// losses over 64.
var coveredPoints = bySampling([]covered{
	{name: "256 KiB, 1e-4 losses, n 100", truth: 200_000, quick: true,
		scenario: drops("1.5625e-6", "none") + quarterM + bothMDS + "samples: 100\n"},
	{name: "256 KiB, .01 losses, n 100", truth: 200_000,
		scenario: drops("1.5625e-4", "none") + quarterM + bothMDS + "samples: 100\n"},
	{name: "256 KiB, .1 losses, n 100", truth: 200_000, quick: true,
		scenario: drops("1.5625e-3", "none") + quarterM + bothMDS + "samples: 100\n"},
	{name: "256 KiB, 1 loss, n 30", truth: 200_000,
		scenario: drops("1.5625e-2", "none") + quarterM + bothMDS + "samples: 30\n"},
	{name: "256 KiB, 1 loss, n 1000", truth: 200_000,
		scenario: drops("1.5625e-2", "none") + quarterM + bothXOR + "samples: 1000\n"},
	{name: "256 KiB, 5 losses, n 100", truth: 200_000,
		scenario: drops("7.8125e-2", "none") + quarterM + bothXOR + "samples: 100\n"},
	{name: "1 MiB, .1 losses, n 100", truth: 100_000,
		scenario: drops("3.90625e-4", "none") + "message: {size: 1MiB, chunk: 4KiB}\n" +
			bothXOR + "samples: 100\n"},
	{name: "128 MiB, .1 losses, n 30", truth: 50_000,
		scenario: drops("3.0517578e-6", "none") + "message: {size: 128MiB, chunk: 4KiB}\n" +
			bothMDS + "samples: 30\n"},
	{name: "256 KiB, .1 losses, acks too, n 100", truth: 200_000,
		scenario: drops("1.5625e-3", "same") + quarterM +
			"schemes: [{name: sr-rto, rto: 3RTT}, {name: sr-nack, rto: 3RTT}]\nsamples: 100\n"},
	{name: "1 MiB, 1 loss, acks too, n 100", truth: 100_000,
		scenario: drops("3.90625e-3", "same") + "message: {size: 1MiB, chunk: 4KiB}\n" +
			bothXOR + "samples: 100\n"},
	{name: "256 KiB in chunks of 16, .5 packets, n 100", truth: 100_000,
		scenario: oneLink + "loss: {model: iid, p: 7.8125e-3}, ack_loss: same}\n" +
			"message: {size: 256KiB, chunk: 16KiB}\nschemes: [{name: sr-rto, rto: 3RTT}, " +
			"{name: ec-mds, k: 8, m: 2}, {name: ec-xor, k: 8, m: 2, order: interleaved}]\n" +
			"samples: 100\n"},
	{name: "256 KiB, .1 losses, to 10 %", truth: 200_000,
		scenario: drops("1.5625e-3", "none") + quarterM +
			"schemes: [{name: sr-rto, rto: 3RTT}]\nsamples: 50\nsamples_max: 20000\n" +
			"precision: {completion_mean: 10%}\n"},
	{name: "256 KiB, bursts, n 100", truth: 200_000,
		scenario: oneLink + burstyWay + quarterM + bothMDS + "samples: 100\n"},
	{name: "20 streams of 200 x 64 KiB, bursts", truth: 4000, quick: true,
		scenario: oneLink + burstyWay +
			"message: {size: 64KiB, chunk: 64KiB, count: 200, in_flight: 16}\n" +
			"schemes: [{name: sr-rto, rto: 3RTT}, {name: sr-nack, rto: 3RTT}]\nsamples: 20\n"},
	{name: "1 stream of 2000 x 64 KiB, bursts", truth: 400,
		scenario: oneLink + burstyWay +
			"message: {size: 64KiB, chunk: 64KiB, count: 2000, in_flight: 16}\n" +
			"schemes: [{name: sr-rto, rto: 3RTT}]\nsamples: 1\n"},
	{name: "all-reduce of 4, n 100", truth: 20_000,
		scenario: drops("1e-3", "none") + "message: {size: 256KiB, chunk: 4KiB}\n" +
			"collective: {kind: all-reduce, datacenters: 4}\n" + bothMDS + "samples: 100\n"},
	{name: "256 KiB, .1 losses, tilted, n 300", truth: 200_000,
		scenario: drops("1.5625e-3", "none") + quarterM +
			"schemes: [{name: sr-rto, rto: 3RTT}]\nsamples: 300\nacceleration: {tilt: 4}\n"},
})

// bySampling lists points of one message with independent losses twice: with plain samples, and
// divided into strata as they are by default.
func bySampling(points []covered) (list []covered) {
	for _, c := range points {
		one := strings.Contains(c.scenario, "model: iid") &&
			!strings.Contains(c.scenario, "collective:") && !strings.Contains(c.scenario, "acceleration:")
		if one {
			plain := c
			plain.scenario += "acceleration: none\n"
			list = append(list, plain)
			c.name += ", strata"
		}
		list = append(list, c)
	}
	return list
}

// play runs a scenario with a seed. It tells of which schemes the closed form is exact.
func play(t *testing.T, scenario string, seed int) (rows []result.Row, exact []bool) {
	t.Helper()
	s, err := scenarios.Load("covered.yaml", []byte("name: covered\n"+scenario),
		[]scenarios.Override{{Path: "seed", Value: fmt.Sprint(seed)}})
	if err != nil {
		t.Fatalf("%s: %v", scenario, err)
	}
	swept, err := sweep.Run(t.Context(), sweep.Config{
		Source: s, Jobs: 2, NewRunner: newRunner, Model: closedform.Mean,
	})
	if err != nil {
		t.Fatalf("%s: %v", scenario, err)
	}
	point := s.At(0)
	for i := range point.Schemes {
		exact = append(exact, closedform.Mean(&point, &point.Schemes[i]).Exact)
	}
	return swept.Rows, exact
}

// printed is an interval of a row, with the start of the warnings that are about it.
type printed struct {
	name, warning string
	of            func(*result.Row) (value, lo, hi float64)
}

var intervals = []printed{
	{"mean", "mean:", func(r *result.Row) (value, lo, hi float64) {
		return r.CompletionMean, r.CompletionMeanLo, r.CompletionMeanHi
	}},
	{"p99", "p99:", func(r *result.Row) (value, lo, hi float64) {
		return r.CompletionP99, r.CompletionP99Lo, r.CompletionP99Hi
	}},
	{"p99.9", "p99.9:", func(r *result.Row) (value, lo, hi float64) {
		return r.CompletionP999, r.CompletionP999Lo, r.CompletionP999Hi
	}},
	{"goodput", "goodput:", func(r *result.Row) (value, lo, hi float64) {
		return r.Goodput, r.GoodputLo, r.GoodputHi
	}},
	{"speed-up", "mean:", func(r *result.Row) (value, lo, hi float64) {
		return r.SpeedupMean, r.SpeedupLo, r.SpeedupHi
	}},
	{"fallbacks", "fallback", func(r *result.Row) (value, lo, hi float64) {
		return r.FallbackFraction, r.FallbackLo, r.FallbackHi
	}},
}

// doubted tells whether a row has a warning about the interval that does not come from the truth.
func (p *printed) doubted(r *result.Row) bool {
	for _, w := range r.Warnings {
		if strings.HasPrefix(w, p.warning) && !strings.Contains(w, "closed form") {
			return true
		}
	}
	return false
}

// coverage counts the seeds of one interval at one point under one scheme: those without a warning,
// those with one, of each how many hold the truth, and those without an interval.
type coverage struct {
	point, scheme, interval string
	sure, held              int
	doubtful, with          int
	withheld                int
}

// truth is what an interval has to hold, but for what it leaves out, as a fraction of it.
type truth struct{ value, slack float64 }

// What truths leave out: what sums of picoseconds are rounded by, and what the closed form does not
// know, the time of an acknowledgement on its own way.
const roundingSlack, ackSlack = 1e-9, 3e-6

// truths are what the intervals of a point have to hold: values of many samples, and of the mean
// the closed form where it is exact and the better of the two.
func (c *covered) truths(t *testing.T) [][]truth {
	before, _, _ := strings.Cut(c.scenario, "samples: ")
	rows, exact := play(t, before+fmt.Sprintf("samples: %d\n", c.truth), 1_000_000)
	means := make([]float64, len(rows))
	slack := roundingSlack
	for i := range rows {
		r := &rows[i]
		means[i] = r.CompletionMean
		if width := r.CompletionMeanHi - r.CompletionMeanLo; exact[i] && !(width < 1e-5*means[i]) {
			means[i], slack = r.ModelCompletionMean, ackSlack
		}
	}
	list := make([][]truth, len(rows))
	for i := range rows {
		r := &rows[i]
		for k := range intervals {
			value, _, _ := intervals[k].of(r)
			switch intervals[k].name {
			case "mean":
				value = means[i]
			case "goodput":
				value *= r.CompletionMean / means[i]
			case "speed-up":
				value = means[0] / means[i]
			}
			list[i] = append(list[i], truth{value, slack})
		}
	}
	return list
}

// cover plays a point with so many seeds.
func (c *covered) cover(t *testing.T, seeds int) []coverage {
	truths := c.truths(t)
	var table []coverage
	for seed := range seeds {
		rows, _ := play(t, c.scenario, seed+1)
		for i := range rows {
			for k := range intervals {
				if seed == 0 {
					table = append(table, coverage{
						point: c.name, scheme: rows[i].Scheme, interval: intervals[k].name,
					})
				}
				table[i*len(intervals)+k].add(&intervals[k], &rows[i], truths[i][k])
			}
		}
	}
	return table
}

// add counts one interval. An end that is not known is as far as can be. What a scheme has no value
// of, or one that chance has no part in, is not counted.
func (y *coverage) add(p *printed, r *result.Row, want truth) {
	value, lo, hi := p.of(r)
	if math.IsNaN(value) || (value == 1 && lo == 1 && hi == 1) || math.IsNaN(want.value) {
		return
	}
	if p.name == "fallbacks" && value == 0 && math.IsNaN(lo) {
		return // of a scheme that cannot fall back
	}
	if math.IsNaN(lo) && math.IsNaN(hi) {
		y.withheld++
		return
	}
	slack := want.slack * math.Abs(want.value)
	held := 0
	if !(lo > want.value+slack) && !(hi < want.value-slack) {
		held = 1
	}
	if p.doubted(r) {
		y.doubtful, y.with = y.doubtful+1, y.with+held
		return
	}
	y.sure, y.held = y.sure+1, y.held+held
}

// honest is the share of seeds whose interval holds the truth, or is withheld, or has a warning.
// Those without a warning alone are no fair draw: where a few more losses spare the warning, they
// are the ones that saw more than their share.
func (y *coverage) honest() float64 {
	return 1 - float64(y.sure-y.held)/float64(y.sure+y.doubtful+y.withheld)
}

// least is the share of so many intervals that has to hold the truth: three standard errors below
// 95 %.
func least(n int) float64 { return .95 - 3*math.Sqrt(.95*.05/float64(n)) }

// In 95 % of the seeds, within three standard errors, an interval holds the truth or its row warns.
// With SDRSIM_LONG all points are played, with 400 seeds, and -update writes the table of
// docs/models/statistics.md.
func TestPrintedIntervalsHoldTheTruth(t *testing.T) {
	seeds, long := 60, os.Getenv("SDRSIM_LONG") != ""
	if long {
		seeds = 400
	}
	var table []coverage
	for i := range coveredPoints {
		c := &coveredPoints[i]
		if !c.quick && !long {
			continue
		}
		if !long {
			c.truth /= 10
		}
		for _, y := range c.cover(t, seeds) {
			if y.sure+y.doubtful+y.withheld == 0 {
				continue
			}
			table = append(table, y)
			if y.honest() < least(seeds) {
				t.Errorf("%s, %s: %d of %d intervals of the %s hold the truth, and no warning",
					y.point, y.scheme, y.held, y.sure, y.interval)
			}
		}
	}
	text := coverageTable(table)
	t.Log(text)
	if long && *update {
		writeCoverage(t, text)
	}
}

// coverageTable is the table in Markdown.
func coverageTable(table []coverage) string {
	var b strings.Builder
	b.WriteString("| point | scheme | interval | hold, or warn | no warning | of these hold | " +
		"warned | of these hold | withheld |\n|---|---|---|---|---|---|---|---|---|\n")
	share := func(held, n int) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprintf("%.3f", float64(held)/float64(n))
	}
	for _, y := range table {
		fmt.Fprintf(&b, "| %s | %s | %s | %.3f | %d | %s | %d | %s | %d |\n", y.point, y.scheme,
			y.interval, y.honest(), y.sure, share(y.held, y.sure), y.doubtful,
			share(y.with, y.doubtful), y.withheld)
	}
	return b.String()
}

// writeCoverage puts the table between its marks on the page.
func writeCoverage(t *testing.T, text string) {
	t.Helper()
	const begin, end = "<!-- coverage: begin -->\n", "<!-- coverage: end -->"
	page := filepath.Join("..", "..", "docs", "models", "statistics.md")
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, opened := bytes.Cut(data, []byte(begin))
	_, after, closed := bytes.Cut(rest, []byte(end))
	if !opened || !closed {
		t.Fatalf("%s has no marks of the table", page)
	}
	whole := slices.Concat(before, []byte(begin+text+end), after)
	if err := os.WriteFile(page, whole, 0o644); err != nil {
		t.Fatal(err)
	}
}
