package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"sdrsim/internal/report"
)

// TestTablesBesideResultsHoldTheirNumbers runs a scenario whole and in shards, with both tables.
func TestTablesBesideResultsHoldTheirNumbers(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("e.yaml", []byte(exitScenario), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"run e.yaml -q -o out --points-out p.parquet --metrics-out m.json",
		"run e.yaml -q -o parts --shard 1/1",
		"merge parts -q -o joined --points-out q.parquet --metrics-out n.json",
	} {
		if code, _, stderr := (&ending{args: args}).end(t); code != exitOK {
			t.Fatalf("%s: exit status %d: %s", args, code, stderr)
		}
	}
	for one, other := range map[string]string{"p.parquet": "q.parquet", "m.json": "n.json"} {
		if a, b := content(t, one), content(t, other); a != b {
			t.Errorf("%s and %s differ", one, other)
		}
	}
	table, err := report.ReadTable("out")
	if err != nil {
		t.Fatal(err)
	}
	var flat map[string]float64
	if err := json.Unmarshal([]byte(content(t, "m.json")), &flat); err != nil {
		t.Fatal(err)
	}
	rows, err := parquet.ReadFile[struct {
		Scheme string  `parquet:"scheme"`
		Mean   float64 `parquet:"completion_mean_s,optional"`
	}]("p.parquet")
	if err != nil || len(rows) != len(table.Rows) {
		t.Fatalf("%d rows of %d: %v", len(rows), len(table.Rows), err)
	}
	for i := range table.Rows {
		want := &table.Rows[i]
		if rows[i].Scheme != want.Scheme || rows[i].Mean != want.CompletionMean {
			t.Errorf("row %d of the Parquet file is %+v, want %s, %v", i, rows[i], want.Scheme,
				want.CompletionMean)
		}
		found := 0
		for name, x := range flat {
			if strings.HasSuffix(name, want.Scheme+"/completion_mean_s") && x == want.CompletionMean {
				found++
			}
		}
		if found == 0 {
			t.Errorf("no number of row %d is %v", i, want.CompletionMean)
		}
	}
}

func content(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestTablesThatCannotBeAreRefusedEarly names the flag or the file.
func TestTablesThatCannotBeAreRefusedEarly(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("e.yaml", []byte(exitScenario), 0o644); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"--points-out p.csv":                       "p.csv: must end in .parquet",
		"--metrics-out m.txt":                      "m.txt: must end in .json",
		"--metrics-out none/m.json":                "--metrics-out none/m.json: cannot be written",
		"--points-out p.parquet --shard 1/2":       "--points-out goes with merge",
		"--metrics-out out/m.json":                 "lies in out",
		"--metrics-out m.json e.yaml -o elsewhere": "of one scenario",
	} {
		code, _, stderr := (&ending{args: "run e.yaml -q -o out " + args}).end(t)
		if code != exitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit status %d: %s; want %q", args, code, stderr, want)
		}
	}
}
