package draft

import (
	"strings"
	"testing"

	"sdrsim/internal/spec"
)

// Probabilities of a file of sizes are fractions, or percent with the sign or without, as a
// spreadsheet may write it.
func TestFilesOfSizesAreFractionsOrPercent(t *testing.T) {
	for _, text := range []string{
		"100 0.25\n200 1\n", "100 25\n200 100\n", "100 25%\n200 100%\n", "\ufeff100,25\r\n200,100\r\n",
		"100 0.5%\n100 25%\n200 100%\n",
	} {
		got, err := parseSizes(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		sizes := got.(*spec.Sizes)
		if sizes.Largest() != 200 || sizes.Of(0.2499) > 100 || sizes.Of(0.2501) <= 100 {
			t.Errorf("%q: largest %v, %v at 0.2499, %v at 0.2501", text, sizes.Largest(),
				sizes.Of(0.2499), sizes.Of(0.2501))
		}
	}
	for text, want := range map[string]string{
		"100 25%\n200 1\n":     "line 2: ",
		"100 0.25\n200 100%\n": `line 2: "100%": must be fractions of 1 or percent in every line`,
		"100 0.25\n200 100\n":  "grow to 0.25, and then to 100: must be fractions of 1 or percent",
		"100 25%\n200 99%\n":   "the last probability is 99%; must be 100%",
		"100 x%\n":             `"x%": must be a probability`,
	} {
		if _, err := parseSizes(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
}
