package draft

import (
	"slices"
	"strings"

	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/schemes"
	"sdrsim/schemes/catalog"
)

// Draft is a point before it is checked: a setting for each key. It is a value that can be cloned.
type Draft struct {
	keys.Block
	Drops, AckDrops []Drop
	DropsAt         map[string]format.Pos
	Schemes         []Scheme
	// hasRing tells that the file has a collective, whatever is in it; hops are those of its hops
	// that differ from the link.
	hasRing bool
	Hops    []*Hop
	Events  []Entry // of every list of keys.Lists
	Files   *fileSet
	// NetworkAt is where the file has network, flows and traffic; flowsBroken tells of an entry that
	// could not be read.
	NetworkAt   map[string]format.Pos
	FlowsBroken bool
}

// Scheme is a scheme before it is checked.
type Scheme struct {
	keys.Block
	Entry catalog.Entry
	Label string
	own   bool // the user gave the label
	at    format.Pos
	// params are what values has made of the settings, which have not been replaced since; nil: not
	// made. Points share them.
	params schemes.Values
	// built is what the catalog makes of params, so far as they are without fault; nil: not made.
	built *schemes.Factory
}

// Factory is the scheme with its parameters. A parameter in which there is a fault is zero.
func (s *Scheme) Factory() *schemes.Factory {
	if s.built == nil {
		if s.params == nil {
			s.params = s.values()
		}
		built := s.Entry.Build(s.params)
		s.built = &built
	}
	return s.built
}

// Faultless reports whether no parameter has a fault of its own.
func (s *Scheme) Faultless() bool {
	return !slices.ContainsFunc(s.Settings,
		func(p *keys.Setting) bool { return p.State == keys.Broken })
}

// Clone returns a draft whose settings can be replaced.
func (d *Draft) Clone() *Draft {
	c := *d
	c.Block = d.Block.Clone()
	c.Schemes = slices.Clone(d.Schemes)
	for i := range c.Schemes {
		c.Schemes[i].Block = c.Schemes[i].Block.Clone()
	}
	c.Events = slices.Clone(d.Events)
	for i := range c.Events {
		c.Events[i].Block = c.Events[i].Block.Clone()
	}
	return &c
}

// Target is a setting by its place: a scheme, or -1 for the root and -2-i for event i, and the
// position in its table.
type Target struct{ scheme, key int }

// At is the setting of a target.
func (d *Draft) At(t Target) *keys.Setting { return d.blockOf(t).Settings[t.key] }

// Put replaces a setting.
func (d *Draft) Put(t Target, s *keys.Setting) {
	d.blockOf(t).Settings[t.key] = s
	if t.scheme >= 0 {
		s := &d.Schemes[t.scheme]
		s.params, s.built = nil, nil
	}
}

func (d *Draft) blockOf(t Target) *keys.Block {
	switch {
	case t.scheme < -1:
		return &d.Events[-2-t.scheme].Block
	case t.scheme < 0:
		return &d.Block
	}
	return &d.Schemes[t.scheme].Block
}

// KeyOf is the key of a target.
func (d *Draft) KeyOf(t Target) *keys.Key { return &d.blockOf(t).Set.Keys[t.key] }

// Resolve finds what a path means: a setting of the root, of one scheme, or of every scheme that
// has it. A label may hold dots; the longest that fits is taken.
func (d *Draft) Resolve(path string) []Target {
	if i, ok := d.Set.Find(path); ok {
		return []Target{{-1, i}}
	}
	for e := range d.Events {
		param, ok := strings.CutPrefix(path, d.Events[e].Path+".")
		if i, has := d.Events[e].Set.Find(param); ok && has {
			return []Target{{-2 - e, i}}
		}
	}
	var found []Target
	if param, ok := strings.CutPrefix(path, keys.EveryScheme); ok {
		for s := range d.Schemes {
			if i, ok := d.Schemes[s].Set.Find(param); ok {
				found = append(found, Target{s, i})
			}
		}
		return found
	}
	longest := -1
	for s := range d.Schemes {
		sd := &d.Schemes[s]
		param, ok := strings.CutPrefix(path, keys.OneScheme+sd.Label+".")
		if i, has := sd.Set.Find(param); ok && has && len(sd.Label) > longest {
			longest, found = len(sd.Label), []Target{{s, i}}
		}
	}
	return found
}

// Paths lists what can be set or swept, for suggestions.
func (d *Draft) Paths() []string {
	var list []string
	for i := range d.Set.Keys {
		if !d.Set.Keys[i].Fixed {
			list = append(list, d.Set.Keys[i].Path)
		}
	}
	for i := range d.Events {
		for _, k := range d.Events[i].Set.Keys {
			list = append(list, keys.JoinPath(d.Events[i].Path, k.Path))
		}
	}
	seen := map[string]bool{}
	for s := range d.Schemes {
		for _, k := range d.Schemes[s].Set.Keys {
			list = append(list, keys.OneScheme+d.Schemes[s].Label+"."+k.Path)
			if !seen[k.Path] {
				seen[k.Path] = true
				list = append(list, keys.EveryScheme+k.Path)
			}
		}
	}
	return list
}

// Ring reports whether the file has a collective; settings that could not be read count.
func (d *Draft) Ring() bool {
	return d.hasRing || d.Get("collective.kind").State != keys.Absent ||
		d.Get("collective.datacenters").State != keys.Absent
}

// Networked reports whether the file has a network, whatever is in it.
func (d *Draft) Networked() bool { return d.NetworkAt[keys.NetworkPath] != format.Pos{} }

// EachScheme yields the schemes under test, and those of flows that have their own.
func (d *Draft) EachScheme(yield func(*Scheme) bool) {
	for i := range d.Schemes {
		if !yield(&d.Schemes[i]) {
			return
		}
	}
	for i := range d.Events {
		if s := d.Events[i].Scheme; s != nil && !yield(s) {
			return
		}
	}
}

// Hopeless reports whether a path cannot be judged since no scheme could be read.
func (d *Draft) Hopeless(path string) bool {
	return len(d.Schemes) == 0 &&
		(strings.HasPrefix(path, keys.OneScheme) || strings.HasPrefix(path, keys.EveryScheme))
}
