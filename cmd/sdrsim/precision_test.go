package main

import (
	"math"
	"strings"
	"testing"

	"sdrsim/internal/report"
	"sdrsim/internal/result"
)

// warned reports whether a row has a warning that starts so.
func warned(r *result.Row, start string) bool {
	for _, w := range r.Warnings {
		if strings.HasPrefix(w, start) {
			return true
		}
	}
	return false
}

// A message of one chunk on a link that loses one of 10 000, with a timeout of 2.1 s: the mean is
// 362.1 us, and 147.4 us where no loss was seen, as in most of the runs of 1000 samples.
func TestMeanAllowsForALossThatNobodySaw(t *testing.T) {
	const scenario = `
link: {bandwidth: 25Gbps, rtt: 146us, loss: {model: iid, p: 1e-4}, ack_loss: none}
message: {size: 4KiB, chunk: 4KiB}
schemes: [{name: sr-rto, rto: 2147ms}, {name: sr-rto, rto: 1ms, label: fast}]
samples: 1000
acceleration: none
`
	held := 0
	const seeds = 40
	for seed := range seeds {
		rows, _ := play(t, scenario, seed+1)
		for i := range rows {
			r := &rows[i]
			if !(r.CompletionMeanHi > r.CompletionMeanLo) || !(r.GoodputHi > r.GoodputLo) {
				t.Fatalf("seed %d: an interval without width: %v", seed, r)
			}
			if r.LostMean == 0 && !warned(r, "mean: no loss seen in 1000 samples") {
				t.Errorf("seed %d: no loss was seen, and no warning: %q", seed, r.Warnings)
			}
		}
		if r := &rows[0]; r.CompletionMeanLo < 362.1e-6 && 362.1e-6 < r.CompletionMeanHi {
			held++
		}
	}
	if held < seeds*9/10 {
		t.Errorf("%d of %d intervals hold 362.1 us", held, seeds)
	}
	t.Log("# precision goes on, and says what it did not reach")
	rows, _ := play(t, scenario+"samples_max: 4000\nprecision: {completion_mean: 1%}\n", 1)
	if r := &rows[0]; r.Samples != 4000 || !warned(r, "precision: completion_mean") {
		t.Errorf("%d samples, warnings %q", r.Samples, r.Warnings)
	}
}

// Messages of a stream wait for one another, and losses of a burst hit many of them: one sample of
// 10 000 messages is no 10 000 samples. Its p99.9 is 10.02 ms.
func TestQuantilesOfStreamsHoldOrAreWithheld(t *testing.T) {
	const scenario = `
link:
  {bandwidth: 100Gbps, rtt: 1ms, loss: {model: gilbert-elliott, mean: 1e-2, burst: 1000},
   ack_loss: none}
message: {size: 64KiB, chunk: 64KiB, count: 10000, in_flight: 64}
schemes: [{name: sr-rto, rto: 3RTT}]
samples: 1
`
	for seed := range 8 {
		rows, _ := play(t, scenario, seed+1)
		r := &rows[0]
		known := !math.IsNaN(r.CompletionP999Lo) || !math.IsNaN(r.CompletionP999Hi)
		if warned(r, "p99.9:") == known {
			t.Errorf("seed %d: [%v, %v] and warnings %q", seed, r.CompletionP999Lo,
				r.CompletionP999Hi, r.Warnings)
		}
		if r.CompletionP999Lo > 10.02e-3 || r.CompletionP999Hi < 10.02e-3 {
			t.Errorf("seed %d: [%v, %v] does not hold 10.02 ms", seed, r.CompletionP999Lo,
				r.CompletionP999Hi)
		}
	}
	t.Log("# one sample reaches no precision")
	const precise = "samples_max: 4\nprecision: {completion_p999: 5%}\n"
	rows, _ := play(t, scenario+precise, 5)
	if r := &rows[0]; r.Samples != 4 || !warned(r, "precision: completion_p999 not carried") {
		t.Errorf("%d samples, warnings %q", r.Samples, r.Warnings)
	}
}

// A scheme that gives up after one repeat is fast in the samples that it delivers.
func TestSchemeThatGaveUpDoesNotWin(t *testing.T) {
	rows, _ := play(t, `
link: {bandwidth: 100Gbps, rtt: 10ms, loss: {model: iid, p: 10%}, ack_loss: none}
message: {size: 64KiB, chunk: 4KiB}
schemes:
  - {name: sr-rto, rto: 1.1RTT, retries: 1, label: hasty}
  - {name: sr-rto, rto: 1.1RTT, retries: 50, label: patient}
samples: 500
`, 1)
	hasty, patient := &rows[0], &rows[1]
	if hasty.Failed == 0 || patient.Failed != 0 || hasty.CompletionMean > patient.CompletionMean {
		t.Fatalf("%+v\n%+v", hasty, patient)
	}
	if !(hasty.GiveUpMean > 20e-3 && hasty.GiveUpMean < 30e-3) || !math.IsNaN(patient.GiveUpMean) {
		t.Errorf("gave up after %v and %v, want two timeouts of 11 ms and never", hasty.GiveUpMean,
			patient.GiveUpMean)
	}
	var b strings.Builder
	if err := report.WinnerTable(&b, result.Table{Rows: rows}); err != nil {
		t.Fatal(err)
	}
	line := strings.Split(b.String(), "\n")[1]
	if !strings.HasPrefix(line, "patient ") || !strings.Contains(line, "hasty 1") {
		t.Errorf("table\n%s", b.String())
	}
}

// A few samples of a heavy tail: no interval of a time or a rate reaches below zero.
func TestIntervalsAreNeverBelowZero(t *testing.T) {
	for _, scheme := range []string{"sr-rto", "{name: ec-mds, k: 4, m: 1}"} {
		for seed := range 20 {
			rows, _ := play(t, `
link: {bandwidth: 1Gbps, rtt: 10us, loss: {model: iid, p: 30%}, ack_loss: none}
message: {size: 64KiB, chunk: 4KiB}
schemes: [{name: sr-rto, rto: 100s, label: base}, `+scheme+`]
samples: 4
`, seed+1)
			for _, r := range rows {
				for _, x := range []float64{r.CompletionMeanLo, r.GoodputLo, r.SpeedupLo} {
					if x < 0 {
						t.Errorf("%s, seed %d: lower end %v", r.Scheme, seed, x)
					}
				}
			}
		}
	}
}
