package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

// page renders a document.
func page(t *testing.T, d Document) string {
	t.Helper()
	content, err := Render(d)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestPageIsSmallAndTheSameEachTime(t *testing.T) {
	empty := page(t, Document{})
	if n := len(empty); n > 150_000 {
		t.Errorf("%d bytes without data, at most 150 KB", n)
	}
	d := Document{Name: "a", Data: Data{Schemes: map[string]int{"x": 1, "y": 2, "z": 3},
		Units: map[string]Unit{"s": {}, "B": {}, "": {}}}}
	if first, second := page(t, d), page(t, d); first != second {
		t.Error("equal documents, other bytes")
	}
	if !Is([]byte(empty)) || Is([]byte("<!doctype html>\n<html>")) || Is(nil) {
		t.Error("a page is not told from other files")
	}
}

// TestPolicyAllowsWhatThePageHasAndNothingElse computes the hashes of every script and style.
func TestPolicyAllowsWhatThePageHasAndNothingElse(t *testing.T) {
	text := page(t, Document{Name: "</script>"})
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(text)
	if policy == nil {
		t.Fatal("no policy")
	}
	rule := strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(policy[1])
	if !strings.HasPrefix(rule, "default-src 'none'; ") || strings.Contains(rule, "unsafe") {
		t.Errorf("policy %s", rule)
	}
	blocks := regexp.MustCompile(`(?s)<(script|style)>(.*?)</(?:script|style)>`).
		FindAllStringSubmatch(text, -1)
	if len(blocks) != 4 {
		t.Errorf("%d scripts and styles, want 2 of each", len(blocks))
	}
	for _, b := range blocks {
		sum := sha256.Sum256([]byte(b[2]))
		if hash := base64.StdEncoding.EncodeToString(sum[:]); !strings.Contains(rule, hash) {
			t.Errorf("the policy does not allow the %s that begins %.60q", b[1], b[2])
		}
	}
	for _, word := range []string{"src=", "<link", "@import", "url(", "<iframe", "eval("} {
		if strings.Contains(text, word) {
			t.Errorf("the page has %s", word)
		}
	}
}

// TestTextsOfADocumentAreEscaped puts markup into every text.
func TestTextsOfADocumentAreEscaped(t *testing.T) {
	const evil = `</script><b onload="x">'<!--`
	d := Document{
		Name: evil, Question: evil, Doubts: []string{evil}, Overrides: []string{evil}, Scenario: evil,
		Answers: []Answer{{evil, []Line{{[]string{evil}, evil, evil, evil}}}},
		Facts:   []Fact{{evil, evil}},
		Data: Data{Name: evil, Points: evil, Schemes: map[string]int{evil: 0},
			Axes: []Axis{{evil, evil, evil}}, Figures: []Figure{{Title: evil}}},
	}
	text := page(t, d)
	if strings.Contains(text, "<b onload") || strings.Count(text, "</script>") != 3 {
		t.Error("a text is markup")
	}
}

// TestAssetsAreWhatThePageHas finds files that were left out, and what would end a script.
func TestAssetsAreWhatThePageHas(t *testing.T) {
	pages := script(scripts) + script(exploring) + asset("explore/server.js") +
		asset("explore/main.js") + asset("explore/inside.js") + asset("explore/worker.js")
	err := fs.WalkDir(assets, "assets", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name := strings.TrimPrefix(path, "assets/")
		content := asset(name)
		if strings.Contains(content, "\r") {
			t.Errorf("%s has carriage returns", name)
		}
		if !strings.HasSuffix(name, ".js") {
			return nil
		}
		if strings.Contains(content, "</script") || strings.Contains(content, "<!--") {
			t.Errorf("%s has what ends a script", name)
		}
		if !strings.HasPrefix(name, "uplot/") && !strings.Contains(pages, content) {
			t.Errorf("%s is not in the page", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains([]byte(page(t, Document{})), []byte("Copyright (c) 2022 Leon Sorokin")) {
		t.Error("the page lacks the licence of uPlot")
	}
}
