package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"sdrsim/internal/experiment"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
)

// endless is a runner whose samples do not end while the test does not.
type endless struct{ ended <-chan struct{} }

func (e endless) Sample(int, *experiment.Sample) error {
	<-e.ended
	return nil
}

// A dry run answers where no sample ends, and says that what it knows is a bound.
func TestDryRunDoesNotWaitForASample(t *testing.T) {
	_, file := writeSmall(t)
	var out, errs bytes.Buffer
	a := &app{stdout: &out, stderr: &errs, tryFor: 10 * time.Millisecond,
		newRunner: func(*spec.Point, *spec.Scheme) (sweep.Runner, error) {
			return endless{t.Context().Done()}, nil
		}}
	if code := a.run(t.Context(), []string{"run", "--dry-run", file}); code != exitOK {
		t.Fatalf("exit status %d\n%s", code, errs.String())
	}
	for _, want := range []string{
		"(?m)^events: not known", `(?m)^time: more than [0-9.]+m?s with .* \(0 samples tried\)$`,
		"(?m)^memory: up to about",
	} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("%s, want %s", out.String(), want)
		}
	}
}

// A dry run says that samples which it tried were given up.
func TestDryRunSaysThatSamplesFail(t *testing.T) {
	_, file := writeSmall(t)
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"run", "--dry-run", file, "link.loss=0.9",
		"schemes=[{name: sr-rto, retries: 1}]", "--samples", "4"}, &out, &errs)
	const want = `failed: 4 of 4 samples tried, the first at scheme sr-rto, sample 1: retry limit`
	if code != exitOK || !strings.Contains(out.String(), want) {
		t.Errorf("exit status %d: %s%s", code, out.String(), errs.String())
	}
	out.Reset()
	if run(t.Context(), []string{"run", "--dry-run", file}, &out, &errs); strings.Contains(
		out.String(), "failed") {
		t.Errorf("a run in which nothing fails: %s", out.String())
	}
}
