package chromium

import (
	"bytes"
	"compress/gzip"
	_ "embed" // of axe-core
	"io"
	"os"
	"strings"
	"time"
)

// axeZipped is axe-core (MPL-2.0), which is only loaded into pages under test.
//
//go:embed axe.min.js.gz
var axeZipped []byte

// Has wants parts in a text.
func (t *Tab) Has(text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

// Await reads a file once it is there.
func (t *Tab) Await(file string) []byte {
	t.Helper()
	for range 1000 {
		if data, err := os.ReadFile(file); err == nil && len(data) > 0 {
			return data
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s was not downloaded", file)
	return nil
}

// Accessible has axe-core look at the page, light and dark.
func (t *Tab) Accessible() {
	t.Helper()
	unzip, err := gzip.NewReader(bytes.NewReader(axeZipped))
	if err != nil {
		t.Fatal(err)
	}
	axe, err := io.ReadAll(unzip)
	if err != nil {
		t.Fatal(err)
	}
	t.Eval(string(axe) + "; 0")
	for _, scheme := range []string{"light", "dark"} {
		t.Media("", scheme)
		found, ok := t.Eval(`axe.run().then(r => [r.passes.length, ...r.violations.flatMap(v =>
			v.nodes.map(n => v.id + ': ' + n.html + ' ' + n.failureSummary))])`).([]any)
		if n, _ := found[0].(float64); !ok || n < 20 {
			t.Errorf("only %v rules were looked at", n)
		}
		for _, v := range found[1:] {
			t.Errorf("%s: %v", scheme, v)
		}
	}
}
