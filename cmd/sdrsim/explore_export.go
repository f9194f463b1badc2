package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"sdrsim/internal/explore"
	"sdrsim/internal/files"
	"sdrsim/internal/report"
	"sdrsim/internal/web"
)

// exportExplorer writes a page that answers by itself.
func (a *app) exportExplorer(
	ctx context.Context, base *explore.Base, read []string, file string,
) error {
	if err := (outputs{{"--export", file}}).check(read, nil); err != nil {
		return err
	}
	state, err := base.State()
	if err != nil {
		return err
	}
	program, err := buildProgram(ctx)
	if err != nil {
		return err
	}
	look := report.Explorer()
	look.Name, look.Question, look.State = state.Name, state.Question, state
	page, err := web.RenderExported(look, base, program)
	if err != nil {
		return err
	}
	if err := files.Save(file, page); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s (%.1f MB)\n", file, float64(len(page))/1e6)
	return nil
}

// programPackage is the program of a page.
const programPackage = "sdrsim/internal/explore/wasm"

// small are packages in which speed matters less than size: what reads scenarios and reduces
// samples. Without inlining the program is 6 % smaller.
var small = []string{
	"sdrsim/scenarios", "sdrsim/internal/scenario/...", "sdrsim/internal/sweep", "gopkg.in/yaml.v3",
	"encoding/json", "regexp", "regexp/syntax", "fmt", "reflect", "math/big", "time", "strconv",
}

// buildProgram has the Go tool chain build the program of a page from the sources of this one.
func buildProgram(ctx context.Context) (p web.Program, err error) {
	tool, err := exec.LookPath("go")
	if err != nil {
		return p, errors.New("--export builds the simulator for browsers, and there is no Go tool " +
			"chain: install Go (https://go.dev/dl) so that \"go\" is found")
	}
	dir, err := sourceFolder(ctx, tool)
	if err != nil {
		return p, err
	}
	temp, err := os.MkdirTemp("", "sdrsim-export-")
	if err != nil {
		return p, err
	}
	defer os.RemoveAll(temp)
	wasm := filepath.Join(temp, "sdrsim.wasm")
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid="}
	for _, name := range small {
		args = append(args, "-gcflags="+name+"=-l")
	}
	build := exec.CommandContext(ctx, tool, append(args, "-o", wasm, programPackage)...)
	build.Dir = dir
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOWASM=", "GOFLAGS=", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return p, fmt.Errorf("building the simulator for browsers: %w\n%s", err, bytes.TrimSpace(out))
	}
	content, err := os.ReadFile(wasm)
	if err != nil {
		return p, err
	}
	var zipped bytes.Buffer
	z, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if _, err := z.Write(content); err != nil {
		return p, err
	}
	if err := z.Close(); err != nil {
		return p, err
	}
	root, err := exec.CommandContext(ctx, tool, "env", "GOROOT").Output()
	if err != nil {
		return p, err
	}
	runtime, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)),
		"lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return p, fmt.Errorf("the Go tool chain has no runtime for browsers: %w", err)
	}
	return web.Program{Zipped: zipped.Bytes(), Runtime: string(runtime)}, nil
}

// sourceFolder is where the sources of the program are: the folder at hand is in them, or that of
// the executable.
func sourceFolder(ctx context.Context, tool string) (string, error) {
	folders := []string{"."}
	if path, err := os.Executable(); err == nil {
		folders = append(folders, filepath.Dir(path))
	}
	for _, dir := range folders {
		list := exec.CommandContext(ctx, tool, "list", "-m")
		list.Dir = dir
		if out, err := list.Output(); err == nil && strings.TrimSpace(string(out)) == "sdrsim" {
			return dir, nil
		}
	}
	return "", errors.New("--export builds the simulator for browsers from its sources: start it in " +
		"a checkout of them, as by go run ./cmd/sdrsim explore --export FILE.html")
}
