package draft

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
)

// maxNamedFile bounds a file that a scenario names. Its text is kept with the results.
const maxNamedFile = 16 << 20

// File is a file that a scenario names, as it was read. Runs and results keep it, so that they can
// be gone on with, merged and replayed without it, and do not mix two versions of it.
type File struct {
	Name string `json:"name"`
	// SHA256 is the hash of Text in hexadecimal.
	SHA256 string `json:"sha256"`
	Text   string `json:"text"`
}

// fileParsers read the files that keys name, by what the paths of the keys end in. A parser returns
// what points are made from; it is called once for a file, and its result is shared.
var fileParsers = map[string]func(text string) (any, error){
	"size.file": parseSizes, "arrival.file": parseArrivals,
	"loss.file": parseLosses, "ack_loss.file": parseLosses, "workload.model": parseShape,
}

// Opener finds the text of a file by its name.
type Opener func(name string) (string, error)

// Beside reads files from the folder of a scenario.
func Beside(scenario string) Opener {
	return func(name string) (string, error) {
		path := name
		if !filepath.IsAbs(name) {
			path = filepath.Join(filepath.Dir(scenario), name)
		}
		return readNamed(path)
	}
}

// readNamed reads a text of bounded size, but nothing that may never end or begin.
func readNamed(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		var detail *fs.PathError
		if errors.As(err, &detail) {
			err = detail.Err
		}
		return "", fmt.Errorf("cannot be read: %w", err)
	case !info.Mode().IsRegular():
		return "", errors.New("must be a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("cannot be read: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxNamedFile+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("cannot be read: %w", err)
	case len(text) > maxNamedFile:
		return "", fmt.Errorf("has more than %d MiB", maxNamedFile>>20)
	case !utf8.Valid(text):
		return "", errors.New("is not UTF-8 text")
	}
	return string(text), nil
}

// Among finds files in those that were recorded, as long as they are what was recorded.
func Among(files []File) Opener {
	return func(name string) (string, error) {
		i := slices.IndexFunc(files, func(f File) bool { return f.Name == name })
		if i < 0 {
			return "", errors.New("was not kept with the scenario")
		}
		if files[i].SHA256 != hashOf(files[i].Text) {
			return "", errors.New("has changed since it was kept: its text has another hash")
		}
		return files[i].Text, nil
	}
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// fileSet is the files of a scenario. Once the scenario is read it does not change, so that drafts
// share it.
type fileSet struct {
	open   Opener
	Files  []File             // in order of their names
	parsed map[parsedFile]any // nil for one that cannot be read
}

// parsedFile is a file as one kind of key reads it.
type parsedFile struct{ parser, name string }

// parserOf is the name of the parser of a key: the last two names of its path.
func parserOf(path string) string {
	parent, name := keys.SplitPath(path)
	_, last := keys.SplitPath(parent)
	return keys.JoinPath(last, name)
}

// ReadFiles reads every file that the settings name, and those of the sweep.
func (d *Decoder) ReadFiles(open Opener, swept func(func(*keys.Key, *keys.Setting) bool)) {
	set := &fileSet{open: open, parsed: map[parsedFile]any{}}
	d.Draft.Files = set
	d.readFilesOf(d.Draft.Block)
	for _, h := range d.Draft.Hops {
		d.readFilesOf(h.Block)
	}
	for key, s := range swept {
		d.readFile(key, s)
	}
	slices.SortFunc(set.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
}

func (d *Decoder) readFilesOf(b keys.Block) {
	for i := range b.Settings {
		d.readFile(&b.Set.Keys[i], b.Settings[i])
	}
}

// readFile reads the file that a setting names. What is wrong with the file is a fault of the
// setting, which is broken then.
func (d *Decoder) readFile(k *keys.Key, s *keys.Setting) {
	if k.Kind != keys.KindFile || !s.Wrote() {
		return
	}
	set := d.Draft.Files
	key := parsedFile{parserOf(k.Path), s.Text}
	content, known := set.parsed[key]
	if known {
		if content == nil { // told where it was first named
			s.State = keys.Broken
		}
		return
	}
	text, err := set.read(s.Text)
	if err == nil {
		content, err = fileParsers[key.parser](text)
	}
	if err != nil {
		content, s.State = nil, keys.Broken
		d.Faults.Add(s.At, err.Error(), format.Error{Key: s.Name, Value: s.Raw})
	}
	set.parsed[key] = content
}

// read returns the text of a file, read once.
func (set *fileSet) read(name string) (string, error) {
	for _, f := range set.Files {
		if f.Name == name {
			return f.Text, nil
		}
	}
	text, err := set.open(name)
	if err == nil {
		set.Files = append(set.Files, File{Name: name, SHA256: hashOf(text), Text: text})
	}
	return text, err
}

// FileOf is what the parser has made of the file that a key names; nil where it names none.
func (d *Draft) FileOf(path string) any {
	s := d.Get(path)
	if !s.Wrote() {
		return nil
	}
	return d.Files.parsed[parsedFile{parserOf(path), s.Text}]
}

// eachLine visits the lines of a text that are neither empty nor a comment after #, cut into words
// at spaces, tabs and commas. A byte order mark, which spreadsheets write, is skipped. Errors are
// told with the number of the line.
func eachLine(text string, visit func(words []string) error) error {
	in := bufio.NewScanner(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	for n := 1; in.Scan(); n++ {
		line, _, _ := strings.Cut(in.Text(), "#")
		words := strings.FieldsFunc(line, func(r rune) bool {
			return r == ' ' || r == '\t' || r == ',' || r == '\r'
		})
		if len(words) == 0 {
			continue
		}
		if err := visit(words); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return in.Err() // a line of more than 64 KiB
}
