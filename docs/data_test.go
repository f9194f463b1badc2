package docs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// tools is where .ci/tools.sh puts what Debian has no package of.
const tools = root + "/.ci/.tools"

// errNoTool is that of a snippet whose tool is not installed.
var errNoTool = errors.New("not installed")

// pythonWith is a Python that has a package.
func pythonWith(name string) (string, error) {
	for _, program := range []string{tools + "/venv/bin/python", "python3", "/usr/bin/python3"} {
		if path, err := exec.LookPath(program); err == nil &&
			exec.Command(path, "-c", "import "+name).Run() == nil {
			return filepath.Abs(path)
		}
	}
	return "", fmt.Errorf("%w: Python with %s", errNoTool, name)
}

// snippet is the command that executes a block, which it reads from standard input.
func snippet(b block) (*exec.Cmd, error) {
	if b.kind == "python" {
		_, rest, _ := strings.Cut(b.text, "import ")
		python, err := pythonWith(strings.Fields(rest)[0])
		return exec.Command(python, "-"), err
	}
	const query = "import duckdb, sys\n" +
		"print(duckdb.sql(sys.stdin.read()).df().to_csv(index=False), end='')"
	if python, err := pythonWith("duckdb, pandas"); err == nil {
		return exec.Command(python, "-c", query), nil
	}
	folder, err := filepath.Abs(tools + "/node")
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules/@duckdb/node-api")); err != nil {
		return nil, fmt.Errorf("%w: DuckDB for Python or Node.js", errNoTool)
	}
	script, err := filepath.Abs("testdata/duckdb.mjs")
	return exec.Command("node", script, folder), err
}

// TestDataToolsReadResults follows docs/data.md, and executes the snippets whose tools are there.
func TestDataToolsReadResults(t *testing.T) {
	r := &reader{page: pageOf(t, "docs/data.md"), dir: workshop(t), binary: build(t)}
	for i := range r.page.blocks(t) {
		blocks := r.page.blocks(t)
		b := blocks[i]
		if b.kind != "python" && b.kind != "sql" {
			if b.kind != "text" {
				r.read(t, blocks, i)
			}
			continue
		}
		t.Run(fmt.Sprintf("%s line %d", b.kind, b.line), func(t *testing.T) {
			cmd, err := snippet(b)
			if errors.Is(err, errNoTool) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			cmd.Dir, cmd.Stdin = r.dir, strings.NewReader(b.text)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v\n%s", err, stderr.String())
			}
			says := blocks[i+1]
			switch {
			case says.kind != "text" || says.follows != i:
				t.Error("the page does not say what it prints")
			case says.text == stdout.String():
			case *update:
				r.page.replace(t, says.from, says.to, stdout.String())
			default:
				t.Errorf("the page says\n%s\nit prints\n%s", says.text, stdout.String())
			}
		})
	}
}

func TestExamplesOfPipelinesAreThoseOfThePage(t *testing.T) {
	p := pageOf(t, "docs/data.md")
	for _, c := range []struct{ kind, file string }{
		{"yml", "examples/dvc.yaml"}, {"snakemake", "examples/Snakefile"},
	} {
		text, err := os.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, b := range p.blocks(t) {
			found = found || b.kind == c.kind && b.text == string(text)
		}
		if !found {
			t.Errorf("the page does not show %s as it is", c.file)
		}
		if n := strings.Count(string(text), "\n"); n > 10 {
			t.Errorf("%s has %d lines", c.file, n)
		}
	}
}

// TestPipelinesRunTheirCommands executes the command of each pipeline as its engine would, and
// looks for what it promises to write.
func TestPipelinesRunTheirCommands(t *testing.T) {
	var dvc struct {
		Stages map[string]struct {
			Cmd     string
			Deps    []string
			Outs    []string
			Metrics []map[string]any
		}
	}
	text, err := os.ReadFile("examples/dvc.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &dvc); err != nil {
		t.Fatal(err)
	}
	stage, ok := dvc.Stages["wan"]
	if !ok || len(stage.Metrics) != 1 || len(stage.Deps) != 1 || len(stage.Outs) != 1 {
		t.Fatalf("stages %+v", dvc.Stages)
	}
	r := &reader{page: pageOf(t, "docs/data.md"), dir: workshop(t), binary: build(t)}
	r.read(t, r.page.blocks(t), 0) // the scenario
	written := append([]string{"wan/points.csv"}, stage.Outs...)
	for name := range stage.Metrics[0] {
		written = append(written, name)
	}
	shell(t, r, stage.Cmd, written...)

	t.Log("# the rule of the Snakefile, its words filled in")
	if text, err = os.ReadFile("examples/Snakefile"); err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), `shell: "`)
	command, _, found := strings.Cut(rest, `"`)
	if !found {
		t.Fatal("no command")
	}
	if err := os.RemoveAll(filepath.Join(r.dir, "wan")); err != nil {
		t.Fatal(err)
	}
	words := strings.NewReplacer("{input}", "wan.yaml", "{wildcards.name}", "wan")
	shell(t, r, words.Replace(command), "wan/points.csv")
}

// shell executes a command with the program in its path, and wants files.
func shell(t *testing.T, r *reader, command string, files ...string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(r.binary)+":"+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	for _, name := range files {
		if _, err := os.Stat(filepath.Join(r.dir, name)); err != nil {
			t.Errorf("%s does not write %s", command, name)
		}
	}
}
