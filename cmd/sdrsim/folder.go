package main

import (
	"path/filepath"
	"slices"
	"strings"
)

// resultFolder is where the results of a scenario go unless the user says otherwise, relative to
// the working directory. A file below a folder named scenarios keeps its place:
// scenarios/paper/fig9.yaml goes to results/paper/fig9. Any other goes by the scenario's name.
func resultFolder(file, name string) string {
	parts := strings.Split(filepath.ToSlash(filepath.Clean(file)), "/")
	at := lastIndex(parts[:len(parts)-1], "scenarios")
	if at < 0 {
		return filepath.Join("results", name)
	}
	below := filepath.Join(parts[at+1:]...)
	return filepath.Join("results", strings.TrimSuffix(below, filepath.Ext(below)))
}

func lastIndex(parts []string, name string) int {
	reversed := slices.Clone(parts)
	slices.Reverse(reversed)
	if at := slices.Index(reversed, name); at >= 0 {
		return len(parts) - 1 - at
	}
	return -1
}
