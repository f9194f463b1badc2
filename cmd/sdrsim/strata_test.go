package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"sdrsim/internal/closedform"
	"sdrsim/internal/result"
	"sdrsim/internal/sweep"
	"sdrsim/scenarios"
)

// rowsOf runs a scenario under a seed.
func rowsOf(t *testing.T, yaml string, seed int) []result.Row {
	t.Helper()
	s, err := scenarios.Load("t.yaml", []byte(yaml), []scenarios.Override{
		{Path: "seed", Value: fmt.Sprint(seed)}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := sweep.Run(t.Context(), sweep.Config{Source: s, Jobs: 1, NewRunner: newRunner,
		Model: closedform.Mean})
	if err != nil {
		t.Fatal(err)
	}
	return r.Rows
}

// Intervals of means over strata hold the closed form, which is exact for these, in at least the
// share of seeds that they say, be losses expected once in ten thousand messages or in every one;
// so do those of speed-ups, and of what is left of them where a precision ends the sampling. Some
// hundreds of seeds a row with SDRSIM_LONG=1.
func TestStrataHoldTheClosedForm(t *testing.T) {
	seeds, least := 80, 0.86 // 0.95 less four standard errors
	if os.Getenv("SDRSIM_LONG") != "" {
		seeds, least = 400, 0.917
	}
	for _, c := range []struct {
		p, size string
		samples string
	}{
		{"1e-4", "4KiB", "samples: 30"},
		{"5e-5", "4KiB", "samples: 100"},
		{"1e-4", "4KiB", "samples: 20\nprecision: {completion_mean: 1%}"},
		{"1e-4", "256KiB", "samples: 30"},
		{"1e-3", "256KiB", "samples: 100"},
		{"1e-2", "256KiB", "samples: 100"},
		{"1e-2", "256KiB", "samples: 30\nprecision: {completion_mean: 5%}"},
		{"3e-2", "256KiB", "samples: 100"},
	} {
		yaml := `
name: t
link: {bandwidth: 100Gbps, rtt: 10ms, mtu: 4KiB, encapsulation: none, ack_loss: none,
  loss: {model: iid, per: chunk, p: ` + c.p + `}}
message: {size: ` + c.size + `, chunk: 4KiB}
schemes: [sr-rto, {name: sr-rto, rto: 9RTT, label: slow}]
` + c.samples
		held, ratios := 0, 0
		for seed := range seeds {
			rows := rowsOf(t, yaml, seed)
			warnings := strings.Join(rows[1].Warnings, "; ")
			if rows[0].Sampling != result.SamplingStrata || strings.Contains(warnings, "carry") {
				t.Fatalf("%s, %s: %s %q", c.p, c.size, rows[0].Sampling, warnings)
			}
			fast, slow := rows[0].ModelCompletionMean, rows[1].ModelCompletionMean
			if rows[1].CompletionMeanLo <= slow && slow <= rows[1].CompletionMeanHi {
				held++
			}
			if rows[1].SpeedupLo <= fast/slow && fast/slow <= rows[1].SpeedupHi {
				ratios++
			}
		}
		name := fmt.Sprintf("p %s, %s, %s", c.p, c.size, strings.ReplaceAll(c.samples, "\n", ", "))
		n := float64(seeds)
		t.Logf("%s: mean %.3f, speed-up %.3f", name, float64(held)/n, float64(ratios)/n)
		if float64(held) < least*n || float64(ratios) < least*n {
			t.Errorf("%s: of %d seeds %d hold the mean and %d the speed-up", name, seeds, held, ratios)
		}
	}
}

// A loss of one in ten thousand under a long timeout: most samples of the default say nothing of it
// where they are plain, and all where they are divided.
func TestRareLossesAreInTheMean(t *testing.T) {
	b, err := os.ReadFile("testdata/rare.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for seed := range 5 {
		row := rowsOf(t, string(b), seed)[0]
		const want = 362.1e-6
		if row.CompletionMeanLo > want || row.CompletionMeanHi < want || len(row.Warnings) > 0 ||
			row.CompletionMeanHi-row.CompletionMeanLo > 0.02*want {
			t.Errorf("seed %d: mean %v [%v, %v], %q", seed, row.CompletionMean,
				row.CompletionMeanLo, row.CompletionMeanHi, row.Warnings)
		}
	}
}

// Without losses the completion times of an open loop differ by next to nothing, now and then,
// which is a doubt about their mean; how long all messages take is another matter.
func TestGoodputOfAnOpenLoopHasDoubtsOfItsOwn(t *testing.T) {
	const yaml = `
name: t
link: {bandwidth: 100Gbps, rtt: 1ms, loss: none}
message: {size: 64KiB, chunk: 64KiB, count: 200, in_flight: 64,
  arrival: {model: poisson, load: 0.5}}
schemes: [sr-rto]
samples: 40
`
	row := rowsOf(t, yaml, 1)[0]
	text := strings.Join(row.Warnings, "; ")
	if !strings.Contains(text, "mean: ") || strings.Contains(text, "goodput: ") ||
		!(row.GoodputLo < row.Goodput && row.Goodput < row.GoodputHi) {
		t.Errorf("%q, goodput %v [%v, %v]", text, row.Goodput, row.GoodputLo, row.GoodputHi)
	}
	lossy := strings.Replace(strings.Replace(yaml, "loss: none", "loss: {model: iid, p: 1e-5}", 1),
		"rtt: 1ms", "rtt: 10ms", 1)
	text = strings.Join(rowsOf(t, lossy, 1)[0].Warnings, "; ")
	if !strings.Contains(text, "goodput: ") {
		t.Errorf("with losses in few samples: %q", text)
	}
}
