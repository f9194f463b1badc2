package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sdrsim/internal/sweep/shard"
	"sdrsim/scenarios"
)

// Format is the version of the directory.
const Format = 1

// Files of the directory.
const (
	HeadFile   = "head.json"
	UnitsFile  = "units.journal"
	StatusFile = "status.json"
	lockFile   = "lock"
)

// Head tells what a run is of.
type Head struct {
	Format int `json:"format"`
	// Version is that of the program; Program tells builds of it apart.
	Version string `json:"version"`
	Program string `json:"program,omitempty"`
	// Name is that of the scenario, File where it was read from.
	Name string `json:"name"`
	File string `json:"file"`
	// Hash is that of Scenario, Overrides and Files together.
	Hash      string   `json:"scenario_sha256"`
	Overrides []string `json:"overrides,omitempty"`
	Seed      uint64   `json:"seed"`
	// Points are those of the whole scenario.
	Points int `json:"points"`
	// Shard is the part that this run does, the whole by default.
	Shard shard.Part `json:"shard"`
	// Scenario is the text of the file.
	Scenario string `json:"scenario"`
	// Files are those that the scenario names.
	Files []scenarios.File `json:"files,omitempty"`
}

// ReadHead reads the head of a directory.
func ReadHead(dir string) (Head, error) {
	var h Head
	path := filepath.Join(dir, HeadFile)
	b, err := os.ReadFile(path)
	if err != nil {
		return h, err
	}
	if err := json.Unmarshal(b, &h); err != nil {
		return h, fmt.Errorf("%s: %w", path, err)
	}
	if h.Format != Format {
		return h, fmt.Errorf("%s: format %d, this program reads format %d", path, h.Format, Format)
	}
	return h, nil
}

// Differences lists what keeps a run of other from going on where one of h stopped, as text.
func (h Head) Differences(other Head) []string {
	list := h.scenarioDifferences(other)
	differ := func(name string, a, b any) {
		if a != b {
			list = append(list, fmt.Sprintf("%s: %v then, %v now", name, a, b))
		}
	}
	differ("shard", h.Shard, other.Shard)
	differ("version of the program", h.Version, other.Version)
	if h.Version == other.Version && h.Program != other.Program {
		list = append(list, "program: built from other sources or by another compiler")
	}
	return list
}

// Foreign lists what keeps shards from being of one run.
func (h Head) Foreign(other Head) []string {
	list := h.scenarioDifferences(other)
	if h.Version != other.Version {
		list = append(list, fmt.Sprintf("version of the program: %s and %s", h.Version, other.Version))
	}
	if h.Shard.Of != other.Shard.Of {
		list = append(list, fmt.Sprintf("shards: %d and %d", h.Shard.Of, other.Shard.Of))
	}
	return list
}

// scenarioDifferences lists how two scenarios differ.
func (h Head) scenarioDifferences(other Head) (list []string) {
	if h.Scenario != other.Scenario {
		list = append(list, "scenario: "+firstDifference(h.Scenario, other.Scenario))
	}
	for _, o := range h.Overrides {
		if !slices.Contains(other.Overrides, o) {
			list = append(list, "--set "+o+": then, not now")
		}
	}
	for _, o := range other.Overrides {
		if !slices.Contains(h.Overrides, o) {
			list = append(list, "--set "+o+": now, not then")
		}
	}
	for _, f := range h.Files {
		i := slices.IndexFunc(other.Files, func(o scenarios.File) bool { return o.Name == f.Name })
		if i >= 0 && other.Files[i].Text != f.Text {
			list = append(list, f.Name+": "+firstDifference(f.Text, other.Files[i].Text))
		}
	}
	if len(list) == 0 && h.Hash != other.Hash {
		list = append(list, "scenario: its hash differs")
	}
	return list
}

// firstDifference shows the first line in which two texts differ.
func firstDifference(before, now string) string {
	a, b := linesOf(before), linesOf(now)
	for i := range max(len(a), len(b)) {
		if lineOf(a, i) != lineOf(b, i) {
			return fmt.Sprintf("line %d: %s then, %s now", i+1, lineOf(a, i), lineOf(b, i))
		}
	}
	return "nothing"
}

func linesOf(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

func lineOf(lines []string, i int) string {
	if i >= len(lines) {
		return "no such line"
	}
	return fmt.Sprintf("%q", strings.TrimSpace(lines[i]))
}

// writeJSON writes a file that appears whole; sync makes it survive the end of the machine.
func writeJSON(path string, v any, sync bool) (err error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	f, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(b.Bytes())
	if err == nil && sync {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(path+".new"))
	}
	return os.Rename(path+".new", path)
}
