// Command dependencies checks what the program is built from. It fails on a module linked into
// cmd/sdrsim whose licence is not on the list, or that ../../NOTICE does not name with its licence;
// and with -vulnerabilities FILE on those that govulncheck -format json has found in FILE: functions
// of other modules that the program calls. Those of the standard library are printed only: they
// go away with a newer Go, which is the builder's.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// allowed are the licences that a dependency may have, by their SPDX names.
var allowed = []string{
	"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC-BY-4.0", "FTL", "ISC", "MIT", "OFL-1.1",
	"Unlicense",
}

// chosen are licences of modules whose file offers a choice, or only points to another file.
var chosen = map[string]map[string]string{
	"github.com/golang/freetype": {"LICENSE": "FTL"},
	"github.com/ajstarks/svgo":   {"LICENSE-link.txt": "CC-BY-4.0"},
}

func main() {
	found := flag.String("vulnerabilities", "", "what govulncheck -format json has printed")
	flag.Parse()
	check := licences
	if *found != "" {
		check = func() ([]string, error) { return vulnerabilities(*found, os.Stdout) }
	}
	faults, err := check()
	if err != nil {
		faults = append(faults, err.Error())
	}
	for _, fault := range faults {
		fmt.Println(fault)
	}
	if len(faults) > 0 {
		os.Exit(1)
	}
}

// licences checks every module of the program.
func licences() (faults []string, err error) {
	notice, err := os.ReadFile("../../NOTICE")
	if err != nil {
		return nil, err
	}
	list := exec.Command("go", "list", "-deps", "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}", "./cmd/sdrsim")
	list.Dir, list.Stderr = "../..", os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	modules := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(modules)
	for _, line := range slices.Compact(modules) {
		path, dir, ok := strings.Cut(line, " ")
		if !ok {
			continue
		}
		names, err := licencesOf(path, dir)
		if err != nil {
			faults = append(faults, fmt.Sprintf("%s: %v", path, err))
			continue
		}
		entry := path + ": " + strings.Join(names, ", ")
		fmt.Println(entry)
		for _, name := range names {
			if !slices.Contains(allowed, name) {
				faults = append(faults, fmt.Sprintf("%s: licence %s is not one of %s",
					path, name, strings.Join(allowed, ", ")))
			}
		}
		if !strings.Contains(string(notice), entry+"\n") {
			faults = append(faults, "NOTICE lacks the line: "+entry)
		}
	}
	return faults, nil
}

// licencesOf are the names of the licences in the files of a module, in order.
func licencesOf(path, dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range entries {
		upper := strings.ToUpper(entry.Name())
		if entry.IsDir() || !strings.Contains(upper, "LICEN") && !strings.HasPrefix(upper, "COPYING") {
			continue
		}
		if name := chosen[path][entry.Name()]; name != "" {
			names = append(names, name)
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		coverage := licensecheck.Scan(text)
		if coverage.Percent < 60 {
			return nil, fmt.Errorf("%s is %.0f %% text of known licences", entry.Name(), coverage.Percent)
		}
		for _, match := range coverage.Match {
			names = append(names, match.ID)
		}
	}
	if len(names) == 0 {
		return nil, errors.New("no file with a licence")
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// finding is one message of govulncheck, as far as it matters here.
type finding struct {
	Finding *struct {
		OSV          string `json:"osv"`
		FixedVersion string `json:"fixed_version"`
		Trace        []struct {
			Module, Version, Package, Function string
		} `json:"trace"`
	} `json:"finding"`
	Config *struct {
		ScannerVersion string `json:"scanner_version"`
	} `json:"config"`
}

// vulnerabilities reads what govulncheck has found; it prints what does not count.
func vulnerabilities(file string, log io.Writer) (faults []string, err error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	scanned := false
	decoder := json.NewDecoder(in)
	for {
		var f finding
		err := decoder.Decode(&f)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		scanned = scanned || f.Config != nil
		if f.Finding == nil || len(f.Finding.Trace) == 0 || f.Finding.Trace[0].Function == "" {
			continue // in a module or a package, and never called
		}
		at := f.Finding.Trace[0]
		text := fmt.Sprintf("%s: %s %s, fixed in %s: the program calls %s.%s", f.Finding.OSV, at.Module,
			at.Version, f.Finding.FixedVersion, at.Package, at.Function)
		if at.Module != "stdlib" {
			faults = append(faults, text)
		} else {
			fmt.Fprintln(log, "of the Go that builds, no fault here:", text)
		}
	}
	if !scanned {
		return nil, fmt.Errorf("%s: not the output of govulncheck", file)
	}
	slices.Sort(faults)
	return slices.Compact(faults), nil
}
