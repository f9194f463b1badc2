package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"sdrsim/internal/experiment"
	"sdrsim/internal/sweep"
	"sdrsim/scenarios"
)

// TestMain lets scripts call the program as sdrsim.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"sdrsim": scripted})
}

// scripted is main, with a simulation that the environment can make fail or tell of its start.
func scripted() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	a := &app{stdout: os.Stdout, stderr: os.Stderr, newRunner: staged}
	os.Exit(a.run(ctx, os.Args[1:]))
}

// stage wraps the simulation.
type stage struct {
	sweep.Runner
	failAt int    // the sample that fails; -1: none
	begun  string // a file to make when samples run; empty: none
}

func staged(p *scenarios.Point, s *scenarios.Scheme) (sweep.Runner, error) {
	runner, err := experiment.NewRunner(p, s)
	if err != nil {
		return nil, err
	}
	failAt, err := strconv.Atoi(os.Getenv("SDRSIM_TEST_FAIL"))
	if err != nil {
		failAt = -1
	}
	return &stage{Runner: runner, failAt: failAt, begun: os.Getenv("SDRSIM_TEST_BEGUN")}, nil
}

func (s *stage) Sample(index int, into *experiment.Sample) error {
	if index == s.failAt {
		return errors.New("made to fail")
	}
	if s.begun != "" {
		if err := os.WriteFile(s.begun, nil, 0o644); err != nil {
			return err
		}
	}
	return s.Runner.Sample(index, into)
}

// TestScripts executes the program as its users do.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "await": await, "ls": ls,
		},
	})
}

// exits runs a command that has to end with a given status: exits STATUS COMMAND...
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// await waits until a file is there: await FILE.
func await(ts *testscript.TestScript, _ bool, args []string) {
	for range 1000 {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	ts.Fatalf("%s did not appear", args[0])
}

// ls prints the names in a folder, one a line, hidden ones too: ls FOLDER.
func ls(ts *testscript.TestScript, _ bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var names strings.Builder
	for _, e := range entries {
		if e.Name() != ".tmp" { // the script's own
			fmt.Fprintln(&names, e.Name())
		}
	}
	_, err = ts.Stdout().Write([]byte(names.String()))
	ts.Check(err)
}
