package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"sdrsim/internal/result"
	"sdrsim/internal/stats"
)

// The tables of these tests are made up: they have the shape of results, and no simulation is
// behind them.

func number(path string, v float64) result.AxisValue {
	text := result.FormatNumber(v)
	if v >= 1 && v <= 1e15 { // as scenarios write sizes and rates
		text = strconv.FormatFloat(v, 'f', -1, 64)
	}
	return result.AxisValue{Path: path, Text: text, Number: v}
}

func word(path, text string) result.AxisValue {
	return result.AxisValue{Path: path, Text: text, Number: math.NaN()}
}

// syntheticRow makes a row whose completion time is base times what losses cost the scheme.
func syntheticRow(axes []result.AxisValue, scheme string, base, p, chunks float64) result.Row {
	r := result.NewRow(axes, scheme)
	r.Samples = 4000
	hit := 1 - math.Exp(-p*chunks)
	rounds := math.Log1p(p*chunks) / 4
	cost := map[string]float64{"sr-rto": 3, "sr-nack": 1, "ec-mds": 0.0, "ec-xor": 0.0}
	parity := map[string]float64{"ec-mds": 0.025, "ec-xor": 0.025}
	failed := map[string]float64{"ec-mds": math.Min(1, math.Pow(p*40, 3)),
		"ec-xor": math.Min(1, math.Pow(p*150, 2))}
	c, ok := cost[scheme]
	if !ok {
		c = 0.5 + float64(len(scheme)%7)
	}
	mean := base * (1 + parity[scheme] + c*(hit+rounds) + 3*failed[scheme]*(1+rounds))
	r.CompletionMean = mean
	r.CompletionMeanLo, r.CompletionMeanHi = mean*0.97, mean*1.03
	r.CompletionP50 = mean * 0.98
	r.CompletionP99 = mean * (1 + c*0.4 + 0.01)
	r.CompletionP99Lo, r.CompletionP99Hi = r.CompletionP99*0.96, r.CompletionP99*1.05
	r.CompletionP999 = mean * (1.02 + c*0.7)
	r.CompletionP999Lo = r.CompletionP999 * 0.93
	r.CompletionP999Hi = r.CompletionP999 * 1.1
	if p >= 1e-3 {
		r.Warnings = append(r.Warnings, "p99.9: 4 of 4000 samples beyond it, fewer than 10")
	}
	r.CompletionMax = mean * (1.1 + c)
	r.DeliveryMean, r.SlowdownMean, r.SlowdownP999 = mean*0.6, mean/base, r.CompletionP999/base
	r.Goodput = chunks * 4096 * 8 / mean
	r.GoodputLo, r.GoodputHi = r.Goodput*0.98, r.Goodput*1.02
	r.Throughput = r.Goodput * (1 + parity[scheme]*8 + p)
	r.WireBytesMean, r.PacketsMean, r.LostMean = chunks*4200, chunks, chunks*p
	r.RetransmitsMean, r.SpuriousRetransmitsMean = chunks*p, chunks*p*0.01
	r.FallbackFraction = failed[scheme]
	r.EventsMean = 30 + chunks*p*4
	if strings.HasPrefix(scheme, "sr") {
		r.ModelCompletionMean = mean * 0.99
	}
	return r
}

var fourSchemes = []string{"sr-rto", "sr-nack", "ec-mds", "ec-xor"}

// dropRates are from 1e-6 to 1e-1, three a decade.
func dropRates() []float64 {
	var out []float64
	for decade := -6; decade < -1; decade++ {
		for _, m := range []string{"1", "2.15", "4.64"} {
			v, _ := strconv.ParseFloat(m+"e"+strconv.Itoa(decade), 64)
			out = append(out, v)
		}
	}
	return append(out, 0.1)
}

// sweep makes a table over one path.
func sweep(path string, values []float64, schemes []string) result.Table {
	t := result.Table{Paths: []string{path}}
	for _, v := range values {
		p := 1e-4
		if path == "link.loss.p" {
			p = v
		}
		for _, s := range schemes {
			t.Rows = append(t.Rows, syntheticRow([]result.AxisValue{number(path, v)}, s, 0.0277, p, 32768))
		}
	}
	return t
}

// grid2 makes a table over message size and drop rate.
func grid2() result.Table {
	t := result.Table{Paths: []string{"message.size", "link.loss.p"}}
	for _, size := range []float64{1 << 17, 1 << 20, 1 << 24, 1 << 27, 1 << 30, 1 << 33} {
		for _, p := range dropRates() {
			axes := []result.AxisValue{number("message.size", size), number("link.loss.p", p)}
			for _, s := range fourSchemes {
				row := syntheticRow(axes, s, 0.025+size*8/400e9, p, size/4096)
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return t
}

// withDistributions adds a distribution to every row: most samples near the median, and steps of
// one timeout each in the tail.
func withDistributions(t result.Table) result.Table {
	for i := range t.Rows {
		r := &t.Rows[i]
		var samples []float64
		for k := range 4000 {
			u := (float64(k) + 0.5) / 4000
			rounds := math.Floor(-math.Log(1-u) / 1.5)
			samples = append(samples, r.CompletionP50+rounds*0.075*float64(i%4)/3+u*0.002)
		}
		slices.Sort(samples)
		t.Distributions = append(t.Distributions, result.Distribution{
			Axes: r.Axes, Scheme: r.Scheme, Steps: stats.Steps(samples, result.DistributionSteps),
		})
	}
	return t
}
