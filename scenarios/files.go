package scenarios

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

	"sdrsim/schemes"
)

// KindFile is the name of a file that a scenario refers to, relative to the folder of the scenario.
const KindFile schemes.Kind = "file"

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

// opener finds the text of a file by its name.
type opener func(name string) (string, error)

// beside reads files from the folder of a scenario.
func beside(scenario string) opener {
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

// among finds files in those that were recorded, as long as they are what was recorded.
func among(files []File) opener {
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
	open   opener
	files  []File             // in order of their names
	parsed map[parsedFile]any // nil for one that cannot be read
}

// parsedFile is a file as one kind of key reads it.
type parsedFile struct{ parser, name string }

// parserOf is the name of the parser of a key: the last two names of its path.
func parserOf(path string) string {
	parent, name := splitPath(path)
	_, last := splitPath(parent)
	return joinPath(last, name)
}

// readFiles reads every file that the settings and the sweep name.
func (d *decoder) readFiles(axes []Axis, open opener) {
	set := &fileSet{open: open, parsed: map[parsedFile]any{}}
	d.draft.files = set
	d.readFilesOf(d.draft.block)
	for _, h := range d.draft.hops {
		d.readFilesOf(h.block)
	}
	for i := range axes {
		a := &axes[i]
		for v := range a.settings {
			if a.named != nil {
				for k, t := range a.targets {
					d.readFile(d.draft.keyOf(t), &a.named[v][k])
				}
			} else {
				d.readFile(d.draft.keyOf(a.targets[0]), &a.settings[v])
			}
		}
	}
	slices.SortFunc(set.files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
}

func (d *decoder) readFilesOf(b block) {
	for i := range b.settings {
		d.readFile(&b.set.keys[i], b.settings[i])
	}
}

// readFile reads the file that a setting names. What is wrong with the file is a fault of the
// setting, which is broken then.
func (d *decoder) readFile(k *Key, s *setting) {
	if k.Kind != KindFile || !s.wrote() {
		return
	}
	set := d.draft.files
	key := parsedFile{parserOf(k.Path), s.text}
	content, known := set.parsed[key]
	if known {
		if content == nil { // told where it was first named
			s.state = broken
		}
		return
	}
	text, err := set.read(s.text)
	if err == nil {
		content, err = fileParsers[key.parser](text)
	}
	if err != nil {
		content, s.state = nil, broken
		d.f.add(s.at, err.Error(), Error{Key: s.name, Value: s.raw})
	}
	set.parsed[key] = content
}

// read returns the text of a file, read once.
func (set *fileSet) read(name string) (string, error) {
	for _, f := range set.files {
		if f.Name == name {
			return f.Text, nil
		}
	}
	text, err := set.open(name)
	if err == nil {
		set.files = append(set.files, File{Name: name, SHA256: hashOf(text), Text: text})
	}
	return text, err
}

// fileOf is what the parser has made of the file that a key names; nil where it names none.
func (d *draft) fileOf(path string) any {
	s := d.get(path)
	if !s.wrote() {
		return nil
	}
	return d.files.parsed[parsedFile{parserOf(path), s.text}]
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
