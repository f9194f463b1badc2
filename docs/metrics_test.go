package docs

import (
	"fmt"
	"strings"
	"testing"

	"sdrsim/internal/metric"
)

// TestEveryColumnIsExplained holds the table of columns to the table of metrics.
func TestEveryColumnIsExplained(t *testing.T) {
	var b strings.Builder
	b.WriteString("\n| column | unit | better | 95 % interval | meaning |\n|---|---|---|---|---|\n")
	row(&b, "`scheme`", "", "", "", "label of the scheme")
	for _, f := range metric.Fields() {
		interval := ""
		if f.Lo != "" {
			interval = code(f.Lo) + ", " + code(f.Hi)
		}
		if f.Of == "" {
			row(&b, code(f.Name), f.Unit, f.Better, interval, f.Doc)
		}
	}
	row(&b, "`warnings`", "", "", "", "what to doubt, separated by `; `")
	holdGenerated(t, "docs/models/statistics.md", b.String()+"\n")
}

// TestEveryCheckIsExplained does so for what checks hold.
func TestEveryCheckIsExplained(t *testing.T) {
	var b strings.Builder
	b.WriteString("\n| metric | better | unit | what it is |\n|---|---|---|---|\n")
	for _, c := range metric.Checks() {
		row(&b, code(c.Name), c.Better, c.Unit, c.Doc)
	}
	holdGenerated(t, "docs/check.md", b.String()+"\n")
}

// TestEveryColumnOfSamplesIsExplained does so for files of samples.
func TestEveryColumnOfSamplesIsExplained(t *testing.T) {
	var b strings.Builder
	b.WriteString("\n| column | unit | meaning |\n|---|---|---|\n")
	fmt.Fprintln(&b, "| `scheme`, `sample` | | label of the scheme, number of the sample |")
	counts, numbers := metric.SampleFields()
	for _, f := range append(counts, numbers...) {
		row(&b, code(f.Name), f.Unit, f.Doc)
	}
	holdGenerated(t, "docs/sweeps.md", b.String()+"\n")
}
