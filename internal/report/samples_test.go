package report

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"sdrsim/internal/result"
)

// someSamples are rows with words, zeros and unknown numbers; more than a batch of them.
func someSamples() (result.SampleHeader, Samples) {
	h := result.SampleHeader{Paths: []string{"link.loss.p", "point"}, Counts: []string{"packets",
		"acks"},
		Numbers: []string{"completion_s", "weight"}}
	return h, func(visit func(*result.SampleRow) error) error {
		for i := range int64(parquetBatch + 10) {
			r := result.SampleRow{Axes: []result.AxisValue{number("link.loss.p", 1e-3), word("point",
				"a,b")},
				Scheme: "sr", Number: i, Counts: []int64{i * i, 0}, Numbers: []float64{0.1, 1}}
			if i%3 == 0 {
				r.Numbers[0] = math.NaN()
			}
			if err := visit(&r); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestSamplesAreWrittenAsCSV(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.csv")
	h, samples := someSamples()
	if err := WriteSamples(file, h, samples); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(b), "\n")
	for i, want := range []string{
		"link.loss.p,point,scheme,sample,packets,acks,completion_s,weight",
		`0.001,"a,b",sr,0,0,0,,1`, `0.001,"a,b",sr,1,1,0,0.1,1`,
	} {
		if lines[i] != want {
			t.Errorf("line %d is %q, want %q", i+1, lines[i], want)
		}
	}
	if len(lines) != parquetBatch+12 {
		t.Errorf("%d lines", len(lines))
	}
}

// TestParquetHoldsWhatCSVDoes reads both back.
func TestParquetHoldsWhatCSVDoes(t *testing.T) {
	dir := t.TempDir()
	h, samples := someSamples()
	for _, name := range []string{"s.csv", "s.parquet"} {
		if err := WriteSamples(filepath.Join(dir, name), h, samples); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(filepath.Join(dir, "s.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got := readParquet(t, filepath.Join(dir, "s.parquet"))
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for i := range want {
		if strings.Join(got[i], "|") != strings.Join(want[i], "|") {
			t.Fatalf("row %d is %q, want %q", i, got[i], want[i])
		}
	}
}

// readParquet returns the names of the columns, and the values of every row as CSV has them.
func readParquet(t *testing.T, file string) (rows [][]string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := parquet.NewReader(f)
	defer r.Close()
	var names []string
	for _, c := range r.Schema().Columns() {
		names = append(names, c[0])
	}
	rows = append(rows, names)
	buffer := make([]parquet.Row, 100)
	for {
		n, err := r.ReadRows(buffer)
		for _, row := range buffer[:n] {
			var fields []string
			for _, v := range row {
				text := ""
				if v.Kind() == parquet.Double {
					text = result.FormatNumber(v.Double())
				} else if !v.IsNull() {
					text = fmt.Sprint(v)
				}
				fields = append(fields, text)
			}
			rows = append(rows, fields)
		}
		if err != nil {
			return rows
		}
	}
}

// TestSamplesThatEndInAnErrorLeaveTheFile as it was.
func TestSamplesThatEndInAnErrorLeaveTheFile(t *testing.T) {
	dir := t.TempDir()
	h, samples := someSamples()
	for _, name := range []string{"s.csv", "s.parquet"} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte("before"), 0o644); err != nil {
			t.Fatal(err)
		}
		broken := errors.New("gone")
		err := WriteSamples(file, h, func(visit func(*result.SampleRow) error) error {
			return errors.Join(samples(visit), broken)
		})
		if !errors.Is(err, broken) || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v", err)
		}
		if b, _ := os.ReadFile(file); string(b) != "before" {
			t.Errorf("%s now holds %d bytes", name, len(b))
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestSamplesFileIsCheckedEarly(t *testing.T) {
	dir := t.TempDir()
	for file, want := range map[string]string{
		filepath.Join(dir, "s.txt"): "must end in .csv or .parquet", dir + ".csv": "",
		filepath.Join(dir, "none", "s.csv"): "cannot be written", "x.csv": "",
	} {
		t.Chdir(dir)
		err := CheckSamplesFile(file)
		if want == "" && err != nil || want != "" && (err == nil ||
			!strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", file, err, want)
		}
	}
}
