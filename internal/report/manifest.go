package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"sdrsim/internal/figure"
	"sdrsim/internal/files"
	"sdrsim/internal/result"
)

// ManifestFormat is the version of the files of a result directory, Program what wrote them.
const (
	ManifestFormat = 2
	Program        = "sdrsim"
)

// Manifest tells what a result directory holds and how to make it again. It contains nothing that
// changes from run to run.
type Manifest struct {
	// Program says that the directory is one of results, and not of something else.
	Program string `json:"program"`
	Format  int    `json:"format"`
	Name    string `json:"name"`
	// Version is that of the program.
	Version string `json:"version"`
	Seed    uint64 `json:"seed"`
	// Points, Schemes and Rows count what points.csv holds, Samples the samples of all rows.
	Points  int   `json:"points"`
	Schemes int   `json:"schemes"`
	Rows    int   `json:"rows"`
	Samples int64 `json:"samples"`
	Failed  int64 `json:"failed"`
	// Figures are complete: plot draws them again from here.
	Figures []figure.Figure `json:"figures"`
	// Overrides are the settings that were given beside the file, as path=value.
	Overrides []string `json:"overrides,omitempty"`
	// Tables are the files that are read again, each with its SHA-256.
	Tables map[string]string `json:"tables"`
	// SHA256 is that of the manifest in which this field is empty.
	SHA256 string `json:"sha256"`
	// ScenarioSHA256 is the hash of Scenario, the text of the file as it was read.
	ScenarioSHA256 string `json:"scenario_sha256"`
	Scenario       string `json:"scenario"`
	// Files are those that the scenario names.
	Files []File `json:"files,omitempty"`
}

// File is a file that a scenario names, with its text and the hash of it.
type File struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Text   string `json:"text"`
}

// Run holds the facts that differ between equal runs.
type Run struct {
	Started         string  `json:"started,omitempty"` // RFC 3339
	WallSeconds     float64 `json:"wall_s"`
	Host            string  `json:"host,omitempty"`
	Jobs            int     `json:"jobs"`
	PeakMemoryBytes int64   `json:"peak_memory_bytes,omitempty"`
}

// The files of a result directory, beside the figures.
const (
	PointsFile       = "points.csv"
	DistributionFile = "distribution.csv"
	ManifestFile     = "manifest.json"
	RunFile          = "run.json"
	// ReportFile is drawn as figures are, and like them has no checksum in the manifest.
	ReportFile = "report.html"
	// BaselineFile stands beside results or alone; it is no result of a run, and stays.
	BaselineFile = "baseline.json"
)

// complete fills in what follows from the table and the scenario.
func (m Manifest) complete(t result.Table) Manifest {
	m.Program, m.Format = Program, ManifestFormat
	m.Rows, m.Samples, m.Failed = len(t.Rows), 0, 0
	points, schemes := map[string]bool{}, map[string]bool{}
	for i := range t.Rows {
		m.Samples += t.Rows[i].Samples
		m.Failed += t.Rows[i].Failed
		points[result.PointKey(t.Rows[i].Axes)] = true
		schemes[t.Rows[i].Scheme] = true
	}
	m.Points, m.Schemes = len(points), len(schemes)
	m.ScenarioSHA256 = files.Sum([]byte(m.Scenario))
	m.SHA256 = m.seal()
	return m
}

// seal is the checksum of everything else that the manifest says.
func (m Manifest) seal() string {
	m.SHA256 = ""
	return files.Seal(m)
}

// ReadManifest reads the manifest of a result directory. One that was changed since it was written
// is an error, and so are unknown fields, as they may be what a figure depends on; these are a
// files.InputError.
func ReadManifest(dir string) (Manifest, error) {
	data, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	if err != nil {
		return Manifest{}, fmt.Errorf("%s is not a result directory: %w", dir, err)
	}
	m, err := decodeManifest(data)
	if err != nil {
		return Manifest{}, files.Fault("%s: %w", filepath.Join(dir, ManifestFile), err)
	}
	return m, nil
}

func decodeManifest(data []byte) (m Manifest, err error) {
	former, err := identify(data)
	switch {
	case err != nil:
		return m, err
	case former.Format < ManifestFormat:
		return m, fmt.Errorf("written by an older version of the program (format %d, this one reads "+
			"%d): run again", former.Format, ManifestFormat)
	case former.Format > ManifestFormat:
		return m, fmt.Errorf("written by a newer version of the program (format %d, this one reads %d)",
			former.Format, ManifestFormat)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil {
		return m, err
	}
	if m.SHA256 != m.seal() {
		return m, fmt.Errorf("%w: its checksum (sha256) is of another content; run again",
			files.ErrChanged)
	}
	return m, nil
}

// errForeign is a manifest of something else.
var errForeign = errors.New("not a manifest of results of this program")

// identity is what tells the manifests of results from others, and what they name.
type identity struct {
	Program        string            `json:"program"`
	Format         int               `json:"format"`
	Tables         map[string]string `json:"tables"`
	Figures        []struct{ Name, Style string }
	ScenarioSHA256 string `json:"scenario_sha256"`
	Scenario       string `json:"scenario"`
}

// identify reads a manifest of any version. The first did not name the program; its scenario has
// the hash that goes with it.
func identify(data []byte) (id identity, err error) {
	if err := json.Unmarshal(data, &id); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			return id, errForeign // fields of these names, and other content
		}
		return id, err
	}
	first := id.Program == "" && id.Format == 1 &&
		id.ScenarioSHA256 == files.Sum([]byte(id.Scenario))
	if id.Program != Program && !first {
		return id, errForeign
	}
	return id, nil
}

// ReadRun reads the facts of the run that made a result directory. They are not kept with results
// that are passed on; then the error wraps fs.ErrNotExist.
func ReadRun(dir string) (Run, error) {
	file := filepath.Join(dir, RunFile)
	data, err := os.ReadFile(file)
	if err != nil {
		return Run{}, err
	}
	var r Run
	if err := json.Unmarshal(data, &r); err != nil {
		return Run{}, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

// ReadTable reads the rows, distributions, rounds, flows and queues of a result directory.
// Distributions are there if a figure needs them, rounds if there is a collective, flows and queues
// if there is a network. A file that is not the one that
// was written is a files.InputError.
func ReadTable(dir string) (result.Table, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return result.Table{}, err
	}
	return m.readTable(dir)
}

// Verify reads the manifest of a result directory, and makes sure that the files which it names are
// those that were written.
func Verify(dir string) (Manifest, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return m, err
	}
	for _, name := range slices.Sorted(maps.Keys(m.Tables)) {
		if _, err := readFile(&m, filepath.Join(dir, name), io.ReadAll); err != nil {
			return m, err
		}
	}
	return m, nil
}

// readTable reads the files that the manifest names.
func (m *Manifest) readTable(dir string) (t result.Table, err error) {
	if t, err = readFile(m, filepath.Join(dir, PointsFile), result.ReadCSV); err != nil {
		return result.Table{}, err
	}
	t.Distributions, err = readFile(m, filepath.Join(dir, DistributionFile), result.ReadDistributions)
	if err != nil {
		return result.Table{}, err
	}
	t.Rounds, err = readFile(m, filepath.Join(dir, result.RoundsFile), result.ReadRounds)
	if err != nil {
		return result.Table{}, err
	}
	if t.Flows, err = readFile(m, filepath.Join(dir, result.FlowsFile), result.ReadFlows); err != nil {
		return result.Table{}, err
	}
	t.Queues, err = readFile(m, filepath.Join(dir, result.QueuesFile), result.ReadQueues)
	if err != nil {
		return result.Table{}, err
	}
	return t, nil
}

// named is a content with the name of its file, for messages.
type named struct {
	io.Reader
	name string
}

// Name is that of the file.
func (n named) Name() string { return n.name }

// readFile reads a file if the manifest names it, and makes sure that it is the one it names.
func readFile[T any](
	m *Manifest, file string, read func(io.Reader) (T, error),
) (content T, err error) {
	want, listed := m.Tables[filepath.Base(file)]
	if !listed {
		return content, nil
	}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return content, files.Fault("a file of the results is missing: %w; run again", err)
	}
	if err != nil {
		return content, err
	}
	if files.Sum(data) != want {
		return content, files.Fault("%s: %w: it is not what %s has the checksum of; run again", file,
			files.ErrChanged, ManifestFile)
	}
	content, err = read(named{bytes.NewReader(data), file})
	return content, files.AsFault(err)
}
