// Command summary reads the events of go test -json from standard input, prints the output of the
// tests that failed and one line per package, and ends with "N passed, N failed". It exits with 1
// if something failed, or if nothing ran.
//
// With -counts FILE it also writes the two numbers to FILE, separated by a space.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// event is one line of go test -json; build events carry ImportPath instead of Package.
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

// tally is what has been seen so far.
type tally struct {
	out             io.Writer
	passed, failed  int
	skipped         int
	output          map[string]*strings.Builder // by package and test
	failedInPackage map[string]int
}

func (t *tally) add(e event) {
	key := e.Package + e.ImportPath + " " + e.Test
	switch e.Action {
	case "output", "build-output":
		if t.output[key] == nil {
			t.output[key] = new(strings.Builder)
		}
		t.output[key].WriteString(e.Output)
	case "pass", "skip", "fail":
		t.end(e, key)
	case "build-fail":
		fmt.Fprintf(t.out, "%s", t.output[key])
	}
}

// end counts a test that has ended. A package that failed though none of its tests did (it does
// not build, it panicked, it timed out) counts as one failure.
func (t *tally) end(e event, key string) {
	switch {
	case e.Test == "":
		if e.Action == "fail" && t.failedInPackage[e.Package] == 0 {
			t.failed++
			t.print(key)
		}
		if e.Action != "skip" {
			fmt.Fprintf(t.out, "%s %s %.1fs\n", e.Action, e.Package, e.Elapsed)
		}
	case e.Action == "pass":
		t.passed++
	case e.Action == "skip":
		t.skipped++
	default:
		t.failed++
		t.failedInPackage[e.Package]++
		t.print(key)
	}
	delete(t.output, key)
}

func (t *tally) print(key string) {
	if text := t.output[key]; text != nil {
		fmt.Fprint(t.out, text)
	}
}

func main() {
	counts := flag.String("counts", "", "write the numbers of passed and failed tests to this file")
	flag.Parse()
	t := &tally{
		out: os.Stdout, output: map[string]*strings.Builder{}, failedInPackage: map[string]int{},
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			fmt.Fprintln(t.out, lines.Text()) // the go command's own words
			continue
		}
		t.add(e)
	}
	if t.skipped > 0 {
		fmt.Fprintf(t.out, "%d skipped\n", t.skipped)
	}
	fmt.Fprintf(t.out, "%d passed, %d failed\n", t.passed, t.failed)
	if *counts != "" {
		text := fmt.Sprintf("%d %d\n", t.passed, t.failed)
		if err := os.WriteFile(*counts, []byte(text), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if t.failed > 0 || t.passed == 0 || lines.Err() != nil {
		os.Exit(1)
	}
}
