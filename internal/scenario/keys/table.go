package keys

import (
	"slices"

	"sdrsim/internal/scenario/format"
)

// Table is a table of keys with an index.
type Table struct {
	Keys  []Key
	index map[string]int
	// defaults are the settings of the keys, without names and places.
	defaults []Setting
}

// NewTable returns a table of keys.
func NewTable(keys []Key) *Table {
	set := &Table{Keys: keys, index: make(map[string]int, len(keys)),
		defaults: make([]Setting, len(keys))}
	for i := range keys {
		set.index[keys[i].Path] = i
		set.defaults[i] = keys[i].setting()
	}
	return set
}

// Key returns the key of a path, which must be in the table.
func (set *Table) Key(path string) *Key {
	i, ok := set.index[path]
	if !ok {
		panic("BUG: keys: no key " + path)
	}
	return &set.Keys[i]
}

// Find returns the position of a path; false where there is no such key.
func (set *Table) Find(path string) (int, bool) {
	i, ok := set.index[path]
	return i, ok
}

// Names are the paths of the keys.
func (set *Table) Names() []string {
	list := make([]string, len(set.Keys))
	for i := range list {
		list[i] = set.Keys[i].Path
	}
	return list
}

// Root are the settings outside the schemes.
var Root = NewTable(scalarKeys)

// Block is a setting for each key of a table. A block that was cloned shares its settings with the
// original; they are replaced, and not written to.
type Block struct {
	Set      *Table
	Settings []*Setting
}

// NewBlock returns the defaults of a table; faults call its keys by prefix and path.
func NewBlock(set *Table, prefix string, at format.Pos) Block {
	b := Block{Set: set, Settings: make([]*Setting, len(set.Keys))}
	list := slices.Clone(set.defaults)
	for i := range list {
		list[i].Name, list[i].At = prefix+set.Keys[i].Path, at
		b.Settings[i] = &list[i]
	}
	return b
}

// setting is the default of the key, without a name or a place.
func (k *Key) setting() Setting {
	if k.Default == "" {
		return Setting{}
	}
	v, ok := k.Parse(k.Default)
	if !ok {
		panic("BUG: keys: default of " + k.Path + " must be " + k.Allowed())
	}
	return Setting{Value: v, Raw: k.Default, State: Defaulted}
}

// Get returns the setting of a path, which must be in the table.
func (b *Block) Get(path string) *Setting {
	i, ok := b.Set.Find(path)
	if !ok {
		panic("BUG: keys: no key " + path)
	}
	return b.Settings[i]
}

// Key returns the key of a path, which must be in the table.
func (b *Block) Key(path string) *Key { return b.Set.Key(path) }

// Lookup returns the setting of a path, or nil.
func (b *Block) Lookup(path string) *Setting {
	if i, ok := b.Set.Find(path); ok {
		return b.Settings[i]
	}
	return nil
}

// Replace puts a setting in the place of another.
func (b *Block) Replace(path string, s *Setting) {
	i, _ := b.Set.Find(path)
	b.Settings[i] = s
}

// Clone returns a block whose settings can be replaced.
func (b Block) Clone() Block {
	b.Settings = slices.Clone(b.Settings)
	return b
}
