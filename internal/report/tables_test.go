package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"sdrsim/internal/result"
)

// TestPointsInParquetAreThoseOfTheCSV reads both back. A path with a word in it stays text.
func TestPointsInParquetAreThoseOfTheCSV(t *testing.T) {
	rows := sampleTable().Rows
	file := filepath.Join(t.TempDir(), "points.parquet")
	if err := WritePoints(file, rows); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := result.WriteCSV(&b, rows); err != nil {
		t.Fatal(err)
	}
	want, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got := readParquet(t, file)
	if !slices.EqualFunc(got, want, slices.Equal[[]string]) {
		t.Errorf("points.parquet has\n%q\npoints.csv\n%q", got, want)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	types := map[string]string{}
	for _, c := range parquet.NewReader(f).Schema().Fields() {
		types[c.Name()] = c.Type().String()
	}
	for name, want := range map[string]string{
		"link.loss.p": "DOUBLE", "scheme.rto": "STRING", "scheme": "STRING", "samples": "INT(64,true)",
		"completion_mean_s": "DOUBLE", "warnings": "STRING",
	} {
		if types[name] != want {
			t.Errorf("%s is of type %s, want %s", name, types[name], want)
		}
	}
}

// TestMetricsAreFlatAndComplete takes every number of a table from the object.
func TestMetricsAreFlatAndComplete(t *testing.T) {
	rows := sampleTable().Rows
	twin := rows[0]
	twin.Scheme = "ec-mds[32,8]" // told apart from ec-mds(32,8) by signs that no name may have
	twin.CompletionMean = 7
	file := filepath.Join(t.TempDir(), "metrics.json")
	if err := WriteMetrics(file, append(rows, twin)); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]float64
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{
		"link.loss.p:1e-05/scheme.rto:3RTT/ec-mds_32_8_/completion_mean_s":   rows[0].CompletionMean,
		"link.loss.p:1e-05/scheme.rto:3RTT/ec-mds_32_8_-2/completion_mean_s": 7,
		"link.loss.p:0/scheme.rto:1RTT/sr-rto/failed":                        10,
	} {
		if x, ok := got[name]; !ok || x != want {
			t.Errorf("%s is %v (%v), want %v", name, x, ok, want)
		}
	}
	for name := range got {
		if strings.HasPrefix(name, "link.loss.p:0/") && !strings.HasSuffix(name, "samples") &&
			!strings.HasSuffix(name, "failed") {
			t.Errorf("%s is there, and nobody knows it", name)
		}
	}
}
