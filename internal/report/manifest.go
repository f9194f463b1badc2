package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// ManifestFormat is the version of the files of a result directory.
const ManifestFormat = 1

// Manifest tells what a result directory holds and how to make it again. It contains nothing that
// changes from run to run.
type Manifest struct {
	Format int    `json:"format"`
	Name   string `json:"name"`
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
	Figures []Figure `json:"figures"`
	// Overrides are the settings that were given beside the file, as path=value.
	Overrides []string `json:"overrides,omitempty"`
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
	RoundsFile       = "rounds.csv"
	ManifestFile     = "manifest.json"
	RunFile          = "run.json"
	// BaselineFile stands beside results or alone; it is no result of a run, and stays.
	BaselineFile = "baseline.json"
)

// complete fills in what follows from the table and the scenario.
func (m Manifest) complete(t Table) Manifest {
	m.Format = ManifestFormat
	m.Rows, m.Samples, m.Failed = len(t.Rows), 0, 0
	points, schemes := map[string]bool{}, map[string]bool{}
	for i := range t.Rows {
		m.Samples += t.Rows[i].Samples
		m.Failed += t.Rows[i].Failed
		points[pointKey(t.Rows[i].Axes)] = true
		schemes[t.Rows[i].Scheme] = true
	}
	m.Points, m.Schemes = len(points), len(schemes)
	sum := sha256.Sum256([]byte(m.Scenario))
	m.ScenarioSHA256 = hex.EncodeToString(sum[:])
	return m
}

// encodeJSON writes v for people to read and compare: indented, signs unescaped, a final newline.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.Bytes(), err
}

// ReadManifest reads the manifest of a result directory. Unknown fields are errors, as they may be
// what a figure depends on.
func ReadManifest(dir string) (Manifest, error) {
	file := filepath.Join(dir, ManifestFile)
	data, err := os.ReadFile(file)
	if err != nil {
		return Manifest{}, fmt.Errorf("%s is not a result directory: %w", dir, err)
	}
	var head struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return Manifest{}, fmt.Errorf("%s: %w", file, err)
	}
	if head.Format != ManifestFormat {
		return Manifest{}, fmt.Errorf("%s: format %d, this program reads format %d",
			file, head.Format, ManifestFormat)
	}
	var m Manifest
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil {
		return Manifest{}, fmt.Errorf("%s: %w", file, err)
	}
	return m, nil
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

// ReadTable reads the rows, distributions and rounds of a result directory. Distributions are
// there if a figure needs them, rounds if there is a collective.
func ReadTable(dir string) (t Table, err error) {
	if t, err = readFile(dir, PointsFile, ReadCSV); err != nil {
		return Table{}, err
	}
	t.Distributions, err = readFile(dir, DistributionFile, ReadDistributions)
	if err != nil && !os.IsNotExist(err) {
		return Table{}, err
	}
	t.Rounds, err = readFile(dir, RoundsFile, ReadRounds)
	if err != nil && !os.IsNotExist(err) {
		return Table{}, err
	}
	return t, nil
}

// readFile reads one file of a result directory.
func readFile[T any](dir, name string, read func(io.Reader) (T, error)) (content T, err error) {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return content, err
	}
	defer f.Close()
	return read(f)
}
