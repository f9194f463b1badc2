package keys

import (
	"sdrsim/internal/scenario/format"
)

// Read parses a value for a setting whose place is known.
func (s *Setting) Read(k *Key, text string, f *format.Faults) {
	s.Raw, s.State = text, Broken
	v, ok := k.Parse(text)
	if !ok {
		f.Add(s.At, k.refusal(text), format.Error{
			Key: s.Name, Value: text, Suggestion: format.Nearest(text, k.Choices),
		})
		return
	}
	s.Value, s.State = v, Given
}

// state says where the value of a setting comes from.
type state uint8

const (
	Absent    state = iota // no value
	Broken                 // a value that could not be read; what depends on it is not checked
	Defaulted              // from the table of keys
	Given                  // from the file or an override
	Swept                  // from the sweep
)

// weight orders settings by how likely a conflict is theirs.
func (s state) weight() int {
	if s == Broken {
		return -1
	}
	return int(s)
}

// Setting is the value of one key.
type Setting struct {
	Value
	Name  string     // full path, as faults name it
	Raw   string     // as written
	At    format.Pos // of the value, or of what it is missing from
	State state
}

// Has reports whether there is a value to work with.
func (s *Setting) Has() bool { return s.State >= Defaulted }

// Wrote reports whether the user gave the value.
func (s *Setting) Wrote() bool { return s.State >= Given }

// Source implements format.Suspect.
func (s *Setting) Source() format.Source {
	return format.Source{Name: s.Name, Raw: s.Raw, At: s.At, Weight: s.State.weight(),
		Swept: s.State == Swept}
}

// Usable reports whether every setting has a value.
func Usable(settings ...*Setting) bool {
	for _, s := range settings {
		if !s.Has() {
			return false
		}
	}
	return true
}
