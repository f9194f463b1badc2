package keys

import (
	"strings"
	"testing"
)

// TestNamesCanBeThoseOfFilesEverywhere holds names to what every system takes.
func TestNamesCanBeThoseOfFilesEverywhere(t *testing.T) {
	for _, name := range []string{"a", "fig9", "_x.y", "console", "con-1", "com", "com10", "x.con",
		"lpt", "nul_", "null", "COMA"} {
		if !validName(name) {
			t.Errorf("%q is refused", name)
		}
	}
	for _, name := range []string{"", ".a", "-a", "a.", "a/b", "a b", "a\nb", "CON", "nul", "Con.txt",
		"aux.a.b", "PRN", "com0", "COM9", "lpt1", "LPT5.csv", strings.Repeat("a", 65)} {
		if validName(name) {
			t.Errorf("%q is taken", name)
		}
	}
}
