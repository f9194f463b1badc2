package scenarios

import (
	"slices"
	"strings"

	"sdrsim/schemes"
	"sdrsim/schemes/catalog"
)

// state tells where the value of a setting comes from.
type state uint8

const (
	absent    state = iota // no value
	broken                 // a value that could not be read; what depends on it is not checked
	defaulted              // from the table of keys
	given                  // from the file or an override
	swept                  // from the sweep
)

// weight orders settings by how likely a conflict is theirs.
func (s state) weight() int {
	if s == broken {
		return -1
	}
	return int(s)
}

// setting is the value of one key.
type setting struct {
	value
	name  string // full path, as faults name it
	raw   string // as written
	at    pos    // of the value, or of what it is missing from
	state state
}

// has reports whether there is a value to work with.
func (s *setting) has() bool { return s.state >= defaulted }

// wrote reports whether the user gave the value.
func (s *setting) wrote() bool { return s.state >= given }

// usable reports whether every setting has a value.
func usable(settings ...*setting) bool {
	for _, s := range settings {
		if !s.has() {
			return false
		}
	}
	return true
}

// keySet is a table of keys with an index. The rules look keys up dozens of times for each point of
// a sweep, which takes longer than the rules do where the index is a map.
type keySet struct {
	keys  []Key
	index map[string]int
	// slots has the number of a key, plus one, where hash puts its path; no two keys share a slot.
	// Nil where no multiplier was found that keeps them apart.
	slots      []uint8
	multiplier uint32
	// defaults are the settings of the keys, without names and places.
	defaults []setting
}

// slotBits is the size of the table of slots, for some two hundred keys.
const slotBits = 13

func newKeySet(keys []Key) *keySet {
	set := &keySet{keys: keys, index: make(map[string]int, len(keys)),
		defaults: make([]setting, len(keys))}
	for i := range keys {
		set.index[keys[i].Path] = i
		set.defaults[i] = keys[i].setting()
	}
	const tries = 1000
	for set.multiplier = 0x9e3779b1; set.multiplier < 0x9e3779b1+2*tries; set.multiplier += 2 {
		if set.spread() {
			return set
		}
	}
	set.slots = nil
	return set
}

// spread fills the slots; false where two keys would share one.
func (set *keySet) spread() bool {
	set.slots = make([]uint8, 1<<slotBits)
	for i, k := range set.keys {
		slot := &set.slots[set.hash(k.Path)]
		if *slot != 0 || i >= 255 {
			return false
		}
		*slot = uint8(i + 1)
	}
	return true
}

// hash looks at the length of a path and at the letters in which those of the tables differ.
func (set *keySet) hash(path string) uint32 {
	n := len(path)
	if n == 0 {
		return 0
	}
	letters := uint32(path[n-1]) | uint32(path[n/2])<<8 | uint32(path[n-(n+3)/4])<<16
	letters ^= uint32(path[0])<<4 ^ uint32(path[max(n-4, 0)])<<13 ^ uint32(path[max(n-5, 0)])<<21
	return (letters ^ uint32(n)<<24) * set.multiplier >> (32 - slotBits)
}

// find returns the number of the key with the path; false where there is none.
func (set *keySet) find(path string) (int, bool) {
	if set.slots == nil {
		i, ok := set.index[path]
		return i, ok
	}
	i := int(set.slots[set.hash(path)]) - 1
	if i < 0 || set.keys[i].Path != path {
		return 0, false
	}
	return i, true
}

// rootKeys are the settings outside the schemes.
var rootKeys = newKeySet(scalarKeys)

// block is a setting for each key of a table. A block that was cloned shares its settings with the
// original; they are replaced, and not written to.
type block struct {
	set      *keySet
	settings []*setting
	seen     []bool // which settings were asked for; nil: nobody wants to know
}

// newBlock returns the defaults of a table; faults call its keys by prefix and path.
func newBlock(set *keySet, prefix string, at pos) block {
	b := block{set: set, settings: make([]*setting, len(set.keys))}
	list := slices.Clone(set.defaults)
	for i := range list {
		list[i].name, list[i].at = prefix+set.keys[i].Path, at
		b.settings[i] = &list[i]
	}
	return b
}

// setting is the default of the key, without a name or a place.
func (k *Key) setting() setting {
	if k.Default == "" {
		return setting{}
	}
	v, ok := k.parse(k.Default)
	if !ok {
		panic("BUG: scenarios: default of " + k.Path + " must be " + k.Allowed())
	}
	return setting{value: v, raw: k.Default, state: defaulted}
}

// get returns the setting of a path, which must be in the table.
func (b *block) get(path string) *setting {
	i, ok := b.set.find(path)
	if !ok {
		panic("BUG: scenarios: no key " + path)
	}
	return b.of(i)
}

// lookup returns the setting of a path, or nil.
func (b *block) lookup(path string) *setting {
	if i, ok := b.set.find(path); ok {
		return b.of(i)
	}
	return nil
}

// of returns the setting of the key with a number.
func (b *block) of(i int) *setting {
	if b.seen != nil {
		b.seen[i] = true
	}
	return b.settings[i]
}

// clone returns a block whose settings can be replaced. What is asked of it counts as asked of the
// original.
func (b block) clone() block {
	b.settings = slices.Clone(b.settings)
	return b
}

// draft is a point before it is checked: a setting for each key. It is a value that can be cloned.
type draft struct {
	block
	drops, ackDrops []dropDraft
	dropsAt         map[string]pos
	schemes         []schemeDraft
	// hasRing tells that the file has a collective, whatever is in it; hops are those of its hops
	// that differ from the link.
	hasRing bool
	hops    []*hopDraft
	events  []eventDraft // of every list in eventKeys
	files   *fileSet
	// networkAt is where the file has network, flows and traffic; flowsBroken tells of an entry that
	// could not be read.
	networkAt   map[string]pos
	flowsBroken bool
}

// schemeDraft is a scheme before it is checked.
type schemeDraft struct {
	block
	entry catalog.Entry
	label string
	own   bool // the user gave the label
	at    pos
	// params are what values has made of the settings, which have not been replaced since; nil: not
	// made. Points share them.
	params schemes.Values
	// built is what the catalog makes of params, so far as they are without fault; nil: not made.
	built *schemes.Factory
}

// factory is the scheme with its parameters. A parameter in which there is a fault is zero. What it
// says may follow from any of them, so that all count as asked for.
func (s *schemeDraft) factory() *schemes.Factory {
	for i := range s.seen {
		s.seen[i] = true
	}
	if s.built == nil {
		if s.params == nil {
			s.params = s.values()
		}
		built := s.entry.Build(s.params)
		s.built = &built
	}
	return s.built
}

// faultless reports whether no parameter has a fault of its own.
func (s *schemeDraft) faultless() bool {
	return !slices.ContainsFunc(s.settings, func(p *setting) bool { return p.state == broken })
}

// clone returns a draft whose settings can be replaced.
func (d *draft) clone() *draft {
	c := *d
	c.block = d.block.clone()
	c.schemes = slices.Clone(d.schemes)
	for i := range c.schemes {
		c.schemes[i].block = c.schemes[i].block.clone()
	}
	c.events = slices.Clone(d.events)
	for i := range c.events {
		c.events[i].block = c.events[i].block.clone()
	}
	return &c
}

// target is a setting by its place: a scheme, or -1 for the root and -2-i for event i, and the
// position in its table.
type target struct{ scheme, key int }

func (d *draft) at(t target) *setting { return d.blockOf(t).settings[t.key] }

// put replaces a setting.
func (d *draft) put(t target, s *setting) {
	d.blockOf(t).settings[t.key] = s
	if t.scheme >= 0 {
		s := &d.schemes[t.scheme]
		s.params, s.built = nil, nil
	}
}

func (d *draft) blockOf(t target) *block {
	switch {
	case t.scheme < -1:
		return &d.events[-2-t.scheme].block
	case t.scheme < 0:
		return &d.block
	}
	return &d.schemes[t.scheme].block
}

func (d *draft) keyOf(t target) *Key { return &d.blockOf(t).set.keys[t.key] }

// Prefixes of the paths of scheme parameters.
const (
	everyScheme = "scheme."  // scheme.rto: of all schemes that have it
	oneScheme   = "schemes." // schemes.<label>.rto
)

// resolve finds what a path means: a setting of the root, of one scheme, or of every scheme that
// has it. A label may hold dots; the longest that fits is taken.
func (d *draft) resolve(path string) []target {
	if i, ok := d.set.index[path]; ok {
		return []target{{-1, i}}
	}
	for e := range d.events {
		param, ok := strings.CutPrefix(path, d.events[e].path+".")
		if i, has := d.events[e].set.index[param]; ok && has {
			return []target{{-2 - e, i}}
		}
	}
	var found []target
	if param, ok := strings.CutPrefix(path, everyScheme); ok {
		for s := range d.schemes {
			if i, ok := d.schemes[s].set.index[param]; ok {
				found = append(found, target{s, i})
			}
		}
		return found
	}
	longest := -1
	for s := range d.schemes {
		sd := &d.schemes[s]
		param, ok := strings.CutPrefix(path, oneScheme+sd.label+".")
		if i, has := sd.set.index[param]; ok && has && len(sd.label) > longest {
			longest, found = len(sd.label), []target{{s, i}}
		}
	}
	return found
}

// paths lists what can be set or swept, for suggestions.
func (d *draft) paths() []string {
	var list []string
	for i := range d.set.keys {
		if !d.set.keys[i].Fixed {
			list = append(list, d.set.keys[i].Path)
		}
	}
	for i := range d.events {
		for _, k := range d.events[i].set.keys {
			list = append(list, joinPath(d.events[i].path, k.Path))
		}
	}
	seen := map[string]bool{}
	for s := range d.schemes {
		for _, k := range d.schemes[s].set.keys {
			list = append(list, oneScheme+d.schemes[s].label+"."+k.Path)
			if !seen[k.Path] {
				seen[k.Path] = true
				list = append(list, everyScheme+k.Path)
			}
		}
	}
	return list
}

// paramKeys turns the parameters of a scheme into keys.
func paramKeys(params []schemes.Param) []Key {
	keys := make([]Key, len(params))
	for i, p := range params {
		keys[i] = Key{Path: p.Name, Kind: p.Kind, Default: p.Default, Choices: p.Choices,
			Min: p.Min, Max: p.Max, Doc: p.Doc}
		if p.Kind == schemes.KindRate {
			keys[i].Min, keys[i].Max = 1, maxRate // work at no rate never ends
		}
	}
	return keys
}

// schemeKeys are the tables of the schemes by name.
var schemeKeys = func() map[string]*keySet {
	sets := map[string]*keySet{}
	for _, e := range catalog.Entries() {
		sets[e.Name] = newKeySet(paramKeys(e.Params))
	}
	return sets
}()
