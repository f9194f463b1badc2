package scenarios

import (
	"os"
	"path/filepath"
	"testing"
)

func TestEveryCommittedScenarioLoads(t *testing.T) {
	for _, pattern := range []string{"*.yaml", "paper/*.yaml", "performance/*.yaml",
		"workloads/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if pattern == "*.yaml" && len(files) < 4 {
			t.Errorf("found %d scenarios; want at least 4", len(files))
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Load(file, data, nil)
			if err != nil {
				t.Errorf("%v", err)
				continue
			}
			if s.Question == "" {
				t.Errorf("%s: does not open with a question", file)
			}
			if stem := filepath.Base(file); stem != s.Name+".yaml" {
				t.Errorf("%s: is named %s", file, s.Name)
			}
			if len(s.Figures) == 0 || s.Len() < 2 {
				t.Errorf("%s: %d points and %d figures", file, s.Len(), len(s.Figures))
			}
		}
	}
}
