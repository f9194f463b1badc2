package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLicencesAreRecognised(t *testing.T) {
	apache, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string // names, or part of an error
	}{
		{"known", map[string]string{"LICENSE": string(apache), "main.go": "package p"}, "Apache-2.0"},
		{"short form", map[string]string{"COPYING": "This program is free software: you can " +
			"redistribute it and/or modify it under the terms of the GNU General Public License as " +
			"published by the Free Software Foundation, either version 3 of the License, or (at your " +
			"option) any later version."}, "GPL-3.0-or-later"},
		{"unknown", map[string]string{"LICENSE": "Nobody may use this on Sundays."}, "known licences"},
		{"none", map[string]string{"README": "Hello"}, "no file"},
	} {
		names, err := licencesOf("example.org/m", folder(t, c.files))
		got := strings.Join(names, ", ")
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if c.name == "short form" && slices.Contains(allowed, got) {
			t.Errorf("%s is allowed", got)
		}
	}
}

func TestVulnerabilitiesCountWhereTheProgramCallsThem(t *testing.T) {
	const config = `{"config": {"scanner_version": "v1.9.0"}}`
	trace := func(module, function string) string {
		return `{"finding": {"osv": "GO-2026-0001", "fixed_version": "v1.2.3", "trace": [` +
			`{"module": "` + module + `", "version": "v1.2.2", "package": "p", "function": "` +
			function + `"}]}}`
	}
	for _, c := range []struct {
		name, text string
		faults     int
		fails      bool
	}{
		{"nothing found", config, 0, false},
		{"called", config + trace("example.org/m", "F"), 1, false},
		{"called twice", config + trace("example.org/m", "F") + trace("example.org/m", "F"), 1, false},
		{"imported only", config + trace("example.org/m", ""), 0, false},
		{"of the Go that builds", config + trace("stdlib", "F"), 0, false},
		{"no output", "", 0, true},
		{"cut off", config + `{"finding": {`, 0, true},
	} {
		dir := folder(t, map[string]string{"found.json": c.text})
		faults, err := vulnerabilities(filepath.Join(dir, "found.json"), io.Discard)
		if len(faults) != c.faults || (err != nil) != c.fails {
			t.Errorf("%s: %q, %v", c.name, faults, err)
		}
	}
}
