package scenarios

import (
	"slices"
	"testing"

	"sdrsim/schemes/catalog"
)

// TestKeysAreFoundByTheirPath looks for every key of every table, and for what is none.
func TestKeysAreFoundByTheirPath(t *testing.T) {
	tables := map[string]*keySet{"the top": rootKeys, "none": newKeySet(nil)}
	for _, e := range catalog.Entries() {
		var keys []Key
		for _, p := range e.Params {
			keys = append(keys, Key{Path: p.Name})
		}
		tables[e.Name] = newKeySet(keys)
	}
	for name, set := range tables {
		if set.slots == nil {
			t.Errorf("%s: two keys share a slot whatever the multiplier", name)
		}
		for want, k := range set.keys {
			if i, ok := set.find(k.Path); !ok || i != want {
				t.Errorf("%s: %s found at %d, %v, want %d", name, k.Path, i, ok, want)
			}
			for _, other := range []string{k.Path + "s", k.Path[1:], "x" + k.Path[1:]} {
				at := slices.IndexFunc(set.keys, func(k Key) bool { return k.Path == other })
				if _, ok := set.find(other); ok != (at >= 0) {
					t.Errorf("%s: %q found: %v", name, other, ok)
				}
			}
		}
		if _, ok := set.find(""); ok {
			t.Errorf("%s: the empty path was found", name)
		}
	}
}

// TestKeysThatShareTheirLettersAreFoundAllTheSame has two that no multiplier keeps apart.
func TestKeysThatShareTheirLettersAreFoundAllTheSame(t *testing.T) {
	set := newKeySet([]Key{{Path: "abcdefgh"}, {Path: "aXcdefgh"}})
	if set.slots != nil {
		t.Fatal("the keys have slots of their own")
	}
	for want, k := range set.keys {
		if i, ok := set.find(k.Path); !ok || i != want {
			t.Errorf("%s found at %d, %v, want %d", k.Path, i, ok, want)
		}
	}
	if _, ok := set.find("aYcdefgh"); ok {
		t.Error("what is no key was found")
	}
}
