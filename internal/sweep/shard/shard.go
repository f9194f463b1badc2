package shard

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// MaxParts bounds how many shards there are.
const MaxParts = 100_000

// Part is shard Index of Of, from 1. The zero Part is the whole.
type Part struct {
	Index int `json:"index,omitempty"`
	Of    int `json:"of,omitempty"`
}

// Whole tells that the part is everything.
func (p Part) Whole() bool { return p == Part{} }

// String prints "2/5", or "the whole".
func (p Part) String() string {
	if p.Whole() {
		return "the whole"
	}
	return fmt.Sprintf("%d/%d", p.Index, p.Of)
}

// Name is the name of the directory of the shard, "2-of-5".
func (p Part) Name() string { return fmt.Sprintf("%d-of-%d", p.Index, p.Of) }

// ParseName reads the name of the directory of a shard.
func ParseName(name string) (Part, bool) {
	i, n, _ := strings.Cut(name, "-of-")
	index, err1 := strconv.Atoi(i)
	of, err2 := strconv.Atoi(n)
	p, err := New(index, of)
	return p, err1 == nil && err2 == nil && err == nil && p.Name() == name
}

// Parse reads "2/5".
func Parse(text string) (Part, error) {
	i, n, found := strings.Cut(text, "/")
	index, err1 := strconv.Atoi(i)
	of, err2 := strconv.Atoi(n)
	if !found || err1 != nil || err2 != nil {
		return Part{}, fmt.Errorf("%q: must be i/n such as 2/5, or auto", text)
	}
	p, err := New(index, of)
	if err != nil {
		return Part{}, fmt.Errorf("%s: %w", text, err)
	}
	return p, nil
}

// New is shard index of so many, from 1.
func New(index, of int) (Part, error) {
	if of < 1 || of > MaxParts {
		return Part{}, fmt.Errorf("%d shards: must be 1 to %d", of, MaxParts)
	}
	if index < 1 || index > of {
		return Part{}, fmt.Errorf("shard %d of %d: must be 1 to %d", index, of, of)
	}
	return Part{Index: index, Of: of}, nil
}

// Assign returns the shard of every key, from 1 to n. Keys must differ. It depends on the set of
// keys only, not on their order.
func Assign(keys []string, n int) []int {
	type entry struct {
		hash [sha256.Size]byte
		at   int
	}
	order := make([]entry, len(keys))
	for i, k := range keys {
		order[i] = entry{sha256.Sum256([]byte(k)), i}
	}
	slices.SortFunc(order, func(a, b entry) int { return bytes.Compare(a.hash[:], b.hash[:]) })
	shards := make([]int, len(keys))
	for i, e := range order {
		shards[e.at] = i%n + 1
	}
	return shards
}

// Select returns the positions of the keys that the part has, ascending.
func (p Part) Select(keys []string) []int {
	var mine []int
	if p.Whole() {
		p = Part{1, 1}
	}
	for i, s := range Assign(keys, p.Of) {
		if s == p.Index {
			mine = append(mine, i)
		}
	}
	return mine
}
