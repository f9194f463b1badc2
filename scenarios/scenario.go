package scenarios

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"

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
	Figures []Figure
	// Checks are what sdrsim check holds the results to.
	Checks  []CheckRule
	Samples int
	Seed    uint64
	// Notes are remarks on what overrides have left out.
	Notes []string

	draft  *draft
	drafts sync.Pool // clones of it, each with the values of some point
	groups [][]int   // of positions in Axes
	// kept are the points of the product that are not left out; nil: all.
	kept []int
}

// Load reads a scenario from the text of a file. Overrides take the place of what the file says;
// of several with one path the last counts. Files that it names are read from the folder of the
// file. The error, if any, is an Errors with every fault.
func Load(file string, data []byte, overrides []Override) (*Scenario, error) {
	return loader{maxPoints, beside(file)}.load(file, data, overrides)
}

// LoadKept reads a scenario that was kept with the files that it names.
func LoadKept(file string, data []byte, overrides []Override, files []File) (*Scenario, error) {
	return loader{maxPoints, among(files)}.load(file, data, overrides)
}

// loader says how scenarios are read.
type loader struct {
	points int    // of a sweep, at most
	open   opener // of files that a scenario names
}

func (l loader) load(file string, data []byte, overrides []Override) (*Scenario, error) {
	s := &Scenario{File: file, Text: data, Overrides: canonical(overrides)}
	f := newFaults(file, s.Overrides)
	root := parseTree(data, f)
	if root == nil {
		return nil, f.result()
	}
	later := applyOverrides(root, f)
	d := decodeTree(root, f)
	d.applyPending(later)
	var exclusions []exclusion
	s.Axes, exclusions = d.axes(l.points)
	s.groups = groupsOf(s.Axes)
	s.leaveOut(exclusions, d)
	d.readFiles(s.Axes, l.open)
	d.points = s.eachValues
	d.lossUse(s.Axes)
	d.jitterUse(s.Axes)
	d.trafficUse(s.Axes)
	d.submissionUse(s.Axes)
	d.workloadUse()
	s.Figures, s.Notes = d.readFigures(s.Axes)
	rules, notes := d.readChecks(s.Axes)
	s.Checks, s.Notes = rules, append(s.Notes, notes...)
	s.draft = d.draft
	for i := range s.Axes {
		s.Axes[i].prepare(s.draft)
	}
	s.checkPoints(f)
	if err := f.result(); err != nil {
		return nil, err
	}
	s.Name = d.draft.get("name").text
	s.Samples, s.Seed = d.draft.count("samples"), uint64(d.draft.get("seed").whole)
	s.Schemes = d.draft.buildSchemes()
	s.Question = Question(data)
	s.Files = d.draft.files.files
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
func (s *Scenario) checkPoints(f *faults) {
	if s.sound(f) {
		return
	}
	d := s.draft.clone()
	for i := 0; i < s.Len() && !f.full(); i++ {
		s.put(d, s.valuesOf(i))
		d.check(f)
	}
}

// leaveOut applies the exclusions.
func (s *Scenario) leaveOut(exclusions []exclusion, d *decoder) {
	if len(exclusions) == 0 {
		return
	}
	s.kept = []int{}
	for i := range s.product() {
		if leaves(exclusions, s.values(i)) {
			s.kept = append(s.kept, i)
		}
	}
	if len(s.kept) == 0 {
		d.f.add(place(d.sweep), "leaves out every point", Error{Key: "sweep." + excludeKey})
		s.kept = nil
	}
}

// product is the number of points before any are left out.
func (s *Scenario) product() int {
	n := 1
	for _, g := range s.groups {
		n *= len(s.Axes[g[0]].settings)
	}
	return n
}

// values are which value of each axis point i of the product has.
func (s *Scenario) values(i int) []int {
	chosen := make([]int, len(s.Axes))
	for k := len(s.groups) - 1; k >= 0; k-- {
		n := len(s.Axes[s.groups[k][0]].settings)
		for _, a := range s.groups[k] {
			chosen[a] = i % n
		}
		i /= n
	}
	return chosen
}

// eachValues yields the values of every point.
func (s *Scenario) eachValues(yield func([]int) bool) {
	for i := range s.Len() {
		if !yield(s.valuesOf(i)) {
			return
		}
	}
}

// valuesOf are which value of each axis point i has.
func (s *Scenario) valuesOf(i int) []int {
	if i < 0 || i >= s.Len() {
		panic(fmt.Sprintf("BUG: scenarios: point %d of %d", i, s.Len()))
	}
	if s.kept != nil {
		i = s.kept[i]
	}
	return s.values(i)
}

// put puts a value of each axis into a draft.
func (s *Scenario) put(d *draft, chosen []int) {
	for a := range s.Axes {
		s.Axes[a].choose(d, chosen[a])
	}
}

// Len is the number of points.
func (s *Scenario) Len() int {
	if s.kept != nil {
		return len(s.kept)
	}
	return s.product()
}

// At builds point i, from 0. It is safe for concurrent use. The parameters of schemes may be shared
// with other points.
func (s *Scenario) At(i int) spec.Point {
	chosen := s.valuesOf(i)
	d, ok := s.drafts.Get().(*draft)
	if !ok {
		d = s.draft.clone()
	}
	s.put(d, chosen)
	p := d.build()
	s.drafts.Put(d)
	p.Index, p.Axes, p.Key = i, s.axes(chosen), s.key(chosen)
	for a, v := range chosen {
		p.Varied = append(p.Varied, s.Axes[a].varied(v)...)
	}
	slices.SortStableFunc(p.Varied, func(a, b spec.AxisValue) int {
		return strings.Compare(a.Path, b.Path)
	})
	return p
}

// AxesAt is what At says of the axes of point i, without the rest.
func (s *Scenario) AxesAt(i int) []spec.AxisValue { return s.axes(s.valuesOf(i)) }

// KeyAt is what At says of the key of point i, without the rest.
func (s *Scenario) KeyAt(i int) string { return s.key(s.valuesOf(i)) }

// axes are the chosen values.
func (s *Scenario) axes(chosen []int) []spec.AxisValue {
	if len(chosen) == 0 {
		return nil
	}
	list := make([]spec.AxisValue, len(chosen))
	for a, v := range chosen {
		list[a] = s.Axes[a].Values[v]
	}
	return list
}

// key names the point of the chosen values.
func (s *Scenario) key(chosen []int) string {
	var name []byte
	for a, v := range chosen {
		value := &s.Axes[a].Values[v]
		if a > 0 {
			name = append(name, ',')
		}
		name = append(append(append(name, value.Path...), '='), value.Text...)
	}
	return string(name)
}

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
