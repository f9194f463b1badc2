package docs

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write generated tables and outputs of commands anew")

// root is the top of the project.
const root = ".."

// page is a document.
type page struct {
	name string // relative to the root, with slashes
	text string
}

// block is a fenced block of a page.
type block struct {
	kind     string // the word behind the fence
	text     string
	line     int // of the fence, from 1
	from, to int // where the text lies in the page
	follows  int // index of the block that ends right before, or -1
}

// pages are all documents of the project.
func pages(t *testing.T) []page {
	t.Helper()
	var list []page
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "notebooks/*.md"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name, err := filepath.Rel(root, file)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, page{filepath.ToSlash(name), string(text)})
		}
	}
	if len(list) < 10 {
		t.Fatalf("found only %d pages: is the root right?", len(list))
	}
	return list
}

const fence = "```"

// blocks are the fenced blocks of the page. A fence that is not closed is an error of the test.
func (p *page) blocks(t *testing.T) []block {
	t.Helper()
	var list []block
	open, offset, line := false, 0, 0
	blank := true // only blank lines since the last block
	for text := range strings.Lines(p.text) {
		line++
		start := offset
		offset += len(text)
		kind, fenced := strings.CutPrefix(strings.TrimRight(text, "\n"), fence)
		switch {
		case fenced && !open:
			b := block{kind: kind, line: line, from: offset, follows: -1}
			if blank && len(list) > 0 {
				b.follows = len(list) - 1
			}
			list = append(list, b)
		case fenced:
			last := &list[len(list)-1]
			last.to = start
			last.text = p.text[last.from:start]
			blank = true
		case !open && strings.TrimSpace(text) != "":
			blank = false
		}
		open = open != fenced
	}
	if open {
		t.Errorf("%s:%d: block is not closed", p.name, list[len(list)-1].line)
		list = list[:len(list)-1]
	}
	return list
}

// prose is the page without its blocks, line by line: lines of blocks are empty.
func (p *page) prose() []string {
	var list []string
	open := false
	for text := range strings.Lines(p.text) {
		fenced := strings.HasPrefix(text, fence)
		if fenced || open {
			text = ""
		}
		open = open != fenced
		list = append(list, strings.TrimRight(text, "\n"))
	}
	return list
}

// headings are the titles of the given level.
func (p *page) headings(level int) []string {
	var list []string
	for _, line := range p.prose() {
		if title, ok := strings.CutPrefix(line, strings.Repeat("#", level)+" "); ok {
			list = append(list, title)
		}
	}
	return list
}

// replace puts another text into the page, in its file too.
func (p *page) replace(t *testing.T, from, to int, text string) {
	t.Helper()
	p.text = p.text[:from] + text + p.text[to:]
	file := filepath.Join(root, filepath.FromSlash(p.name))
	if err := os.WriteFile(file, []byte(p.text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestPagesOfModelsHaveTheirSections wants the limits first and the evidence last.
func TestPagesOfModelsHaveTheirSections(t *testing.T) {
	models := 0
	for _, p := range pages(t) {
		if !strings.HasPrefix(p.name, "docs/models/") {
			continue
		}
		models++
		h := p.headings(2)
		if len(h) < 2 || h[0] != "Scope and limitations" || h[len(h)-1] != "Validation" {
			t.Errorf("%s: sections are %q; want Scope and limitations first, Validation last",
				p.name, h)
		}
	}
	if models < 8 {
		t.Errorf("found %d pages of models", models)
	}
}

// TestBlocksAreFound holds the reader of pages to a page with everything.
func TestBlocksAreFound(t *testing.T) {
	p := page{"x.md", "# A\n```sh\necho\n```\n\n```text\na\nb\n```\nword\n```text\nc\n```\n## B\n"}
	list := p.blocks(t)
	if len(list) != 3 {
		t.Fatalf("found %d blocks", len(list))
	}
	want := []block{
		{"sh", "echo\n", 2, 10, 15, -1}, {"text", "a\nb\n", 6, 28, 32, 0},
		{"text", "c\n", 11, 49, 51, -1},
	}
	if !slices.Equal(list, want) {
		t.Errorf("found %+v, want %+v", list, want)
	}
	if h := p.headings(2); len(h) != 1 || h[0] != "B" {
		t.Errorf("found headings %q", h)
	}
}
