package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"sdrsim/internal/result"
)

// TestSchemaDescribesEveryColumn reads a table by its schema.
func TestSchemaDescribesEveryColumn(t *testing.T) {
	var table, text bytes.Buffer
	rows := sampleTable().Rows
	rows[0].Sampling = result.SamplingStrata
	if err := result.WriteCSV(&table, rows); err != nil {
		t.Fatal(err)
	}
	if err := WriteSchema(&text, rows); err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Fields []map[string]string `json:"fields"`
		Key    []string            `json:"primaryKey"`
	}
	if err := json.Unmarshal(text.Bytes(), &schema); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&table).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"link.loss.p", "scheme.rto", "scheme"}; !slices.Equal(schema.Key, want) {
		t.Errorf("the key is %v, want %v", schema.Key, want)
	}
	if len(schema.Fields) != len(lines[0]) {
		t.Fatalf("%d columns are described, there are %d", len(schema.Fields), len(lines[0]))
	}
	types := map[string]string{}
	for i, f := range schema.Fields {
		types[f["name"]] = f["type"] + " " + f["unit"]
		if f["name"] != lines[0][i] || f["title"] == "" || f["description"] == "" {
			t.Errorf("column %d, %s, is described as %v", i, lines[0][i], f)
		}
		for _, line := range lines[1:] {
			if _, err := strconv.ParseFloat(line[i], 64); err != nil && line[i] != "" &&
				f["type"] != "string" {
				t.Errorf("%s: %q is no %s", f["name"], line[i], f["type"])
			}
		}
		for _, end := range []string{f["lower"], f["upper"]} {
			if end != "" && !slices.Contains(lines[0], end) {
				t.Errorf("%s has an interval to %s, which is no column", f["name"], end)
			}
		}
	}
	for name, want := range map[string]string{
		"link.loss.p": "number ", "scheme.rto": "string ", "samples": "integer ",
		"completion_p99_hi_s": "number s", "goodput_bps": "number bit/s", "sampling": "string ",
	} {
		if types[name] != want {
			t.Errorf("%s is of type and unit %q, want %q", name, types[name], want)
		}
	}
}
