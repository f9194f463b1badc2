package tidy

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Finding is one place that breaks a rule.
type Finding struct {
	File    string // relative to the root, with slashes
	Line    int
	Message string
}

// String prints file:line: message.
func (f Finding) String() string { return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message) }

// source is one parsed file.
type source struct {
	name   string // relative to the root, with slashes
	folder string
	text   string
	syntax *ast.File
	lines  *token.FileSet
}

func (s *source) isTest() bool { return strings.HasSuffix(s.name, "_test.go") }

func (s *source) line(pos token.Pos) int { return s.lines.Position(pos).Line }

func (s *source) finding(pos token.Pos, format string, args ...any) Finding {
	return Finding{File: s.name, Line: s.line(pos), Message: fmt.Sprintf(format, args...)}
}

// parse reads one file from its text.
func parse(name, text string) (*source, error) {
	lines := token.NewFileSet()
	syntax, err := parser.ParseFile(lines, name, text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	folder := filepath.ToSlash(filepath.Dir(name))
	return &source{name: name, folder: folder, text: text, syntax: syntax, lines: lines}, nil
}

// load parses every Go file below root, in the order of their names.
func load(root string) ([]*source, error) {
	var sources []*source
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && skipped(entry.Name()):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		s, err := parse(filepath.ToSlash(name), string(text))
		sources = append(sources, s)
		return err
	})
	return sources, err
}

// skipped folders hold no code of the project.
func skipped(name string) bool {
	return name == "testdata" || name == "results" || strings.HasPrefix(name, ".")
}

// Check reads every Go file below root and returns what breaks a rule, ordered by file and line,
// and how many files it read. The error tells that a file could not be read or parsed.
func Check(root string) (findings []Finding, files int, err error) {
	sources, err := load(root)
	if err != nil {
		return nil, 0, err
	}
	return check(sources), len(sources), nil
}
