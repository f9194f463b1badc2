package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"

	"sdrsim/internal/experiment"
	"sdrsim/internal/report"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
	"sdrsim/internal/sweep/ledger"
)

const exitScenario = `# Question: how does it end?
name: ends
link: {bandwidth: 100Gbps, rtt: 1ms, loss: {model: iid, p: 1e-2}}
message: {size: 64KiB, chunk: 4KiB}
schemes: [sr-rto]
sweep: {link.loss.p: [1e-3, 1e-2]}
samples: 10
figures: [{kind: ccdf, name: tail, where: {link.loss.p: 1e-2}}]
`

// ending is a call of a command, and how it has to end.
type ending struct {
	args string
	code int
	// how says what is arranged: a full disk behind the standard output, samples that fail, an
	// interrupt at the first sample; empty: nothing.
	how string
}

const (
	outputFull  = "the standard output is full"
	samplesFail = "samples fail"
	interrupted = "interrupted"
)

// endings has every exit status of every command. What the calls need is made by those before.
var endings = []ending{
	{"run e.yaml -q -o out", exitOK, ""},
	{"run e.yaml -q -o failed", exitFailure, samplesFail},
	{"run e.yaml -o full", exitFailure, outputFull},
	{"run none.yaml", exitUsage, ""},
	{"run e.yaml -q -o stopped --jobs 1", exitInterrupted, interrupted},
	{"plot out", exitOK, ""},
	{"plot out", exitFailure, outputFull},
	{"plot damaged", exitUsage, ""},
	{"plot edited", exitUsage, ""},
	{"status damaged", exitUsage, ""},
	{"status edited", exitUsage, ""},
	{"replay edited --point 0", exitUsage, ""},
	{"run e.yaml -q -o edited", exitOK, ""},
	{"status edited", exitOK, ""},
	{"run e.yaml -q -o damaged", exitUsage, ""},
	{"run e.yaml -q -o begun", exitUsage, ""},
	{"run e.yaml -q -o begun --fresh", exitOK, ""},
	{"plot none", exitUsage, ""},
	{"explore e.yaml --no-browser", exitOK, interrupted},
	{"explore e.yaml --no-browser", exitFailure, outputFull},
	{"explore bad.yaml", exitUsage, ""},
	{"model e.yaml", exitOK, ""},
	{"model e.yaml", exitFailure, outputFull},
	{"model bad.yaml", exitUsage, ""},
	{"validate e.yaml", exitOK, ""},
	{"validate e.yaml", exitFailure, outputFull},
	{"validate bad.yaml", exitUsage, ""},
	{"list", exitOK, ""},
	{"list", exitFailure, outputFull},
	{"list colours", exitUsage, ""},
	{"wireshark", exitOK, ""},
	{"wireshark", exitFailure, outputFull},
	{"wireshark --split 1+1", exitUsage, ""},
	{"schema", exitOK, ""},
	{"schema", exitFailure, outputFull},
	{"schema more", exitUsage, ""},
	{"run e.yaml -q -o parts --shard 1/2", exitOK, ""},
	{"status parts", exitIncomplete, ""},
	{"merge parts -o joined", exitIncomplete, ""},
	{"run e.yaml -q -o parts --shard 2/2", exitOK, ""},
	{"status parts", exitOK, ""},
	{"status parts", exitFailure, outputFull},
	{"status none", exitUsage, ""},
	{"merge parts -o joined", exitOK, ""},
	{"merge parts -o joined", exitFailure, outputFull},
	{"merge torn -o joined", exitUsage, ""},
	{"merge headless -o joined", exitUsage, ""},
	{"status headless", exitUsage, ""},
	{"merge parts -o damaged", exitUsage, ""},
	{"merge parts -o joined", exitInterrupted, interrupted},
	{"merge parts", exitUsage, ""},
	{"jobs e.yaml --engine slurm --shards 2", exitOK, ""},
	{"jobs e.yaml --engine slurm --shards 2", exitFailure, outputFull},
	{"jobs e.yaml --engine slurm --shards 0", exitUsage, ""},
	{"replay e.yaml --point 0 --sample 9", exitOK, ""},
	{"replay e.yaml --point 0", exitFailure, outputFull},
	{"replay e.yaml --point 0 --sample 10", exitUsage, ""},
	{"replay e.yaml --point 0", exitInterrupted, interrupted},
	{"check -q e.yaml", exitIncomplete, ""},
	{"check -q e.yaml --update --reason first", exitOK, ""},
	{"check -q e.yaml --set scheme.rto=9RTT", exitFailure, ""},
	{"check -q e.yaml", exitUsage, outputFull},
	{"check -q e.yaml", exitIncomplete, samplesFail},
	{"check -q e.yaml", exitIncomplete, interrupted},
	{"check none.yaml", exitUsage, ""},
	{"bench codec --time 1us --size 1MiB --cores 1 -q -o codec", exitOK, ""},
	{"bench codec --time 1us --size 1MiB --cores 1 -o codec", exitFailure, outputFull},
	{"bench codec --cores 0", exitUsage, ""},
	{"bench codec --time 1us --size 1MiB --cores 1 -q -o stopped", exitInterrupted, interrupted},
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// end makes the call, and returns its exit status with what it said.
func (e *ending) end(t *testing.T) (code int, stdout, stderr string) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	var out, errs bytes.Buffer
	a := &app{stdout: &out, stderr: &errs, newRunner: newRunner}
	switch e.how {
	case outputFull:
		a.stdout = full{}
	case samplesFail:
		a.newRunner = func(*spec.Point, *spec.Scheme) (sweep.Runner, error) {
			return failingRunner{}, nil
		}
	case interrupted:
		if !strings.HasPrefix(e.args, "run") {
			interrupt()
		}
		a.newRunner = func(p *spec.Point, s *spec.Scheme) (sweep.Runner, error) {
			runner, err := newRunner(p, s)
			return cancelling{runner, interrupt}, err
		}
	}
	code = a.run(ctx, strings.Fields(e.args))
	return code, out.String(), errs.String()
}

type failingRunner struct{}

func (failingRunner) Sample(int, *experiment.Sample) error { return errors.New("made to fail") }

// TestEveryCommandEndsWithEveryStatus makes each call. Whoever ends with an error of usage or of
// the run has to say why, and a full disk has to be named.
func TestEveryCommandEndsWithEveryStatus(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"e.yaml": exitScenario, "bad.yaml": "name: bad\n",
		filepath.Join("damaged", "manifest.json"):             "{",
		filepath.Join(".begun.run", ledger.HeadFile):          "{",
		filepath.Join("torn", "1-of-1", ledger.HeadFile):      tornHead(t),
		filepath.Join("torn", "1-of-1", ledger.UnitsFile):     "torn",
		filepath.Join("headless", "1-of-1", ledger.HeadFile):  "{",
		filepath.Join("headless", "1-of-1", ledger.UnitsFile): "",
	} {
		if err := writeWhole(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	editResults(t, "edited")
	tested := map[string][]int{}
	for _, e := range endings {
		code, stdout, stderr := e.end(t)
		if code != e.code {
			t.Errorf("%s (%s): exit status %d, want %d\n%s%s", e.args, e.how, code, e.code, stdout, stderr)
		}
		said := stderr
		if strings.HasPrefix(e.args, "check") {
			said += stdout
		}
		if code != exitOK && said == "" {
			t.Errorf("%s (%s): says nothing", e.args, e.how)
		}
		if e.how == outputFull && !strings.Contains(stderr, "no space left on device") {
			t.Errorf("%s: a full disk is not named: %q", e.args, stderr)
		}
		name := strings.Fields(e.args)[0]
		tested[name] = append(tested[name], e.code)
	}
	root := (&app{}).rootCommand()
	for _, c := range root.Commands() {
		for _, want := range []int{exitOK, exitFailure, exitUsage} {
			if !slices.Contains(tested[c.Name()], want) {
				t.Errorf("no test of %s ends with %d", c.Name(), want)
			}
		}
	}
	for _, name := range []string{"status", "merge", "check"} {
		if !slices.Contains(tested[name], exitIncomplete) {
			t.Errorf("no test of %s ends with %d", name, exitIncomplete)
		}
	}
	for _, left := range []string{"failed", "joined.new", "stopped", "codec.new"} {
		if _, err := os.Stat(left); err == nil {
			t.Errorf("%s was written", left)
		}
	}
}

// editResults makes results in which a sample is claimed that there was not.
func editResults(t *testing.T, dir string) {
	t.Helper()
	if code, _, stderr := (&ending{args: "run e.yaml -q -o " + dir}).end(t); code != exitOK {
		t.Fatal(stderr)
	}
	file := filepath.Join(dir, report.PointsFile)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(text), "sr-rto,10,", "sr-rto,11,", 1)
	if err := writeWhole(file, []byte(edited)); err != nil || edited == string(text) {
		t.Fatalf("%s was not edited: %v", file, err)
	}
}

// tornHead is the head of a whole shard.
func tornHead(t *testing.T) string {
	t.Helper()
	if err := writeWhole("e.yaml", []byte(exitScenario)); err != nil {
		t.Fatal(err)
	}
	e := ending{args: "run e.yaml -q -o one --shard 1/1"}
	if code, _, stderr := e.end(t); code != exitOK {
		t.Fatal(stderr)
	}
	head, err := os.ReadFile(filepath.Join("one", "1-of-1", ledger.HeadFile))
	if err != nil {
		t.Fatal(err)
	}
	return string(head)
}

// TestEveryCommandRefusesUnknownFlags is wrong usage whatever the command.
func TestEveryCommandRefusesUnknownFlags(t *testing.T) {
	var visit func(c *cobra.Command, path []string)
	visit = func(c *cobra.Command, path []string) {
		e := ending{args: strings.Join(append(path, "--no-such-flag"), " ")}
		if code, _, stderr := e.end(t); code != exitUsage ||
			!strings.Contains(stderr, "unknown flag: --no-such-flag") {
			t.Errorf("%v: exit status %d, %q", path, code, stderr)
		}
		for _, sub := range c.Commands() {
			visit(sub, append(slices.Clone(path), sub.Name()))
		}
	}
	visit((&app{}).rootCommand(), nil)
}
