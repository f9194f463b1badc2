package validation

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/validation.md anew")

// TestPageIsWhatResultsSay compares the committed page with the committed results.
func TestPageIsWhatResultsSay(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	got, err := Page(filepath.Join(root, "results"))
	if err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(root, "docs", "validation.md")
	if *update {
		if err := os.WriteFile(page, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("docs/validation.md is not what results/ and the model give; run: make validation")
	}
	for line := range strings.Lines(got) {
		if strings.Contains(line, "| "+string(differs)) {
			t.Errorf("neither the paper nor a known departure explains: %s", line)
		}
	}
}
