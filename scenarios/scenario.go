package scenarios

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"

	"sdrsim/internal/figure"
	"sdrsim/internal/scenario/axes"
	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/rules"
	"sdrsim/internal/spec"
)

// Scenario is a file that has been read and checked, with its sweep.
type Scenario struct {
	Name string
	// Question is the one that the comment at the head of the file asks; empty where there is none.
	Question string
	// Text is the file as read, File its name.
	Text []byte
	File string
	// Overrides are in order of their paths, one for each path.
	Overrides []Override
	// Files are those that the file names, in order of their names.
	Files []File
	// Hash is the SHA-256, in hexadecimal, of the text followed by "\n--set path=value" for each of
	// Overrides and "\n--file name hash" for each of Files. Without both it is what sha256sum prints.
	Hash string
	// Axes are the swept paths; the points are their product, the first axis slowest. Axes that move
	// together count as one, and some points may be left out.
	Axes []Axis
	// Schemes are those of the file, before the sweep changes a parameter.
	Schemes []spec.Scheme
	Figures []figure.Figure
	// Checks are what sdrsim check holds the results to.
	Checks  []CheckRule
	Samples int
	Seed    uint64
	// Notes are remarks on what overrides have left out.
	Notes []string

	draft  *draft.Draft
	drafts sync.Pool // clones of it, each with the values of some point
	sweep  *axes.Sweep
}

// Load reads a scenario from the text of a file. Overrides take the place of what the file says;
// of several with one path the last counts. Files that it names are read from the folder of the
// file. The error, if any, is an Errors with every fault.
func Load(file string, data []byte, overrides []Override) (*Scenario, error) {
	return loader{axes.MaxPoints, draft.Beside(file)}.load(file, data, overrides)
}

// LoadKept reads a scenario that was kept with the files that it names.
func LoadKept(file string, data []byte, overrides []Override, files []File) (*Scenario, error) {
	return loader{axes.MaxPoints, draft.Among(files)}.load(file, data, overrides)
}

// loader says how scenarios are read.
type loader struct {
	points int          // of a sweep, at most
	open   draft.Opener // of files that a scenario names
}

func (l loader) load(file string, data []byte, overrides []Override) (*Scenario, error) {
	s := &Scenario{File: file, Text: data, Overrides: format.Canonical(overrides)}
	f := format.NewFaults(file, s.Overrides)
	root := format.Parse(data, f)
	if root == nil {
		return nil, f.Result()
	}
	later := draft.ApplyOverrides(root, f)
	d := draft.Decode(root, f)
	d.ApplyPending(later)
	s.sweep = axes.Read(d, l.points)
	s.Axes = s.sweep.Axes
	d.ReadFiles(l.open, s.sweep.Settings(d.Draft))
	rules.CheckUse(d, s.Axes)
	s.Figures, s.Notes = readFigures(d, s.sweep)
	rules, notes := readChecks(d, s.sweep)
	s.Checks, s.Notes = rules, append(s.Notes, notes...)
	s.draft = d.Draft
	s.sweep.Prepare(s.draft)
	s.checkPoints(f)
	if err := f.Result(); err != nil {
		return nil, err
	}
	s.Name = d.Draft.Get("name").Text
	s.Samples, s.Seed = int(d.Draft.Get("samples").Whole), uint64(d.Draft.Get("seed").Whole)
	s.Schemes = d.Draft.BuildSchemes()
	s.Question = Question(data)
	s.Files = d.Draft.Files.Files
	s.Hash = s.hash()
	return s, nil
}

func (s *Scenario) hash() string {
	h := sha256.New()
	h.Write(s.Text)
	for _, o := range s.Overrides {
		fmt.Fprintf(h, "\n--set %s", o)
	}
	for _, f := range s.Files {
		fmt.Fprintf(h, "\n--file %s %s", f.Name, f.SHA256)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// checkPoints applies the rules to every point of the sweep.
func (s *Scenario) checkPoints(f *format.Faults) {
	d := s.draft.Clone()
	for i := 0; i < s.Len() && !f.Full(); i++ {
		s.sweep.Put(d, i)
		rules.Check(d, f)
	}
}

// Len is the number of points.
func (s *Scenario) Len() int { return s.sweep.Len() }

// At builds point i, from 0. It is safe for concurrent use. The parameters of schemes may be shared
// with other points.
func (s *Scenario) At(i int) spec.Point {
	d, ok := s.drafts.Get().(*draft.Draft)
	if !ok {
		d = s.draft.Clone()
	}
	s.sweep.Put(d, i)
	p := rules.Build(d)
	s.drafts.Put(d)
	p.Index, p.Axes, p.Key, p.Varied = i, s.AxesAt(i), s.KeyAt(i), s.sweep.Varied(i)
	return p
}

// AxesAt is what At says of the axes of point i, without the rest.
func (s *Scenario) AxesAt(i int) []spec.AxisValue { return s.sweep.At(i) }

// KeyAt is what At says of the key of point i, without the rest.
func (s *Scenario) KeyAt(i int) string { return s.sweep.Key(i) }

// Points builds every point, in order.
func (s *Scenario) Points() []spec.Point {
	list := make([]spec.Point, s.Len())
	for i := range list {
		list[i] = s.At(i)
	}
	return list
}

// Question returns the question of the comment that a file begins with:
//
//	# Question: where does erasure coding beat selective repeat, and
//	# where not?
//	# Figure: ...
//
// It ends at an empty comment, at the next word with a colon, or with the comment.
func Question(data []byte) string {
	var words []string
	for line := range strings.Lines(string(data)) {
		text, comment := strings.CutPrefix(strings.TrimSpace(line), "#")
		text = strings.TrimSpace(text)
		if !comment {
			break
		}
		first, rest, _ := strings.Cut(text, " ")
		switch {
		case first == "Question:":
			words = append(words, rest)
		case len(words) == 0:
		case text == "" || strings.HasSuffix(first, ":"):
			return strings.Join(words, " ")
		default:
			words = append(words, text)
		}
	}
	return strings.Join(words, " ")
}
