package keys

import (
	"testing"
)

func TestEveryChoiceOfTheTableIsAllowed(t *testing.T) {
	for _, k := range Defaults() {
		for _, c := range k.Choices {
			if v, ok := k.Parse(c); !ok || v.Text != c {
				t.Errorf("%s: %s is listed and not allowed", k.Path, c)
			}
		}
		if k.Doc == "" {
			t.Errorf("%s: not documented", k.Path)
		}
	}
}
