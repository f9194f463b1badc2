package code

import "crypto/subtle"

// XOR is interleaved parity: parity i is the XOR of the data chunks j with j mod m = i. It
// recovers one loss in each of its m groups.
type XOR struct {
	shape
	tail *XOR // the shortened code asked for last
}

// NewXOR returns an XOR code of k data and m parity chunks, m at most k. Groups are of equal size
// where m divides k, else they differ by one chunk.
func NewXOR(k, m int) (*XOR, error) {
	if err := (shape{k, m}).check(); err != nil {
		return nil, err
	}
	if m > k {
		return nil, ErrEmptyGroup
	}
	return &XOR{shape: shape{k, m}}, nil
}

// Recoverable tells whether no group has lost two chunks, its parity counted, or has lost only
// parity.
func (c *XOR) Recoverable(present []uint64) bool {
	checkPattern(present, c.k+c.m)
	if c.k+c.m <= 64 {
		return c.fold(present[0])
	}
	return c.walk(present)
}

// fold is Recoverable for a pattern of one word: it lays the data over the parity, m bits at a
// time, so that the chunks of a group meet in a bit.
func (c *XOR) fold(present uint64) bool {
	groups := uint64(1)<<(c.m&63) - 1
	lost := ^(present >> (c.k & 63)) & groups // groups that miss a chunk
	for absent := ^present & (1<<(c.k&63) - 1); absent != 0; absent >>= c.m & 63 {
		if absent&groups&lost != 0 {
			return false
		}
		lost |= absent & groups
	}
	return true
}

// walk is Recoverable for any pattern. The cost follows the missing data chunks.
func (c *XOR) walk(present []uint64) bool {
	for j := nextMissing(present, 0, c.k); j < c.k; j = nextMissing(present, j+1, c.k) {
		if !has(present, c.k+j%c.m) {
			return false
		}
		// Members before j were present, or the walk would have ended at them.
		for other := j + c.m; other < c.k; other += c.m {
			if !has(present, other) {
				return false
			}
		}
	}
	return true
}

// Tail returns the code of dataChunks data and m parity chunks. Groups may be empty in it: their
// parity is zero.
func (c *XOR) Tail(dataChunks int) (Coder, error) {
	if dataChunks < 1 || dataChunks > c.k {
		return nil, ErrTailChunks
	}
	if dataChunks == c.k {
		return c, nil
	}
	if c.tail == nil || c.tail.k != dataChunks {
		c.tail = &XOR{shape: shape{dataChunks, c.m}}
	}
	return c.tail, nil
}

// Covers is the data chunk of the same number: parity i is made of the data chunks j with j mod m
// = i.
func (c *XOR) Covers(parity int) int { return parity }

// Encode fills the parity chunks from the data chunks.
func (c *XOR) Encode(data, parity [][]byte) error {
	if len(data) != c.k || len(parity) != c.m {
		return ErrChunkCount
	}
	if _, err := checkLengths(data, parity, nil); err != nil {
		return err
	}
	for i, p := range parity {
		c.sum(p, data, group{first: i, except: -1})
	}
	return nil
}

// Reconstruct rebuilds the missing data chunks in place.
func (c *XOR) Reconstruct(chunks [][]byte, present []uint64) error {
	checkPattern(present, c.k+c.m)
	switch {
	case len(chunks) != c.k+c.m:
		return ErrChunkCount
	case count(present, c.k) == c.k:
		return nil
	case !c.Recoverable(present):
		return ErrUnrecoverable
	}
	data, parity := chunks[:c.k], chunks[c.k:]
	if _, err := checkLengths(data, parity, present); err != nil {
		return err
	}
	for j := nextMissing(present, 0, c.k); j < c.k; j = nextMissing(present, j+1, c.k) {
		c.sum(data[j], data, group{first: j % c.m, except: j, with: parity[j%c.m]})
	}
	return nil
}

// group names what is summed: the data chunks of the parity chunk first, except one (-1: none),
// and another chunk where it is given.
type group struct {
	first, except int
	with          []byte
}

// sum writes the XOR of the group's chunks to dst, as far as dst reaches. The first two operands
// are combined in one pass, so that dst is not first copied to and then read again.
func (c *XOR) sum(dst []byte, data [][]byte, g group) {
	first := g.with
	started := false
	for j := g.first; j < c.k; j += c.m {
		switch {
		case j == g.except:
		case first == nil:
			first = data[j]
		case !started:
			n := subtle.XORBytes(dst, first[:min(len(first), len(dst))], data[j])
			rest := copy(dst[n:], longer(first, data[j])[n:])
			clear(dst[n+rest:])
			started = true
		default:
			subtle.XORBytes(dst, dst, data[j][:min(len(data[j]), len(dst))])
		}
	}
	if !started {
		clear(dst[copy(dst, first):])
	}
}

func longer(a, b []byte) []byte {
	if len(a) >= len(b) {
		return a
	}
	return b
}
