package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"sdrsim/internal/experiment"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
)

// TestMain lets scripts call the program as sdrsim.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"sdrsim": scripted})
}

// scripted is main, with a simulation that the environment can make fail or tell of its start.
func scripted() {
	a := &app{stdout: os.Stdout, stderr: os.Stderr, newRunner: staged}
	os.Exit(a.start(os.Args[1:]))
}

// stage wraps the simulation.
type stage struct {
	sweep.Runner
	failAt int    // the sample that fails; -1: none
	hangAt int    // the sample that takes forever; -1: none
	begun  string // a file to make when samples run; empty: none
	remove string // a folder to remove when samples run; empty: none
	pace   time.Duration
}

func staged(p *spec.Point, s *spec.Scheme) (sweep.Runner, error) {
	if p.Key != "" && p.Key == os.Getenv("SDRSIM_TEST_FAIL_POINT") {
		return failing{}, nil
	}
	if p.Key != "" && p.Key == os.Getenv("SDRSIM_TEST_HANG_POINT") {
		return &stage{failAt: -1, hangAt: 0, begun: os.Getenv("SDRSIM_TEST_HUNG")}, nil
	}
	runner, err := experiment.NewRunner(p, s)
	if err != nil {
		return nil, err
	}
	pace, _ := time.ParseDuration(os.Getenv("SDRSIM_TEST_PACE")) // 0 unless it is set
	return &stage{
		Runner: runner, failAt: sampleFrom("SDRSIM_TEST_FAIL"), pace: pace,
		hangAt: sampleFrom("SDRSIM_TEST_HANG"), begun: os.Getenv("SDRSIM_TEST_BEGUN"),
		remove: os.Getenv("SDRSIM_TEST_REMOVE"),
	}, nil
}

// failing is a runner whose samples fail.
type failing struct{}

func (failing) Sample(int, *experiment.Sample) error { return errors.New("made to fail") }

// sampleFrom reads the number of a sample from the environment; -1 where there is none.
func sampleFrom(name string) int {
	n, err := strconv.Atoi(os.Getenv(name))
	if err != nil {
		return -1
	}
	return n
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
	if s.remove != "" {
		if err := os.RemoveAll(s.remove); err != nil {
			return err
		}
	}
	time.Sleep(s.pace)
	if index == s.hangAt {
		select {}
	}
	return s.Runner.Sample(index, into)
}

// TestScripts executes the program as its users do.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Condition: func(name string) (bool, error) {
			if name != "race" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return raceEnabled, nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "await": await, "ls": ls, "tear": tear,
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

// tear cuts the last byte off a file: tear FILE.
func tear(ts *testscript.TestScript, _ bool, args []string) {
	file := ts.MkAbs(args[0])
	info, err := os.Stat(file)
	ts.Check(err)
	ts.Check(os.Truncate(file, info.Size()-1))
}
