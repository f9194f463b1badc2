package format

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Error is one fault of a scenario.
type Error struct {
	// File is the scenario, or "--set path=value" for a fault of an override.
	File string
	// Line and Column count from 1; both are 0 for an override.
	Line, Column int
	// Key is the dotted path of what is wrong; empty for the file as a whole.
	Key string
	// Value is what was found, as written; empty where no single value is to blame.
	Value string
	// Message says what is allowed.
	Message string
	// Suggestion is what was probably meant; empty where nothing is close.
	Suggestion string
}

// Error prints file:line:column, key, value, what is allowed and what was probably meant.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	}
	b.WriteString(": ")
	said := e.Line == 0 && strings.HasPrefix(e.File, "--set "+e.Key+"=")
	if e.Key != "" && !said {
		b.WriteString(e.Key + ": ")
	}
	if e.Value != "" && !said {
		fmt.Fprintf(&b, "%q: ", e.Value)
	}
	b.WriteString(e.Message)
	if e.Suggestion != "" {
		fmt.Fprintf(&b, "; did you mean %q?", e.Suggestion)
	}
	return b.String()
}

// Errors are all the faults of a scenario, in the order of their positions; faults of overrides
// come last.
type Errors []*Error

// Error prints one fault a line.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// Pos is a place in the file. A negative line is the override of that number, counted from 1.
type Pos struct{ Line, column int }

// Faults collects the faults of one Load.
type Faults struct {
	file      string
	Overrides []Override
	list      []placed
	seen      map[faultID]bool
}

// placed is a fault with its place, by which faults are sorted.
type placed struct {
	at  Pos
	err *Error
}

// faultID recognises a fault that comes back at every point of a sweep.
type faultID struct {
	at       Pos
	key, why string
}

// maxFaults bounds what is reported, and so the work done on a sweep that is wrong throughout.
const maxFaults = 100

// NewFaults returns an empty list for a file with overrides.
func NewFaults(file string, overrides []Override) *Faults {
	return &Faults{file: file, Overrides: overrides, seen: map[faultID]bool{}}
}

// Add records a fault at a place, once for the same key and reason.
func (f *Faults) Add(at Pos, why string, e Error) {
	if e.Message == "" {
		e.Message = why
	}
	f.addOnce(at, faultID{at: at, key: e.Key, why: why}, e)
}

// addOnce records a fault unless one with the same identity is known.
func (f *Faults) addOnce(at Pos, id faultID, e Error) {
	if f.seen[id] || f.Full() {
		return
	}
	f.seen[id] = true
	e.File = f.file
	if at.Line > 0 {
		e.Line, e.Column = at.Line, at.column
	} else if at.Line < 0 {
		e.File = "--set " + f.Overrides[-at.Line-1].String()
	}
	f.list = append(f.list, placed{at, &e})
}

// Blame records that settings do not go together. The fault is laid to the first of them that is
// swept, else to the first that the user wrote, else to the first. Where the reason names no value,
// it holds for the sweep as a whole, and is given once.
func (f *Faults) Blame(format string, args []any, of ...Suspect) {
	best := of[0].Source()
	for _, s := range of[1:] {
		if other := s.Source(); other.Weight > best.Weight {
			best = other
		}
	}
	e := Error{Key: best.Name, Value: best.Raw, Message: fmt.Sprintf(format, args...)}
	id := faultID{key: e.Key, why: format}
	if !best.Swept || len(args) > 0 {
		id.at = best.At
	}
	f.addOnce(best.At, id, e)
}

// Suspect is a setting that a fault may be laid to.
type Suspect interface{ Source() Source }

// Source is where a setting comes from.
type Source struct {
	Name, Raw string // its path, and its value as written
	At        Pos
	Weight    int // how likely a conflict is of its making
	Swept     bool
}

// Count is how many faults there are.
func (f *Faults) Count() int { return len(f.list) }

// Fresh returns an empty list for the same file.
func (f *Faults) Fresh() *Faults { return NewFaults(f.file, f.Overrides) }

// Full reports whether no more faults are taken.
func (f *Faults) Full() bool { return f.Count() >= maxFaults }

// Result returns the faults in order; nil when there are none.
func (f *Faults) Result() error {
	if f.Count() == 0 {
		return nil
	}
	slices.SortStableFunc(f.list, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.at.order(), b.at.order()),
			cmp.Compare(a.at.column, b.at.column))
	})
	out := make(Errors, f.Count())
	for i, p := range f.list {
		out[i] = p.err
	}
	return out
}

// order is the line, with overrides after every line of a file.
func (p Pos) order() int64 {
	if p.Line < 0 {
		return 1<<40 - int64(p.Line)
	}
	return int64(p.Line)
}

// Words says where a place is, for a fault of another place.
func (p Pos) Words() string {
	if p.Line < 0 {
		return "before"
	}
	return fmt.Sprintf("at line %d", p.Line)
}
