package schema

import (
	"regexp"
	"testing"

	"sdrsim/internal/scenario/keys"
	"sdrsim/schemes"
)

func TestSchemaPatternsKnowEveryUnit(t *testing.T) {
	for kind, pattern := range map[schemes.Kind]string{
		schemes.KindBytes: bytesPattern, schemes.KindRate: ratePattern, keys.KindDuration: timePattern,
	} {
		k := keys.Key{Kind: kind, Max: 1e20}
		for _, prefix := range []string{"", "p", "n", "u", "µ", "μ", "m", "k", "K", "M", "G", "T", "Ki",
			"Mi", "Gi", "Ti"} {
			for _, unit := range []string{"B", "bps", "bit/s", "s", "min", "h"} {
				word := "1" + prefix + unit
				_, parses := k.Parse(word)
				matches := regexp.MustCompile(quantityPattern(pattern)).MatchString(word)
				if parses != matches {
					t.Errorf("%s as a %s: parsed %v, matched %v", word, kind, parses, matches)
				}
			}
		}
	}
}
