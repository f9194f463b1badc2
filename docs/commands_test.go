package docs

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sdrsim/scenarios"
)

// program is how pages call it.
const program = "go run ./cmd/sdrsim"

// TestCommandsPrintWhatThePagesSay follows every page as a reader would: saves its scenarios,
// executes its commands, and compares what they print.
func TestCommandsPrintWhatThePagesSay(t *testing.T) {
	binary := build(t)
	executed := 0
	for _, p := range pages(t) {
		r := &reader{page: p, dir: workshop(t), binary: binary}
		for i := range r.page.blocks(t) {
			// Replacements move what follows, so that blocks are looked for again.
			r.read(t, r.page.blocks(t), i)
		}
		executed += r.executed
	}
	if executed < 10 {
		t.Errorf("pages have %d commands only", executed)
	}
}

// TestEveryCommandIsInTheReadme compares its table with the help of the program.
func TestEveryCommandIsInTheReadme(t *testing.T) {
	help, err := exec.Command(build(t), "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(help), "Available Commands:\n")
	table, _, _ := strings.Cut(rest, "\n\n")
	readme := pageOf(t, "README.md").text
	found := 0
	for line := range strings.Lines(table) {
		name := strings.Fields(line)[0]
		if name == "completion" || name == "help" {
			continue
		}
		found++
		if !strings.Contains(readme, "`sdrsim "+name) {
			t.Errorf("README.md does not name the command %s", name)
		}
	}
	if found < 5 {
		t.Errorf("the help lists %d commands", found)
	}
}

// build makes the program once.
func build(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "sdrsim")
	cmd := exec.Command("go", "build", "-o", binary, "./cmd/sdrsim")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// workshop is a folder to work in, with the scenarios of the project.
func workshop(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	source := os.DirFS(filepath.Join(root, "scenarios"))
	if err := os.CopyFS(filepath.Join(dir, "scenarios"), source); err != nil {
		t.Fatal(err)
	}
	return dir
}

// reader follows one page.
type reader struct {
	page     page
	dir      string
	binary   string
	output   string // of the last block of commands
	executed int
}

func (r *reader) read(t *testing.T, blocks []block, i int) {
	t.Helper()
	b := blocks[i]
	at := fmt.Sprintf("%s:%d", r.page.name, b.line)
	switch b.kind {
	case "yaml":
		// Files that it names are those of the workshop.
		s, err := scenarios.Load(filepath.Join(r.dir, "page.yaml"), []byte(b.text), nil)
		if err != nil {
			t.Errorf("%s: %v", at, err)
			return
		}
		file := filepath.Join(r.dir, s.Name+".yaml")
		if err := os.WriteFile(file, []byte(b.text), 0o644); err != nil {
			t.Fatal(err)
		}
	case "sh":
		r.output = ""
		for line := range strings.Lines(b.text) {
			if err := r.command(t, strings.TrimSpace(line)); err != nil {
				t.Errorf("%s: %v", at, err)
			}
		}
	case "text":
		if b.follows < 0 || blocks[b.follows].kind != "sh" || sameOutput(b.text, r.output) {
			return
		}
		if !*update {
			t.Errorf("%s: the page says\n%s\nthe commands print\n%s", at, b.text, r.output)
			return
		}
		r.page.replace(t, b.from, b.to, r.output)
	}
}

// volatile are lines of output that differ from run to run.
var volatile = regexp.MustCompile(`(?m)^\d+ samples in .*\n`)

func sameOutput(want, got string) bool {
	return volatile.ReplaceAllString(want, "") == volatile.ReplaceAllString(got, "")
}

// command executes a line, or checks what it names where it would take long.
func (r *reader) command(t *testing.T, line string) error {
	t.Helper()
	command, _, _ := strings.Cut(line, "#")
	words := strings.Fields(command)
	if len(words) == 0 {
		return nil
	}
	switch {
	case strings.HasPrefix(line, program+" "):
		return r.execute(t, r.affordable(line))
	case words[0] == "cut":
		return r.execute(t, line)
	case words[0] == "make":
		return checkTargets(words[1:])
	case words[0] == "go" && words[1] == "test":
		return checkTests(t, words[2:])
	case words[0] == "git", words[0] == "cd":
		return nil
	case len(words) == 1 && exists(words[0]):
		return nil // a script of the project
	}
	return fmt.Errorf("the tests of the pages do not know the command %q", line)
}

// affordable leaves large scenarios few samples.
func (r *reader) affordable(line string) string {
	line = strings.TrimPrefix(line, program)
	if strings.HasPrefix(line, " run ") && strings.Contains(line, " scenarios/") {
		command, comment, _ := strings.Cut(line, "#")
		line = command + " --samples 2 #" + comment
	}
	return r.binary + line
}

func (r *reader) execute(t *testing.T, line string) error {
	t.Helper()
	r.executed++
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = r.dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	r.output += stdout.String()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", line, err, stderr.String())
	}
	return nil
}

// checkTargets looks for the targets of a call of make.
func checkTargets(targets []string) error {
	text, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		return err
	}
	for _, target := range targets {
		rule := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(target) + `:`)
		if !strings.Contains(target, "=") && !rule.Match(text) {
			return fmt.Errorf("the Makefile has no target %s", target)
		}
	}
	return nil
}

// checkTests looks for the packages of a call of go test, and for tests that match its patterns.
func checkTests(t *testing.T, args []string) error {
	t.Helper()
	var known []string
	for _, arg := range args {
		folder, tree := strings.CutSuffix(arg, "...")
		if !strings.HasPrefix(arg, "./") {
			continue
		}
		if !exists(folder) {
			return fmt.Errorf("there is no package %s", arg)
		}
		if tree || folder == "./" {
			folder = "."
		}
		known = append(known, testsBelow(t, filepath.Join(root, folder))...)
	}
	if len(known) == 0 {
		return fmt.Errorf("go test of no test: %q", args)
	}
	for i, arg := range args[:len(args)-1] {
		pattern := strings.Trim(args[i+1], "'\"")
		if (arg != "-run" && arg != "-bench" && arg != "-fuzz") || pattern == "^$" {
			continue
		}
		if !slices.ContainsFunc(known, regexp.MustCompile(pattern).MatchString) {
			return fmt.Errorf("no test matches %s %s", arg, pattern)
		}
	}
	return nil
}

func TestUnknownCommandsAreFound(t *testing.T) {
	r := &reader{}
	for line, good := range map[string]bool{
		"make test": true, "make COUNT=1 bench": true, "make tset": false,
		"go test ./sdr/ -run TestPaper": true, "go test ./sdr/ -run TestPapre": false,
		"go test ./nothing/": false, "rm -rf results": false, ".ci/run": true, "": true,
	} {
		if err := r.command(t, line); (err == nil) != good {
			t.Errorf("%s: %v", line, err)
		}
	}
}
