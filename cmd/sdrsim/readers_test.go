package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"golang.org/x/perf/benchfmt"

	"sdrsim/internal/sweep/ledger"
)

// TestFilesAreReadByOtherPrograms reads all that a run, shards and a check leave behind with
// readers that are not of this project.
func TestFilesAreReadByOtherPrograms(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("e.yaml", []byte(exitScenario), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"run e.yaml -q -o out --samples-out s.csv", "run e.yaml -q -o out --samples-out s.parquet",
		"run e.yaml -q -o out --metrics-out flat.json",
		"run e.yaml -q -o parts --shard 1/1", "check -q e.yaml --update --reason first",
		"check -q e.yaml --format json -o check.json", "check -q e.yaml --format junit -o check.xml",
		"check -q e.yaml --format gobench -o check.txt",
	} {
		if code, _, stderr := (&ending{args: args}).end(t); code != exitOK {
			t.Fatalf("%s: exit status %d: %s", args, code, stderr)
		}
	}
	read := map[string]int{}
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if reader := readers[filepath.Ext(path)]; reader != nil {
			read[filepath.Ext(path)]++
			err = reader(b)
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for ext, want := range map[string]int{
		".csv": 3, ".json": 7, ".svg": 1, ".png": 1, ".parquet": 1, ".xml": 1, ".txt": 1,
	} {
		if read[ext] != want {
			t.Errorf("%d files %s were read, want %d", read[ext], ext, want)
		}
	}
}

// readers are those of others, by the end of the name.
var readers = map[string]func([]byte) error{
	".csv": readCSV, ".json": readJSON, ".svg": readXML, ".xml": readXML, ".png": readPNG,
	".parquet": readParquet, ".txt": readBenchmarks,
}

// readCSV wants as many fields in each row as in the first, with names there and numbers below.
func readCSV(b []byte) error {
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil || len(rows) < 2 {
		return fmt.Errorf("%d rows, %v", len(rows), err)
	}
	for k, name := range rows[0] {
		if slices.Contains([]string{"scheme", "sampling", "warnings", "failure"}, name) {
			continue
		}
		for i, row := range rows[1:] {
			if _, err := strconv.ParseFloat(row[k], 64); err != nil && row[k] != "" {
				return fmt.Errorf("row %d, column %s: %w", i+1, name, err)
			}
		}
	}
	return nil
}

func readJSON(b []byte) error {
	var object map[string]any
	return json.Unmarshal(b, &object)
}

func readXML(b []byte) error {
	for d := xml.NewDecoder(bytes.NewReader(b)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func readPNG(b []byte) error {
	image, err := png.Decode(bytes.NewReader(b))
	if err == nil && image.Bounds().Dx() < 500 {
		err = fmt.Errorf("it is %v", image.Bounds())
	}
	return err
}

func readParquet(b []byte) error {
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err == nil && f.NumRows() != 20 {
		err = fmt.Errorf("%d rows", f.NumRows())
	}
	return err
}

func readBenchmarks(b []byte) error {
	results := 0
	r := benchfmt.NewReader(bytes.NewReader(b), "check.txt")
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.SyntaxError:
			return rec
		case *benchfmt.Result:
			results++
		}
	}
	if results == 0 {
		return errors.New("no results")
	}
	return r.Err()
}

// TestStatusIsJSONALine decodes what status --json prints of results, and of shards, strictly.
func TestStatusIsJSONALine(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("e.yaml", []byte(exitScenario), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, e := range []ending{
		{"run e.yaml -q -o out", exitOK, ""}, {"run e.yaml -q -o parts --shard 2/3", exitOK, ""},
		{"run e.yaml -q -o stopped --jobs 1", exitInterrupted, interrupted},
	} {
		if code, _, stderr := e.end(t); code != e.code {
			t.Fatalf("%s: exit status %d: %s", e.args, code, stderr)
		}
	}
	all := ending{args: "status --json out parts stopped"}
	code, stdout, _ := all.end(t)
	if code != exitIncomplete {
		t.Errorf("exit status %d, want %d", code, exitIncomplete)
	}
	var got []string
	for line := range strings.Lines(stdout) {
		var s struct {
			Dir string `json:"dir"`
			ledger.Status
		}
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&s); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		got = append(got, fmt.Sprintf("%s %s %s %s %d/%d %d/%d", filepath.Base(s.Dir), s.State,
			s.Scenario, s.Shard, s.Samples, s.Total, s.Units, s.UnitsTotal))
	}
	want := []string{
		"out complete ends  20/20 2/2", "1-of-3 missing ends 1/3 0/10 0/1",
		"2-of-3 complete ends 2/3 10/10 1/1", "3-of-3 missing ends 3/3 0/0 0/0",
		".stopped.run interrupted ends  1/20 0/2",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
