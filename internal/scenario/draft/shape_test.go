package draft

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sdrsim/internal/training"
)

func TestCommittedModelsAreThePublicOnes(t *testing.T) {
	want := map[string]int64{"7b": 6738415616, "13b": 13015864320, "8b": 8030261248,
		"70b": 70553706496, "405b": 405853388800, "175b": 174604259328}
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "scenarios", "models", "*.yaml"))
	if err != nil || len(files) != len(want) {
		t.Fatalf("models %v: %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		shape, err := parseShape(string(text))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		_, name, _ := strings.Cut(strings.TrimSuffix(file, ".yaml"), "transformer-")
		if got := shape.(*training.Shape).Parameters(); got != want[name] {
			t.Errorf("%s: %d parameters, want %d", file, got, want[name])
		}
		digits := strings.NewReplacer(" ", "").Replace(string(text))
		if !strings.Contains(digits, fmt.Sprint(want[name])) {
			t.Errorf("%s does not say how many parameters it has", file)
		}
	}
}

func TestModelsThatAreNoneAreRefused(t *testing.T) {
	const whole = "architecture: llama\nhidden: 4096\nffn: 11008\nlayers: 32\nheads: 32\n" +
		"kv_heads: 32\nvocabulary: 32000\n"
	if _, err := parseShape(whole); err != nil {
		t.Error(err)
	}
	for change, want := range map[string]string{
		"hidden: 4096\n>":         "line 1: hidden: missing",
		"heads: 32\n>heads: 31\n": "multiple",
		"4096>4096.5":             `line 2: hidden: "4096.5": must be an integer`,
		"ffn>fnn":                 `line 3: unknown key "fnn"`,
		"llama>[llama]":           "line 1: architecture: must be one of llama, gpt, not a list",
		whole + ">- a\n":          "line 1: a scenario must be a mapping",
		whole + ">":               "line 1: no scenario",
	} {
		old, new, _ := strings.Cut(change, ">")
		_, err := parseShape(strings.Replace(whole, old, new, 1))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", change, err, want)
		}
	}
}
