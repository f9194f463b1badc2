package code

import (
	"math/bits"
	"sync"

	"github.com/klauspost/reedsolomon"
)

// Limits of the two fields the Reed-Solomon code works in.
const (
	SmallField    = 256   // chunks of a code over GF(2^8)
	LargeField    = 65536 // chunks over GF(2^16), the parity rounded up to a power of two
	LargeMultiple = 64    // parity chunks over GF(2^16) are multiples of this many bytes
)

// InLargeField is how many chunks a code counts as in GF(2^16), where it has to go there; else 0.
func InLargeField(k, m int) int {
	if k+m <= SmallField {
		return 0
	}
	return k + 1<<bits.Len(uint(m-1))
}

// MDS is a maximum distance separable code: any k of the k+m chunks recover the data.
type MDS struct {
	shape
	encoder reedsolomon.Encoder // set at the first use of real bytes
	shards  [][]byte            // what the library is handed: chunks, or their padded copies
	size    int                 // bytes of a shard in the present call
	spare   [][]byte            // memory for padded copies; the first used are taken
	used    int
	tail    *MDS // the shortened code asked for last
}

// NewMDS returns a Reed-Solomon code of k data and m parity chunks. It costs little until the
// first Encode or Reconstruct: a simulation without payload asks only for the rule.
func NewMDS(k, m int) (*MDS, error) {
	if err := (shape{k, m}).check(); err != nil {
		return nil, err
	}
	if k > LargeField || m > LargeField || InLargeField(k, m) > LargeField {
		return nil, ErrTooManyChunks
	}
	return &MDS{shape: shape{k, m}}, nil
}

// Recoverable reports whether any k of the k+m chunks are present.
func (c *MDS) Recoverable(present []uint64) bool {
	checkPattern(present, c.k+c.m)
	return count(present, c.k+c.m) >= c.k
}

// Tail returns the code of dataChunks data and m parity chunks.
func (c *MDS) Tail(dataChunks int) (Coder, error) {
	if dataChunks < 1 || dataChunks > c.k {
		return nil, ErrTailChunks
	}
	if dataChunks == c.k {
		return c, nil
	}
	// A shortened MDS code is MDS: the smaller code obeys the same rule and has no zeros to read.
	if c.tail == nil || c.tail.k != dataChunks {
		tail, err := NewMDS(dataChunks, c.m)
		if err != nil {
			panic("BUG: code: a shortened code exceeds the limits of the whole: " + err.Error())
		}
		c.tail = tail
	}
	return c.tail, nil
}

// Covers is the first data chunk: every parity chunk is made of all of them.
func (c *MDS) Covers(int) int { return 0 }

// Encode fills the parity chunks from the data chunks.
func (c *MDS) Encode(data, parity [][]byte) error {
	if len(data) != c.k || len(parity) != c.m {
		return ErrChunkCount
	}
	size, err := checkLengths(data, parity, nil)
	if err != nil {
		return err
	}
	if err := c.prepare(size); err != nil {
		return err
	}
	for i, d := range data {
		c.shards[i] = c.padded(d)
	}
	copy(c.shards[c.k:], parity)
	if err := c.encoder.Encode(c.shards); err != nil {
		panic("BUG: code: Reed-Solomon refuses checked chunks: " + err.Error())
	}
	clear(c.shards)
	return nil
}

// Reconstruct rebuilds the missing data chunks in place.
func (c *MDS) Reconstruct(chunks [][]byte, present []uint64) error {
	checkPattern(present, c.k+c.m)
	switch {
	case len(chunks) != c.k+c.m:
		return ErrChunkCount
	case count(present, c.k) == c.k:
		return nil
	case !c.Recoverable(present):
		return ErrUnrecoverable
	}
	size, err := checkLengths(chunks[:c.k], chunks[c.k:], present)
	if err != nil {
		return err
	}
	if err := c.prepare(size); err != nil {
		return err
	}
	for i, chunk := range chunks {
		switch {
		case has(present, i):
			c.shards[i] = c.padded(chunk)
		case i < c.k:
			c.shards[i] = c.output(chunk) // empty: the library fills the memory behind it
		}
	}
	if err := c.encoder.ReconstructData(c.shards); err != nil {
		panic("BUG: code: Reed-Solomon refuses a recoverable pattern: " + err.Error())
	}
	for i := nextMissing(present, 0, c.k); i < c.k; i = nextMissing(present, i+1, c.k) {
		copyUnlessSame(chunks[i], c.shards[i])
	}
	clear(c.shards)
	return nil
}

// prepare readies encoder and scratch memory for parity chunks of size bytes.
func (c *MDS) prepare(size int) error {
	// A symbol of GF(2^16) is a byte and the one 32 further on: the parity of a padded block does
	// not end where the padding starts, so it cannot be cut to a length in between.
	if c.k+c.m > SmallField && size%LargeMultiple != 0 {
		return ErrChunkMultiple
	}
	if c.encoder == nil {
		c.encoder = encoderFor(c.k, c.m)
		c.shards = make([][]byte, c.k+c.m)
	}
	c.used, c.size = 0, size
	return nil
}

// padded returns the chunk as a shard: itself, or a copy with zeros behind.
func (c *MDS) padded(chunk []byte) []byte {
	if len(chunk) == c.size {
		return chunk
	}
	shard := c.take()
	clear(shard[copy(shard, chunk):])
	return shard
}

// output returns an empty slice with room for a shard that will become the chunk: over the chunk
// itself, or over scratch memory.
func (c *MDS) output(chunk []byte) []byte {
	if len(chunk) == c.size {
		return chunk[:0:c.size]
	}
	return c.take()[:0]
}

// take hands out scratch memory for one shard, for the length of a call.
func (c *MDS) take() []byte {
	if c.used == len(c.spare) {
		c.spare = append(c.spare, nil)
	}
	if cap(c.spare[c.used]) < c.size {
		c.spare[c.used] = make([]byte, c.size)
	}
	shard := c.spare[c.used][:c.size]
	c.used++
	return shard
}

// copyUnlessSame brings a shard back to its chunk where it was made elsewhere.
func copyUnlessSame(chunk, shard []byte) {
	if len(chunk) > 0 && &chunk[0] != &shard[0] {
		copy(chunk, shard)
	}
}

// encoders holds one encoder for each (k, m): building the matrix takes longer than coding a
// submessage, and encoders may be shared between goroutines.
var encoders sync.Map

func encoderFor(k, m int) reedsolomon.Encoder {
	key := [2]int{k, m}
	if e, ok := encoders.Load(key); ok {
		return e.(reedsolomon.Encoder)
	}
	// Without a fixed number of goroutines a program started on one core falls back to a path
	// that is 2.6 times slower.
	made, err := reedsolomon.New(k, m, reedsolomon.WithMaxGoroutines(8))
	if err != nil {
		panic("BUG: code: Reed-Solomon refuses a checked shape: " + err.Error())
	}
	e, _ := encoders.LoadOrStore(key, made)
	return e.(reedsolomon.Encoder)
}
