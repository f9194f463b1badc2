package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"sdrsim/internal/metric"
	"sdrsim/scenarios"
)

// Format is the version of baseline files.
const Format = 1

// Baseline is what a scenario measured when somebody last said that it was right.
type Baseline struct {
	Format   int    `json:"format"`
	Scenario string `json:"scenario"`
	// Version is that of the program, ScenarioSHA256 the hash of the file.
	Version        string `json:"version"`
	ScenarioSHA256 string `json:"scenario_sha256"`
	Seed           uint64 `json:"seed"`
	// History tells of every update why, the last one last.
	History []Update `json:"history"`
	Cases   []Case   `json:"cases"`
}

// Update is one change of a baseline.
type Update struct {
	Reason         string `json:"reason"`
	Version        string `json:"version"`
	ScenarioSHA256 string `json:"scenario_sha256"`
	// Changed cases have another value, interval or number of samples than before.
	Added   int `json:"added"`
	Changed int `json:"changed"`
	Removed int `json:"removed"`
}

// Source says what measured the cases of a baseline.
type Source struct {
	Scenario *scenarios.Scenario
	Version  string // of the program
	Cases    []Case
}

// ReadBaseline reads what WriteTo has written. A file of another format is an error, as is one with
// unknown fields, a case that comes twice, or a metric that there is not.
func ReadBaseline(r io.Reader) (*Baseline, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var head struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, plain(err)
	}
	if head.Format != Format {
		return nil, fmt.Errorf("format %d, this program reads format %d", head.Format, Format)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var b Baseline
	if err := decoder.Decode(&b); err != nil {
		return nil, plain(err)
	}
	seen := map[id]bool{}
	for i := range b.Cases {
		c := &b.Cases[i]
		if _, ok := metric.FindCheck(c.Metric); !ok {
			return nil, fmt.Errorf("case %d: there is no metric %q", i, c.Metric)
		}
		if seen[c.id()] {
			return nil, fmt.Errorf("case %d: %s of %s comes twice", i, c.Metric, c.Scheme)
		}
		seen[c.id()] = true
	}
	return &b, nil
}

// plain tells in the terms of the file, not of this program, that a value is of the wrong kind.
func plain(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &kind):
		return err
	case kind.Field == "":
		return fmt.Errorf("no baseline: it holds one %s in the place of an object", kind.Value)
	}
	return fmt.Errorf("%s: a baseline has no %s there", kind.Field, kind.Value)
}

// WriteTo writes the baseline as JSON with a case a line, so that a change shows as a change of the
// lines concerned.
func (b *Baseline) WriteTo(w io.Writer) (int64, error) {
	head := *b
	head.Cases = nil
	text, err := encode(head)
	if err != nil {
		return 0, err
	}
	const empty = "null\n}\n" // the cases, which come last
	out := bytes.NewBuffer(bytes.TrimSuffix(text, []byte(empty)))
	out.WriteString("[")
	for i := range b.Cases {
		line, err := json.Marshal(&b.Cases[i])
		if err != nil {
			return 0, err
		}
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n    ")
		out.Write(line)
	}
	out.WriteString("\n  ]\n}\n")
	return out.WriteTo(w)
}

// encode writes JSON for people: indented, signs unescaped.
func encode(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(v)
	return out.Bytes(), err
}

// Renew returns the baseline that takes the place of old, which may be nil, and records why. It
// returns old itself where nothing would change.
func Renew(old *Baseline, s Source, reason string) *Baseline {
	if old == nil {
		old = &Baseline{}
	}
	b := &Baseline{
		Format: Format, Scenario: s.Scenario.Name, Version: s.Version,
		ScenarioSHA256: s.Scenario.Hash, Seed: s.Scenario.Seed, Cases: s.Cases,
	}
	u := Update{Reason: reason, Version: s.Version, ScenarioSHA256: s.Scenario.Hash}
	before := old.byID()
	for i := range b.Cases {
		c := &b.Cases[i]
		was, known := before[c.id()]
		switch {
		case !known:
			u.Added++
		case !same(was.Value, c.Value):
			u.Changed++
		}
		delete(before, c.id())
	}
	u.Removed = len(before)
	// The hash is of the seed too.
	if u.Added+u.Changed+u.Removed == 0 && old.ScenarioSHA256 == b.ScenarioSHA256 {
		return old
	}
	b.History = append(slices.Clone(old.History), u)
	return b
}

// byID indexes the cases.
func (b *Baseline) byID() map[id]*Case {
	index := make(map[id]*Case, len(b.Cases))
	for i := range b.Cases {
		index[b.Cases[i].id()] = &b.Cases[i]
	}
	return index
}

// same reports whether two values are equal in all respects; unknown numbers are equal.
func same(a, b Value) bool {
	return a.N == b.N && equal(a.Value, b.Value) && equal(a.Lo, b.Lo) && equal(a.Hi, b.Hi)
}

// equal reports whether two numbers are the same, or both unknown.
func equal(a, b Number) bool { return a == b || !a.Known() && !b.Known() }
