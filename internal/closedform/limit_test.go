package closedform

import (
	"math"
	"strings"
	"testing"

	"sdrsim/internal/experiment"
	"sdrsim/schemes/model"
)

// TestMessagesMeetTheirLimitAsOftenAsTheFormSays simulates messages with few retries, and counts
// those that are given up.
func TestMessagesMeetTheirLimitAsOftenAsTheFormSays(t *testing.T) {
	lossy := []string{"link.loss.p=0.1", "link.rtt=1ms", "message.size=256KiB"}
	for _, scheme := range []string{
		"{name: sr-rto, retries: 1}",
		"{name: sr-rto, retries: 2}",
		"{name: sr-nack, retries: 1}",
		"{name: ec-mds, retries: 1, m: 4}",
		"{name: ec-xor, retries: 2}",
		"{name: sr-rto, retries: 4, rto: 0.3RTT}", // two attempts are in time to be heard of
	} {
		p := pointOf(t, scheme, lossy...)
		f := Of(&p, &p.Schemes[0])
		givenUp := f.form.GivesUp()
		runner, err := experiment.NewRunner(&p, &p.Schemes[0])
		if err != nil {
			t.Fatal(err)
		}
		const samples = 2000
		failed := 0.0
		for i := range samples {
			var s experiment.Sample
			if err := runner.Sample(i, &s); err != nil {
				t.Fatal(err)
			}
			if s.Failed > 0 {
				failed++
			}
		}
		deviation := math.Sqrt(givenUp * (1 - givenUp) / samples)
		if math.Abs(failed/samples-givenUp) > 4*deviation {
			t.Errorf("%s: %v of %v failed, want a share of %v +- %v", scheme, failed, samples, givenUp,
				deviation)
		}
	}
}

// TestClosedFormKnowsItsRetryLimit checks that a limit which shows leaves neither a number nor a
// quantile, and that the default does not show.
func TestClosedFormKnowsItsRetryLimit(t *testing.T) {
	tests := []struct {
		scheme, override string
		limited          bool
	}{
		{"{name: sr-rto, retries: 1}", "", true}, // three messages in a million
		{"{name: sr-rto, retries: 2}", "", false},
		{"{name: sr-nack, retries: 1}", "", true},
		{"{name: sr-rto, retries: 1}", "link.loss.p=0", false},
		{"{name: sr-rto, retries: 1, rto: 0.3RTT}", "link.loss.p=0", true},           // no answer in time
		{"{name: sr-rto, retries: 2}", "link.ack_loss={model: iid, p: 1e-3}", false}, // said thrice
		{"{name: sr-rto, retries: 2, ack.repeat: 0}", "link.ack_loss={model: iid, p: 1e-3}", true},
		{"{name: sr-rto, retries: 2}",
			"link.ack_loss={model: gilbert-elliott, mean: 1e-3, burst: 2}", true},
		{"{name: sr-rto, retries: 1}", "link.loss.per=packet", true},
		{"{name: ec-mds, retries: 1}", "", false}, // hardly one falls back
		{"{name: ec-mds, retries: 1}", "link.loss.p=0.05", true},
		{"{name: ec-mds, retries: 1}", fourDatacenters, false},
		// Three messages in a thousand million, of two million that all have to complete.
		{"{name: sr-rto, retries: 1}", "collective={kind: all-reduce, datacenters: 1024}", true},
		{"{name: sr-rto, retries: 2}", "collective={kind: all-reduce, datacenters: 1024}", false},
		{"sr-rto", "link.loss.p=0.5", false},
		{"sr-nack", "link.loss.p=0.5", false},
		{"ec-mds", "link.loss.p=0.3", false},
		{"sr-rto", "link.loss.p=0.9", true}, // 32768 chunks, one in two hundred is given up
	}
	for _, test := range tests {
		p := pointOf(t, test.scheme, optional(test.override)...)
		f := Of(&p, &p.Schemes[0])
		v := f.Mean()
		limited := v.Validity == model.NotApplicable && strings.Contains(v.Why, "retry limit")
		if limited != test.limited {
			t.Errorf("%s, %s: %s: %s", test.scheme, test.override, v.Validity, v.Why)
		}
		ok := Mean(&p, &p.Schemes[0]).Known
		if row := Row(&p, &p.Schemes[0]); ok == limited ||
			math.IsNaN(row.ModelCompletionMean) != limited {
			t.Errorf("%s, %s: %v beside the results, %v", test.scheme, test.override, ok, row)
		}
		if limited && f.ring == 0 && !math.IsNaN(f.Quantile(0.5)) {
			t.Errorf("%s, %s: there is a median", test.scheme, test.override)
		}
	}
}
