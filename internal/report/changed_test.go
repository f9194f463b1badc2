package report

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"sdrsim/internal/files"
	"sdrsim/internal/result"
)

// TestNoFlippedBitIsTakenForAResult flips bits of every file that is read back. What is read then
// is an error, or says the same: white space of the manifest, or the case of a key.
func TestNoFlippedBitIsTakenForAResult(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sample")
	res := sampleResult()
	res.Table.Rounds = sampleRounds()
	res.Table.Flows, res.Table.Queues = sampleFlows(), sampleQueues()
	mustWrite(t, dir, res)
	whole, err := Verify(dir)
	if err != nil {
		t.Fatal(err)
	}
	draw := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{PointsFile, DistributionFile, result.RoundsFile,
		result.FlowsFile, result.QueuesFile,
		ManifestFile} {
		file := filepath.Join(dir, name)
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			flipped := append([]byte{}, content...)
			at, bit := draw.IntN(len(content)), draw.IntN(8)
			flipped[at] ^= 1 << bit
			if err := os.WriteFile(file, flipped, 0o644); err != nil {
				t.Fatal(err)
			}
			m, err := Verify(dir)
			var input files.InputError
			if err != nil && !errors.As(err, &input) {
				t.Errorf("%s: bit %d of byte %d: %v is no fault of the input", name, bit, at, err)
			}
			if err == nil && (name != ManifestFile || !reflect.DeepEqual(m, whole)) {
				t.Errorf("%s: bit %d of byte %d is not found", name, bit, at)
			}
			if _, tableErr := ReadTable(dir); (tableErr == nil) != (err == nil) {
				t.Errorf("%s: bit %d of byte %d: read %v, verified %v", name, bit, at, tableErr, err)
			}
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Verify(dir); err != nil {
		t.Error(err)
	}
	t.Log("# a file that is not there")
	if err := os.Remove(filepath.Join(dir, result.RoundsFile)); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadTable(dir); !errors.Is(err, os.ErrNotExist) ||
		!strings.Contains(err.Error(), "a file of the results is missing") {
		t.Errorf("error %v", err)
	}
}

// TestOnlyResultsAreReplaced puts what is not of this program where results are to go.
func TestOnlyResultsAreReplaced(t *testing.T) {
	for name, manifest := range map[string]string{
		"of an app":      `{"name": "My app", "icons": []}`,
		"of a list":      `[1, 2]`,
		"with a format":  `{"format": 1, "name": "app", "scenario": "x", "scenario_sha256": "y"}`,
		"of a program":   `{"program": "other", "format": 2}`,
		"that is broken": `{"program": "sdrsim", "format"`,
		"that is empty":  ``,
	} {
		dir := t.TempDir()
		for file, text := range map[string]string{ManifestFile: manifest, PointsFile: "mine"} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		before := listing(t, dir)
		if err := CheckTarget(dir); err == nil || !strings.Contains(err.Error(), "is no manifest of") {
			t.Errorf("a manifest %s: error %v", name, err)
		}
		if _, err := WriteResult(dir, bareResult()); err == nil {
			t.Errorf("a manifest %s: the folder was replaced", name)
		}
		if after := listing(t, dir); !reflect.DeepEqual(after, before) {
			t.Errorf("a manifest %s: there are %q", name, names(after))
		}
	}
}

// TestFileOfTheUserIsNeverInTheWay gives one the name of each file that the results are to have.
func TestFileOfTheUserIsNeverInTheWay(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "sample")
	res := sampleResult()
	res.Table.Rounds = sampleRounds()
	res.Table.Flows, res.Table.Queues = sampleFlows(), sampleQueues()
	for _, name := range FilesOf(res.Manifest.Figures, res.Table) {
		mustWrite(t, dir, bareResult())
		mine := filepath.Join(dir, name)
		ours := name == PointsFile || name == SchemaFile || name == ManifestFile
		if ours {
			continue
		}
		if err := os.WriteFile(mine, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
		before := listing(t, parent)
		err := CheckTarget(dir, FilesOf(res.Manifest.Figures, res.Table)...)
		if err == nil || !strings.Contains(err.Error(), mine+" is not a result of this program") {
			t.Errorf("%s: error %v", name, err)
		}
		if _, err := WriteResult(dir, res); err == nil {
			t.Errorf("%s was replaced", name)
		}
		if after := listing(t, parent); !reflect.DeepEqual(after, before) {
			t.Errorf("%s: there are %q, before %q", name, names(after), names(before))
		}
		if err := os.Remove(mine); err != nil {
			t.Fatal(err)
		}
	}
	mustWrite(t, dir, res)
}
